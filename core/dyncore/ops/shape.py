"""Elements in another shape: views where memory allows, else copies."""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.errors.advice import advise
from dyncore.errors.explain import not_expanded, too_few_sizes
from dyncore.tensors.strides import restrided
from dyncore.tensors.views import shares_memory

from .axes import axes_of, axis_of


def sizes(given):
    """Return the sizes in `view(2, 3)` or `view((2, 3))`."""
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = given[0]
    for n in given:
        if n.__class__ is not int:
            break
    else:  # faster than the line below (tests/bench, calls: permute, expand)
        return given if given.__class__ is tuple else tuple(given)
    try:
        return tuple(n if type(n) is int else n.__index__() for n in given)
    except AttributeError:
        kinds = ", ".join(type(n).__name__ for n in given)
        raise TypeError(f"received an invalid combination of arguments - got ({kinds}), but expected ints") from None


def infer(shape, count):
    """Return `shape` with its -1 computed for `count` elements.

    Raises RuntimeError if it does not fit.
    """
    unknown = shape.count(-1)
    if unknown > 1:
        raise RuntimeError("only one dimension can be inferred")
    for position, n in enumerate(shape):
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n} at index {position} of shape {list(shape)}")
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


def _reshaped(input, shape):
    """Call `input.reshape` with the errors of PyTorch."""
    if len(shape) == 2 and shape[0].__class__ is int and shape[1].__class__ is int and shape[0] >= -1 <= shape[1]:
        try:
            return input.reshape(shape)  # without the checks below (tests/bench, calls: reshape)
        except ValueError:
            pass
    try:
        wanted = shape[0] if len(shape) == 1 else shape
        result = input.reshape(wanted)
        least = wanted if wanted.__class__ is int else min(wanted, default=0)
        return result if least >= -1 else input.reshape(infer(sizes(shape), input.size))
    except (ValueError, TypeError):
        return input.reshape(infer(sizes(shape), input.size))


def _back(g, input_shape):
    return np.reshape(g, input_shape)


@op(batching="size", input=_back, view=True, function=False)
def view(input, *size: int):
    """Same memory in another shape; one size may be -1.

    Raises RuntimeError where that needs a copy.
    A dtype instead of sizes reads the same bytes as another type.
    """
    if len(size) == 1 and isinstance(size[0], dtypes.dtype):
        return input.view(size[0].numpy)
    result = _reshaped(input, size)
    if result.base is not input and not shares_memory(result, input) and input.size:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    return result


@op(composite=True, function=False)
def view_as(input, other):
    """`view` in the shape of `other`."""
    return view(input, *other.shape)


def _reshape_title(result, input):
    if input.flags.c_contiguous:
        return "ViewBackward0"
    return "ReshapeAliasBackward0" if shares_memory(result, input) else "UnsafeViewBackward0"


@op(batching="size", input=_back, view=True, node=_reshape_title)
def reshape(input, *shape: int):
    """Elements in another shape; one size may be -1.

    A view where memory allows, else a copy.
    """
    return _reshaped(input, shape)


@op(composite=True, function=False)
def reshape_as(input, other):
    """`reshape` to the shape of `other`."""
    return reshape(input, *other.shape)


@op(batching="dims", input=_back, view=True, itself=True, node=_reshape_title)
def flatten(input, start_dim: int = 0, end_dim: int = -1):
    """Dimensions from `start_dim` to `end_dim` joined into one.

    A view where memory allows.
    """
    if start_dim == 0 and end_dim == -1:
        return input.reshape(-1) if input.ndim != 1 else input
    first, last = axis_of(start_dim, input.ndim), axis_of(end_dim, input.ndim)
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last and input.ndim:
        return input
    shape = input.shape
    return input.reshape((*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :]))


@op(batching="raveled", input=_back, view=True, node="ViewBackward0")
def ravel(input):
    """Elements in one dimension; a view where they are in order in memory."""
    return np.ascontiguousarray(input).reshape(-1)


