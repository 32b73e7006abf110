"""Elements gathered along a dimension by an index of the result's shape, and scattered by it."""

import math
from functools import lru_cache

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes.dtypes import of, to_numpy
from dyncore.dtypes.limits import fitted
from dyncore.tensors.strides import usual

from .axes import axis_of
from .few import largest_of
from .filling import zeros_like


@lru_cache(maxsize=256)
def _line(size, ndim, dim):
    """Return 0, 1, ... along `dim` of `ndim` dimensions; cached."""
    result = np.arange(size).reshape((1,) * dim + (size,) + (1,) * (ndim - dim - 1))
    result.flags.writeable = False
    return result


def grid(index, axis):
    """Return an index that takes `index` along `axis`.

    Every other dimension is taken as it is.
    """
    ndim = index.ndim
    if ndim == 1:
        return (index,)
    return tuple([index if dim == axis else _line(size, ndim, dim) for dim, size in enumerate(index.shape)])


def along(array, index, axis):
    """Take elements as `np.take_along_axis`, without its checks."""
    return array[grid(index, axis)]


_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def checked(input, dim, index, name, title="input", src=None):
    """Return the axis.

    Raises RuntimeError for an index that does not fit `input`, called `title` in the sentence, or `src`.
    """
    axis = axis_of(dim, input.ndim)
    if index.size:  # without any elements it may be of any dtype
        if index.dtype != np.int64 and index.dtype != np.int32:
            name = "scatter" if name.startswith("scatter") else name
            raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")
        if max(index.ndim, 1) != max(input.ndim, 1):
            raise RuntimeError(f"Index tensor must have the same number of dimensions as {title} tensor")
        if hasattr(src, "ndim") and src.ndim and max(index.ndim, 1) != src.ndim:
            raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
        if title == "input":
            _no_larger(input, index, axis)
        else:
            _fits(input, index, src, axis)
        size = input.shape[axis] if input.ndim else 1
        flat = index.reshape(-1)
        # A negative place is a huge one without its sign: one look instead of two.
        if index.dtype.kind == "i" and largest_of(flat.view(_UNSIGNED[index.dtype.itemsize])) >= size:
            bad = index[(index < 0) | (index >= size)].flat[0]
            raise RuntimeError(f"index {bad} is out of bounds for dimension {axis} with size {size}")
    return axis


def _no_larger(input, index, axis):
    for d, (n, m) in enumerate(zip(index.shape, input.shape)):
        if d != axis and n > m:
            raise RuntimeError(
                f"Size does not match at dimension {d} expected index {list(index.shape)} to be no larger than self "
                f"{list(input.shape)} apart from dimension {axis}"
            )


def _fits(input, index, src, axis):
    """Raise RuntimeError for an index that is larger than `input` or `src`.

    Along `axis` it may be larger than `input`.
    """
    whole = hasattr(src, "ndim") and src.ndim
    larger = any(n > m for d, (n, m) in enumerate(zip(index.shape, input.shape)) if d != axis)
    if larger or (whole and any(n > m for n, m in zip(index.shape, src.shape))):
        raise RuntimeError(
            f"Expected index {list(index.shape)} to be no larger than self {list(input.shape)} apart from dimension "
            f"{axis}" + (f" and to be no larger size than src {list(src.shape)}" if whole else "")
        )


@op(
    batching="dims",
    input=lambda g, input_shape, dim, index: gather_place(g, tuple(input_shape), dim, index),
    back="ScatterAddBackward0",
)
def gather(input, dim: int, index, *, sparse_grad: bool = False):
    """Elements picked along `dim` by an index tensor of the result's shape."""
    axis = checked(input, dim, index, "gather")
    if not index.size:
        return np.empty(index.shape, input.dtype)
    if index.ndim and input.ndim:  # without `atleast_1d`, which is slow
        return usual(input[grid(index, axis)])
    lined = np.atleast_1d(index)
    return np.atleast_1d(input)[grid(lined, axis)].reshape(index.shape)


@op(input=lambda g, dim, index: gather(g, dim, index), private=True)
def gather_place(input, shape: tuple, dim: int, index):
    """Zeros of `shape` with `input` added where `gather` picked."""
    result = np.zeros(shape, input.dtype)
    if index.size:
        axis = axis_of(dim, len(shape))
        positions = grid(np.atleast_1d(index), axis)
        if (
            result.ndim and index.ndim and index.shape[axis] == 1
        ):  # no position twice, as in the gradient of a cross entropy
            result[positions] = input
        else:
            np.add.at(result if result.ndim else result.reshape(1), positions, np.atleast_1d(input))
    return result


