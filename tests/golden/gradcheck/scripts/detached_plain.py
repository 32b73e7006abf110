"""One factor is cut off."""


def forward(x, w):
    y = x * w.detach()  # FAULT
    return y.sum()


# $ -i x='[1.0, 2.0]' -i w='[3.0, 4.0]' : detached w
