"""How many values differ: at a tie the function has a value that it has nowhere near."""


def forward(x):
    return x.sum() / len(set(x.tolist()))


# $ -i '[2.0, 2.0, 1.0]' : jump x
# $ -i '[2.0, 2.5, 1.0]' : right
