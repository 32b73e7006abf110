"""Tables of a Module's parameters, buffers and submodules."""

from __future__ import annotations

import weakref
from typing import Any


class Registered(dict[str, Any]):
    """Parameters, buffers or submodules of a Module by name.

    Each is an ordinary attribute of the Module too, which is much faster to read than by `__getattr__`
    (tests/bench, module_call).  A change of the table itself, as meta-learning code makes it, changes the attribute.
    """

    __slots__ = ("_owner",)

    def __init__(self, owner: Any, given: Any = ()) -> None:
        super().__init__(given)
        self._owner = weakref.ref(owner)
        owner.__dict__.update(self)

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        owner = self._owner()
        if owner is not None:
            owner.__dict__[name] = value

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        owner = self._owner()
        if owner is not None:
            owner.__dict__.pop(name, None)

    def pop(self, name: str, *default: Any) -> Any:
        if name not in self:
            return super().pop(name, *default)
        value = self[name]
        del self[name]
        return value

    def update(self, *others: Any, **named: Any) -> None:
        for name, value in dict(*others, **named).items():
            self[name] = value

    def setdefault(self, name: str, default: Any = None) -> Any:
        if name not in self:
            self[name] = default
        return self[name]

    def clear(self) -> None:
        for name in list(self):
            del self[name]

    def popitem(self) -> tuple[str, Any]:
        name = next(reversed(self))
        return name, self.pop(name)

    def copy(self) -> dict[str, Any]:
        return dict(self)

    def move_to_end(self, name: str, last: bool = True) -> None:
        """Make `name` the last entry, or the first."""
        value = super().pop(name)
        rest = list(self.items()) if not last else []
        for each, _ in rest:
            super().__delitem__(each)
        super().__setitem__(name, value)
        for each, kept in rest:
            super().__setitem__(each, kept)

    def __reduce__(self) -> Any:
        return dict, (dict(self),)

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        from copy import deepcopy

        return {name: deepcopy(value, memo) for name, value in self.items()}
