"""Raises just beside the point."""


def forward(x):
    if x.item() > 1:
        raise ValueError("too large")
    return x * x


# $ -i '1.0' : nan x
# $ -i '0.5' : right
