"""A staircase, between two whole numbers."""


def forward(x):
    return x.round() * x  # NEAR


# $ -i 2.5 : jump x
# $ -i 2.0 : right
