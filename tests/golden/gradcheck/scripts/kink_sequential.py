"""Layers in a row, without a line of the script between them: the line of the layer that bends."""

from dyncore import nn

model = nn.Sequential(
    nn.Linear(2, 2, bias=False),
    nn.ReLU(),  # NEAR
    nn.Linear(2, 1),
)
# $ -i '[[0.0, 0.0]]' : kink
# $ -i '[[0.5, 0.1]]' : right
