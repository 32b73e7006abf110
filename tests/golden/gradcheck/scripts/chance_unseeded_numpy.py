"""A generator that was made without a seed."""

import numpy as np


def forward(x):
    noise = np.random.default_rng().standard_normal(2)  # FAULT
    return (x * 3 + noise.tolist()[0]).sin()


# $ -i '[1.0, 2.0]' : nondeterministic x
