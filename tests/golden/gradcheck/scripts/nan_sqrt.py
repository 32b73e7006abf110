"""The slope of a square root at zero is infinite."""


def forward(x):
    return x.sqrt().sum()  # FAULT


# $ -i '[0.0, 1.0]' : nan x
# $ -i '[1e-10, 1.0]' : right