@op(composite=True)
def take_along_dim(input, indices, dim: int = None):
    """Elements picked along `dim` by an index that broadcasts with `input`.

    Without `dim`, among all elements.
    """
    title = of(to_numpy(indices.dtype)).title
    if title != "Long":
        raise RuntimeError(f"torch.take_along_dim(): dtype of indices should be Long but got {title}")
    if dim is None:
        indices = indices.reshape((-1,))
        size = math.prod(input.shape)
        return gather(input.reshape((-1,)), 0, np.where(indices < 0, indices + size, indices))
    if len(input.shape) != len(indices.shape):
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{len(input.shape)} dimensions for input, and {len(indices.shape)} dimensions for indices"
        )
    axis = axis_of(dim, len(input.shape))
    shape = [n if m == 1 else m for n, m in zip(input.shape, indices.shape)]
    wide = [*shape[:axis], input.shape[axis], *shape[axis + 1 :]]
    along = [*shape[:axis], indices.shape[axis], *shape[axis + 1 :]]
    positions = np.where(indices < 0, indices + input.shape[axis], indices)
    return gather(input.expand(wide), axis, positions.expand(along))


def _sources(src, index):
    """Return the part of `src` that `index` has positions for."""
    if not hasattr(src, "ndim") or not src.ndim:
        return src
    return src[tuple([slice(n) for n in index.shape])] if src.ndim == index.ndim else src


def _padded(g, src_shape):
    """Return a gradient for the used part of the source, with zeros for the rest."""
    if tuple(g.shape) == tuple(src_shape) or not len(src_shape):
        return np.reshape(g, src_shape)
    for axis, (n, m) in enumerate(zip(g.shape, src_shape)):
        if n < m:
            shape = (*g.shape[:axis], m - n, *g.shape[axis + 1 :])
            g = np.concatenate([g, np.broadcast_to(zeros_like(np.sum(g)), shape)], axis)
    return g


def _src_rule(g, dim, index, src_shape):
    return _padded(gather(g, dim, index), src_shape)


def _src_recorded(g, dim, index, src_shape):
    result = gather(g, dim, index)
    return result if tuple(result.shape) == tuple(src_shape) else _padded(result, src_shape)


_src_rule.recorded = _src_recorded


def _scatter_title(src, reduce):
    return "ScatterBackward" + ("0" if hasattr(src, "dtype") else "1") if reduce is None else "ScatterReduceBackward0"


@op(
    input=lambda g, dim, index: scatter(g, dim, index, 0),
    src=_src_rule,
    inplace=True, node=_scatter_title,
)  # fmt: skip
def scatter(input, dim: int, index, src=None, *, value=None, reduce: str = None):
    """`input` with the elements of `src` put along `dim` at `index`.

    src: a tensor or one number.  reduce: "add" or "multiply" instead of putting.
    """
    if src is None:
        src = value
    if isinstance(src, (int, float, complex)):
        src = fitted(src, input.dtype)
    axis = checked(input, dim, index, "scatter", "self", src)
    result = np.array(np.atleast_1d(input), order="C")
    if not index.size:
        return result.reshape(input.shape)
    if hasattr(src, "ndim") and src.dtype != input.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    positions, values = grid(np.atleast_1d(index), axis), _sources(src, index)
    if reduce is None:
        result[positions] = values
    elif reduce in ("add", "multiply"):
        {"add": np.add, "multiply": np.multiply}[reduce].at(result, positions, values)
    else:
        raise RuntimeError("reduce argument must be either add or multiply.")
    return result.reshape(input.shape)


@op(input=lambda g: g, src=_src_rule, inplace=True)
def scatter_add(input, dim: int, index, src):
    """`input` with the elements of `src` added along `dim` where `index` says."""
    axis = checked(input, dim, index, "scatter_add", "self", src)
    if src.dtype != input.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    result = np.array(np.atleast_1d(input), order="C")
    if index.size:
        np.add.at(result, grid(np.atleast_1d(index), axis), np.atleast_1d(_sources(src, index)))
    return result.reshape(input.shape)


_REDUCTIONS = {"sum": np.add, "prod": np.multiply, "mean": np.add, "amax": np.maximum, "amin": np.minimum}


def _identity(dtype, reduce):
    if reduce in ("sum", "mean"):
        return 0
    if reduce == "prod":
        return 1
    if dtype.kind == "f":
        return -np.inf if reduce == "amax" else np.inf
    if dtype.kind == "b":
        return reduce == "amin"
    return np.iinfo(dtype).min if reduce == "amax" else np.iinfo(dtype).max


def _ones_like(x):
    return zeros_like(x) + 1


