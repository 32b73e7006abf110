"""Infinite on the way back only."""


def forward(x):
    y = x * 1e-200
    return (y * y).sqrt()


# $ -i '[1.0]' : nan x|not_measurable|wrong|kink
