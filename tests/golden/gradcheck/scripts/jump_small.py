"""Two arms that miss each other by a millionth."""


def forward(x):
    if x > 1:  # NEAR
        return x * 2 + 1e-6
    return x * 2


# $ -i 1.0 : jump x
