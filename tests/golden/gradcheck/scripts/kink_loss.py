"""Losses with corners: one at zero, none for the one that is rounded."""

import dyncore as torch


def forward(x, y):
    smooth = torch.nn.functional.smooth_l1_loss(x, y)
    return smooth + torch.nn.functional.l1_loss(x, y)  # NEAR


# $ -i x='[1.0, 2.0]' -i y='[0.5, 2.0]' : kink x,y
# $ -i x='[1.0, 2.0]' -i y='[0.0, 1.0]' : right
