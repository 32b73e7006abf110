"""Ends at the point, and goes on for ever on one side of it, without any op."""


def forward(x):
    number = x.item()
    count = 0
    while number < 1:
        count += 1
    return x * count


# $ -i 1.0 : nan x
# $ -i 1.5 : right
