"""Split, chunk, unbind, `narrow` and `select`."""

import functools
import itertools

from dyncore.dispatch.registry import op

from .axes import axis_of
from .indexing import index_place, slice_along
from .joining import along, cat, stack


def _join(grads, dim):
    return cat(grads, dim)


def _title(split_size_or_sections):
    listed = isinstance(split_size_or_sections, (list, tuple))
    return "SplitWithSizesBackward0" if listed else "SplitBackward0"


def _cut(input, lengths, axis):
    start, pieces, before = 0, [], (slice(None),) * axis
    for length in lengths:
        end = start + length
        pieces.append(input[(*before, slice(start, end))] if axis else input[start:end])
        start = end
    return tuple(pieces)


def _cut_evenly(input, size, axis, total):
    """Return pieces of `size` along `axis`, the last one the rest of `total`."""
    spans = _few_spans if total <= 64 * size else _spans
    return tuple([input[span] for span in spans(total, size, axis, axis and input.ndim)])


def _spans(total, size, axis, ndim):
    """Return the index of each piece; the first and last dimension need no list."""
    pieces = [slice(start, start + size) for start in range(0, total, size)]
    if not axis:
        return pieces
    before = (...,) if axis == ndim - 1 else (slice(None),) * axis
    return [(*before, each) for each in pieces]


_few_spans = functools.lru_cache(256)(_spans)  # (tests/bench, LSTM by hand)


def _check_dims(input, name):
    if not input.ndim:
        raise RuntimeError(f"{name} expects at least a 1-dimensional tensor")


def _lengths(input, size, axis, name):
    """Return the lengths of pieces of `size` along `axis`, the last one the rest.

    size: or a list of lengths, which is checked.
    """
    total = input.shape[axis]
    if isinstance(size, (list, tuple)):
        lengths = [n.__index__() for n in size]
        for n in lengths:
            if n < 0:
                raise RuntimeError(
                    "split_with_sizes expects split_sizes have only non-negative entries, but got "
                    f"split_sizes={lengths}"
                )
        if sum(lengths) != total:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {total} (input tensor's size at dimension "
                f"{axis}), but got split_sizes={lengths}"
            )
        return lengths
    if size < 0:
        raise RuntimeError(f"{name} expects split_size be non-negative, but got split_size={size}")
    if not size:
        if total:
            raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {total}")
        return [0]
    return [min(size, total - start) for start in range(0, total, size)] or [0]


@op(batching="dims", tensor=_join, view=True, node=_title)
def split(tensor, split_size_or_sections: object, dim: int = 0):
    """Pieces of a size, or of the listed sizes, along `dim`, as views."""
    _check_dims(tensor, "split")
    axis = axis_of(dim, tensor.ndim)
    if split_size_or_sections.__class__ is int and split_size_or_sections > 0 and tensor.shape[axis]:
        return _cut_evenly(tensor, split_size_or_sections, axis, tensor.shape[axis])
    return _cut(tensor, _lengths(tensor, split_size_or_sections, axis, "split"), axis)


@op(input=_join, view=True)
def split_with_sizes(input, split_sizes: tuple, dim: int = 0):
    """Pieces of the listed sizes along `dim`, as views."""
    _check_dims(input, "split_with_sizes")
    axis = axis_of(dim, input.ndim)
    return _cut(input, _lengths(input, list(split_sizes), axis, "split_with_sizes"), axis)


def _apart(pieces):
    """Return copies of the pieces: a write to one is no write to the others."""
    return [piece.copy() for piece in pieces]


@op(input=_join)
def unsafe_split(input, split_size: int, dim: int = 0):
    """`split` whose pieces may be written in place, as they are no views."""
    _check_dims(input, "split")
    axis = axis_of(dim, input.ndim)
    return _apart(_cut(input, _lengths(input, split_size, axis, "split"), axis))


@op(input=_join)
def unsafe_split_with_sizes(input, split_sizes: tuple, dim: int = 0):
    """`split_with_sizes` whose pieces may be written in place."""
    _check_dims(input, "split_with_sizes")
    axis = axis_of(dim, input.ndim)
    return _apart(_cut(input, _lengths(input, list(split_sizes), axis, "split_with_sizes"), axis))


