"""The derivative is zero at the point, by symmetry."""


def forward(x):
    return (x * x).cos()


# $ -i '[0.0, 1.0]' : right
