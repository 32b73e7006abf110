"""The error a user sees when an op refuses its arguments: PyTorch's sentence, the op, its line and the shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dtypes.supported import TWO_BOOLEANS
from dyncore.errors.explain import broadcast_sentence, called, no_dimension
from dyncore.errors.source import caller_place
from dyncore.tensors.tensor import Tensor

from .arguments import misfit_argument
from .registry import Op

# What the sentences have in common that ask for integers: of losses, tables, gathers, subscripts.
_INTEGERS = ("scalar type Long", "to be Long or Byte", "scalar types: Long", "Expected dtype int", "must be long, int")

_RENAMED = {
    "axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other", "self": "input",
    "axes": "dims", "axis0": "dim0", "axis1": "dim1", "element": "elements", "test_element": "test_elements",
    "sections": "indices_or_sections", "indices": "indices_or_sections",
    "tensor_indices_or_sections": "indices_or_sections", "split_size": "split_size_or_sections",
    "split_sizes": "split_size_or_sections",
}  # fmt: skip

_PLACES = {"input": 0, "b": 1, "other": 1, "input2": 1, "input3": 2}
_LETTERS = frozenset(("A", "B", "L", "tau", "other"))


def renamed(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments with NumPy's names for parameters replaced by PyTorch's, and `dims=(0, 1)` spelled out."""
    kwargs = {renaming(op, key): value for key, value in kwargs.items()}
    if kwargs.get("out_dtype") is not None and op.name in ("mm", "bmm", "addmm", "baddbmm"):
        raise NotImplementedError(
            f"Could not run 'aten::{op.name}.dtype' with arguments from the 'CPU' backend: products in another dtype "
            "are for GPUs"
        )
    if op.variadic in kwargs:
        given = kwargs.pop(op.variadic)
        if not args:
            args = tuple(kwargs.pop(name) for name in op.names[:-1] if name in kwargs)
        args = (*args, *given) if isinstance(given, (list, tuple)) else (*args, given)
    return args, kwargs


def renaming(op: Op, key: str) -> str:
    """Return the name here of a parameter of `op` called `key`: PyTorch's is `input` where its pages say `A`."""
    if key in op.names:
        return key
    if _RENAMED.get(key) in op.names:
        return _RENAMED[key]
    place = _PLACES.get(key, len(op.names))
    return op.names[place] if place < len(op.names) and op.names[place] in _LETTERS else key


def explain(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Exception:
    """Return the exception to raise when `op`'s forward raised `error`: with op, line and operands' shapes."""
    text = str(error)
    if isinstance(error, ValueError) and ("could not be broadcast" in text or "shape mismatch" in text):
        shapes = [a._array.shape for a in args if isinstance(a, Tensor)]
        pairs = [(a, b) for number, a in enumerate(shapes) for b in shapes[number + 1 :]]
        if pairs:
            sentences = (broadcast_sentence(a, b) for a, b in pairs)
            error = RuntimeError(next((each for each in sentences if each), text))
    elif isinstance(error, np.exceptions.AxisError):
        error = no_dimension(error.axis, error.ndim or 0)
    elif text.startswith("numpy boolean subtract"):
        error = RuntimeError(TWO_BOOLEANS)
    elif isinstance(error, OverflowError) and " out of bounds for " in text:
        error = RuntimeError(f"value cannot be converted to type {text.split()[-1]}_t without overflow")
    elif isinstance(error, (AttributeError, TypeError)):
        error = _no_tensor(op, args, text) or _too_few(op, text) or _misfit(op, args, kwargs, error)
    elif text.startswith("invalid literal for int()"):
        error = _misfit(op, args, kwargs, error)
    shapes_text = ", ".join(f"{list(a._array.shape)}" for a in args if isinstance(a, Tensor))
    place = caller_place()
    error.add_note(f"in {op.name} at {place}" + (f", on shapes {shapes_text}" if shapes_text else ""))
    if any(words in text for words in _INTEGERS):
        error.add_note(
            "hint: classes and positions are integers: `.long()`, or annotate the parameter `torch.LongTensor`"
        )
    return error


def without_tensor(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Exception:
    """Return the error for an argument of a composite op that is of another kind than it should be, or `error`."""
    return _no_tensor(op, args, str(error)) or _misfit(op, args, kwargs, error)


def _misfit(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Exception:
    """Return the error for the first argument that is no number of its kind; `error` if that says so already."""
    text = str(error)
    if "(): " in text or "() " in text:
        return error
    return _no_number(op, args, kwargs, text) or misfit_argument(op, args, kwargs) or error


def _no_tensor(op: Op, args: tuple[Any, ...], text: str) -> TypeError | None:
    """Return the error for the first argument that should be a Tensor and is none, or None."""
    kinds = (Tensor,) if text.startswith("'list' object has no attribute") else (Tensor, list, tuple, np.ndarray)
    for position, (name, value) in enumerate(zip(op.names, args, strict=False)):
        if name in op.tensor_names and name != op.variadic and not isinstance(value, kinds):
            if value is None and op.defaults.get(name, value) is None and name in op.defaults:
                continue
            kind = called(value)
            title = op.name.removesuffix("_of_all").removesuffix("_along")
            return TypeError(f"{title}(): argument '{name}' (position {position + 1}) must be Tensor, not {kind}")
    return None


def _no_number(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], text: str) -> TypeError | None:
    """Return the error for a dimension that is no number, with the names of the op and its argument; or None."""
    if not text.startswith("argument 'dim' must be int, not "):
        return None
    kind = text.rpartition(" ")[2]
    given = {**dict(zip(op.names, args, strict=False)), **kwargs}
    name = next((name for name, value in given.items() if type(value).__name__ == kind and "dim" in name), "dim")
    title = op.name.removesuffix("_of_all").removesuffix("_along")
    return TypeError(f"{title}(): argument '{name}' must be int, not {kind}")


def _too_few(op: Op, text: str) -> TypeError | None:
    """PyTorch's words for what Python says of arguments that were not given, or None if it says something else."""
    if not text.startswith(f"{op.name}() missing ") or " required positional argument" not in text:
        return None
    names = text.split("'")[1::2]
    shown = ", ".join(f'"{name}"' for name in names)
    word = "arguments" if len(names) == 1 else "argument"  # as PyTorch has it
    return TypeError(f"{op.name}() missing {len(names)} required positional {word}: {shown}")
