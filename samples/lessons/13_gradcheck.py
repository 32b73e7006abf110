"""A derivative written by hand, wrong on one side; and a point where there is no derivative to compare with."""

import dyncore as torch


class Leaky(torch.autograd.Function):
    """x, or a tenth of it where it is negative."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, x * 0.1)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, gradient, gradient * 0.01)


def forward(x):
    return (Leaky.apply(x) ** 2).sum()


def bent(x):
    return x if x < 0 else 3 * x


# $ dyncli gradcheck samples/lessons/13_gradcheck.py -i '[1, 2]'
# samples/lessons/13_gradcheck.py:forward · float64 · seed 0 · the output
#
# Gradients
# name  shape  checked  worst  analytic  numeric    error  verdict
# ────────────────────────────────────────────────────────────────
# x     [2]    all      [0]           2        2  1.1e-11  right
#
# x is nearest to `x > 0` at line 12 (margin 1), 1 away along [0]
#
# right · the gradient agrees with the numeric derivative
# $ dyncli gradcheck samples/lessons/13_gradcheck.py -i '[1, -2]'
# samples/lessons/13_gradcheck.py:forward · float64 · seed 0 · the output
#
# Gradients
# name  shape  checked  worst  analytic  numeric  error  verdict
# ──────────────────────────────────────────────────────────────
# x     [2]    all      [1]      -0.004    -0.04  0.036  wrong
#
# x is nearest to `x > 0` at line 12 (margin 1), 1 away along [0]
#
# wrong · x · the derivative of `Leaky` is wrong at line 17: `return torch.where(x > 0, gradient,
# gradient * 0.01)`
# $ dyncli gradcheck samples/lessons/13_gradcheck.py:bent -i 0.0
# samples/lessons/13_gradcheck.py:bent · float64 · seed 0 · the output
#
# Gradients
# name  shape  checked  worst  analytic  numeric  error  verdict
# ──────────────────────────────────────────────────────────────
# x     []     all                    3    1 | 3      0  kink
#
# x sits on the edge of `x < 0` at line 25 (margin 0)
#
# kink · x · the function bends at this point: its slope is 1 on the left, 3 on the right
