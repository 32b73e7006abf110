"""A number drawn in one function, changed in another line, used in a third; a clock that nothing depends on."""

import random
import time

chance = random.SystemRandom()


def drawn():
    return chance.random()  # FAULT


def forward(x):
    started = time.perf_counter()
    y = x * 2
    factor = drawn()
    factor = factor + 1
    z = y * factor
    print(time.perf_counter() - started)
    return z


# $ -i '[1.0, 2.0]' : nondeterministic x
