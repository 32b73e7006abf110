"""A staircase, on a step."""


def forward(x):
    return x.floor() + x * x  # NEAR


# $ -i 2.0 : jump x
# $ -i 2.5 : right
