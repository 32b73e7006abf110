"""Python's own floor, which no test of the script shows."""

import math


def forward(x):
    n = math.floor(x)  # NEAR
    return x * n


# $ -i 2.5 : right
# $ -i 2.0 : jump
