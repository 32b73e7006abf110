"""One row of a table is cut off."""

import dyncore as torch

w = torch.linspace(-1, 2, 300).reshape(30, 10).clone().detach().requires_grad_()


def forward(x):
    rows = [row.detach() if number == 17 else row for number, row in enumerate(w)]  # FAULT
    return (torch.stack(rows).sin() * x).sum()


# $ -i 2.0 : detached w
