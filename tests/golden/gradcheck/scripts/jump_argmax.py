"""The index of the greatest decides which number is taken."""

import dyncore as torch

table = torch.tensor([1.0, 5.0, 9.0])


def forward(x):
    return x.sum() * table[x.argmax()]  # NEAR


# $ -i '[1.0, 3.0, 3.0]' : jump x
# $ -i '[1.0, 3.0, 2.0]' : right
