"""Two corners that cancel: the function is the identity, but at zero its gradient is put together of one side each."""

import dyncore as torch


def forward(x):
    return torch.relu(x) - torch.relu(-x)  # FAULT


# $ -i '[0.0, 1.0]' : wrong x
# $ -i '[1e-9, -1e-9]' : right
