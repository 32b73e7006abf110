"""Decisions hidden in ops: which piece of a piecewise op each element is on.

A piece has three functions of the op's arguments by name and of its result, all NumPy arrays:
key: which piece, equal along it.  margin: how far each element is from the next, signed so that it changes steadily.
pinned: the result if every element stayed on the piece of `key`; None where it cannot be told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Values = dict[str, Any]


class Piece(NamedTuple):
    """A kind of op that decides.  what: the word for it where its own name would not do."""

    key: Callable[[Values, Any], Any]
    margin: Callable[[Values, Any], Any] | None = None
    pinned: Callable[[Values, Any, Any], Any] | None = None


def _positive(values: Values, result: Any) -> Any:
    return values["input"] > 0


def _input(values: Values, result: Any) -> Any:
    return values["input"]


def _kinked(slope: Callable[[Values], Any]) -> Piece:
    """Build the pieces of an op that is x where x > 0, and `slope(arguments) * x` elsewhere."""
    return Piece(_positive, _input, lambda v, r, key: np.where(key, v["input"], slope(v) * v["input"]))


def _between(low: Callable[[Values], Any], high: Callable[[Values], Any], inside: Callable[[Values], Any]) -> Piece:
    """Build the pieces of an op that is `inside` between two bounds, and the bounds beyond them."""

    def key(values: Values, result: Any) -> Any:
        x, least, most = values["input"], low(values), high(values)
        below = np.int8(0) if least is None else x < least
        above = np.int8(0) if most is None else x > most
        return np.asarray(above, np.int8) - np.asarray(below, np.int8)

    def margin(values: Values, result: Any) -> Any:
        x, least, most = values["input"], low(values), high(values)
        if least is None or most is None:
            return x - (most if least is None else least)
        return np.where(np.abs(x - least) < np.abs(x - most), x - least, x - most)

    def pinned(values: Values, result: Any, key: Any) -> Any:
        x = values["input"]
        least, most = inside({"input": low(values)}), inside({"input": high(values)})
        return (
            np.where(
                key < 0, 0 if least is None else least, np.where(key > 0, 0 if most is None else most, inside(values))
            )
            + 0 * x
        )

    return Piece(key, margin, pinned)


def _same(values: Values) -> Any:
    return values["input"]


def _clamp(low: str | float | None, high: str | float | None) -> Piece:
    def bound(name: str | float | None) -> Callable[[Values], Any]:
        return lambda values: values.get(name) if isinstance(name, str) else name

    return _between(bound(low), bound(high), _same)


def _steps(function: Callable[[Any], Any]) -> Callable[[Values, Any], Any]:
    """Return how far x is from the next step of a staircase with steps at the whole numbers, after `function`."""

    def margin(values: Values, result: Any) -> Any:
        x = function(values["input"])
        return x - np.round(x)

    return margin


def _result(values: Values, result: Any) -> Any:
    return np.array(result)


def _staircase(margin: Callable[[Values, Any], Any] | None) -> Piece:
    return Piece(_result, margin, lambda v, r, key: key + 0 * np.asarray(r))


def _quotient(round_: Callable[[Any], Any]) -> Piece:
    def key(values: Values, result: Any) -> Any:
        return round_(np.asarray(values["input"] / values["other"]))

    def margin(values: Values, result: Any) -> Any:
        quotient = np.asarray(values["input"] / values["other"])
        return quotient - np.round(quotient)

    return Piece(key, margin, lambda v, r, k: v["input"] - v["other"] * k)


def _pair(sign: int) -> Piece:
    """Build the pieces of the greater (sign 1) or smaller (-1) of two; equal ones share the gradient."""

    def pinned(values: Values, result: Any, key: Any) -> Any:
        a, b = values["input"], values["other"]
        return np.where(key > 0, a, np.where(key < 0, b, (a + b) / 2))

    def difference(values: Values, result: Any) -> Any:
        return sign * (values["input"] - values["other"])

    return Piece(lambda v, r: np.sign(difference(v, r)), difference, pinned)


def _axes(values: Values) -> Any:
    dim = values.get("dim")
    return None if dim is None or dim == () else dim if isinstance(dim, int) else tuple(dim)


def _wide(values: Values, result: Any) -> Any:
    """Put the axes back that a reduction removed from its result."""
    axes = _axes(values)
    if values.get("keepdim") or axes is None:
        return np.asarray(result)
    return np.expand_dims(np.asarray(result), axes)


def _extreme() -> Piece:
    """Build the pieces of `amax`, `max()` and their like: which elements are the greatest; several share."""

    def key(values: Values, result: Any) -> Any:
        return np.asarray(values["input"]) == _wide(values, result)

    def margin(values: Values, result: Any) -> Any:
        x = np.asarray(values["input"])
        gap = np.abs(x - _wide(values, result))
        mask = gap == 0
        several = mask.sum(axis=_axes(values), keepdims=True) > 1
        return np.where(mask & ~several, np.inf, gap)

    def pinned(values: Values, result: Any, key: Any) -> Any:
        axes, keep = _axes(values), bool(values.get("keepdim"))
        x = np.asarray(values["input"])
        return (x * key).sum(axis=axes, keepdims=keep) / key.sum(axis=axes, keepdims=keep)

    return Piece(key, margin, pinned)


def _chosen() -> Piece:
    """Build the piece of an op that selects elements of its input, the first of equal ones."""

    def key(values: Values, result: Any) -> Any:
        flat = np.asarray(values["input"]).ravel()
        order = np.argsort(flat, kind="stable")
        return order[np.minimum(np.searchsorted(flat[order], np.asarray(result)), max(flat.size - 1, 0))]

    return Piece(key, None, lambda v, r, k: np.asarray(v["input"]).ravel()[k])


def _order(values: Values, result: Any) -> Any:
    x = np.asarray(values["input"])
    dim = values.get("dim")
    return np.argsort(
        x if isinstance(dim, int) and x.ndim else x.ravel(), axis=dim if isinstance(dim, int) and x.ndim else 0
    )


def _gaps(values: Values, result: Any) -> Any:
    x = np.asarray(values["input"])
    dim = values.get("dim")
    axis = dim if isinstance(dim, int) and x.ndim else -1
    return np.diff(np.sort(x if x.ndim else x.ravel(), axis=axis), axis=axis)


def _norm(values: Values, result: Any) -> Any:
    """Find where a norm has a corner: at zero, and for the norms of 1 and infinity elsewhere too."""
    zero = np.asarray(result == 0).ravel()
    power = values.get("p", values.get("ord"))
    x = values.get("input", values.get("self", values.get("A", values.get("x"))))
    if x is None or power is None or isinstance(power, str) or power == 2:
        return zero
    x = np.asarray(x).ravel()
    corners = np.sign(x.real) if power <= 1 else (np.abs(x) == np.abs(x).max() if np.isinf(power) and x.size else x[:0])
    return np.concatenate([zero, corners])


def _beyond(values: Values, result: Any) -> Any:
    beta = values.get("beta", values.get("delta", 1.0))
    return np.abs(values["input"] - values["target"]) > beta


def _shrunk(values: Values, result: Any) -> Any:
    x, width = values["input"], values.get("lambd", 0.5)
    return np.asarray(x > width, np.int8) - np.asarray(x < -width, np.int8)


def _shrink_margin(values: Values, result: Any) -> Any:
    return np.abs(values["input"]) - values.get("lambd", 0.5)


_MAXIMUM, _MINIMUM, _EXTREME, _CHOSEN, _NORM = _pair(1), _pair(-1), _extreme(), _chosen(), Piece(_norm)
_SIX = _between(lambda v: -3.0, lambda v: 3.0, lambda v: v["input"] / 6 + 0.5)
_SELU_SCALE, _SELU_ALPHA = 1.0507009873554805, 1.6732632423543772

PIECES: dict[str, Piece] = {
    "relu": _kinked(lambda v: 0.0),
    "leaky_relu": _kinked(lambda v: v.get("negative_slope", 0.01)),
    "prelu_kernel": Piece(_positive, _input, lambda v, r, k: np.where(k, v["input"], v["weight"] * v["input"])),
    "rrelu_with_noise": Piece(_positive, _input),
    "elu": Piece(_positive, _input),
    "celu": Piece(_positive, _input),
    "selu": Piece(
        _positive, _input,
        lambda v, r, k: _SELU_SCALE * np.where(k, v["input"], _SELU_ALPHA * np.expm1(np.where(k, 0, v["input"]))),
    ),
    "threshold": Piece(
        lambda v, r: v["input"] > v["threshold"],
        lambda v, r: v["input"] - v["threshold"],
        lambda v, r, k: np.where(k, v["input"], v["value"]),
    ),
    "abs": Piece(lambda v, r: np.sign(v["input"]), _input, lambda v, r, k: v["input"] * k),
    "hardtanh": _clamp("min_val", "max_val"),
    "clamp": _clamp("min", "max"),
    "clamp_min": _clamp("min", None),
    "clamp_max": _clamp(None, "max"),
    "hardsigmoid": Piece(
        _SIX.key, _SIX.margin,
        lambda v, r, k: np.where(k < 0, 0, np.where(k > 0, 1, v["input"] / 6 + 0.5)),
    ),
    "hardswish": Piece(
        _SIX.key, _SIX.margin,
        lambda v, r, k: np.where(k < 0, 0, np.where(k > 0, v["input"], v["input"] * (v["input"] / 6 + 0.5))),
    ),
    "hardshrink": Piece(_shrunk, _shrink_margin, lambda v, r, k: np.where(k != 0, v["input"], 0)),
    "softshrink": Piece(
        _shrunk, _shrink_margin, lambda v, r, k: np.where(k != 0, v["input"] - k * v.get("lambd", 0.5), 0)
    ),
    "maximum": _MAXIMUM,
    "fmax": _MAXIMUM,
    "minimum": _MINIMUM,
    "fmin": _MINIMUM,
    **dict.fromkeys(("max", "min", "amax", "amin", "max_of_all", "min_of_all"), _EXTREME),
    **dict.fromkeys(
        ("median", "nanmedian", "median_of_all", "nanmedian_of_all", "max_pool1d", "max_pool2d", "max_pool3d",
         "adaptive_max"),
        _CHOSEN,
    ),
    **dict.fromkeys(("aminmax", "quantile", "nanquantile", "msort"), Piece(_order, _gaps)),
    **dict.fromkeys(
        ("norm", "linalg_norm", "linalg_vector_norm", "linalg_matrix_norm", "frobenius_norm", "nuclear_norm", "dist",
         "cdist", "pdist", "pairwise_distance", "hypot"),
        _NORM,
    ),
    "std": Piece(lambda v, r: r == 0),
    "floor": _staircase(_steps(lambda x: x)),
    "ceil": _staircase(_steps(lambda x: x)),
    "trunc": _staircase(_steps(lambda x: x)),
    "round": _staircase(_steps(lambda x: x + 0.5)),
    "sign": _staircase(_input),
    "sgn": _staircase(_input),
    "heaviside": _staircase(_input),
    "frac": Piece(lambda v, r: np.trunc(v["input"]), _steps(lambda x: x), lambda v, r, k: v["input"] - k),
    "fmod": _quotient(np.trunc),
    "remainder": _quotient(np.floor),
    "floor_divide": _staircase(None),
    "div_rounded": _staircase(None),
    "nan_to_num": Piece(lambda v, r: np.isfinite(v["input"])),
    "huber_loss": Piece(_beyond),
    "smooth_l1_loss": Piece(_beyond),
}  # fmt: skip


def compared(values: Values, result: Any) -> Any:
    """Return how far the sides of a comparison are apart, as its margin; None unless they are real numbers."""
    left, right = values.get("input"), values.get("other")
    if left is None or right is None or np.asarray(left).dtype.kind not in "fiu":
        return None
    return np.asarray(left) - np.asarray(right)


def gap_of(values: Values, result: Any) -> Any:
    """Return the gaps between the values that `argmax`, `sort` and their like order, as their margin."""
    x = values.get("input")
    if x is None or np.asarray(x).dtype.kind != "f":
        return None
    return _gaps(values, result)


def top_gap(values: Values, result: Any) -> Any:
    """Return how far `argmax`'s greatest element is from the next, as its margin."""
    x = np.asarray(values["input"])
    dim = values.get("dim")
    if not isinstance(dim, int) or not x.ndim:
        x, dim = x.ravel(), 0
    if x.shape[dim] < 2:
        return None
    two = np.sort(x, axis=dim).take([-2, -1], axis=dim)
    return np.diff(two, axis=dim)


COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
#: The margin of ops whose whole numbers or truth values are the decision.
DISCRETE: dict[str, Callable[[Values, Any], Any]] = {
    **dict.fromkeys(COMPARISONS, compared),
    **dict.fromkeys(("sort", "argsort", "topk", "kthvalue", "median", "nanmedian", "mode", "cummax", "cummin"), gap_of),
    **dict.fromkeys(("argmax", "max"), top_gap),
    "argmin": lambda v, r: top_gap({**v, "input": -np.asarray(v["input"])}, r),
    "min": lambda v, r: top_gap({**v, "input": -np.asarray(v["input"])}, r),
}
