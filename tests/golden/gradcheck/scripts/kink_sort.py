"""The sorted values with weights: a tie is a corner."""

import dyncore as torch


def forward(x):
    return (x.sort().values * torch.tensor([1.0, 2.0, 4.0])).sum()  # NEAR


# $ -i '[3.0, 1.0, 1.0]' : kink x
# $ -i '[3.0, 1.0, 1.1]' : right
