"""A wave beside a constant so great that differences keep two digits: a complex step keeps them all."""


def forward(x):
    return x.sin() + 3e11


# $ -i '[0.5, 1.0]' : right
