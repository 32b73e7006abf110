"""A hook that clips greater gradients than these."""


def forward(x):
    y = x * 0.5
    y.register_hook(lambda g: g.clamp(-1, 1))
    return y.sum()


# $ -i '[1.0, 2.0]' : right
