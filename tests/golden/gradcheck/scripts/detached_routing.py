"""A straight-through choice whose rows are picked by what is no longer 0 or 1 once the cut value is held."""

import dyncore as torch
import dyncore.nn.functional as F


def forward(x):
    choice = F.gumbel_softmax(x, hard=True)  # FAULT
    total = torch.zeros_like(x)
    for expert in range(3):
        (rows,) = choice[:, expert].nonzero(as_tuple=True)
        if rows.numel() == 0:
            continue
        total = total.index_add(0, rows, choice[rows, expert].unsqueeze(1) * x[rows] ** (expert + 1))
    return total.sum()


# $ -i '[[1.0, 0.2, 0.5], [0.1, 0.2, -0.1]]' : detached x
