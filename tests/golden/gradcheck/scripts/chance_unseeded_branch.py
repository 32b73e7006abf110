"""A coin that no seed governs decides which arm is taken."""

import random

chance = random.SystemRandom()


def forward(x):
    total = x * 0
    for _ in range(40):
        if chance.random() < 0.5:  # FAULT
            total = total + x
        else:
            total = total - x
    return total


# $ -i '[1.0, 2.0]' : nondeterministic x
