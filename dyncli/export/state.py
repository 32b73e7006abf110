"""State of Python at a point of the program: where two runs agree in it, they go on in the same way."""

from __future__ import annotations

import enum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from dyncli.export.numbers import Number
from dyncli.export.sources import Stepped
from dyncli.recording.engine import Tensor, dtypes

DEEPEST = 60  # objects inside one another
_PLAIN = (int, float, bool, str, bytes, complex, type(None), type(Ellipsis), range, enum.Enum, dtypes.dtype, np.dtype)
_FIXED = (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type)


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
        if isinstance(value, _FIXED) or value is self._recording:
            return "object", id(value)
        seen = self._seen.setdefault(id(value), name)
        if seen != name:
            return "again", seen
        self._kept.append(value)
        if isinstance(value, Number):
            return "number", self.add(f"{name}#", value.tensor)
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
            return "stepped", value.position
        elif hasattr(value, "named_parameters"):
            return "module", id(value)
        elif hasattr(value, "__dict__"):
            return type(value).__qualname__, self.add(f"{name}.", vars(value))
        self.known = False
        return "unknown", type(value).__qualname__

    def _tensor(self, name: str, tensor: Any) -> Any:
        if self._recording.is_outside(tensor):
            return "outside", id(tensor)
        self.tensors[name] = tensor
        array = tensor._array
        return "tensor", array.dtype.str, array.shape if self._exact else array.ndim


def holds_changes(value: Any) -> bool:
    """Return whether an object may change its contents."""
    return not isinstance(value, (*_PLAIN, *_FIXED, Tensor, Number, np.generic)) and not hasattr(
        value, "named_parameters"
    )
