"""A test on all of several elements, close to one of them."""


def forward(x):
    if (x > 0).all():  # NEAR
        return x.log().sum()
    return x.pow(2).sum()


# $ -i '[1.0, 1e-9]' : right
# $ -i '[1.0, -1e-9]' : right
# $ -i '[1.0, 0.0]' : nan|jump
