"""Python's own `max` of two tensors, where they meet."""


def forward(x):
    return max(x * x, x)  # NEAR


# $ -i 1.0 : kink x
# $ -i 0.5 : right
