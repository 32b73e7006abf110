"""Changes the input itself through `.data`."""


def forward(x):
    x.data.mul_(2)  # FAULT
    return x * x


# $ -i '[1.0, 3.0]' : wrong|detached x
