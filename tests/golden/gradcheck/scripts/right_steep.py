"""A step made of a sigmoid: almost a jump, but not one."""


def forward(x):
    return ((x - 1) * 1e6).sigmoid()


# $ -i '[1.0, 1.000001]' : right
