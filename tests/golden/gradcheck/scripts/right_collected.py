"""A list, a dictionary and a tuple of outputs, one inside another."""


def forward(x):
    return {"a": [x.sin(), x.cos()], "b": (x * x, {"c": x.sum()})}


# $ -i '[0.5, 0.4]' : right
