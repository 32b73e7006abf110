"""A root by bisection: each piece has a derivative of its own, which is not that of the root."""


def forward(a):
    low, high = a * 0, a + 1
    for _ in range(60):
        middle = (low + high) / 2
        if middle * middle > a:  # NEAR
            high = middle
        else:
            low = middle
    return low


# $ -i 2.0 : wrong
