"""What `exp` keeps for backward is changed behind its back."""


def forward(x):
    y = x.exp()
    z = y * 2
    y.data.mul_(3)  # FAULT
    return z


# $ -i '[1.0, 2.0]' : wrong x
