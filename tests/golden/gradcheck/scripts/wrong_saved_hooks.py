"""Hooks of saved tensors that round what they keep."""

import dyncore as torch


def pack(t):
    return t.to(torch.float16)  # FAULT


def unpack(t):
    return t.to(torch.float64)


def forward(x):
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x.exp()
        z = y * y.sin()
    return z


# $ -i '[0.3, 1.1]' : wrong x
