"""The sum of the sorted values does not care about ties."""


def forward(x):
    return (x.sort().values ** 2).sum()


# $ -i '[3.0, 1.0, 1.0]' : right
