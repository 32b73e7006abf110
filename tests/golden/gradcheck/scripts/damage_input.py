"""What a product keeps for backward is changed through `.data`."""


def forward(x):
    y = x * 2
    z = y * y
    y.data.zero_()  # FAULT
    return z


# $ -i '[1.0, 2.0]' : wrong x
