"""A buffer that every call changes in place, and that the result depends on."""

import dyncore as torch

memory = torch.ones(2)


def forward(x):
    y = x * memory.clone()
    memory.mul_(1.5)
    return y.sin()


# $ -i '[1.0, 2.0]' : right
