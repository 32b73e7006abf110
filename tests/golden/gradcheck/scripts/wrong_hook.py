"""A hook that halves what passes."""


def half(grad):
    return grad * 0.5  # FAULT


def forward(x):
    y = x * 3
    y.register_hook(half)
    return y.tanh().exp()


# $ -i '[0.3, 0.9]' : wrong x
