"""On the corner of `relu`."""

import dyncore as torch


def forward(x):
    return torch.relu(x - 1).sum()  # NEAR


# $ -i '[1.0, 3.0]' : kink x
# $ -i '[1.000000001, 3.0]' : right
# $ -i '[0.9999999999999, 3.0]' : right
