"""The sign of zero."""


def forward(x):
    return x.sign() * 3 + x  # NEAR


# $ -i '[0.0, 2.0]' : jump x
# $ -i '[1e-9, 2.0]' : right
