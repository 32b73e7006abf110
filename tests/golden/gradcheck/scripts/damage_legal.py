"""In-place arithmetic that the engine keeps right."""


def forward(x):
    y = x.clone()
    y[0] = y[0] * 2
    y += 1
    y.mul_(x)
    y.clamp_(-100, 100)
    return y


# $ -i '[1.0, 2.0]' : right
