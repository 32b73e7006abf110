"""The sum of absolute values."""


def forward(x):
    return x.norm(1)


# $ -i '[0.0, 1.0]' : kink x
# $ -i '[0.5, 1.0]' : right
