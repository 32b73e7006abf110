"""The greatest of two equal eigenvalues: a corner that only the numbers show."""

import dyncore as torch


def forward(a):
    s = a + a.t()
    return torch.linalg.eigvalsh(s)[-1]  # NEAR


# $ -i '[[1.0, 0.0], [0.0, 1.0]]' : kink
