"""The branch cut of an angle."""

import dyncore as torch


def forward(y, x):
    return torch.atan2(y, x)  # NEAR


# $ -i y=0.5 -i x=-1.0 : right
# $ -i y=0.0 -i x=-1.0 : jump
# $ -i y=0.0 -i x=0.0 : nan|jump|kink
