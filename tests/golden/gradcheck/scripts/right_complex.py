"""Complex numbers inside: a transform, and a length."""

import dyncore as torch


def forward(x):
    z = torch.fft.fft(x)
    return (z.abs() ** 2).sum() + z[1].real


# $ -i '[0.5, 1.0, -0.3, 0.9]' : right
