"""A thousand steps of a slow decay."""


def forward(x):
    for _ in range(1000):
        x = x - 0.001 * x.sin()
    return x


# $ -i '[0.5, 1.0]' : right
