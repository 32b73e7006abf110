"""Goes on until the number is small, one call deeper for each digit."""


def forward(x):
    if x < 10:  # NEAR
        return x
    return forward(x / 10) + 1


# $ -i 100.0 : jump x
# $ -i 123.0 : right
