"""PyTorch's sentences for what NumPy or Python refused, and for names that are not there."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from dyncore.dispatch.registry import Op

from .source import caller_frame, caller_place

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
    """The arguments with NumPy's names for parameters replaced by PyTorch's, and `dims=(0, 1)` spelled out."""
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
    """The name here of the parameter of `op` that was called `key`: PyTorch's is `input` where its pages say `A`."""
    if key in op.names:
        return key
    if _RENAMED.get(key) in op.names:
        return _RENAMED[key]
    place = _PLACES.get(key, len(op.names))
    return op.names[place] if place < len(op.names) and op.names[place] in _LETTERS else key


def explain(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Exception:
    """The exception a user sees when `op`'s forward raised `error`: with the op, its line and the operands' shapes."""
    from dyncore.tensors.tensor import Tensor

    text = str(error)
    if isinstance(error, ValueError) and ("could not be broadcast" in text or "shape mismatch" in text):
        shapes = [a._array.shape for a in args if isinstance(a, Tensor)]
        pairs = [(a, b) for number, a in enumerate(shapes) for b in shapes[number + 1 :]]
        if pairs:
            sentences = (broadcast_sentence(a, b) for a, b in pairs)
            error = RuntimeError(next((each for each in sentences if each), text))
    elif isinstance(error, np.exceptions.AxisError):
        ndim = error.ndim or 0
        low, high = -max(ndim, 1), max(ndim, 1) - 1
        error = IndexError(f"Dimension out of range (expected to be in range of [{low}, {high}], but got {error.axis})")
    elif text.startswith("numpy boolean subtract"):
        error = RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )
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


def called(value: Any) -> str:
    """The name of a value's class, with NumPy's before it."""
    kind = type(value)
    return f"numpy.{kind.__name__}" if getattr(kind, "__module__", "") == "numpy" else kind.__name__


