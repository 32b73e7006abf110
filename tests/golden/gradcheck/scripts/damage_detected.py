"""The engine itself notices: backward raises."""


def forward(x):
    y = x.exp()
    z = y * y
    y.add_(1)  # FAULT
    return z


# $ -i '[1.0, 2.0]' : wrong x
