"""A branch on whose edge the first derivative is another."""


def forward(x):
    if x.sum() > 0:
        return (x**4).sum()
    return x.exp().sum()


# $ -i '[0.3, -0.3]' --order 2 : jump
# $ -i '[0.3, -0.299999999]' --order 2 : right
