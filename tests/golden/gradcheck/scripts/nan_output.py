"""The value itself is not a number."""


def forward(x):
    return x.log()  # FAULT


# $ -i '[-1.0, 1.0]' : nan x
