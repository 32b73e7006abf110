"""A root by Newton that stops early, then one step with a gradient: what the stop cuts off is next to nothing."""

import dyncore as torch


def forward(a):
    with torch.no_grad():
        x = torch.ones_like(a)
        while (x * x - a).abs().max() > 1e-3:
            x = x - (x * x - a) / (2 * x)
    x = x - (x * x - a) / (2 * x).detach()
    return x.sum()


# $ -i '[2.0]' : right
