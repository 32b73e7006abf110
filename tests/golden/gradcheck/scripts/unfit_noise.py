"""Rounding leaves nothing of the input."""


def forward(x):
    return (x + 1e20) - 1e20


# $ -i '[1.0, 2.0]' : not_measurable x
