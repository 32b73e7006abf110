"""One input plays no part."""


def forward(x, y):
    return x * 2


# $ -i x='[0.5]' -i y='[1.0, 2.0]' : right
