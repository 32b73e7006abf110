"""Shapes and views: the same elements seen otherwise, copied or joined."""

import math

import numpy as np

from .. import dtypes
from ..registry import op
from .reduction import axes_of, axis_of


def sizes(given):
    """The sizes in `view(2, 3)` or `view((2, 3))`."""
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = given[0]
    return tuple(n if type(n) is int else int(n) for n in given)


def infer(shape, count):
    """`shape` with its -1 worked out for `count` elements.  Raises RuntimeError if it does not fit."""
    unknown = shape.count(-1)
    if unknown > 1:
        raise RuntimeError("only one dimension can be inferred")
    for n in shape:
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n}")
    if unknown:
        rest = -math.prod(shape)
        if rest == 0 and count == 0:
            raise RuntimeError(
                f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified dimension size "
                "-1 can be any value and is ambiguous"
            )
        if rest == 0 or count % rest:
            raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
        return tuple(count // rest if n == -1 else n for n in shape)
    if math.prod(shape) != count:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {count}")
    return shape


@op(input=lambda g, input_shape: np.reshape(g, input_shape), view=True, function=False, linear=True)
def view(input, *shape: int):
    """The same memory in another shape; one size may be -1.  Raises RuntimeError where that needs a copy."""
    if len(shape) == 1 and isinstance(shape[0], dtypes.dtype):
        return input.view(shape[0].numpy)
    wanted = infer(sizes(shape), input.size)
    try:
        made = input.view()
        made.shape = wanted
    except AttributeError:
        error = RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
        raise error from None
    return made


@op(input=lambda g, input_shape: np.reshape(g, input_shape), view=True, node="ViewBackward0", linear=True)
def reshape(input, *shape: int):
    """The elements in another shape, one size may be -1; a view where memory allows, else a copy."""
    return input.reshape(infer(sizes(shape), input.size))


@op(input=lambda g, dim0, dim1: np.swapaxes(g, dim0, dim1), view=True, aliases=("swapaxes", "swapdims"), inplace=False, linear=True)
def transpose(input, dim0: int, dim1: int):
    """Two dimensions swapped, as a view."""
    a, b = axis_of(dim0, input.ndim), axis_of(dim1, input.ndim)
    return input.swapaxes(a, b) if input.ndim else input[...]


@op(input=lambda g: g.T, view=True, linear=True)
def t(input):
    """A matrix transposed, as a view; vectors and 0-d tensors as they are."""
    if input.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D")
    return input.T


def _inverse(dims, ndim):
    axes = [d % ndim for d in dims]
    return tuple(int(i) for i in np.argsort(axes))


@op(
    input=lambda g, dims: g.transpose(_inverse(sizes(dims), len(g.shape))) if isinstance(g, np.ndarray) else g.permute(_inverse(sizes(dims), len(g.shape))),
    view=True, linear=True,
)  # fmt: skip
def permute(input, *dims: int):
    """Dimensions in another order, as a view."""
    order = sizes(dims)
    if len(order) != input.ndim:
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {input.ndim} is not equal to len(dims) = {len(order)}"
        )
    return input.transpose(axes_of(order, input.ndim)) if input.ndim else input[...]


@op(input=lambda g, dim: np.squeeze(g, dim), view=True, linear=True)
def unsqueeze(input, dim: int):
    """A dimension of size 1 inserted at `dim`, as a view."""
    axis = axis_of(dim, input.ndim + 1)
    return input[(slice(None),) * axis + (None,)] if input.ndim or not axis else input[None]


def _squeeze_title(dim):
    return "SqueezeBackward0" if dim is None else "SqueezeBackward2" if isinstance(dim, tuple) else "SqueezeBackward1"


@op(input=lambda g, input_shape: np.reshape(g, input_shape), view=True, node=_squeeze_title, linear=True)
def squeeze(input, dim: tuple = None):
    """Dimensions of size 1 removed, all or those in `dim`, as a view."""
    axes = tuple(a for a in axes_of(dim, input.ndim) if input.shape[a] == 1)
    return input.squeeze(axes) if axes else input[...]


@op(input=lambda g, input_shape: np.reshape(g, input_shape), view=True, node="ViewBackward0", linear=True)
def flatten(input, start_dim: int = 0, end_dim: int = -1):
    """Dimensions from `start_dim` to `end_dim` joined into one; a view where memory allows."""
    if not input.ndim:
        return input.reshape(1)
    first, last = axis_of(start_dim, input.ndim), axis_of(end_dim, input.ndim)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    shape = input.shape
    return input.reshape(shape[:first] + (math.prod(shape[first : last + 1]),) + shape[last + 1 :])


