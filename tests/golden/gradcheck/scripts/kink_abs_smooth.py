"""x times |x|, which has a derivative at zero."""


def forward(x):
    return x * x.abs()


# $ -i '[0.0, 3.0]' : right
