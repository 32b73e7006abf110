"""A great constant beside a small change."""


def forward(x):
    return x.sin() + 1e9


# $ -i '[0.5, 1.0]' : right|not_measurable
