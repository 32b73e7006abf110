"""A derivative that is zero but for rounding, in both directions."""

import dyncore as torch


def forward(x, y):
    return torch.nn.functional.cosine_similarity(x, y, dim=0)


# $ -i x='[1.0, 2.0]' -i y='[2.0, 4.0]' : right
