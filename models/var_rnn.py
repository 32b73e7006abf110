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
