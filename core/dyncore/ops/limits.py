"""The larger or smaller of two tensors, and elements limited to a range."""

import numpy as np

from dyncore.dispatch.registry import binary, op
from dyncore.tensors.numpy_direct import clip

from .select import picked, select


def _greater(g, input, other):
    return select(input == other, g / 2, picked(~(input < other), g))


def _lesser(g, input, other):
    return select(input == other, g / 2, picked(~(input > other), g))


def _filled(g, input, other, mask):
    return np.masked_fill(np.where(input == other, g / 2, g), mask, 0)


_greater.recorded = lambda g, input, other: _filled(g, input, other, input < other)
_lesser.recorded = lambda g, input, other: _filled(g, input, other, input > other)


@binary(
    input=_greater, other=lambda g, input, other: _greater(g, other, input), inplace=False, strict=("input", "other")
)
def maximum(input, other):
    """Larger of two elements; NaN where either is NaN.

    The gradient goes to the larger; halves where they are equal.
    """
    return np.maximum(_ordered(input, "maximum"), other)


@binary(input=_lesser, other=lambda g, input, other: _lesser(g, other, input), inplace=False, strict=("input", "other"))
def minimum(input, other):
    """Smaller of two elements; NaN where either is NaN.

    The gradient goes to the smaller; halves where they are equal.
    """
    return np.minimum(_ordered(input, "minimum"), other)


def _ordered(input, name):
    if input.dtype.kind == "c":
        raise RuntimeError(f"{name} not implemented for complex tensors.")
    return input


@binary(
    input=lambda g, input, other: picked((input >= other) | np.isnan(other), g),
    other=lambda g, input, other: picked(~((input >= other) | np.isnan(other)), g),
    inplace=False,
    strict=("input", "other"),
)
def fmax(input, other):
    """Larger of two elements, or the one that is not NaN.

    The gradient goes to that one, to `input` when equal.
    """
    return np.fmax(input, other)


@binary(
    input=lambda g, input, other: picked((input <= other) | np.isnan(other), g),
    other=lambda g, input, other: picked(~((input <= other) | np.isnan(other)), g),
    inplace=False,
    strict=("input", "other"),
)
def fmin(input, other):
    """Smaller of two elements, or the one that is not NaN.

    The gradient goes to that one, to `input` when equal.
    """
    return np.fmin(input, other)


def _inside(g, input, min, max):
    """Return the gradient where min <= x <= max, both bounds included, as PyTorch."""
    if min is None:
        return picked(input <= max, g)
    if max is None:
        return picked(input >= min, g)
    return picked((input >= min) & (input <= max), g)


def _limited(input, min, max):
    """Limit an array of floats by numbers, or by arrays of one, in one pass."""
    number = input.dtype.type
    return clip(input, number(-np.inf if min is None else min), number(np.inf if max is None else max))


def _below(g, input, min, max):
    return picked(input < min if max is None else (input < min) & (min < max), g)


def _above(g, input, min, max):
    return picked(input > max if min is None else (input > max) | (max < min), g)


def _clamp_title(min, max):
    return "ClampBackward" + ("0" if hasattr(min, "dtype") or hasattr(max, "dtype") else "1")


@op(
    batching="each",
    input=_inside, min=_below, max=_above, promote=("input", "min", "max"), aliases=("clip",), inplace=True,
    node=_clamp_title,
)  # fmt: skip
def clamp(input, min=None, max=None):
    """Each element limited to [min, max]; a bound may be None or a tensor.

    The gradient passes where the element lies within the bounds.
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if input.__class__ is np.ndarray and input.dtype.kind == "f" and not np.ndim(min) and not np.ndim(max):
        return _limited(input, min, max)
    if min is not None:
        input = np.maximum(min, input)  # the bound first: of two zeros NumPy takes the second, PyTorch the element
    return input if max is None else np.minimum(max, input)


@op(
    batching="each",
    input=lambda g, input, min: picked(input >= min, g),
    min=lambda g, input, min: picked(input < min, g),
    promote=("input", "min"), strict=("input",), inplace=True,
    node=lambda min: "ClampMinBackward1" if hasattr(min, "dtype") else "ClampMinBackward0",
)  # fmt: skip
def clamp_min(input, min):
    """Each element, but at least `min`, a number or a tensor."""
    if input.__class__ is np.ndarray and input.dtype.kind == "f" and not np.ndim(min):
        return _limited(input, min, None)
    return np.maximum(min, input)


@op(
    batching="each",
    input=lambda g, input, max: picked(input <= max, g),
    max=lambda g, input, max: picked(input > max, g),
    promote=("input", "max"), strict=("input",), inplace=True,
    node=lambda max: "ClampMaxBackward1" if hasattr(max, "dtype") else "ClampMaxBackward0",
)  # fmt: skip
def clamp_max(input, max):
    """Each element, but at most `max`, a number or a tensor."""
    if input.__class__ is np.ndarray and input.dtype.kind == "f" and not np.ndim(max):
        return _limited(input, None, max)
    return np.minimum(max, input)


@op(
    input=lambda g, input, scalars, place: _tied(g, input, scalars[place], input > scalars[place]),
    private=True,
    node=lambda whole: f"ForeachMaximumBackward{0 if whole else 1}",
)
def foreach_maximum(input, scalars: tuple, place: int, whole: bool):
    """Each element, but at least a number: one tensor of `_foreach_maximum`.

    The number belongs to the tensor's list.
    """
    return np.maximum(input, input.dtype.type(scalars[place]))


@op(
    input=lambda g, input, scalars, place: _tied(g, input, scalars[place], input < scalars[place]),
    private=True,
    node=lambda whole: f"ForeachMinimumBackward{0 if whole else 1}",
)
def foreach_minimum(input, scalars: tuple, place: int, whole: bool):
    """Each element, but at most a number: one tensor of `_foreach_minimum`.

    The number belongs to the tensor's list.
    """
    return np.minimum(input, input.dtype.type(scalars[place]))


def _tied(g, input, scalar, beyond):
    """Return the gradient where the element won, half of it at a tie."""
    return np.where(input == scalar, g / 2, picked(beyond, g))
