"""A number made an index by Python alone: nothing is tested."""

weights = [1.0, 2.0, 4.0, 8.0]


def forward(x):
    return x * weights[int(x.item())]


# $ -i 2.0 : jump x
# $ -i 2.3 : right
