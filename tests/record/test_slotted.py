"""`Slotted` makes what `dataclass(slots=True, eq=False, repr=False)` makes."""

import pickle

import pytest

from dyncli.record.slotted import Slotted, fresh


class Loop(Slotted):
    """A loop."""

    line: int
    trips: int = 0
    steps: list[int] = fresh(factory=list)

    def end(self) -> int:
        """The line after it."""
        return self.line + self.trips


def test_names_are_slots_and_parameters():
    """By position, by name, by default; a default that is made is made for each."""
    one, other = Loop(3), Loop(trips=2, line=4, steps=[7])
    one.steps.append(1)
    assert (3, 0, [1], 4, 2, [7]) == (one.line, one.trips, one.steps, other.line, other.trips, other.steps)
    assert [] == Loop(3).steps and 6 == other.end()
    with pytest.raises(AttributeError):
        one.name = "a"  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'line'"):
        Loop()  # type: ignore[call-arg]


def test_two_are_equal_only_if_they_are_one():
    """As objects of a plain class are, so that they can be keys."""
    one = Loop(3)
    assert one != Loop(3) and {one: 1} == {one: 1}


def test_what_else_the_class_has_stays():
    """Docstring, module, names of its methods, and that it can be pickled."""
    assert ("A loop.", __name__, "Loop.end") == (Loop.__doc__, Loop.__module__, Loop.end.__qualname__)
    assert 3 == pickle.loads(pickle.dumps(Loop(1, 2))).end()
