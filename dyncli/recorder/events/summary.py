"""A tensor's array as plain values: all of them while it is small enough, statistics when it is not tiny."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from dyncli.recorder.engine import SMALL, MetaArray, dtypes
from dyncli.records.columns import elements
from dyncli.records.digest import blake2b
from dyncli.records.model import Stats, TensorSummary

WHOLE = 10_000  # elements of an input, output or gradient that is recorded whole
BINS = 8


class Measured(NamedTuple):
    """The summary of a larger array.  kept: a copy of it, or None."""

    stats: Stats
    digest: str
    kept: Any = None


def summary(
    number: int, array: Any, *, whole: int = WHOLE, role: str = "intermediate", name: str | None = None,
    requires_grad: bool = False, op: int | None = None, shares: int | None = None, bins: int = BINS,
) -> TensorSummary:  # fmt: skip
    """Summarise an array; with its values only if it has at most `whole` elements.  bins: of the histogram.

    A meta tensor has neither values nor statistics. The statistics of a few real values are not kept:
    `analysis.values.stats_of` takes them where they are shown.
    """
    known = array.__class__ is not MetaArray
    return TensorSummary(
        id=number,
        shape=one_of(tuple(array.shape)),
        dtype=dtypes.of(array.dtype).name,
        role=role,
        name=name,
        requires_grad=requires_grad,
        values=elements(np.asarray(array)) if known and array.size <= whole else None,
        stats=statistics(array, bins) if known and array.size > (1 if array.dtype.kind == "c" else SMALL) else None,
        digest=digest_of(array) if known and array.size > whole else None,
        op=op,
        shares=shares,
    )


@lru_cache(4096)
def one_of(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return the one tuple that stands for its equals: most tensors of a run have one of few shapes."""
    return numbers


def digest_of(array: Any) -> str:
    """Hash an array's dtype and elements, in order, to 16 digits; 0 equals -0, and NaN equals NaN."""
    flat = np.ascontiguousarray(array).reshape(-1)
    if flat.dtype.kind == "c":
        flat = flat.view(flat.real.dtype)
    if flat.dtype.kind == "f":
        flat = flat + flat.dtype.type(0)
        flat[flat != flat] = np.nan
    return blake2b(flat.data, digest_size=8).hexdigest()


def statistics(array: Any, bins: int = BINS) -> Stats:
    """Minimum, maximum, mean, 2-norm, counts of zero, NaN and infinite elements, and a histogram of the finite ones."""
    flat = np.asarray(array).reshape(-1)
    if flat.dtype.kind == "c":
        flat = np.abs(flat)
    values = flat.astype(np.float64)
    finite = values[np.isfinite(values)]
    counts: dict[str, Any] = {
        "zeros": int((values == 0).sum()),
        "nan": int(np.isnan(values).sum()),
        "inf": int(np.isinf(values).sum()),
    }
    if not finite.size:
        return Stats(**counts)
    low, high = float(finite.min()), float(finite.max())
    with np.errstate(all="ignore"):
        norm = float(np.sqrt(np.dot(finite, finite)))
        mean = float(finite.mean())
    spread = high - low
    histogram: tuple[int, ...] = ()
    if bins and 0 < spread < math.inf:
        places = np.minimum(((finite - low) / spread * bins).astype(np.int64), bins - 1)
        histogram = one_of(tuple(np.bincount(places, minlength=bins).tolist()))
    return Stats(min=low, max=high, mean=mean, norm=norm, histogram=histogram, **counts)