def without_tensor(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Exception:
    """The error for the argument of a composite op that is of another kind than it should be, else `error` itself."""
    return _no_tensor(op, args, str(error)) or _misfit(op, args, kwargs, error)


def _misfit(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Exception:
    """The error for the first argument that is no number, or none of its kind; `error` itself if it says so already."""
    from dyncore.dispatch.operands import misfit_argument

    text = str(error)
    if "(): " in text or "() " in text:
        return error
    return _no_number(op, args, kwargs, text) or misfit_argument(op, args, kwargs) or error


def _no_tensor(op: Op, args: tuple[Any, ...], text: str) -> TypeError | None:
    """The error for the first argument that should be a Tensor and is none, or None."""
    from dyncore.tensors.tensor import Tensor

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
    """The error for a dimension that is no number, with the names of the op and its argument; or None."""
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


def misfit(error: Exception, name: str = "") -> Exception:
    """PyTorch's error where NumPy says that arrays of the engine's do not fit: data took another shape meanwhile."""
    import re

    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    shapes = [tuple(map(int, re.findall(r"\d+", each))) for each in re.findall(r"\(([\d,]*)\)", str(error))]
    if str(error).startswith("cannot reshape array of size") and name and len(shapes) == 1:
        size = re.findall(r"\d+", str(error))[0]
        return RuntimeError(
            f"Function {name} returned an invalid gradient at index 0 - got [{size}] but expected shape compatible "
            f"with {list(shapes[0])}"
        )
    ours = trace is not None and ("__dyncore__" in trace.tb_frame.f_globals or "<dyncore" in str(trace.tb_frame.f_code))
    if not ours or len(shapes) < 2:
        return error
    return RuntimeError(broadcast_sentence(*shapes[:2]) or str(error))


def missing_attribute(owner: Any, name: str) -> AttributeError:
    """The error for an attribute a Tensor or module does not have, with the nearest that exists."""
    title = getattr(owner, "__name__", str(owner))
    names = (each for each in dir(owner) if hasattr(owner, each))
    return _missing(f"'{title}' object has no attribute '{name}'", title, name, names)


def missing_name(title: str, name: str, module: Any) -> AttributeError | ImportError:
    """The error for a name that the module PyTorch calls `title` does not have here.

    It is an ImportError where a `from` asks: Python would drop the notes of an AttributeError.
    """
    asking = caller_frame(2)
    if asking.f_globals.get("__name__") == "importlib._bootstrap":  # whether to import a module of that name
        return AttributeError(f"module '{title}' has no attribute '{name}'")
    own = vars(module)  # not getattr, which would come back here
    shown = own["__all__"] if "__all__" in own and "__dir__" not in own else dir(module)
    names = () if name.startswith("_") else (*shown, *own.get("LAZY", ()))
    error = _missing(f"module '{title}' has no attribute '{name}'", title, name, names)
    if name.startswith("_") or not _asked_by_from(asking):
        return error
    home = own.get("__name__", "dyncore")
    found = ImportError(f"cannot import name '{name}' from '{home}'", name=home, path=own.get("__file__"))
    for note in getattr(error, "__notes__", ()):
        found.add_note(note)
    return found


def _asked_by_from(frame: Any) -> bool:
    """Whether the frame is in the middle of `from module import name`."""
    import dis

    return bool(frame.f_lasti >= 0 and dis.opname[frame.f_code.co_code[frame.f_lasti]] == "IMPORT_FROM")


def missing_in(module: str, title: str | None = None) -> Callable[[str], Any]:
    """The `__getattr__` of a module that has no lazy names: it raises the error that says what is nearest."""

    def missing(name: str) -> Any:
        raise missing_name(title or "torch" + module.removeprefix("dyncore"), name, sys.modules[module])

    # `binding.imports.Finder` is asked for PyTorch's files of this module only if it looks like a package.
    sys.modules[module].__dict__.setdefault("__path__", [])
    return missing


def _missing(sentence: str, title: str, name: str, names: Iterable[str]) -> AttributeError:
    error = AttributeError(sentence)
    if name.startswith("_"):
        return error
    from dyncore.binding.pytorch_names import of_pytorch

    known = name in of_pytorch(title) or f"{title}.{name}" in of_pytorch("modules")
    if known:
        error.add_note(f"PyTorch has `{title}.{name}`; dyncore does not")
        instead = way_round(title, name)
        if instead is not None:
            error.add_note(f"hint: {instead}")
            return error
    near = nearest(name, names)
    if near:
        error.add_note(f"hint: {'the nearest here is' if known else 'did you mean'} `{near}`{'' if known else '?'}")
    return error


def way_round(title: str, name: str) -> str | None:
    """What to do without `title.name`, where that is no name like it."""
    from dyncore.binding.imports import hint_for
    from dyncore.dispatch.missing import WAYS

    for words, hint in WAYS.items():
        if any(word in name.lower() for word in words.split()):
            return hint
    return hint_for(f"{title}.{name}")


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name most like `name` among the public `names`, or None if none is like it."""
    import difflib

    public = [each for each in names if not each.startswith("_")]
    near = difflib.get_close_matches(name, public, n=1, cutoff=0.7)
    if near:
        return near[0]
    parts = [each for each in public if len(each) > 3 and (each in name or name in each)]
    return max(parts, key=len) if parts else None


def warn_non_leaf_grad() -> None:
    """PyTorch's warning when `.grad` of a non-leaf is read."""
    warn(
        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
        "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
        "Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure "
        "you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
    )


_warned: set[str] = set()


def warn_once(key: str, text: str, kind: type[Warning] = UserWarning) -> None:
    """Warns with `text` the first time `key` is given, at the user's line."""
    from dyncore.tensors.settings import is_warn_always_enabled

    if key not in _warned or is_warn_always_enabled():
        _warned.add(key)
        warn(text, kind)


def warn(text: str, kind: type[Warning] = UserWarning) -> None:
    """Warns with `text` at the innermost line outside this package."""
    from .source import caller_frame

    frame = caller_frame(2)
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    module = frame.f_globals.get("__name__") or "<string>"  # None would mean that Python is shutting down
    warnings.warn_explicit(text, kind, frame.f_code.co_filename, frame.f_lineno, module, registry)


def check_assigned_grad(tensor: Any, value: Any) -> None:
    """Raises as PyTorch does for a `.grad`, not None, that does not fit its tensor."""
    from dyncore.tensors.tensor import Tensor

    if not isinstance(value, Tensor):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
    if value is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    wanted = tensor.grad_dtype if tensor.is_leaf else tensor.dtype
    if wanted is not None and value.dtype != wanted:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{_word(value)}' to a tensor with grad_dtype "
            f"'{wanted.title}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype)."
            " You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. "
            "Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream "
            "systems that assume they match."
        )
    if value._array.shape != tensor._array.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(value._array.shape)}' to a tensor of size "
            f"'{list(tensor._array.shape)}'. Please ensure that the gradient and the tensor are the same size"
        )


WORDS = {
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int", "int64": "long int",
    "bool": "bool", "float16": "c10::Half", "float32": "float", "float64": "double",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
    "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long",
}  # fmt: skip


def word_of(dtype: Any) -> str:
    """C++'s name of a dtype, as PyTorch's messages have it."""
    return {"int64": "int64_t"}.get(str(dtype), WORDS[str(dtype)])


def _word(tensor: Any) -> str:
    return WORDS[str(tensor._array.dtype)]
