"""Functions whose slope grows without bound towards 0, at points much nearer to it than any usual step."""

import dyncore as torch


def forward(x):
    return torch.stack([1 / x, x.log(), x.sqrt(), x * x.log()])


# $ -i 1e-6 : right
# $ -i 1e-12 : right
# $ -i 1e-30 : right
