"""Measure which elements an op picked by value, how close the runner-up was, and how likely a draw was."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from dyncli.recorder.engine import Tensor

MOST_COUNTED = 256  # indexes that are counted one by one
MOST_KEPT = 16  # indexes that are kept in their order
MOST_COMPARED = 1 << 20  # scores of which the margin is looked for
BOOL = np.dtype(bool)


class Pick(NamedTuple):
    """One pick; the fields are those of `Choice` in the record.

    gaps: of a `topk`, the least distance from each of its columns to the next.
    """

    kind: str
    of: int
    counts: tuple[int, ...] = ()
    picked: tuple[int, ...] = ()
    probabilities: tuple[float, ...] = ()
    margin: float | None = None
    gaps: tuple[float | None, ...] = ()


def measure(op: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> Pick | None:
    """Return the pick that an op made, None where it made none."""
    if not isinstance(args[0], Tensor):
        return None
    with np.errstate(all="ignore"):
        return PICKING[op.name](args, kwargs, result)


def part(before: Pick | None, whole: Tensor, result: Any) -> Pick | None:
    """Return the pick of the first columns of what was picked, as in `topk(k + 1)[1][:, :k]`; else None.

    The columns that are left out are runners-up, which nothing is run by.
    """
    if before is None or before.kind != "index":
        return None
    old, new = whole._array.shape, result._array.shape
    if len(old) < 2 or len(new) != len(old) or new[:-1] != old[:-1] or new[-1] == old[-1]:
        return None
    kept = new[-1]
    is_first = 0 < kept <= len(before.gaps) and np.array_equal(whole._array[..., :kept], result._array)
    return Pick(
        "index", before.of, *_counted(result._array, before.of), (), before.gaps[kept - 1] if is_first else None
    )


def _extremes(sign: int) -> Callable[..., Pick | None]:
    """Return what reads `argmax(input, dim)`, and the indexes of `max(input, dim)`, or those of the least element."""

    def read(args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> Pick | None:
        indexes = result[-1] if isinstance(result, tuple) else result
        return _among(args[0]._array, indexes._array, _given(args, kwargs, 1, "dim", None), sign)

    return read


def _valued(sign: int) -> Callable[..., Pick | None]:
    """Return the same for `max` and `min`, which return no indexes of all elements and of two tensors."""
    of_dimension = _extremes(sign)
    return lambda args, kwargs, result: of_dimension(args, kwargs, result) if isinstance(result, tuple) else None


def _topk(args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> Pick | None:
    sign = 1 if _given(args, kwargs, 3, "largest", True) else -1
    return _among(args[0]._array, result[1]._array, _given(args, kwargs, 2, "dim", -1), sign)


def _among(scores: Any, indexes: Any, dim: int | None, sign: int) -> Pick | None:
    """Return the pick of `indexes` along `dim`, by the largest scores, or the least where `sign` is -1."""
    if not scores.ndim or not indexes.size:
        return None
    if dim is None:
        rows, places = scores.reshape(1, -1), indexes.reshape(1, 1)
    else:
        rows = np.moveaxis(scores, dim, -1)
        kept = indexes if indexes.ndim == scores.ndim else np.expand_dims(indexes, dim)
        places = np.moveaxis(kept, dim, -1)
    of = rows.shape[-1]
    count = places.shape[-1]
    margin: float | None = None
    gaps: tuple[float | None, ...] = ()
    if scores.size <= MOST_COMPARED and (count > 1 or count < of):
        others = np.array(rows, np.float64) * sign
        chosen = np.take_along_axis(others, places, -1)
        gaps = tuple(_least(chosen[..., place] - chosen[..., place + 1]) for place in range(min(count - 1, MOST_KEPT)))
        if count < of:
            np.put_along_axis(others, places, -np.inf, -1)
            margin = _least(chosen.min(-1) - others.max(-1))
    return Pick("index", of, *_counted(indexes, of), margin=margin, gaps=gaps)


def counted(before: Pick | None, whole: Tensor, result: Any) -> Pick | None:
    """Return the pick of a place among bounds, found by counting those passed: `(x[..., None] >= bounds).sum(-1)`."""
    if before is None or before.kind != "mask" or before.margin is None:
        return None
    mask, places = whole._array, result._array
    if places.dtype.kind != "i" or not places.ndim:
        return None
    of = mask.size // places.size + 1
    return Pick("index", of, *_counted(places, of), margin=before.margin)


def _sorted(args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> Pick | None:
    """Return the pick of an order by scores that are no whole numbers; its margin lies between neighbours."""
    scores, order = args[0]._array, (result[1] if isinstance(result, tuple) else result)._array
    if scores.dtype.kind != "f":
        return None
    sign = 1 if _given(args, kwargs, 2, "descending", False) else -1
    pick = _among(scores, order, _given(args, kwargs, 1, "dim", -1), sign)
    if pick is None:
        return None
    return pick._replace(counts=(), margin=min((gap for gap in pick.gaps if gap is not None), default=None))


def _placed(bounds_first: bool) -> Callable[..., Pick | None]:
    """Return what reads `searchsorted(bounds, input)`, or `bucketize(input, bounds)`."""

    def read(args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> Pick | None:
        values, bounds = (getattr(each, "_array", each) for each in (args[1::-1] if bounds_first else args[:2]))
        places = result._array
        if bounds.dtype.kind != "f" or not bounds.size or not places.size:
            return None
        of = bounds.shape[-1]
        margin = None
        if places.ndim and places.size <= MOST_COMPARED:
            rows = bounds if bounds.ndim == places.ndim else np.broadcast_to(bounds, (*places.shape[:-1], of))
            near = (np.take_along_axis(rows, np.clip(places + by, 0, of - 1), -1) for by in (-1, 0))
            margin = _least(np.abs(np.stack([values - bound for bound in near])))
        return Pick("index", of + 1, *_counted(places, of + 1), margin=margin)

    return read


def _draw(args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> Pick | None:
    """Return the pick of `multinomial(input, num_samples)`."""
    weights, indexes = args[0]._array, result._array
    of = weights.shape[-1]
    first = indexes.reshape(-1, indexes.shape[-1])
    first = first[: -(-MOST_KEPT // max(first.shape[-1], 1))]
    rows = weights.reshape(-1, of)[: len(first)].astype(np.float64)
    likely = np.take_along_axis(rows / rows.sum(-1, keepdims=True), first, -1)
    return Pick("sample", of, *_counted(indexes, of), tuple(likely.reshape(-1)[:MOST_KEPT].tolist()))


def _flipped(args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> Pick | None:
    """Return the pick of `bernoulli(input)` or `bernoulli(input, p)`: 1 with its probability, else 0."""
    drawn = result._array
    given = _given(args, kwargs, 1, "p", None)
    chances = args[0]._array if given is None else getattr(given, "_array", given)
    first = drawn.reshape(-1)[:MOST_KEPT]
    likely = np.broadcast_to(chances, drawn.shape).reshape(-1)[:MOST_KEPT].astype(np.float64)
    likely = np.where(first != 0, likely, 1 - likely)
    return Pick("sample", 2, _truth(drawn), tuple(first.astype(int).tolist()), tuple(likely.tolist()))


def _compared(args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> Pick | None:
    """Return the mask that a comparison made."""
    mask = result._array
    if not mask.ndim or mask.dtype != BOOL:
        return None
    a, b = (getattr(each, "_array", each) for each in args[:2])
    margin = None
    if a.dtype.kind == "f" and mask.size <= MOST_COMPARED:
        gaps = np.abs(np.subtract(a, b))
        margin = _least(gaps[gaps > 0])  # an element is never far from itself: `x < x.topk(k)[0][-1]`
    return Pick("mask", mask.size, _truth(mask), margin=margin)


def _nonzero(args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> Pick | None:
    """Return the pick of `nonzero(input)` or `where(condition)`."""
    if len(args) > 1:
        return None
    array = args[0]._array
    return Pick("mask", array.size, _truth(array))


def _truth(array: Any) -> tuple[int, int]:
    true = int(np.count_nonzero(array))
    return array.size - true, true


def _given(args: Sequence[Any], kwargs: Mapping[str, Any], place: int, name: str, default: Any) -> Any:
    return args[place] if len(args) > place else kwargs.get(name, default)


def _counted(indexes: Any, of: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return how often each index stands there, and the first of them."""
    flat = indexes.reshape(-1)
    counts = np.bincount(flat, minlength=of).tolist() if of <= MOST_COUNTED else ()
    return tuple(counts), tuple(flat[:MOST_KEPT].tolist())


def _least(gaps: Any) -> float | None:
    """Return the least finite gap."""
    finite = gaps[np.isfinite(gaps)]
    return float(finite.min()) if finite.size else None


PICKING: dict[str, Callable[..., Pick | None]] = {
    "argmax": _extremes(1),
    "max": _valued(1),
    "argmin": _extremes(-1),
    "min": _valued(-1),
    "topk": _topk,
    "sort": _sorted,
    "argsort": _sorted,
    "bucketize": _placed(bounds_first=False),
    "searchsorted": _placed(bounds_first=True),
    "multinomial": _draw,
    "bernoulli": _flipped,
    "nonzero": _nonzero,
    "where": _nonzero,
    **dict.fromkeys(("gt", "ge", "lt", "le", "eq", "ne"), _compared),
}
MAY_PICK = frozenset((*PICKING, "__getitem__", "sum"))
