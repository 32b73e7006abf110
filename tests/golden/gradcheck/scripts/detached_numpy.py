"""Through NumPy and back."""

import numpy as np

import dyncore as torch


def forward(x, w):
    curve = torch.from_numpy(np.sinh(w.detach().numpy()))  # FAULT
    return (x * curve).sum()


# $ -i x='[1.0, 2.0]' -i w='[0.3, 0.4]' : detached w
