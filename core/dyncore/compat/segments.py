"""Functions that graph networks and PyTorch's own compiler call: reductions over segments, masked places, chunks."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.dtypes.dtypes import of
from dyncore.errors.explain import no_dimension
from dyncore.tensors.tensor import Tensor, wrap

_STARTS = {"max": -math.inf, "min": math.inf, "sum": 0.0, "mean": 0.0, "prod": 1.0}


def segment_reduce(
    data: Tensor,
    reduce: str,
    *,
    lengths: Any = None,
    indices: Any = None,
    offsets: Any = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: Any = None,
) -> Any:
    """Return one number for each segment along `axis`: its max, min, sum, mean or product.

    lengths: how long each segment is, or offsets: where each begins and the last ends; their dimensions before the
    last are those of `data` before `axis`.  initial: what a reduction begins with, and what an empty segment gives.
    """
    if reduce not in _STARTS:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    if lengths is None and offsets is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    if not -data.dim() <= axis < data.dim():
        raise no_dimension(axis, data.dim())
    axis %= data.dim()
    ends = np.cumsum(lengths._array, -1) if offsets is None else offsets._array
    if ends.ndim != axis + 1:
        raise RuntimeError(f"segment_reduce(): Expected axis to be the last dimension of lengths but got {axis}.")
    if offsets is None:
        ends = np.concatenate((np.zeros((*ends.shape[:-1], 1), ends.dtype), ends), -1)
        if not unsafe:
            _check_lengths(lengths._array, data.shape[axis])
    rows = data.reshape((math.prod(data.shape[:axis]), *data.shape[axis:]))
    made = [
        TABLE["stack"].entry([_reduced(row[a:b], reduce, initial) for a, b in pairwise(places)])
        for row, places in zip(rows, ends.reshape(-1, ends.shape[-1]).tolist(), strict=True)
    ]
    return TABLE["stack"].entry(made).reshape((*data.shape[:axis], ends.shape[-1] - 1, *data.shape[axis + 1 :]))


def _check_lengths(lengths: Any, size: int) -> None:
    if (lengths < 0).any():
        raise RuntimeError("lengths contains negative value!")
    if (lengths.sum(-1) != size).any():
        raise RuntimeError("Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.")


def _reduced(part: Any, reduce: str, initial: Any) -> Any:
    """Return one segment in the place of its first dimension."""
    if not part._array.shape[0]:
        empty = math.nan if reduce == "mean" and initial is None else _STARTS[reduce] if initial is None else initial
        return part.new_full(part.shape[1:], empty)
    if reduce in ("max", "min"):
        found = part.amax(0) if reduce == "max" else part.amin(0)
        if initial is None:
            return found
        return found.clamp(min=initial) if reduce == "max" else found.clamp(max=initial)
    if reduce == "prod":
        return part.prod(0) if initial is None else part.prod(0) * initial
    total = part.sum(0) if initial is None else part.sum(0) + initial
    return total / part._array.shape[0] if reduce == "mean" else total


def _chunk_cat(tensors: Any, dim: int, num_chunks: int, *, out: Any = None) -> Any:
    """Return each tensor cut along `dim` into chunks, zeros at its end, and the chunks of the same number joined."""
    axis = _chunk_axis(tensors, dim, num_chunks)
    parts = []
    for each in tensors:
        count = each.shape[axis]
        width = -(-count // num_chunks)
        missing = width * num_chunks - count
        if missing:
            shape = (*each.shape[:axis], missing, *each.shape[axis + 1 :])
            each = TABLE["cat"].entry([each, each.new_zeros(shape)], axis)
        parts.append(each.reshape((*each.shape[:axis], num_chunks, -1)))
    made = TABLE["cat"].entry(parts, axis + 1)
    return made if out is None else out.resize_(made.shape).copy_(made)


def _chunk_axis(tensors: Any, dim: int, num_chunks: int) -> int:
    """Return the dimension that is cut.  Raises RuntimeError where tensors do not fit."""
    ranks = [each.dim() for each in tensors]
    wrong = None
    if not tensors:
        wrong = "a non-empty input tensor list"
    elif num_chunks < 1:
        wrong = "positive num_chunks"
    elif not all(each._array.size for each in tensors):
        wrong = "non-empty tensor"
    elif dim < 0 and len(set(ranks)) > 1:
        wrong = "non-negative dim when input tensors have different ndims"
    elif dim >= min(ranks):
        wrong = "dim < ndim for all input tensors"
    elif len({each.shape[: dim + ranks[0] if dim < 0 else dim] for each in tensors}) > 1:
        wrong = "same sizes of 0,...,dim-1 dimensions for all tensors"
    if wrong is not None:
        raise RuntimeError(f"_chunk_cat expects {wrong}")
    return dim + ranks[0] if dim < 0 else dim


def _within(input: Tensor, indices: Any) -> tuple[Any, ...]:
    """Return the indices moved into the tensor, None for all of a dimension."""
    return tuple(
        slice(None) if each is None else each.clamp(-size, size - 1)
        for each, size in zip(indices, input.shape, strict=False)
    )


def _unsafe_masked_index(self: Tensor, mask: Any, indices: Any, fill: Any) -> Any:
    """Return the elements at indices where `mask` is true, `fill` where it is not and indices may be anything."""
    return self[_within(self, indices)].masked_fill(~mask, fill)


def _unsafe_masked_index_put_accumulate(self: Tensor, mask: Any, indices: Any, values: Any) -> Any:
    """Return `self` with `values` added at indices where `mask` is true."""
    return self.index_put(_within(self, indices), values.masked_fill(~mask, 0), accumulate=True)


def _safe_softmax(self: Tensor, dim: int, dtype: Any = None) -> Any:
    """Return `softmax`, and zeros where all is minus infinity."""
    given = self if dtype is None else self.to(dtype)
    given = given if given.is_floating_point() else given * 1.0
    low: Any = given == -math.inf
    hidden = low.all(dim, keepdim=True)
    return given.masked_fill(hidden, 0.0).softmax(dim).masked_fill(hidden, 0.0)


def max_pool2d_with_indices_backward(
    grad_output: Tensor, self: Tensor, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool,
    indices: Tensor,
) -> Any:  # fmt: skip
    """Return each gradient where the maximum of its window was; how the windows lie is in `indices`."""
    flat = self.masked_fill(self.new_ones(self.shape).bool(), 0).flatten(-2)  # zeros, also as a slope
    return flat.scatter_add(-1, indices.flatten(-2), grad_output.flatten(-2)).reshape(self.shape)


def hash_tensor(input: Tensor, dim: Any = (), *, keepdim: bool = False, mode: int = 0, out: Any = None) -> Any:
    """Return the bits of all elements, or of those along `dim`, as 64-bit numbers joined by exclusive or."""
    from dyncore.ops.axes import axes_of

    if mode != 0:
        raise RuntimeError(f"Unknown hash_tensor mode: {mode}")
    array = np.asarray(input._array)
    bits: Any = array.astype(np.float64 if array.dtype.kind == "f" else np.int64).view(np.uint64)
    axes: Any = axes_of(dim, array.ndim)
    joined: Any = np.bitwise_xor.reduce
    made = joined(bits, axis=axes, keepdims=keepdim) if array.ndim else bits
    result = wrap(np.asarray(made, of(np.dtype(np.uint64)).numpy)[()], None)
    return result if out is None else out.resize_(result.shape).copy_(result)
