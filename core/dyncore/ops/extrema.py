"""Largest and smallest elements, and their positions."""

import numpy as np

from dyncore.dispatch.formulas.matrices import absent
from dyncore.dispatch.registry import op
from dyncore.dtypes.supported import refusal
from dyncore.tensors.strides import usual

from .axes import axes_of, filled_axis, shrunk
from .few import FEW, largest_of, smallest_of
from .gathering import along, gather_place
from .limits import maximum, minimum
from .reduction import kept


def refuse_complex(input, name):
    """Raise RuntimeError for complex numbers, which have no order."""
    if input.dtype.kind == "c":
        raise refusal(name, input.dtype)


def selected(g, shape, dim, keepdim, index):
    """Return the gradient of elements selected along `dim`, among zeros."""
    if not keepdim:
        one = shrunk(shape, dim)
        g, index = g.reshape(one), index.reshape(one)
    return gather_place(g, tuple(shape), dim, index)


def _selected_recorded(g, shape, dim, keepdim, index):
    if not keepdim and len(shape):
        g, index = np.expand_dims(g, dim), np.expand_dims(index, dim)
    return gather_place(g, tuple(shape), dim, index)


selected.recorded = _selected_recorded


def shared(g, input, result, dim, keepdim):
    """Return the gradient of an extreme value, in equal parts to all that reach it."""
    if dim is None and not keepdim and isinstance(input, np.ndarray):
        return shared_by_all(g, input, result)
    reached = kept(result, input.shape, dim, keepdim)
    mask = (input == reached) | (np.isnan(input) & np.isnan(reached))
    number = np.sum(mask, axis=axes_of(dim, len(input.shape)), keepdims=True)
    return np.where(mask, kept(g, input.shape, dim, keepdim) / number, 0)


def _shared_recorded(g, input, result, dim, keepdim):
    """Compute `shared` for Tensors, as a product with the mask.

    A number with a dimension to choose along becomes a vector.
    """
    shape = input.shape
    if not keepdim:
        shape = shape or (1,) * len(dim if isinstance(dim, tuple) else (dim,) * (dim is not None))
        g, result = g.reshape(shrunk(shape, dim)), result.reshape(shrunk(shape, dim))
    mask = (input == result) | (np.isnan(input) & np.isnan(result))
    return g / np.sum(mask, axis=axes_of(dim, len(shape)), keepdims=True) * mask


shared.recorded = _shared_recorded


def of_all(g, input, result):
    """Compute `shared` for all elements, without a dimension."""
    return shared(g, input, result, None, False)


def _all_recorded(g, input, result):
    mask = (input == result) | (np.isnan(input) & np.isnan(result))
    return mask * (g / np.sum(mask))


of_all.recorded = _all_recorded


def shared_by_all(g, input, result):
    """Compute `shared` for one extreme value of all elements, of arrays."""
    mask = input == result if result == result else np.isnan(input)
    shares = np.zeros(input.shape, g.dtype)
    shares[mask] = g / g.dtype.type(np.count_nonzero(mask))
    return shares


def chosen(input, dim, keepdim, choose, name):
    """Return (values, indices) of what `choose` (argmax or argmin) picks along `dim`."""
    if input.dtype.kind == "c":
        raise RuntimeError(f"{name}(): does not support complex input")
    axis = filled_axis(input, dim, name)
    if not input.ndim:
        return input.copy(), np.int64(0)
    index = choose(input, axis=axis, keepdims=True)
    values = along(input, index, axis)
    if keepdim:
        return values, index
    shape = input.shape[:axis] + input.shape[axis + 1 :]
    return values.reshape(shape)[()], index.reshape(shape)[()]


def some(input, name, dim):
    """Return `input`.

    Raises RuntimeError if nothing can be chosen from an empty tensor.
    """
    refuse_complex(input, {"amax": "max_values_cpu", "amin": "min_values_cpu"}.get(name, f"{name}_cpu"))
    if not input.size:
        if dim is None or dim == () or dim == []:
            raise RuntimeError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
                "with the 'dim' argument."
            )
        for axis in axes_of(dim, input.ndim):
            filled_axis(input, axis, name)
    return input


@op(
    batching="all",
    input=of_all,
    private=True,
    node="MaxBackward1",
    back="MaskedFillBackward1",
    at_once=("input.ndim == 1 and 0 < len(input) <= FEW", "input[input.argmax()]", {"FEW": FEW}),  # as `largest_of`
)
def max_of_all(input):
    """Largest element; equal ones share the gradient."""
    refuse_complex(input, "max_all")
    return largest_of(input if input.size and input.dtype.kind == "f" else some(input, "max", None))


