"""The quick `NamedTuple` makes what `typing`'s makes."""

import pickle
from typing import NamedTuple as Slow

from dyncli.record.tuples import NamedTuple


class Fast(NamedTuple):
    """A place."""

    name: str
    line: "int | None" = None

    @property
    def text(self) -> str:
        """Name and line."""
        return f"{self.name}:{self.line}"

    @classmethod
    def of(cls, text: str) -> "Fast":
        return cls(*text.split(":")[:1])

    def __str__(self) -> str:
        return self.text


class Plain(Slow):
    name: str
    line: "int | None" = None


def test_it_is_the_same_tuple():
    """Fields, defaults, equality, unpacking, matching, replacing and printing."""
    one, other = Fast("a", 2), Plain("a", 2)
    assert one == other == ("a", 2) and hash(one) == hash(other)
    assert (Fast._fields, Fast._field_defaults) == (Plain._fields, Plain._field_defaults)
    assert Fast.__match_args__ == Plain.__match_args__ and issubclass(Fast, tuple)
    assert repr(one) == repr(other).replace("Plain", "Fast")
    assert one._replace(line=3) == Fast("a", 3) and one._asdict() == other._asdict()


def test_what_else_the_class_has_stays():
    """Methods, properties, docstring, module, annotations."""
    assert ("a:2", "a:2", "A place.") == (Fast("a", 2).text, str(Fast("a", 2)), Fast.__doc__)
    assert Fast.of("b:7") == Fast("b") and Fast.__module__ == __name__
    assert {"name": str, "line": "int | None"} == Fast.__annotations__
    assert Fast("a", 2) == pickle.loads(pickle.dumps(Fast("a", 2)))