@op(input=lambda g: g, view=True, function=False, linear=True)
def expand(input, *size: int):
    """Dimensions of size 1 stretched without copying, as a view; -1 keeps a size."""
    wanted = sizes(size)
    extra = len(wanted) - input.ndim
    if extra < 0:
        raise RuntimeError(
            f"expand(torch.{dtypes.of(input.dtype).title}Tensor{{{list(input.shape)}}}, size={list(wanted)}): the number "
            f"of sizes provided ({len(wanted)}) must be greater or equal to the number of dimensions in the tensor "
            f"({input.ndim})"
        )
    target = tuple(input.shape[i - extra] if n == -1 and i >= extra else n for i, n in enumerate(wanted))
    for i, n in enumerate(target):
        if i >= extra and input.shape[i - extra] not in (1, n):
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({input.shape[i - extra]}) at "
                f"non-singleton dimension {i}.  Target sizes: {list(wanted)}.  Tensor sizes: {list(input.shape)}"
            )
    strides = (0,) * extra + tuple(
        0 if n == 1 and target[i + extra] != 1 else s for i, (n, s) in enumerate(zip(input.shape, input.strides))
    )
    return np.ndarray(target, input.dtype, input, 0, strides) if input.flags.c_contiguous else _strided(input, target, strides)


def _strided(input, shape, strides):
    return np.lib.stride_tricks.as_strided(input, shape, strides)


@op(input=lambda g: g, view=True, linear=True)
def broadcast_to(input, size: tuple):
    """`expand` as a function: the tensor broadcast to a shape, as a view."""
    return np.broadcast_to(input, tuple(size))


@op(input=lambda g, input_shape: np.broadcast_to(g, input_shape), function=False, private=True, linear=True)
def sum_to_size(input, size: tuple):
    """The tensor summed over the dimensions that broadcasting would add or stretch."""
    from ..broadcast import unbroadcast

    return unbroadcast(input, tuple(size))


def _pieces(g, tensors, dim):
    """The parts of a joined gradient that belong to each tensor."""
    axis, start, parts = axis_of(dim, len(g.shape)), 0, []
    for each in tensors:
        if len(each.shape) == 1 and each.shape[0] == 0 and len(g.shape) > 1:
            parts.append(None)
            continue
        stop = start + each.shape[axis]
        parts.append(g[(slice(None),) * axis + (slice(start, stop),)])
        start = stop
    return parts


@op(tensors=_pieces, promote=("tensors",), aliases=("concat", "concatenate"), method=False, linear=True)
def cat(tensors, dim: int = 0):
    """Tensors joined along an existing dimension; they agree in all others."""
    if not tensors:
        raise RuntimeError("torch.cat(): expected a non-empty list of Tensors")
    for number, each in enumerate(tensors):
        if not each.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {number}) cannot be concatenated")
    full = [each for each in tensors if each.shape != (0,)] or tensors
    axis = axis_of(dim, full[0].ndim)
    first = full[0].shape
    for number, each in enumerate(full):
        if each.ndim != len(first):
            raise RuntimeError(f"Tensors must have same number of dimensions: got {len(first)} and {each.ndim}")
        for d, (a, b) in enumerate(zip(first, each.shape)):
            if d != axis and a != b:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {axis}. Expected size {a} but got size {b} for "
                    f"tensor number {number} in the list."
                )
    return np.concatenate(full, axis)


def _layers(g, tensors, dim):
    axis = axis_of(dim, len(g.shape))
    return [g[(slice(None),) * axis + (number,)] for number in range(len(tensors))]


@op(tensors=_layers, promote=("tensors",), method=False, linear=True)
def stack(tensors, dim: int = 0):
    """Tensors of one shape joined along a new dimension."""
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    for number, each in enumerate(tensors):
        if each.shape != tensors[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(tensors[0].shape)} at entry 0 and "
                f"{list(each.shape)} at entry {number}"
            )
    axis = axis_of(dim, tensors[0].ndim + 1)
    index = (slice(None),) * axis + (None,)
    return np.concatenate([np.asarray(each)[index] for each in tensors], axis)


@op(input=lambda g: g, node="CloneBackward0", linear=True)
def clone(input, *, memory_format: object = None):
    """A copy with its own memory, through which gradients pass."""
    return input.copy()


@op(function=False)
def detach(input):
    """The same memory without history."""
    return input


@op(input=lambda g: g, node="CloneBackward0", linear=True, function=False)
def contiguous(input, memory_format: object = None):
    """The tensor in C order: itself where it already is."""
    return np.ascontiguousarray(input)[()] if not input.ndim else np.ascontiguousarray(input)


@op(input=lambda g: g, node="ToCopyBackward0", function=False, private=True, linear=True)
def _to_copy(input, dtype: object):
    """A copy in another dtype; gradients come back in the input's."""
    target = dtypes.to_numpy(dtype)
    if input.dtype.kind == "c" and target.kind != "c":
        input = input.real
    return input.astype(target)


@op(input=lambda g: g.conj(), inplace=False, linear=True)
def conj(input):
    """Complex conjugate of each element; a real tensor itself."""
    return np.conjugate(input)


@op(input=lambda g: g, linear=True)
def real(input):
    """The real part of each element; a real tensor itself."""
    return input.real


@op(input=lambda g, dims: np.flip(g, dims), linear=True)
def flip(input, *dims: int):
    """Elements in reverse order along `dims`."""
    return np.flip(input, axes_of(sizes(dims), input.ndim)).copy() if sizes(dims) else input.copy()