@op(batching="all", input=of_all, private=True, node="MinBackward1", back="MaskedFillBackward1")
def min_of_all(input):
    """Smallest element; equal ones share the gradient."""
    refuse_complex(input, "min_all")
    return smallest_of(input if input.size and input.dtype.kind == "f" else some(input, "min", None))


@op(
    batching="dims",
    input=lambda g0, input_shape, dim, keepdim, result1: selected(g0, input_shape, dim, keepdim, result1),
    returns=("values", "indices"), name="max_along", private=True, node="MaxBackward0", back="ScatterBackward0"
)  # fmt: skip
def max_along(input, dim: int, keepdim: bool = False):
    """Largest elements along `dim`, and the position of the first of them.

    The gradient goes to that position.
    """
    return chosen(input, dim, keepdim, np.argmax, "max")


@op(
    batching="dims",
    input=lambda g0, input_shape, dim, keepdim, result1: selected(g0, input_shape, dim, keepdim, result1),
    returns=("values", "indices"), name="min_along", private=True, node="MinBackward0", back="ScatterBackward0"
)  # fmt: skip
def min_along(input, dim: int, keepdim: bool = False):
    """Smallest elements along `dim`, and the position of the first of them.

    The gradient goes to that position.
    """
    return chosen(input, dim, keepdim, np.argmin, "min")


@op(batching="all", composite=True, alone="max_of_all")
def max(input, dim: int = None, keepdim: bool = False, *, other=None):
    """Largest element, of all or along `dim`; or `maximum` of two tensors.

    Along `dim` the result is (values, indices).
    """
    return _extremum(input, dim, keepdim, other, max_of_all, max_along, maximum)


@op(batching="all", composite=True, alone="min_of_all")
def min(input, dim: int = None, keepdim: bool = False, *, other=None):
    """Smallest element, of all or along `dim`; or `minimum` of two tensors.

    Along `dim` the result is (values, indices).
    """
    return _extremum(input, dim, keepdim, other, min_of_all, min_along, minimum)


def _extremum(input, dim, keepdim, other, of_all, along_dim, of_two):
    if dim is None and other is None:
        return of_all(input)
    if other is not None or hasattr(dim, "dtype"):
        return of_two(input, dim if other is None else other)
    return along_dim(input, dim, keepdim)


@op(batching="dims", input=shared)
def amax(input, dim: tuple = (), keepdim: bool = False):
    """Largest element, of all or over `dim`; equal ones share the gradient."""
    return usual(np.maximum.reduce(some(input, "amax", dim), axis=axes_of(dim, input.ndim), keepdims=keepdim))


@op(batching="dims", input=shared)
def amin(input, dim: tuple = (), keepdim: bool = False):
    """Smallest element, of all or over `dim`; equal ones share the gradient."""
    return usual(np.minimum.reduce(some(input, "amin", dim), axis=axes_of(dim, input.ndim), keepdims=keepdim))


def _extremes_rule(g0, g1, input, result0, result1, dim, keepdim):
    if absent(g1):
        return shared(g0, input, result0, dim, keepdim)
    most = shared(g1, input, result1, dim, keepdim)
    return most if absent(g0) else shared(g0, input, result0, dim, keepdim) + most


@op(input=_extremes_rule, returns=("min", "max"))
def aminmax(input, *, dim: int = None, keepdim: bool = False):
    """Smallest and the largest element, of all or along `dim`."""
    if not input.size and dim is None:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    axes = axes_of(dim, some(input, "aminmax", dim).ndim)
    input = usual(input)
    return np.minimum.reduce(input, axis=axes, keepdims=keepdim), np.maximum.reduce(input, axis=axes, keepdims=keepdim)


def _place(input, dim, keepdim, choose, name):
    refuse_complex(input, name + "_cpu")
    if dim is None:
        if not input.size:
            raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
        result = np.int64(choose(input.reshape(-1)))
        return np.full((1,) * input.ndim, result) if keepdim else result
    axis = filled_axis(input, dim, name)
    if not input.ndim:
        return np.int64(0)
    return choose(input, axis=axis, keepdims=keepdim)


@op(batching="dims")
def argmax(input, dim: int = None, keepdim: bool = False):
    """Index of the largest element, of all flattened or along `dim`.

    The first of equal ones.
    """
    return _place(input, dim, keepdim, np.argmax, "argmax")


@op(batching="dims")
def argmin(input, dim: int = None, keepdim: bool = False):
    """Index of the smallest element, of all flattened or along `dim`.

    The first of equal ones.
    """
    return _place(input, dim, keepdim, np.argmin, "argmin")
