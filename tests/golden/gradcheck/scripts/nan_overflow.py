"""Grows beyond all numbers."""


def forward(x):
    return (x * x).exp()  # FAULT


# $ -i '[100.0]' : nan x
# $ -i '[26.0]' : right
