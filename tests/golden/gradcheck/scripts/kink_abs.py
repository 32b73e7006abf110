"""On the corner of `abs`."""


def forward(x):
    return x.abs() + x  # NEAR


# $ -i '[0.0, 3.0]' : kink x
# $ -i '[1e-12, 3.0]' : right
# $ -i '[-1e-30, 3.0]' : right
