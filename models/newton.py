"""A `while` loop that runs until it has converged: Newton's method for a square root.

How many steps are recorded depends on the number and on `tol`; the gradient goes back through each of them and comes out
as 1 / (2 sqrt a), the derivative of the square root.
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
