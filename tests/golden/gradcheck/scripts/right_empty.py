"""Nothing to differentiate by, in a tensor of no elements."""


def forward(x, y):
    return x.sum() + y * 2


# $ -i x='[]' -i y=1.0 : right
