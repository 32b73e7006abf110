"""The comparisons written as one expression say yes to what is as it was, and to nothing else."""

from __future__ import annotations

from typing import Any

import dyncore as torch
from dyncore.capture.guards import MOST_TERMS, Cell, Contents, Item, Length, environment_guard

MISSING = object()


def cell_of(value: Any) -> Any:
    function = lambda: value
    assert function.__closure__ is not None
    return function.__closure__[0]


def test_each_kind_of_place() -> None:
    """Lengths, items, keys, cells and sets; what is gone is no error."""
    items, table, cell, kinds = [1, "a"], {"k": 2.5}, cell_of("x"), {"b"}
    entries = [
        (Length(items), None, 2, "len"),
        (Item(items), 1, items[1], "item"),
        (table.get, "k", table["k"], "key"),
        (table.get, "no", MISSING, "no key"),
        (Cell(cell), None, "x", "cell"),
    ]
    guard = environment_guard(entries, MISSING)
    assert guard()
    for change, back in (
        (lambda: items.append(0), items.pop),
        (lambda: items.__setitem__(1, "b"), lambda: items.__setitem__(1, "a")),
        (lambda: table.__setitem__("k", 2), lambda: table.__setitem__("k", entries[2][2])),
        (lambda: table.__setitem__("no", None), lambda: table.pop("no")),
        (lambda: setattr(cell, "cell_contents", "y"), lambda: setattr(cell, "cell_contents", "x")),
    ):
        change()
        assert not guard()
        back()
        assert guard()
    del cell.cell_contents
    table.clear()
    assert not guard()
    assert environment_guard([(Contents(kinds), None, frozenset(kinds), "set")], MISSING) is None


def test_many_places_are_looked_at_one_by_one() -> None:
    """An expression of thousands of terms would take long to make."""
    items = list(range(MOST_TERMS + 1))
    assert environment_guard([(Item(items), k, k_value, "") for k, k_value in enumerate(items)], MISSING) is None


def test_a_number_that_is_set_to_an_equal_one_fits() -> None:
    """It is another object and the same value: no recording is made anew."""
    scale = {"by": 1000.5}
    compiled = torch.compile(lambda x: x * scale["by"])
    x = torch.ones(3)
    for _ in range(3):
        compiled(x)
    scale["by"] = float("1000.5")
    assert [1000.5] * 3 == compiled(x).tolist()
    assert 1 == compiled.explain().recordings
    scale["by"] = 2.0
    assert [2.0] * 3 == compiled(x).tolist()
    assert 2 == compiled.explain().recordings


def test_a_parameter_that_is_exchanged_fits_if_it_is_alike() -> None:
    """Its new values are taken, and of another shape it is recorded anew."""
    w = torch.ones(3)
    compiled = torch.compile(lambda x: x * w)
    x = torch.ones(1)
    for _ in range(2):
        compiled(x)
    w.data = torch.full((3,), 5.0)
    assert [5.0] * 3 == compiled(x).tolist() and 1 == compiled.explain().recordings
    w.data = torch.full((2,), 6.0)
    assert [6.0] * 2 == compiled(x).tolist() and 2 == compiled.explain().recordings
