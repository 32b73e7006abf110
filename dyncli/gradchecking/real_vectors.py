"""Arrays as real numbers in a row: a complex element counts as two."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dyncli.recorder.engine import Tensor, wrap


class Span(NamedTuple):
    """Where an output lies among the values."""

    name: str
    shape: tuple[int, ...]
    start: int
    end: int
    is_complex: bool


def real(array: Any) -> Any:
    """View an array as a flat float64 vector, complex elements as two; a copy if other than contiguous float64."""
    given = np.asarray(array)
    whole = given if given.flags.c_contiguous else np.ascontiguousarray(given)
    flat_ = whole.reshape(-1)
    return (
        flat_.view(np.float64) if flat_.dtype == np.complex128 else flat_ if flat_.dtype == np.float64 else _wide(flat_)
    )


def _wide(array: Any) -> Any:
    return array.astype(np.complex128).view(np.float64) if array.dtype.kind == "c" else array.astype(np.float64)


def flat(outputs: list[tuple[str, Tensor]]) -> Any:
    """Concatenate all outputs as one real array."""
    if len(outputs) == 1:
        return real(outputs[0][1]._array).copy()
    return np.concatenate([real(tensor._array) for _, tensor in outputs]) if outputs else np.zeros(0)


def cotangent(row: Any, span: Span, tensor: Tensor) -> Tensor:
    """Wrap the part of a row that belongs to one output, in that output's shape and dtype."""
    array = np.ascontiguousarray(row)
    if span.is_complex:
        array = array.view(np.complex128)
    return wrap(array.reshape(span.shape).astype(tensor._array.dtype), None)
