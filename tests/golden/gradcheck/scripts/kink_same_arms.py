"""A test that changes nothing."""


def forward(x):
    if x.sum() > 0:
        return x.sin() * 2
    return 2 * x.sin()


# $ -i '[1.0, -1.0]' : right
# $ -i '[1.0, -1.0]' --order 2 : right
