"""Powers whose base or exponent sits at zero."""


def forward(x):
    return x**2 + x**3 + 2**x


# $ -i '[0.0, 1.0, -2.0]' : right
