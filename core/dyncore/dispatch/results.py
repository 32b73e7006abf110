"""The named tuples that ops with several results return, printed as PyTorch prints them."""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import Any


def return_type(name: str, fields: tuple[str, ...]) -> Any:
    """Return the class of what an op with several results returns: a tuple with names, printed field by field."""

    def text(self: Any) -> str:
        lines = ",\n".join(f"{field}={value!r}" for field, value in zip(fields, self, strict=True))
        return f"torch.return_types.{name}(\n{lines})"

    def __new__(cls: Any, values: Any) -> Any:
        values = tuple(values)
        if len(values) != len(fields):
            raise TypeError(
                f"torch.return_types.{name}() takes a {len(fields)}-sequence ({len(values)}-sequence given)"
            )
        return tuple.__new__(cls, values)

    members: dict[str, Any] = {
        "__slots__": (), "__new__": __new__, "__repr__": text, "__module__": "torch.return_types",
        "_fields": fields, "n_fields": len(fields), "n_sequence_fields": len(fields), "n_unnamed_fields": 0,
        "__reduce__": lambda self: (_returned, (name, fields, tuple(self))),
    }  # fmt: skip
    members.update({field: property(itemgetter(number)) for number, field in enumerate(fields)})
    return type(name, (tuple,), members)


@cache
def out_type(name: str, fields: tuple[str, ...]) -> Any:
    """Return the class of what such an op returns when it wrote into `out=`."""
    return return_type(f"{name}_out", fields)


def _returned(name: str, fields: tuple[str, ...], values: Any) -> Any:
    return return_type(name, fields)(values)
