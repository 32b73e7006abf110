"""Two arms that are the same function to second order at 1, or wholly."""


def forward(x):
    if x > 1:  # NEAR
        return x**3 - 2 * x**2 + 3 * x - 1
    return x * x


# $ -i 1.0 : right
# $ -i 2.0 : right
