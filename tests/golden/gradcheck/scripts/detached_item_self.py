"""The input's own norm, as a number."""


def forward(x):
    length = float((x * x).sum().sqrt())  # FAULT
    return x * length


# $ -i '[1.0, 2.0]' : detached x
