"""State of Python at a point of the program: where two runs agree in it, they go on in the same way."""

from __future__ import annotations

import enum
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from dyncli.export.lists import Rows
from dyncli.export.numbers import Number
from dyncli.export.sources import Stepped
from dyncli.recorder.engine import Tensor, dtypes

DEEPEST = 60  # objects inside one another
_PLAIN = (int, float, bool, str, bytes, complex, type(None), type(Ellipsis), range, enum.Enum, dtypes.dtype, np.dtype)
_MODULE_OWN = frozenset(("training", "_parameters", "_buffers", "_modules", "_non_persistent_buffers_set"))
_CLASS_OWN = (FunctionType, property, classmethod, staticmethod)
_FIXED = (BuiltinFunctionType, ModuleType, type)
_ITERATED: tuple[Any, ...] = ((), [], range(0), "", "é", {}, {}.values(), {}.items(), reversed([]))
_ITERATORS: tuple[type, ...] = (enumerate, zip, map, filter, reversed, *(type(iter(each)) for each in _ITERATED))


class State:
    """Description of objects, hashable, and the tensors in them by name, each once.

    known: whether every object could be described; where not, nothing may be concluded.
    """

    def __init__(self, recording: Any, *, exact_shapes: bool) -> None:
        self.tensors: dict[str, Any] = {}
        self.known = True
        self._recording = recording
        self._exact = exact_shapes
        self._seen: dict[int, str] = {}
        self._kept: list[Any] = []
        self._depth = 0

    def add(self, name: str, value: Any) -> Any:
        """Return the description of a value."""
        self._depth += 1
        try:
            if self._depth > DEEPEST:
                self.known = False
                return "deep"
            return self._described(name, value)
        finally:
            self._depth -= 1

    def _described(self, name: str, value: Any) -> Any:
        if isinstance(value, _PLAIN):
            return type(value).__name__, repr(value)
        if isinstance(value, np.generic):
            return "scalar", value.dtype.str, value.tobytes()
        if isinstance(value, _FIXED) and not _has_owner(value) or value is self._recording:
            return "object", id(value)
        seen = self._seen.setdefault(id(value), name)
        if seen != name:
            return "again", seen
        self._kept.append(value)
        if isinstance(value, FunctionType):
            return self._function(name, value)
        if isinstance(value, (MethodType, BuiltinFunctionType)):
            return "method", value.__name__, self.add(f"{name}.__self__", value.__self__)
        if isinstance(value, Number):
            return "number", self.add(f"{name}#", value.tensor)
        if isinstance(value, Rows):
            return "rows", self.add(f"{name}#", value.tensor)
        if isinstance(value, Tensor):
            return self._tensor(name, value)
        if isinstance(value, (list, tuple)):
            return type(value).__name__, tuple(self.add(f"{name}[{k}]", each) for k, each in enumerate(value))
        if isinstance(value, dict):
            items = list(value.items())
            return "dict", tuple((repr(k), self.add(f"{name}[{k!r}]", each)) for k, each in items)
        if isinstance(value, (set, frozenset)):
            if all(isinstance(each, _PLAIN) for each in value):
                return "set", tuple(sorted(map(repr, value)))
        elif isinstance(value, np.ndarray):
            return "array", value.shape, value.dtype.str, value.tobytes()
        elif isinstance(value, Stepped):
            return "stepped", self.add(f"{name}.", value.state)
        elif isinstance(value, _ITERATORS):
            return type(value).__name__, self.add(f"{name}.", value.__reduce__())
        elif hasattr(value, "named_parameters"):
            return "module", id(value)
        elif hasattr(value, "__dict__"):
            return type(value).__qualname__, self.add(f"{name}.", vars(value))
        self.known = False
        return "unknown", type(value).__qualname__

    def _function(self, name: str, function: FunctionType) -> Any:
        """Return the code of a function and what it holds: defaults and variables of functions around it."""
        cells = [_contents(each) for each in function.__closure__ or ()]
        held = (*cells, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        return "function", id(function.__code__), tuple(self.add(f"{name}<{k}>", each) for k, each in enumerate(held))

    def attributes(self, name: str, owner: Any) -> Any:
        """Return the description of what an object holds, of a Module besides its parameters and what Module sets."""
        held = {
            key: each
            for key, each in vars(owner).items()
            if key not in _MODULE_OWN and key[:2] != "__" and not key.endswith("_hooks")
        }
        if hasattr(owner, "named_parameters") and not isinstance(owner, type):
            held |= {"training": owner.training, **owner._buffers}
        if isinstance(owner, type):
            held = {key: each for key, each in held.items() if not isinstance(each, _CLASS_OWN)}
        return self.add(name, held)

    def _tensor(self, name: str, tensor: Any) -> Any:
        if self._recording.is_outside(tensor):
            return "outside", id(tensor)
        self.tensors[name] = tensor
        array = tensor._array
        exact = self._exact and not self._recording.is_sized_by_data(tensor)
        return "tensor", array.dtype.str, array.shape if exact else array.ndim


def holds_changes(value: Any) -> bool:
    """Return whether an object may change its contents; what a Module holds is another matter."""
    if isinstance(value, FunctionType):
        return bool(value.__closure__ or value.__defaults__ or value.__kwdefaults__)
    return not isinstance(value, (*_PLAIN, *_FIXED, MethodType, Tensor, Number, np.generic)) and not hasattr(
        value, "named_parameters"
    )


def _has_owner(value: Any) -> bool:
    owner = getattr(value, "__self__", None)
    return isinstance(value, BuiltinFunctionType) and owner is not None and not isinstance(owner, ModuleType)


def _contents(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None
