"""`.data` in the middle of a computation."""


def forward(x):
    hidden = x.tanh()
    gate = hidden.data * 2  # FAULT
    return hidden * gate


# $ -i '[1.0, 2.0]' : detached x
