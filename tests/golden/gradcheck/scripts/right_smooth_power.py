"""A power of |x| that is smooth at 0, where the slopes shrink more slowly than the step."""

import dyncore as torch


def forward(x, power: float):
    return (x.abs() ** power).sum() + (torch.relu(x) ** 1.5).sum()


# $ -i x='[0.0, 1.0]' -i power=1.5 : right x
# $ -i x='[0.0, 1.0]' -i power=1.2 : right|not_measurable x
# $ -i x='[1e-3, 1.0]' -i power=1.2 : right x
