"""The length of a vector of zeros: a cone."""


def forward(x):
    return x.norm()  # NEAR


# $ -i '[0.0, 0.0]' : kink x
# $ -i '[0.0, 1.0]' : right
