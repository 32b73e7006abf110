"""The one in the middle, with a tie."""


def forward(x):
    return x.median() * 3  # NEAR


# $ -i '[3.0, 1.0, 1.0]' : kink x
# $ -i '[3.0, 2.0, 1.0]' : right
