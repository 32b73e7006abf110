"""Loops over what is there: one step of work for each element, no padding."""

import dyncore as torch
from dyncore import Tensor


def forward(sequences: list[Tensor]) -> Tensor:
    """The sum of the largest element of every sequence."""
    return torch.stack([sequence.max() for sequence in sequences if len(sequence)]).sum()


# $ dyncli run samples/lessons/03_lengths.py -i '[[1, 5, 2], [], [3], [4, 4]]'
# samples/lessons/03_lengths.py:forward · float32 · seed 0 · 5 ops · 5 decisions
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────
# output  []     float32  12
#
# Gradients of output  seeded with 1
# name         shape  dtype    values
# ─────────────────────────────────────────
# sequences.0  [3]    float32  [0, 1, 0]
# sequences.1                  None  unused
# sequences.2  [1]    float32  [1]
# sequences.3  [2]    float32  [0.5, 0.5]
#
# Decisions
#   #  line  test                       because                         took              left  margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
#   0     9  for sequence in sequences  4 trips (python)                exhausted
# 1…4     9  if len(sequence)           len(sequence) = 3 … 0 … 2       True, False,                 0
#                                       (shape)                         True x2
