"""A gradient taken inside the model without `create_graph` is a constant to whoever differentiates further."""

import dyncore as torch


def forward(x):
    y = (x**3).sum()
    (slope,) = torch.autograd.grad(y, x, retain_graph=True)  # FAULT
    return (slope * x).sum()


# $ -i '[1.0, 2.0]' : detached x