def _chunks(input, chunks, axis):
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    total = input.shape[axis]
    if not total:
        return [0] * chunks
    return _lengths(input, -(-total // chunks), axis, "chunk")


@op(batching="dims", input=_join, view=True, node="SplitBackward0")
def chunk(input, chunks: int, dim: int = 0):
    """At most `chunks` pieces of equal size along `dim`, as views.

    The last one is the rest.
    """
    if dim.__class__ is not int or dim or not input.ndim:
        _check_dims(input, "chunk")
        axis = axis_of(dim, input.ndim)
    else:
        axis = 0
    total = input.shape[axis]
    if chunks > 0 and total:
        return _cut_evenly(input, -(-total // chunks), axis, total)
    return _cut(input, _chunks(input, chunks, axis), axis)


@op(input=_join, node="UnsafeSplitBackward0")
def unsafe_chunk(input, chunks: int, dim: int = 0):
    """`chunk` whose pieces may be written in place."""
    _check_dims(input, "chunk")
    axis = axis_of(dim, input.ndim)
    return _apart(_cut(input, _chunks(input, chunks, axis), axis))


def _restack(grads, dim):
    return stack(grads, dim)


@op(batching="dims", input=_restack, view=True)
def unbind(input, dim: int = 0):
    """Slices along `dim`, one tensor each, as views."""
    if not input.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    axis = axis_of(dim, input.ndim)
    if not axis:
        return tuple(input) if input.ndim > 1 else tuple(input[k, ...] for k in range(len(input)))
    index = (slice(None),) * axis
    return tuple(input[(*index, k, ...)] for k in range(input.shape[axis]))


def _selected(g, input_shape, dim, index):
    return index_place(g, tuple(input_shape), along(axis_of(dim, len(input_shape)), int(index)))


@op(batching="dims", input=_selected, view=True)
def select(input, dim: int, index: int):
    """Slice at `index` along `dim`, as a view."""
    if not input.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    axis, index = axis_of(dim, input.ndim), index.__index__()
    size = input.shape[axis]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(input.shape)} at dimension {axis}"
        )
    return input[(*along(axis, index), ...)]


def _narrowed(g, input_shape, dim, start, length):
    axis, first = axis_of(dim, len(input_shape)), int(start)
    first = first + input_shape[axis] if first < 0 else first
    return index_place(g, tuple(input_shape), along(axis, slice(first, first + length)))


@op(batching="dims", input=_narrowed, view=True, node="SliceBackward0")
def narrow(input, dim: int, start: object, length: int):
    """`length` slices from `start` along `dim`, as a view."""
    if not input.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if hasattr(start, "dtype") and (start.ndim or start.dtype.kind not in "iu"):
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    axis, first = axis_of(dim, input.ndim), start.__index__()
    size = input.shape[axis]
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -size <= first <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {first})")
    first = first + size if first < 0 else first
    if first + length > size:
        raise RuntimeError(f"start ({first}) + length ({length}) exceeds dimension size ({size}).")
    return input[along(axis, slice(first, first + length))]


def _bounds(sections, size):
    """Return the (start, stop) pairs of `tensor_split`.

    sections: a number of them, or the indices of the cuts.
    """
    if hasattr(sections, "tolist"):
        sections = sections.tolist()
    if isinstance(sections, int):
        if sections <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
        small, extra = divmod(size, sections)
        cuts = [k * small + min(k, extra) for k in range(sections + 1)]
        return list(itertools.pairwise(cuts))
    cuts = [0, *[n.__index__() for n in sections], size]
    return list(itertools.pairwise(cuts))


@op(composite=True)
def tensor_split(
    input, indices_or_sections: object = None, dim: int = 0, *, indices: object = None, sections: int = None
):
    """Pieces along `dim`, as views.

    indices_or_sections: a number of pieces as even as can be, or the indices of the cuts.
    """
    if not len(input.shape):
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    given = next(each for each in (indices_or_sections, indices, sections) if each is not None)
    axis = axis_of(dim, len(input.shape))
    bounds = _bounds(given, input.shape[axis])
    return tuple(slice_along(input, axis, start, stop) for start, stop in bounds)


def _split_along(input, given, axis, name):
    if isinstance(given, str):
        raise TypeError(
            f"{name}() received an invalid combination of arguments - got (Tensor, str), but expected one of:\n"
            " * (Tensor input, int sections)\n * (Tensor input, tuple of ints indices)\n"
        )
    if isinstance(given, int):
        size = input.shape[axis]
        if given <= 0 or size % given:
            raise RuntimeError(
                f"torch.{name} attempted to split along dimension {axis}, but the size of the dimension {size} is not "
                f"divisible by the split_size {given}!"
            )
    return tensor_split(input, given, axis)


def _check_enough(input, least, name):
    if len(input.shape) < least:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with "
            f"{len(input.shape)} dimensions!"
        )


@op(composite=True)
def hsplit(input, indices_or_sections: object):
    """Pieces along the second dimension, of a vector along the first."""
    _check_enough(input, 1, "hsplit")
    return _split_along(input, indices_or_sections, 0 if len(input.shape) == 1 else 1, "hsplit")


@op(composite=True)
def vsplit(input, indices_or_sections: object):
    """Pieces along the first dimension."""
    _check_enough(input, 2, "vsplit")
    return _split_along(input, indices_or_sections, 0, "vsplit")


@op(composite=True)
def dsplit(input, indices_or_sections: object):
    """Pieces along the third dimension."""
    _check_enough(input, 3, "dsplit")
    return _split_along(input, indices_or_sections, 2, "dsplit")
