"""A coin that no seed governs chooses between two arms: two calls in a row often go the same way."""

import random

coin = random.SystemRandom()


def forward(x):
    if coin.random() < 0.5:  # FAULT
        return x * 2
    return x * 3


# $ -i '[1.0, 2.0]' : nondeterministic x
