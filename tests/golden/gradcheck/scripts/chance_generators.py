"""Generators that the script keeps, seeded and not."""

import random

import numpy as np

import dyncore as torch

KINDS = {
    "seeded": random.Random(7).random,
    "unseeded": random.Random().random,
    "numpy_seeded": np.random.default_rng(3).random,
    "numpy_unseeded": np.random.default_rng().random,
    "legacy": np.random.random,
    "torch": lambda: torch.rand((), generator=generator).item(),
}
generator = torch.Generator()
generator.manual_seed(5)


def forward(x, kind: str):
    return x * x * KINDS[kind]()  # FAULT


# $ -i x='[1.0]' -i kind=seeded : right
# $ -i x='[1.0]' -i kind=unseeded : nondeterministic x
# $ -i x='[1.0]' -i kind=numpy_seeded : right
# $ -i x='[1.0]' -i kind=numpy_unseeded : nondeterministic x
# $ -i x='[1.0]' -i kind=legacy : right
# $ -i x='[1.0]' -i kind=torch : right
