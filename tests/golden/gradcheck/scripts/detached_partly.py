"""One of two ways from x to the output is cut off."""


def forward(x):
    norm = x.norm().detach()  # FAULT
    return x / norm


# $ -i '[1.0, 2.0]' : detached x
