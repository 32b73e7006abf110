"""A recursive model over a nested list."""


def forward(tree):
    if not isinstance(tree, (list, tuple)):
        return tree.tanh()
    return sum(forward(each) for each in tree) * 0.7


# $ -i '[[0.5, 1.0], [0.3, 0.1]]' : right
