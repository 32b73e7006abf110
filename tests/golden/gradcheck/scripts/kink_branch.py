"""Two arms that meet at 1 with different slopes."""


def forward(x):
    if x > 1:  # NEAR
        return 3 * x - 2
    return x * x


# $ -i 1.0 : kink x
# $ -i 1.0000001 : right
# $ -i 0.9999999 : right
# $ -i 1.0000000000001 : right
# $ -i 0.9999999999999999 : kink|right
