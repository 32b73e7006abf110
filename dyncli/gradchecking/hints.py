"""Patterns in the numbers of a wrong gradient: a constant factor, a sign, a transpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.gradchecking.elements import Found
from dyncli.gradchecking.judged import Judged


def hint(found: Found) -> str | None:
    """Return a sentence on the values of the first wrong input that show a pattern, or None."""
    if not found.linear:
        return "backward's answer does not follow the gradient it is given: it leaves that out, or clips it"
    for check, judged in zip(found.checks, found.judged.values()):
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
        text = _transpose(judged, check.shape)
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


def _transpose(judged: list[tuple[Any, Judged]], shape: tuple[int, ...]) -> str | None:
    """Compare each element with its mirror image; of a large input, only some were checked one by one."""
    if len(shape) != 2 or shape[0] != shape[1] or not all(isinstance(element, int) for element, _ in judged):
        return None
    known = {divmod(element, shape[0]): each for element, each in judged}
    pairs = [(each, known.get((column, row))) for (row, column), each in known.items()]
    if any(mirrored is None for each, mirrored in pairs if each.verdict == "wrong"):
        return None
    analytic = np.array([each.analytic for each, mirrored in pairs if mirrored is not None])
    numeric = np.array([mirrored.numeric for _, mirrored in pairs if mirrored is not None])
    if not _close(analytic, numeric):
        return None
    return "analytic is the transpose of numeric: an index or a `.T` is wrong"


def _close(one: Any, other: Any) -> bool:
    return bool(np.allclose(one, other, rtol=1e-4, atol=1e-7 * (np.abs(other).max(initial=0.0) + 1e-300)))
