"""The logistic map, forty times: a derivative of many digits."""


def forward(x):
    for _ in range(40):
        x = 3.9 * x * (1 - x)
    return x


# $ -i 0.4 : right|not_measurable
