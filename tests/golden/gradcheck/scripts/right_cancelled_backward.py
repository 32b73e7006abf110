"""The derivative as backward computes it is the difference of two huge numbers, and rounding is all that is left."""


def forward(x):
    return (1 - x.cos()) / (x * x)


# $ -i '[1e-2, 0.5]' : right
# $ -i '[1e-4, 0.5]' : not_measurable
# $ -i '[1e-7, 0.5]' : not_measurable
