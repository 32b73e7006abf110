"""A coin decides which arm is taken; the seed decides the coin."""

import dyncore as torch


def forward(x):
    if torch.rand(()) < 0.5:
        return -x * x
    return x.exp()


# $ -i '[1.0, 2.0]' : right
# $ -i '[1.0, 2.0]' --seed 1 : right
