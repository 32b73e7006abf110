"""Keeps what is positive: another shape on the other side."""


def forward(x):
    return x[x > 0]  # NEAR


# $ -i '[1.0, -2.0, 3.0]' : right
# $ -i '[1.0, 0.0, 3.0]' : jump x
