"""A tensor's array as plain values: all of them while it is small enough, statistics when it is not tiny."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from dyncli.recorder.engine import dtypes
from dyncli.records.digest import blake2b
from dyncli.records.elements import elements
from dyncli.records.model import Stats, TensorSummary

WHOLE = 10_000  # elements of an input, output or gradient that is recorded whole
BINS = 8
FEW = 16  # elements up to which Python's own numbers are faster: 9x for 3, 2x for 16, as timeit has it


def summary(
    number: int, array: Any, *, whole: int = WHOLE, role: str = "intermediate", name: str | None = None,
    requires_grad: bool = False, op: int | None = None, shares: int | None = None,
) -> TensorSummary:  # fmt: skip
    """Summarise an array; with its values only if it has at most `whole` elements."""
    return TensorSummary(
        id=number,
        shape=one_of(tuple(array.shape)),
        dtype=dtypes.of(array.dtype).name,
        role=role,
        name=name,
        requires_grad=requires_grad,
        values=elements(np.asarray(array)) if array.size <= whole else None,
        stats=statistics(array) if array.size > 1 else None,
        digest=digest_of(array) if array.size > whole else None,
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


def statistics(array: Any) -> Stats:
    """Minimum, maximum, mean, 2-norm, counts of zero, NaN and infinite elements, and a histogram of the finite ones."""
    flat = np.asarray(array).reshape(-1)
    if flat.dtype.kind == "c":
        flat = np.abs(flat)
    if flat.size <= FEW:
        return _of_few(flat.tolist() if flat.dtype.kind == "f" else [float(value) for value in flat.tolist()])
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
    if 0 < spread < math.inf:
        places = np.minimum(((finite - low) / spread * BINS).astype(np.int64), BINS - 1)
        histogram = one_of(tuple(np.bincount(places, minlength=BINS).tolist()))
    return Stats(min=low, max=high, mean=mean, norm=norm, histogram=histogram, **counts)


def _of_few(values: list[float]) -> Stats:
    """Compute the statistics of a short list without NumPy."""
    finite, zeros, nan = values, values.count(0.0), 0
    if not math.isfinite(sum(values)):
        finite = [value for value in values if math.isfinite(value)]
        nan = sum([value != value for value in values])
    inf = len(values) - len(finite) - nan
    if not finite:
        return Stats(zeros=zeros, nan=nan, inf=inf)
    low, high = min(finite), max(finite)
    spread = high - low
    histogram: tuple[int, ...] = ()
    if 0 < spread < math.inf:
        bins = [0] * (BINS + 1)
        for value in finite:
            bins[int((value - low) / spread * BINS)] += 1
        histogram = one_of((*bins[: BINS - 1], bins[BINS - 1] + bins[BINS]))  # the largest value is the last bin's
    norm = math.sqrt(sum([value * value for value in finite]))
    return Stats(low, high, sum(finite) / len(finite), norm, zeros, nan, inf, histogram)
