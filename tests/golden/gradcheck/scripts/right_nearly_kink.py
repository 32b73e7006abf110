"""Rounded off so tightly that it looks like a corner from afar."""


def forward(x):
    return (x * x + 1e-16).sqrt()


# $ -i '[0.0, 1e-8]' : right
# $ -i '[1e-7]' : right
