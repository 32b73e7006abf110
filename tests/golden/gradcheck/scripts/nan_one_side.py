"""Defined on one side of the point only."""


def forward(x):
    return (x - 1).sqrt() * (x - 1)


# $ -i '[1.0]' : nan x
