"""Max pooling over a window with a tie."""

import dyncore as torch


def forward(x):
    return torch.nn.functional.max_pool1d(x, 2)  # NEAR


# $ -i '[[1.0, 1.0, 2.0, 3.0]]' : kink x
# $ -i '[[1.0, 0.9, 2.0, 3.0]]' : right
