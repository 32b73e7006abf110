"""One `if` on the sum of the input: the smallest model that decides its own steps.

For a positive sum the gradient is 2 everywhere, otherwise it is 1: the graph that is recorded depends on the data.
`piecewise:threshold` asks for a sum above 10, `piecewise:compare` runs both arms in one go.
"""

import dyncore as torch
from dyncore import Tensor


def forward(x: Tensor) -> Tensor:
    """Doubles `x` if its elements add up to more than 0, else takes 2 away from each."""
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 2
    return y


def threshold(x: Tensor, limit: float = 10.0) -> Tensor:
    """Triples `x` if its elements add up to more than `limit`, else halves it."""
    return x * 3 if x.sum() > limit else x / 2


def compare(x: Tensor) -> dict[str, Tensor]:
    """What `forward` makes of `x` and of its negative: two inputs, two graphs, one backward."""
    return {"as_given": forward(x), "negated": forward(torch.neg(x))}


# $ dyncli run piecewise
# models/piecewise.py:forward · case positive · float32 · seed 0 · 3 ops · 1 decision
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────────
# output  [3]    float32  [2, -2, 4]
#
# Gradients of output  seeded with ones
# name  shape  dtype    values
# ───────────────────────────────
# x     [3]    float32  [2, 2, 2]
#
# Decisions
# #  line  test            because            took  left  margin
# ──────────────────────────────────────────────────────────────
# 0    13  if x.sum() > 0  x.sum() = 2.0 > 0  then  else       2
#
# models/piecewise.py:forward · case negative · float32 · seed 0 · 3 ops · 1 decision
#
# Outputs
# name    shape  dtype    values
# ────────────────────────────────────
# output  [3]    float32  [-5, -4, -3]
#
# Gradients of output  seeded with ones
# name  shape  dtype    values
# ───────────────────────────────
# x     [3]    float32  [1, 1, 1]
#
# Decisions
# #  line  test            because             took  left  margin
# ───────────────────────────────────────────────────────────────
# 0    13  if x.sum() > 0  x.sum() = -6.0 > 0  else  then      -6
