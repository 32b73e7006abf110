"""PyTorch's sentences for what NumPy or Python refused, and for names that are not there."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from .source import caller_frame, is_engine


def called(value: Any) -> str:
    """Return the name of a value's class, with NumPy's before it."""
    kind = type(value)
    return f"numpy.{kind.__name__}" if getattr(kind, "__module__", "") == "numpy" else kind.__name__


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


def too_few_sizes(title: str, shape: tuple[int, ...], wanted: tuple[int, ...]) -> RuntimeError:
    """Return the error for a shape to expand to that has fewer dimensions.  title: of the dtype."""
    return RuntimeError(
        f"expand(torch.{title}Tensor{{{list(shape)}}}, size={list(wanted)}): the number of sizes provided "
        f"({len(wanted)}) must be greater or equal to the number of dimensions in the tensor ({len(shape)})"
    )


def not_expanded(shape: tuple[int, ...], wanted: tuple[int, ...], dim: int) -> RuntimeError:
    """Return the error for a shape to expand to that does not fit at its dimension `dim`."""
    size = shape[dim - len(wanted)]
    return RuntimeError(
        f"The expanded size of the tensor ({wanted[dim]}) must match the existing size ({size}) at non-singleton "
        f"dimension {dim}.  Target sizes: {list(wanted)}.  Tensor sizes: {list(shape)}"
    )


def no_dimension(dim: Any, ndim: int) -> IndexError:
    """Return the error for a dimension out of range; a 0-d tensor has dimensions 0 and -1."""
    limit = max(ndim, 1)
    return IndexError(f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], but got {dim})")


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
    ours = trace is not None and (is_engine(trace.tb_frame.f_globals) or "<dyncore" in str(trace.tb_frame.f_code))
    if not ours or len(shapes) < 2:
        return error
    return RuntimeError(broadcast_sentence(*shapes[:2]) or str(error))


def missing_attribute(owner: Any, name: str) -> AttributeError:
    """Return the error for an attribute a Tensor or module does not have, with the nearest that exists."""
    title = getattr(owner, "__name__", str(owner))
    names = (each for each in dir(owner) if hasattr(owner, each))
    return _missing(f"'{title}' object has no attribute '{name}'", title, name, names)


def missing_name(title: str, name: str, module: Any) -> AttributeError | ImportError:
    """Return the error for a name that the module PyTorch calls `title` does not have here.

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
    if sys.modules.get("torch") is sys.modules["dyncore"]:
        home = home.replace("dyncore", "torch", 1)
    found = ImportError(f"cannot import name '{name}' from '{home}'", name=home, path=own.get("__file__"))
    for note in getattr(error, "__notes__", ()):
        found.add_note(note)
    return found


def _asked_by_from(frame: Any) -> bool:
    """Return whether the frame is in the middle of `from module import name`."""
    import dis

    return bool(frame.f_lasti >= 0 and dis.opname[frame.f_code.co_code[frame.f_lasti]] == "IMPORT_FROM")


def starred(title: str) -> list[str]:
    """Return what `from title import *` binds: PyTorch's public names of the module that are here, but no modules."""
    from .pytorch_names import of_pytorch

    module = sys.modules["dyncore" + title.removeprefix("torch")]
    theirs = of_pytorch(title)
    if "__dir__" in vars(module):
        found = theirs.intersection(dir(module))
    else:
        found = frozenset(name for name in theirs if hasattr(module, name))
    return sorted(name for name in found if f"{title}.{name}" not in of_pytorch("modules"))


def missing_in(module: str, title: str | None = None) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module that has no lazy names: it raises the error that says what is nearest."""

    def missing(name: str) -> Any:
        if name == "__all__" and (names := starred(title or "torch" + module.removeprefix("dyncore"))):
            return names
        raise missing_name(title or "torch" + module.removeprefix("dyncore"), name, sys.modules[module])

    # `binding.imports.Finder` is asked for PyTorch's files of this module only if it looks like a package.
    sys.modules[module].__dict__.setdefault("__path__", [])
    return missing


def _missing(sentence: str, title: str, name: str, names: Iterable[str]) -> AttributeError:
    error = AttributeError(sentence)
    if name.startswith("_"):
        return error
    from .instead import instead_of
    from .pytorch_names import of_pytorch

    known = name in of_pytorch(title) or f"{title}.{name}" in of_pytorch("modules")
    if known:
        error.add_note(f"PyTorch has `{title}.{name}`; dyncore does not")
        instead = instead_of(title, name)
        if instead is not None:
            error.add_note(f"hint: {instead}")
            return error
    near = nearest(name, names)
    if near:
        error.add_note(f"hint: {'the nearest here is' if known else 'did you mean'} `{near}`{'' if known else '?'}")
    return error


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the name most like `name` among the public `names`, or None if none is like it."""
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
_warn_always = False


def set_warn_always(mode: bool, /) -> None:
    """Set whether warnings that are given once are given every time."""
    global _warn_always
    if not isinstance(mode, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(mode).__name__}")
    _warn_always = mode


def is_warn_always_enabled() -> bool:
    """Return what `set_warn_always` said last."""
    return _warn_always


def warn_once(key: str, text: str, kind: type[Warning] = UserWarning) -> None:
    """Warn with `text` the first time `key` is passed, at the user's line."""
    if key not in _warned or is_warn_always_enabled():
        _warned.add(key)
        warn(text, kind)


def warn(text: str, kind: type[Warning] = UserWarning) -> None:
    """Warn with `text` at the innermost line outside this package."""
    from .source import caller_frame

    frame = caller_frame(2)
    registry = frame.f_globals.setdefault("__warningregistry__", {})
    module = frame.f_globals.get("__name__") or "<string>"  # None would mean that Python is shutting down
    warnings.warn_explicit(text, kind, frame.f_code.co_filename, frame.f_lineno, module, registry)


WORDS = {
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int", "int64": "long int",
    "bool": "bool", "float16": "c10::Half", "float32": "float", "float64": "double",
    "complex64": "c10::complex<float>", "complex128": "c10::complex<double>",
    "uint16": "unsigned short", "uint32": "unsigned int", "uint64": "unsigned long",
}  # fmt: skip
