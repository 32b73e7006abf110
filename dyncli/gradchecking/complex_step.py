"""The derivative by a complex step: f(x + ih) = f(x) + ih f'(x) - ..., so f' = Im f(x + ih) / h without a difference.

Nothing cancels, so it is exact to the last digits; but every op has to go on to complex numbers as the same function.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.subject import Call
from dyncli.recorder.engine import Listener, Tensor

STEP = 1e-40
#: The ops that are the same function of complex numbers.  What rounds, compares or takes a length is not.
ANALYTIC = frozenset((
    "T", "__getitem__", "_diagonal_copy", "_diagonal_place", "_unfold_place", "add", "atleast_1d", "atleast_2d",
    "atleast_3d", "bmm", "broadcast_to", "cat", "clone", "column_stack", "concat", "concatenate", "contiguous",
    "cos", "cosh", "cumprod", "cumsum", "deg2rad", "detach", "diag", "diag_embed", "diagonal", "div", "divide",
    "dot", "dstack", "exp", "exp2", "expand", "expand_as", "expm1", "flatten", "flip", "fliplr", "flipud", "ger",
    "hstack", "index_add", "index_copy", "index_select", "linear", "log", "log10", "log1p", "log2", "mT",
    "masked_fill", "masked_select", "matmul", "mean", "mm", "moveaxis", "movedim", "mul", "multiply", "mv", "neg",
    "negative", "outer", "permute", "place", "pow", "prod", "rad2deg", "ravel", "reciprocal", "repeat",
    "repeat_interleave", "reshape", "reshape_as", "roll", "rot90", "rsqrt", "rsub", "select_place", "sigmoid",
    "sin", "sinh", "slice", "sqrt", "square", "squeeze", "stack", "sub", "subtract", "sum", "sum_leading",
    "sum_to_size", "swapaxes", "swapdims", "t", "take", "tan", "tanh", "tile", "transpose", "tril", "triu",
    "true_divide", "unflatten", "unfold", "unsqueeze", "view", "view_as", "vstack", "zero",
))  # fmt: skip


class NotAnalytic(Exception):
    """An op has no complex form that is the same function."""


class _Analytic(Listener):
    """Hears whether every op on complex numbers is analytic."""

    def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        given = (*args, *kwargs.values())
        if any(isinstance(each, Tensor) and each._array.dtype.kind == "c" for each in given):
            if op.name not in ANALYTIC:
                raise NotAnalytic
        elif op.name not in ANALYTIC and any(isinstance(each, (list, tuple)) for each in given):
            raise NotAnalytic


def exact(problem: Problem, number: int, direction: Any) -> Any:
    """Differentiate all rows along a line of one input by a complex step.

    Return None where no complex step can be taken: complex inputs or outputs, an op without a complex form.
    """
    call = problem.function
    if not isinstance(call, Call) or number >= call.inputs or problem.arrays[number].dtype.kind == "c":
        return None
    if any(span.is_complex for span in problem.spans):
        return None
    values = list(problem.arrays)
    moved = np.array(values[number], np.complex128)
    flat = moved.reshape(-1)
    if isinstance(direction, int):
        flat[direction] += 1j * STEP
    else:
        flat += 1j * STEP * direction
    values[number] = flat.reshape(moved.shape)
    try:
        with problem.session.listening(_Analytic()):
            outputs, _ = call(values)
    except Exception:  # `float()` of a complex number, a comparison, an op that has no complex form
        return None
    parts = [np.asarray(tensor._array).reshape(-1) for _, tensor in outputs]
    found = np.concatenate([part.imag if part.dtype.kind == "c" else np.zeros(part.size) for part in parts]) / STEP
    if found.shape != problem.raw.shape or not np.isfinite(found[problem.finite]).all():
        return None
    return problem.combined(found)
