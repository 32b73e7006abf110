"""A `while` loop that runs until it has converged: Newton's method for a square root.

How many steps are recorded depends on the number and on `tol`; the gradient goes back through each of them and comes
out as 1 / (2 sqrt a), the derivative of the square root.
"""

from dyncore import Tensor


def forward(a: Tensor, tol: float = 1e-6, most: int = 50) -> Tensor:
    """The square root of `a`, which is positive, by x <- (x + a / x) / 2, to a relative accuracy of `tol`."""
    x = a
    error = float("inf")
    steps = 0
    while error > tol and steps < most:
        better = (x + a / x) / 2
        error = ((better - x).abs() / better).item()
        x = better
        steps += 1
    return x


# $ dyncli run newton
# models/newton.py:forward · case two · float32 · seed 0 · 30 ops · 6 decisions
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────
# output  []     float32  1.414
#
# Gradients of output  seeded with 1
# name  shape  dtype    values
# ────────────────────────────
# a     []     float32  0.3536
#
# Decisions
#   #  line  test                          because                      took            left    margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
# 0…5    15  while error > tol and steps   error = inf … 0.0 > tol =    True x5, False        5.173e-7
#            < most                        1e-6, steps = 0 … 4 < most
#                                          = 50 True (scalar)
#
# models/newton.py:forward · case large · float32 · seed 0 · 84 ops · 15 decisions
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────
# output  []     float32  1000
#
# Gradients of output  seeded with 1
# name  shape  dtype    values
# ────────────────────────────
# a     []     float32  0.0005
#
# Decisions
#    #  line  test                        because                     took             left     margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
# 0…14    15  while error > tol and       error = inf … 1.221e-7 >    True x14, False        -8.779e-7
#             steps < most                tol = 1e-6, steps = 0 … 13
#                                         < most = 50 True (scalar)
#
# models/newton.py:forward · case rough · float32 · seed 0 · 12 ops · 3 decisions
#
# Outputs
# name    shape  dtype    values
# ──────────────────────────────
# output  []     float32  1.417
#
# Gradients of output  seeded with 1
# name  shape  dtype    values
# ────────────────────────────
# a     []     float32  0.3611
#
# Decisions
#   #  line  test                          because                      took            left    margin
# ────────────────────────────────────────────────────────────────────────────────────────────────────
# 0…2    15  while error > tol and steps   error = inf … 0.05882 > tol  True x2, False        -0.04118
#            < most                        = 0.1, steps = 0 … 1 < most
#                                          = 50 True (scalar)
