"""`Slotted`: what `dataclass(slots=True, eq=False, repr=False)` makes of a class, in a fifth of the time.

    class Loop(Slotted):
        line: int
        trips: int = 0
        steps: list[int] = fresh(factory=list)          # a new one for each

A run makes twenty such classes before it begins, and needs no more of them than slots and `__init__`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, dataclass_transform

from dyncli.record.tuples import NamedTuple


class _Made(NamedTuple):
    """What makes the value of a field that is not given."""

    factory: Callable[[], Any]


def fresh(*, factory: Callable[[], Any]) -> Any:
    """The default of a field that is made anew for each object."""
    return _Made(factory)


if TYPE_CHECKING:

    @dataclass_transform(eq_default=False, field_specifiers=(fresh,))
    class Slotted:
        """The base of a class whose annotated names are its slots."""

else:

    class _Kind(type):
        """Makes a class with slots of each class below `Slotted`."""

        def __new__(cls, name: str, bases: tuple[type, ...], names: dict[str, Any]) -> Any:
            if not bases:
                return super().__new__(cls, name, bases, names)
            fields = tuple(names.get("__annotations__", ()))
            defaults = {field: names.pop(field) for field in fields if field in names}
            return type(name, (), {**names, "__slots__": fields, "__init__": _initializer(fields, defaults)})

    def _initializer(fields: tuple[str, ...], defaults: dict[str, Any]) -> Callable[..., None]:
        """An `__init__` with these parameters."""
        names = {f"_{field}": value.factory for field, value in defaults.items() if isinstance(value, _Made)}
        values = (f"_{field}() if {field} is None else {field}" if f"_{field}" in names else field for field in fields)
        lines = (f"\n self.{field} = {value}" for field, value in zip(fields, values, strict=True))
        exec(f"def __init__(self, {', '.join(fields)}):{''.join(lines)}", names)
        made = names["__init__"]
        made.__defaults__ = tuple(None if isinstance(value, _Made) else value for value in defaults.values())
        return made

    class Slotted(metaclass=_Kind):
        """The base of a class whose annotated names are its slots."""
