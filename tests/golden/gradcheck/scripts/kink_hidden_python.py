"""A Python function of a number, with a corner in it that no test stands for."""


def forward(x):
    factor = {True: 2.0, False: 1.0}[bool(x > 0)]
    return x * factor


# $ -i 0.0 : kink x
# $ -i 0.5 : right
