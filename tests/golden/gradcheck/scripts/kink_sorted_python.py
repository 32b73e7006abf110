"""Python's own sort by numbers that left the tensors."""


def forward(x):
    parts = sorted(x, key=lambda t: t.item())  # NEAR
    return parts[0] * 1 + parts[1] * 2 + parts[2] * 3


# $ -i '[3.0, 1.0, 2.0]' : right
# $ -i '[2.0, 1.0, 2.0]' : kink
