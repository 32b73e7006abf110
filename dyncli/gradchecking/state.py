"""State that a script keeps from one call to the next, as one hash."""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

import numpy as np

from dyncli.recorder.engine import Generator, Tensor
from dyncli.records.digest import blake2b

DEEPEST = 12
MOST = 200_000


def fingerprint(names: dict[str, Any], entry: Any) -> bytes:
    """Hash the current state of the script's variables, objects and functions, and of the entry."""
    digest = blake2b(digest_size=16)
    seen: dict[int, int] = {}
    module = names.get("__name__")
    for name, value in names.items():
        if name.startswith("__"):
            continue
        digest.update(name.encode("utf-8", "replace"))
        for part in _parts(value, seen, module, 0):
            digest.update(part)
    for part in _parts(entry, seen, module, 0):
        digest.update(part)
    return digest.digest()


def _parts(value: Any, seen: dict[int, int], module: Any, depth: int) -> Iterator[bytes]:
    kind = type(value)
    if value is None or kind in (bool, int, float, complex, str, bytes):
        yield repr(value).encode("utf-8", "replace")
        return
    if id(value) in seen:
        yield b"again %d" % seen[id(value)]
        return
    if depth > DEEPEST or len(seen) > MOST or isinstance(value, ModuleType):
        return
    seen[id(value)] = len(seen)
    if isinstance(value, Tensor):
        yield from _array(np.asarray(value._array))
        yield b"grad" if value._edge is not None else b"none"
    elif isinstance(value, (np.ndarray, np.generic)):
        yield from _array(np.asarray(value))
    elif isinstance(value, Generator):
        yield value.get_state()._array.tobytes()
    elif isinstance(value, (np.random.Generator, np.random.RandomState)):
        yield repr(getattr(value, "bit_generator", value).__dict__ if hasattr(value, "__dict__") else "").encode()
        yield repr(_generator_state(value)).encode()
    elif isinstance(value, dict):
        for key, inner in list(value.items()):
            yield repr(key).encode("utf-8", "replace") if type(key) in (str, int, float, bool, tuple) else b"key"
            yield from _parts(inner, seen, module, depth + 1)
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield b"%d" % len(value)
        for inner in list(value):
            yield from _parts(inner, seen, module, depth + 1)
    elif isinstance(value, MethodType):
        yield from _parts(value.__self__, seen, module, depth + 1)
    elif isinstance(value, FunctionType):
        yield from _function(value, seen, module, depth)
    elif hasattr(value, "cache_info"):
        yield repr(value.cache_info()).encode()
    elif isinstance(value, GeneratorType):
        yield b"ended" if value.gi_frame is None else repr(value.gi_frame.f_lasti).encode()
    elif isinstance(value, type):
        if value.__module__ == module:
            for name, inner in list(vars(value).items()):
                if not name.startswith("__"):
                    yield from _parts(inner, seen, module, depth + 1)
    else:
        yield from _object(value, seen, module, depth)


def _array(array: Any) -> Iterator[bytes]:
    yield repr((array.shape, array.dtype.str)).encode()
    yield array.tobytes() if array.dtype.kind != "O" else b""


def _generator_state(value: Any) -> Any:
    state = value.get_state() if isinstance(value, np.random.RandomState) else value.bit_generator.state
    return (
        [each.tobytes() if isinstance(each, np.ndarray) else each for each in state]
        if isinstance(state, tuple)
        else str(state)
    )


def _function(value: FunctionType, seen: dict[int, int], module: Any, depth: int) -> Iterator[bytes]:
    """Return what a function of the script's own keeps: defaults, attributes, and the variables it closes over."""
    if value.__module__ != module:
        return
    for inner in (value.__defaults__, value.__kwdefaults__, value.__dict__):
        yield from _parts(inner, seen, module, depth + 1)
    for cell in value.__closure__ or ():
        try:
            yield from _parts(cell.cell_contents, seen, module, depth + 1)
        except ValueError:  # the cell is empty
            yield b"empty"


def _object(value: Any, seen: dict[int, int], module: Any, depth: int) -> Iterator[bytes]:
    """Yield the attributes of an object; of an iterator its remaining state."""
    held = getattr(value, "__dict__", None)
    if isinstance(held, dict):
        yield from _parts(held, seen, module, depth + 1)
    elif hasattr(type(value), "__next__"):
        try:
            yield repr(value.__reduce__()[1:]).encode("utf-8", "replace")
        except Exception:  # an iterator that cannot be told from another
            return
