"""An integer that chooses, beside a floating input."""

import dyncore as torch


def forward(x: torch.Tensor, index: int):
    return x[index] * x.sum()


# $ -i x='[0.5, 2.0]' -i index=1 : right
