"""1 - cos x for a small x: most digits are lost, but not the derivative."""


def forward(x):
    return 1 - x.cos()


# $ -i '[1e-4, 0.5]' : right
# $ -i '[1e-8]' : right|not_measurable
