"""`torch.tensor` of what was a tensor already."""

import dyncore as torch


def forward(x):
    weights = torch.tensor([x[0].item() ** 2, x[1].item() ** 2])  # FAULT
    return (weights * x).sum()


# $ -i '[1.0, 2.0]' : detached x
