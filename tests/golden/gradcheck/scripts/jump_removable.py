"""One point where the function is something else."""


def forward(x):
    if x == 1:  # NEAR
        return x * 5
    return x * 2


# $ -i 1.0 : jump x
# $ -i 1.1 : right
