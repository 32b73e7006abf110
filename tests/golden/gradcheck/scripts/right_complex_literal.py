"""A complex input as a literal: a holomorphic output, and one that is not."""


def forward(z):
    return z.exp() * z, z.conj() * z * z


# $ -i 'z=[1+2j, 3-1j]' : right
# $ -i '2j' : right