@op(batching="dims", input=_back, view=True, node="ViewBackward0")
def unflatten(input, dim: int, sizes: tuple):
    """Dimension `dim` split into dimensions of `sizes`, as a view.

    One size may be -1.
    """
    axis = axis_of(dim, input.ndim)
    size = input.shape[axis]
    if not len(sizes):
        raise RuntimeError("unflatten: sizes must be non-empty")
    if list(sizes).count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    product = math.prod(n for n in sizes if n != -1)
    if (-1 not in sizes and product != size) or (-1 in sizes and (not product or size % product)):
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {axis} ({size}) in the "
            "input tensor"
        )
    parts = tuple(size // product if n == -1 else int(n) for n in sizes)
    return input.reshape(input.shape[:axis] + parts + input.shape[axis + 1 :])


@op(
    batching="dims",
    input=lambda g, dim: np.squeeze(g, dim),
    view=True,
    inplace={"UnsqueezeBackward0": "UnsqueezeBackward1"},
)
def unsqueeze(input, dim: int):
    """A dimension of size 1 inserted at `dim`, as a view."""
    if dim.__class__ is int and not dim:
        return input[None]
    axis = axis_of(dim, input.ndim + 1)
    return input[..., None] if axis == input.ndim else input[(slice(None),) * axis + (None,)]


def _squeeze_title(dim):
    if dim is None:
        return "SqueezeBackward0"
    return "SqueezeBackward2" if isinstance(dim, (tuple, list)) else "SqueezeBackward1"


@op(
    batching="squeezed",
    input=lambda g, input_shape: g if g.shape == input_shape else _back(g, input_shape),
    view=True,
    node=_squeeze_title,
    inplace={f"SqueezeBackward{n}": f"SqueezeBackward{n + 3}" for n in range(3)},
)
def squeeze(input, dim: tuple = None):
    """Dimensions of size 1 removed, all or those in `dim`, as a view."""
    if dim.__class__ is int and -input.ndim <= dim < input.ndim:
        return input.squeeze(dim) if input.shape[dim] == 1 else input[...]
    if dim is not None and not isinstance(dim, int) and not len(dim):
        return input[...]
    if dim is None:
        return input.squeeze()
    axes = tuple([a for a in axes_of(dim, input.ndim) if input.shape[a] == 1])
    return input.squeeze(axes) if axes else input[...]


def _shrink(g, input_shape):
    """Return the gradient of an expanded tensor as it is.

    `broadcast.fit` sums it, as it does all gradients.
    """
    return g


_shrink.recorded = lambda g, input_shape: sum_to_size(g, tuple(input_shape))


@op(batching="size", input=_shrink, view=True, function=False)
def expand(input, *size: int, implicit: bool = False):
    """Dimensions of size 1 expanded without copying, as a view; -1 keeps a size."""
    return expanded(input, sizes(size))


@op(batching="size", input=_shrink, view=True, node="ExpandBackward0")
def broadcast_to(input, size: tuple):
    """`expand` as a function: the tensor broadcast to a shape, as a view."""
    return expanded(input, tuple(size))


def expanded(input, wanted):
    """Expand the array to `wanted`, writable and of stride 0 where it repeats.

    `np.broadcast_to` is much slower and returns a read-only array.
    """
    shape, extra = input.shape, len(wanted) - input.ndim
    if extra < 0:
        raise too_few_sizes(dtypes.of(input.dtype).title, shape, wanted)
    if -1 in wanted:
        if -1 in wanted[:extra]:
            raise RuntimeError(
                f"The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension "
                f"{wanted.index(-1)}"
            )
        wanted = tuple(shape[i - extra] if n == -1 else n for i, n in enumerate(wanted))
    strides = [0] * extra
    for n, s, m in zip(shape, input.strides, wanted[extra:] if extra else wanted):
        if n == m:
            strides.append(s)
        elif n == 1 and m >= 0:
            strides.append(0)
        else:
            raise not_expanded(shape, wanted, next(k for k, n in enumerate(shape, extra) if n not in (1, wanted[k])))
    return restrided(input if input.__class__ is np.ndarray else np.asarray(input), wanted, tuple(strides))


@op(composite=True, function=False)
def expand_as(input, other):
    """`expand` to the shape of `other`."""
    return expand(input, *other.shape)


@op(composite=True, function=False)
def sum_to_size(input, *size: int):
    """Sum over the dimensions that broadcasting from `size` would add or expand."""
    wanted, shape = sizes(size), tuple(input.shape)
    extra = len(shape) - len(wanted)
    if extra < 0 or any(n != 1 and n != m for n, m in zip(wanted, shape[extra:])):
        raise RuntimeError(f"size {list(wanted)} is not expandable to size {list(shape)}.")
    if not wanted:
        return np.sum(input)
    axes = tuple(axis for axis, n in enumerate(shape) if axis < extra or n != wanted[axis - extra])
    result = np.sum(input, axis=axes, keepdims=True) if axes else input
    return np.reshape(result, wanted) if extra else result


@op(
    batching="dims",
    input=lambda g, dim0, dim1: transpose(g, dim0, dim1),
    view=True,
    aliases=("swapaxes", "swapdims"),
    inplace={"TransposeBackward0": "TransposeBackward1"},
)
def transpose(input, dim0: int, dim1: int):
    """Two dimensions swapped, as a view."""
    if dim0.__class__ is dim1.__class__ is int and input.ndim:
        try:
            return input.swapaxes(dim0, dim1)
        except ValueError:
            pass
    a, b = axis_of(dim0, input.ndim), axis_of(dim1, input.ndim)
    return input.swapaxes(a, b) if input.ndim else input[...]


@op(
    batching="order",
    input=lambda g: g.T,
    view=True,
    inplace={"TBackward0": "TBackward1"},
    back="TBackward0",
)
def t(input):
    """A matrix transposed, as a view; vectors and 0-d tensors as they are."""
    if input.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D")
    return input.T


def inverse_order(dims, ndim):
    """Return the inverse of the permutation `dims`."""
    back = [0] * len(dims)
    for position, dim in enumerate(dims):
        back[dim % ndim] = position
    return tuple(back)


@op(
    batching="order",
    input=lambda g, dims: permute(g, *inverse_order(sizes(dims), len(g.shape))),
    view=True,
)
def permute(input, *dims: int):
    """Dimensions in another order, as a view."""
    order = sizes(dims)
    if len(order) == input.ndim > 0:
        try:
            return input.transpose(order)  # without the checks below (tests/bench, calls: permute)
        except ValueError:
            pass
    if len(order) != input.ndim:
        raise RuntimeError(
            f"permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {input.ndim} is not equal to len(dims) = {len(order)}"
        )
    axes = tuple(axis_of(d, input.ndim) for d in order)
    if len(set(axes)) != len(axes):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return input.transpose(axes) if input.ndim else input[...]


@op(
    batching="order",
    input=lambda g: g.T, view=True, attribute=True, function=False, node="PermuteBackward0",
)  # fmt: skip
def T(input):
    """All dimensions in reverse order, as a view."""
    if input.ndim != 2:
        advise("T")
    return input.T


@op(
    batching="rows",
    input=lambda g: np.swapaxes(g, -1, -2),
    view=True, attribute=True, function=False, node="TransposeBackward0",
)  # fmt: skip
def mT(input):
    """Last two dimensions swapped, as a view."""
    if input.ndim < 2:
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. Got {input.ndim}-D tensor."
        )
    return input.swapaxes(-1, -2)


@op(composite=True, attribute=True, function=False)
def H(input):
    """Conjugate transpose of a matrix."""
    if len(input.shape) not in (0, 2):
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {len(input.shape)}-D tensor.")
    return mH(input) if len(input.shape) else input.conj()


@op(composite=True, attribute=True, function=False)
def mH(input):
    """Conjugate transpose of each matrix."""
    return _conjugate_transpose(input, "mH")


@op(composite=True)
def adjoint(input):
    """Conjugate transpose of each matrix."""
    return _conjugate_transpose(input, "adjoint()")


def _conjugate_transpose(input, name):
    if len(input.shape) < 2:
        raise RuntimeError(
            f"tensor.{name} is only supported on matrices or batches of matrices. Got {len(input.shape)}-D tensor."
        )
    return np.swapaxes(input, -2, -1).conj()
