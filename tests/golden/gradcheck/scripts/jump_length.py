"""As many elements as the first of them says."""


def forward(x):
    return x[: int(x[0].item())]


# $ -i '[2.0, 3.0, 4.0]' : jump x
# $ -i '[2.5, 3.0, 4.0]' : right
