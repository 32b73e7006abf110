"""Noise from the operating system, which no seed governs."""

import random

chance = random.SystemRandom()


def forward(x):
    return x * x * chance.random()  # FAULT


# $ -i '[1.0, 2.0]' : nondeterministic x
