"""Defined on one side of a near bound only."""


def forward(x):
    return x.log() + x.sqrt()


# $ -i '[1e-8, 1.0]' : right
# $ -i '[1e-12]' : right
# $ -i '[1e-200]' : right
