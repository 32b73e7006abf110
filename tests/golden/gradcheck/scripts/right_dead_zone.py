"""Dead zones, whose threshold is no tolerance of a solver: beside the point a tighter one is not met."""

import dyncore as torch


def forward(x, how: str):
    if how == "where":
        return torch.where(x.abs() < 0.1, torch.zeros_like(x), x).sum()
    if how == "number":
        return x * x if abs(x.item()) < 0.1 else x * 3
    if x.abs() < 0.1:
        return x * 0
    return x


# $ -i x=0.0 -i how=if : right
# $ -i x=1e-9 -i how=if : right
# $ -i x=0.0 -i how=number : right
# $ -i x=0.0 -i how=where : right
# $ -i x=1e-9 -i how=where : right
