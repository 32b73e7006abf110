"""Two arms that do not meet."""


def forward(x):
    if x > 1:  # NEAR
        return x + 1
    return x


# $ -i 1.0 : jump x
# $ -i 1.00001 : right
# $ -i 0.99999999999 : right
