"""Python's own mathematics on a number."""

import math


def forward(x):
    angle = math.atan2(x[0].item(), x[1].item())  # FAULT
    return x * angle


# $ -i '[1.0, 2.0]' : detached x
