"""A threshold in one of three hundred."""

import dyncore as torch

w = torch.linspace(-1, 2, 301).requires_grad_()


def forward(x):
    y = (w * x).sum()
    if w[200] > w[200].item() * 0 + 1:  # NEAR
        return y * 2
    return y


# $ -i 2.0 : jump w
