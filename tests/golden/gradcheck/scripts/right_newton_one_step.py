"""The implicit derivative from one step at the solution."""

import dyncore as torch


def forward(a):
    with torch.no_grad():
        x = a.clone()
        while (x * x - a).abs().max() > 1e-13:
            x = (x + a / x) / 2
    return (x + a / x) / 2


# $ -i '[2.0, 9.0]' : right
