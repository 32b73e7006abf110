"""A complex input, a holomorphic function and one that is not."""


def forward(z):
    return (z * z).exp().real + z.abs()


# $ -i '[[0.5, 1.0]]' : right
