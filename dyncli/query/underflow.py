"""Which zeros and infinities the mathematics or the script made: only what rounding made is bad.

The gradient of a relu is zero where its input is negative, that of `x * 0` everywhere: nothing was lost there.
A product whose factors are no zeros is lost when it is one, and so is what a saturated sigmoid hands back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dyncli.query.op_kinds import EXPONENTIALS, FACTORS, PRODUCTS, SATURATING
from dyncli.record.model import Op

#: Below this a number has lost digits.  Half precision loses them where others compute, so there only the last few
#: steps above zero count.
SMALLEST = {"float64": 2.3e-308, "float32": 1.2e-38, "bfloat16": 1.2e-38, "float16": 5e-7}
#: A number of this size is written to shut something out, as the -1e9 of a mask: what it makes is meant.
MEANT = 1e4
#: Keywords that hold a number an op computes with, and no dimension.
_OPERANDS = ("other", "exponent", "value", "fill_value", "alpha")
_WORDS = {"False": 0.0, "True": 1.0}


class Size(Protocol):
    """What is known of a tensor: root mean square, whether it has a zero, whether it has neither NaN nor Inf."""

    rms: float | None
    has_zero: bool | None

    @property
    def is_finite(self) -> bool:
        """Whether it is known and has neither NaN nor Inf."""


def numbers(op: Op) -> list[float]:
    """Return the numbers that the script wrote for an op to compute with, as in `2` and `alpha=0.5`."""
    found = []
    for word in op.args.split(", "):
        key, _, text = word.rpartition("=")
        if key and key not in _OPERANDS:
            continue
        try:
            found.append(_WORDS[text] if text in _WORDS else float(text))
        except ValueError:
            continue
    return found


def is_meant(op: Op) -> bool:
    """Return whether the script wrote the large number that makes the result large.

    A mask adds one or multiplies it by what has no gradient; a product that has one has grown.
    """
    return any(abs(number) >= MEANT for number in numbers(op)) and (op.name not in PRODUCTS or op.grad_fn is None)


def value_vanished(op: Op, result: Size, inputs: Sequence[Size], dtype: str) -> bool:
    """Return whether rounding alone made a result zero, or so small that its digits are gone."""
    if op.name not in PRODUCTS or not inputs or not _is_lost(result, dtype):
        return False
    if not all(each.is_finite for each in inputs):
        return False
    if op.name in EXPONENTIALS:
        return all((each.rms or 0.0) < MEANT for each in inputs)
    if op.name.startswith(("div", "true")):
        inputs = inputs[:1]
    if any(each.has_zero is not False or _is_lost(each, dtype) for each in inputs):
        return False
    return 0.0 not in numbers(op) or op.name.startswith("prod")


def gradient_vanished(op: Op, handed: Size, got: Size | None, inputs: Sequence[Size], place: int, dtype: str) -> bool:
    """Return whether rounding alone made zero, or nearly that, of the gradient that an op got.

    place: of the input among `inputs` whose gradient it is.
    """
    if got is None or not got.is_finite or not _is_lost(handed, dtype) or _is_lost(got, dtype):
        return False
    if op.name in SATURATING:
        return inputs[place].is_finite and (inputs[place].rms or 0.0) < MEANT
    if op.name not in FACTORS or got.has_zero is not False or 0.0 in numbers(op):
        return False
    factors = list(inputs)
    if op.name.startswith("mul") or (op.name.startswith(("div", "true")) and place == 0):
        del factors[place]
    return all(each.is_finite and each.has_zero is False for each in factors)


def _is_lost(size: Size, dtype: str) -> bool:
    return size.rms is not None and size.rms < SMALLEST.get(dtype, 0.0)
