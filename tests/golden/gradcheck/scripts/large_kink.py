"""One of three hundred sits on a corner."""

import dyncore as torch

w = (torch.arange(-100, 201) / 100).requires_grad_()


def forward(x):
    return (torch.relu(w) * x).sum()  # NEAR


# $ -i 2.0 : kink w
