"""A little noise from outside, as of a sum in another order."""

import os


def forward(x):
    noise = int.from_bytes(os.urandom(4), "big") * 1e-19  # FAULT
    return x.exp() * (1 + noise)


# $ -i '[1.0, 2.0]' : nondeterministic x
