"""Sequences of different lengths through one recurrent cell, without padding.

The loop runs as often as the sequence is long, so each sequence records a graph of its own length, and the weights'
gradients are the sum over all steps of all sequences.
"""

import dyncore as torch
from dyncore import Tensor, nn

torch.manual_seed(0)
cell = nn.RNNCell(input_size=2, hidden_size=4)
readout = nn.Linear(4, 1)


def forward(sequences: list[Tensor]) -> list[Tensor]:
    """One number for each sequence of shape (steps, 2), read from the state after its last step."""
    return [read(sequence) for sequence in sequences]


def read(sequence: Tensor) -> Tensor:
    """The readout of the state after the last step; an empty sequence leaves the state at zero."""
    state = torch.zeros(1, 4)
    for step in sequence:
        state = cell(step.unsqueeze(0), state)
    return readout(state).squeeze()


# $ dyncli run var_rnn
# models/var_rnn.py:forward · case three · float32 · seed 0 · 57 ops · 4 decisions
#
# Outputs
# name      shape  dtype    values
# ─────────────────────────────────
# output.0  []     float32  -0.2546
# output.1  []     float32  -0.371
# output.2  []     float32  -0.4041
#
# Gradients of output.0, output.1, output.2  seeded with 1 · float32
# name            shape   values
# ────────────────────────────────────────────────────────────
# sequences.0     [1, 2]  [[0.1599, -0.2247]]
# sequences.1     [3, 2]  norm 0.3042 · -0.23 to 0.1582
# sequences.2     [5, 2]  norm 0.3 · -0.2285 to 0.1512
# cell.weight_ih  [4, 2]  norm 1.413 · -0.7857 to 0.5722
# cell.weight_hh  [4, 4]  norm 0.6815 · -0.07463 to 0.3982
# cell.bias_ih    [4]     [-0.7613, -0.9839, -0.5013, -1.751]
# cell.bias_hh    [4]     [-0.7613, -0.9839, -0.5013, -1.751]
# readout.weight  [1, 4]  [[-0.7152, -0.08663, 0.933, 0.1707]]
# readout.bias    [1]     [3]
#
# Decisions
#   #  line  test                       because               took              left  margin  depth
# ─────────────────────────────────────────────────────────────────────────────────────────────────
#   0    17  for sequence in sequences  3 trips (python)      exhausted                           1
# 1…3    23    for step in sequence     1 to 5 trips (shape)  1 trip, 3 trips,                    2
#                                                             5 trips
