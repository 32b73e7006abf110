"""A power of |x| that is smooth at 0, where the slopes shrink more slowly than the step."""

import dyncore as torch


def forward(x):
    return (x.abs() ** 1.5).sum() + (torch.relu(x) ** 1.25).sum()


# $ -i '[0.0, 1.0]' : right
# $ -i '[1e-12, 1.0]' : right
