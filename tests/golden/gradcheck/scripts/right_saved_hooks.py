"""Hooks of saved tensors that keep them elsewhere."""

import dyncore as torch

store = []


def pack(t):
    store.append(t.clone())
    return len(store) - 1


def unpack(i):
    return store[i]


def forward(x):
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = x.exp()
        z = y * y.sin()
    return z


# $ -i '[0.3, 1.1]' : right
