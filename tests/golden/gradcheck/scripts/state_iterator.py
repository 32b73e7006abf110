"""Takes the next number of an iterator at each call."""

import itertools

numbers = itertools.count(1)


def forward(x):
    return x.sin() * next(numbers)


# $ -i '[1.0, 2.0]' : right
