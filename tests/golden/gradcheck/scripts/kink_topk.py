"""The two greatest, with a tie at the place where they end."""


def forward(x):
    return x.topk(2).values.sum()  # NEAR


# $ -i '[3.0, 1.0, 1.0]' : kink x
# $ -i '[3.0, 3.0, 1.0]' : right
