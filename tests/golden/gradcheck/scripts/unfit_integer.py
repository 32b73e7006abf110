"""Whole numbers only."""

import dyncore as torch


def forward(x: torch.Tensor):
    return x * 2


# $ -i '[1, 2]' : right|not_applicable
