"""An in-place change while gradients are off."""

import dyncore as torch


def forward(x):
    y = x * 2
    with torch.no_grad():
        y *= 3  # FAULT
    return y.sum()


# $ -i '[0.1, 0.7, 0.3]' : wrong|detached x
