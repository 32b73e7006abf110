"""Inputs of very different sizes side by side."""


def forward(x):
    return (x * x).sum() + x.sin().sum()


# $ -i '[1e8, 1.0, 1e-8]' : right
# $ -i '[1e-8, 1e-12]' : right
# $ -i '[1e8]' : right
