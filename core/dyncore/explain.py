"""PyTorch's sentences for what NumPy or Python refused, and for names that are not there."""

from __future__ import annotations

import difflib
import warnings
from typing import Any

import numpy as np

from .registry import TABLE, Op
from .sites import caller_place
from .size import Size


def explain(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Exception:
    """The exception a user sees when `op`'s forward raised `error`: with the op, its line and the operands' shapes."""
    from .tensor import Tensor

    text = str(error)
    if isinstance(error, ValueError) and ("could not be broadcast" in text or "shape mismatch" in text):
        shapes = [a._array.shape for a in args if isinstance(a, Tensor)]
        if len(shapes) >= 2:
            error = RuntimeError(broadcast_sentence(shapes[0], shapes[1]) or text)
    elif isinstance(error, np.exceptions.AxisError):
        ndim = error.ndim or 0
        low, high = -max(ndim, 1), max(ndim, 1) - 1
        error = IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {error.axis})")
    elif isinstance(error, TypeError) and "forward" not in text:
        error = TypeError(text)
    shapes_text = ", ".join(f"{list(a._array.shape)}" for a in args if isinstance(a, Tensor))
    place = caller_place()
    error.add_note(f"in {op.name} at {place}" + (f", on shapes {shapes_text}" if shapes_text else ""))
    return error


def broadcast_sentence(first: tuple[int, ...], second: tuple[int, ...]) -> str | None:
    """PyTorch's words for two shapes that do not broadcast, or None if they do."""
    length = max(len(first), len(second))
    a = (1,) * (length - len(first)) + tuple(first)
    b = (1,) * (length - len(second)) + tuple(second)
    for dim in range(length - 1, -1, -1):
        if a[dim] != b[dim] and 1 not in (a[dim], b[dim]):
            return (
                f"The size of tensor a ({a[dim]}) must match the size of tensor b ({b[dim]}) at non-singleton "
                f"dimension {dim}"
            )
    return None


def missing_attribute(owner: Any, name: str) -> AttributeError:
    """The error for an attribute PyTorch may have and this engine does not, with the nearest that exists."""
    title = getattr(owner, "__name__", str(owner))
    error = AttributeError(f"'{title}' object has no attribute '{name}'")
    if not name.startswith("_"):
        near = difflib.get_close_matches(name, [n for n in dir(owner) if not n.startswith("_")] or list(TABLE), n=1)
        if near:
            error.add_note(f"hint: did you mean `{near[0]}`?")
    return error


def warn_non_leaf_grad() -> None:
    """PyTorch's warning when `.grad` of a non-leaf is read."""
    warnings.warn(
        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
        "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
        "Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure "
        "you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more informations.",
        UserWarning,
        stacklevel=4,
    )


def check_assigned_grad(tensor: Any, value: Any) -> None:
    """Raises as PyTorch does for a `.grad` that does not fit its tensor."""
    from .tensor import Tensor

    if value is None:
        return
    if not isinstance(value, Tensor):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
    if value is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    if value._array.dtype != tensor._array.dtype:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{_word(value)}' to a tensor with grad_dtype '{_word(tensor)}'. "
            "The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). You can set the tensor's "
            "grad_dtype attribute with a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging "
            "the dtypes of a tensor and its gradient may break downstream systems that assume they match."
        )
    if value._array.shape != tensor._array.shape:
        raise RuntimeError(
            f"assigned grad has data of a different size: {Size(value._array.shape)}, expected {Size(tensor._array.shape)}"
        )


def _word(tensor: Any) -> str:
    return {"float32": "float", "float64": "double", "float16": "half"}.get(str(tensor._array.dtype), str(tensor._array.dtype))


