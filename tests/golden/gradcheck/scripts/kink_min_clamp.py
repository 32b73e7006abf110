"""On the bound of `clamp`."""


def forward(x):
    return x.clamp(-1, 1)  # NEAR


# $ -i '[0.5, 1.0]' : kink x
# $ -i '[0.5, 1.5]' : right
