"""A part of the model works in single precision."""


def forward(x):
    return (x.float().sin() * 2).double() + x


# $ -i '[0.5, 1.0]' : right|not_measurable
