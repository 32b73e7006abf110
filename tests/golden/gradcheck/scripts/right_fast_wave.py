"""A wave that turns much faster than any usual step."""


def forward(x):
    return (x * 1e7).sin()


# $ -i '[0.3, 1.0]' : right
