"""What the numbers of a wrong gradient look like: a constant factor, a sign, a transpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.check.elements import Found


def hint(found: Found) -> str | None:
    """A sentence about the analytic and numeric values of a wrong input, None if they show no pattern."""
    if not found.linear:
        return "backward's answer does not follow the gradient it is given: it leaves that out, or clips it"
    for number, judged in found.judged.items():
        wrong = [each for _, each in judged if each.verdict == "wrong"]
        if not wrong:
            continue
        analytic = np.array([each.analytic for _, each in judged])
        numeric = np.array([each.numeric for _, each in judged])
        live = np.abs(numeric) > 1e-9 * np.abs(numeric).max(initial=0.0)
        if not np.any(analytic):
            return None
        text = _factor(analytic[live], numeric[live])
        if text is not None:
            return text
        text = _transpose(analytic, numeric, number, found)
        if text is not None:
            return text
    return None


def _factor(analytic: Any, numeric: Any) -> str | None:
    if not len(numeric):
        return None
    ratios = analytic / numeric
    ratio = float(np.median(ratios))
    if ratio == 0 or abs(ratio - 1) < 1e-4 or np.abs(ratios - ratio).max() > 1e-4 * abs(ratio):
        return None
    if abs(ratio + 1) < 1e-6:
        return "analytic is numeric with the other sign: a minus is missing"
    from fractions import Fraction  # 4 ms, with decimals

    shown = Fraction(ratio).limit_denominator(64)
    text = str(shown) if abs(float(shown) - ratio) < 1e-6 * abs(ratio) else f"{ratio:.4g}"
    return f"analytic is {text} times numeric throughout: a factor is missing or one too many"


def _transpose(analytic: Any, numeric: Any, number: int, found: Found) -> str | None:
    shape = found.checks[0].shape
    for check in found.checks:
        if check.elements == len(analytic) and check.verdict == "wrong":
            shape = check.shape
    if len(shape) == 2 and shape[0] == shape[1] and _close(analytic.reshape(shape).T, numeric.reshape(shape)):
        return "analytic is the transpose of numeric: an index or a `.T` is wrong"
    return None


def _close(one: Any, other: Any) -> bool:
    return bool(np.allclose(one, other, rtol=1e-4, atol=1e-7 * (np.abs(other).max(initial=0.0) + 1e-300)))
