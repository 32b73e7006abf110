"""A loop as long as the input says."""


def forward(x):
    y = x
    for _ in range(int(x.item())):
        y = y * x
    return y


# $ -i 2.5 : right
# $ -i 3.0 : jump x
