"""A part that was computed without recording."""

import dyncore as torch


def forward(x, w):
    with torch.no_grad():
        scale = w.exp()  # FAULT
    return x * scale


# $ -i x='[1.0, 2.0]' -i w='[0.3, 0.4]' : detached w
