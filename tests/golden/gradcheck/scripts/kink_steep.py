"""Corners that look like jumps from afar: the function saturates, or bends a second time, right beside the point."""

import dyncore as torch


def forward(x, kind: str):
    if kind == "saturating":
        return (torch.relu(x) * 1e8).tanh().sum()
    return (x.abs() + 1e-9).sqrt().sum()


# $ -i x='[0.0, 1.0]' -i kind=saturating : kink x
# $ -i x='[0.0, 1.0]' -i kind=rounded : kink x