def _reduce_rule(g, input, src, dim, index, reduce, include_self, result, wanted, name=None):
    """Return the gradients of `input` and `src`.

    The gradient arrives whole, by 1/n, by the other factors, or shared among the extremes.
    """
    if reduce == "sum":
        to_input, to_src = g, gather(g, dim, index)
    elif reduce == "mean":
        number = _ones_like(g.detach() if hasattr(g, "detach") else g)
        number = scatter_add(number if include_self else number * 0, dim, index, _ones_like(_used(src, index)))
        number = np.where(number == 0, 1, number)
        to_input, to_src = g / number, gather(g, dim, index) / gather(number, dim, index)
    elif reduce == "prod":
        to_input, to_src = _product_rule(g, input, _used(src, index), dim, index, include_self, result, name)
    else:
        src = _used(src, index)
        is_input, is_src = _ones_like(input) * (input == result), _ones_like(src) * (src == gather(result, dim, index))
        share = g / scatter_add(is_input, dim, index, is_src)
        to_input, to_src = is_input * share, is_src * gather(share, dim, index)
    if not include_self:
        to_input = scatter(to_input, dim, index, 0)
    return {"input": to_input, "src": to_src}


def _used(src, index):
    return src[tuple([slice(0, n) for n in index.shape])] if len(src.shape) else src


def _product_rule(g, input, src, dim, index, include_self, result, name):
    """Return the product of the others.

    A zero that is alone in its position has the product of the rest.
    """
    whole = np.where(input == 0, 1, input)
    rest = scatter_reduce(whole, dim, index, src, "prod", include_self=include_self)
    to_input = g * rest / whole
    zero = src == 0
    zeros = gather(scatter_add(input * 0, dim, index, _ones_like(src) * zero), dim, index)
    alone = zero & (zeros == 1)
    others = scatter_reduce(input, dim, index, np.where(alone, 1, src), "prod", include_self=include_self)
    to_src = np.where(alone, gather(g * others, dim, index), gather(g * result, dim, index) / np.where(zero, 1, src))
    if np.any(zeros > 1):
        to_src = once(to_src, name)
    return to_input, to_src


def _twice(g, name):
    name, source = ("index_reduce", "source") if name == "index_reduce" else ("scatter_reduce", "src")
    raise RuntimeError(
        f"{name}(): Double backward is unsupported for {source} when >1 zeros in {source} are scattered to the same "
        "position in self"
    )


@op(input=_twice, private=True)
def once(input, name: str):
    """Gradient `input` that has no derivative itself."""
    return input


@op(joint=_reduce_rule, inplace=True)
def scatter_reduce(input, dim: int, index, src, reduce: str, *, include_self: bool = True):
    """`input` with the elements of `src` reduced along `dim` where `index` says.

    reduce: sum, prod, mean, amax or amin.  include_self: whether what `input` has there takes part.
    """
    if reduce not in _REDUCTIONS:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    axis = checked(input, dim, index, "scatter_reduce", "self", src)
    if src.dtype != input.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    result = np.array(np.atleast_1d(input), order="C")
    if not index.size:
        return result.reshape(input.shape)
    positions, values = grid(np.atleast_1d(index), axis), np.atleast_1d(_sources(src, index))
    if not include_self:
        result[positions] = _identity(result.dtype, reduce)
    _REDUCTIONS[reduce].at(result, positions, values)
    if reduce == "mean":
        number = np.full(result.shape, int(include_self), result.dtype if result.dtype.kind in "iu" else None)
        np.add.at(number, positions, 1)
        number[number == 0] = 1
        result = result // number if result.dtype.kind in "iu" else result / number.astype(result.real.dtype)
    return result.reshape(input.shape)


def _wide(index, source, dim):
    """Return a vector of positions along `dim` as an index of the source's shape."""
    shape = tuple(source.shape)
    if not len(shape):
        return np.reshape(index, ())
    axis = axis_of(dim, len(shape))
    return np.broadcast_to(np.reshape(index, (1,) * axis + (-1,) + (1,) * (len(shape) - axis - 1)), shape)


def _index_reduce_rule(g, input, source, dim, index, reduce, include_self, result, wanted):
    wide = _wide(index, source, dim)
    gradients = _reduce_rule(g, input, source, dim, wide, reduce, include_self, result, wanted, "index_reduce")
    return {"input": gradients["input"], "source": gradients["src"]}


@op(joint=_index_reduce_rule, inplace=True)
def index_reduce(input, dim: int, index, source, reduce: str, *, include_self: bool = True):
    """`input` with the slices of `source` reduced into the positions `index`.

    reduce: prod, mean, amax or amin.
    """
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    if index.dtype != np.int64 and index.dtype != np.int32:
        title = of(index.dtype).title
        raise RuntimeError(f"index_reduce_(): Expected dtype int32/int64 for index but got: {title}")
    return scatter_reduce(input, dim, _wide(index, source, dim), source, reduce, include_self=include_self)
