"""Two that are greatest together."""


def forward(x):
    return x.max() * 2  # NEAR


# $ -i '[1.0, 2.0, 2.0]' : kink x
# $ -i '[1.0, 2.0, 2.0000000001]' : right
