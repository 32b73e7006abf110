"""`NamedTuple` as in `typing`, made in a fifth of the time: no annotation is read, no source compiled for each class.

A run makes some fifty such classes before it begins; nobody asks what their annotations mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter
    from functools import cache
    from types import CodeType, FunctionType

    class _Named(tuple):
        """What all named tuples have in common."""

        __slots__ = ()

        @classmethod
        def _make(cls, values: Any) -> Any:
            """The tuple of these values."""
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes: Any) -> Any:
            """The tuple with other values in these fields."""
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            """The values by the names of their fields."""
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

        def __repr__(self) -> str:
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{self.__class__.__name__}({fields})"

    @cache
    def _constructor(count: int) -> CodeType:
        """The code of `__new__` for so many fields, whose names are still to be put in."""
        names = "".join(f"_{number}, " for number in range(count))
        return eval(f"lambda _cls, {names}: _new(_cls, ({names}))").__code__

    class _Made(type):
        """Makes a tuple of each class below `NamedTuple`."""

        def __new__(cls, name: str, bases: tuple[type, ...], names: dict[str, Any]) -> Any:
            if not bases:
                return super().__new__(cls, name, bases, names)
            fields = tuple(names.get("__annotations__", ()))
            defaults = {field: names[field] for field in fields if field in names}
            code = _constructor(len(fields)).replace(
                co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{name}.__new__"
            )
            new = FunctionType(code, {"_new": tuple.__new__}, "__new__", tuple(defaults.values()))
            getters = {field: _tuplegetter(number, None) for number, field in enumerate(fields)}
            own = {
                "__slots__": (), "__new__": new, "__match_args__": fields, "_fields": fields,
                "_field_defaults": defaults,
            }  # fmt: skip
            return type(name, (_Named,), {**names, **own, **getters})

    class NamedTuple(metaclass=_Made):
        """The base of a class whose annotated names are its fields."""
