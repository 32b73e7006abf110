"""Numbers, arrays and statistics as text."""

from __future__ import annotations

import math

import pytest

from dyncli.analysis import values
from dyncli.records.model import Site, Stats, TensorSummary

NUMBERS = [
    (2.0, "2"), (-0.5, "-0.5"), (1 / 3, "0.3333"), (1e-9, "1e-9"), (1.25e20, "1.25e20"), (123456.0, "123456"),
    (math.nan, "nan"), (-math.inf, "-inf"), (True, "True"), (7, "7"), (None, "None"), ("1+2j", "1+2j"),
    (123456789, "123456789"), (999999.0, "999999"), (1e6, "1e6"), (2.5e6, "2.5e6"), (10**400, "~1e400"),
    (-(10**400), "~-1e400"), ("2j", "2j"), ("(0-0.123456j)", "0-0.1235j"), ("xj", "xj"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), NUMBERS, ids=lambda item: str(item)[:12])
def test_number(value: object, text: str) -> None:
    """Four digits, no trailing zeros, no `e-09`."""
    assert text == values.number(value)


def test_point_keeps_floats_apart() -> None:
    """`2.0` is not `2` where a test compared them."""
    assert ("2.0", "2", "1e-9") == tuple(values.number(v, point=True) for v in (2.0, 2, 1e-9))


def test_places_in_several_files() -> None:
    """Name those in the model's file first, and the end of a long name."""
    places = ("b.py", 3), ("m.py", 7), ("m.py", 4)
    sites = [Site("0" * 12, file, line, 0, line, 1, "op", "x", "f") for file, line in places]
    other = sites[0]._replace(file=f"{'deep/' * 20}c.py")
    assert "lines 4 to 7, and in 1 more file" == values.places_text(sites, "m.py")
    assert "b.py:3, and in 2 more files" == values.places_text([sites[0], other, sites[1]], "other.py")
    assert values.places_text([other], "m.py").startswith("…") and values.places_text([other], "m.py").endswith(
        "/c.py:3"
    )
    assert "" == values.places_text([], "m.py")


def test_few_of_many_alike_are_written() -> None:
    """Ask no more than a few dozen that may differ in what is not written."""
    written: list[int] = []

    def write(item: int) -> str:
        written.append(item)
        return "x"

    assert ["x"] == values.spread(range(1000), write, lambda one, other: False)
    assert len(written) < 100


def test_arrays() -> None:
    """Nested brackets, a scalar bare, an empty one empty, one line for each row if asked."""
    assert values.array_text((1.0, 2.0, 3.0, 4.0), (2, 2)) == "[[1, 2], [3, 4]]"
    assert values.array_text((1.0, 2.0, 3.0, 4.0), (2, 2), lines=True) == "[[1, 2],\n [3, 4]]"
    assert values.array_text((1.0, 2.0, 3.0, 4.0), (4, 1), lines=True) == "[[1], [2], [3], [4]]"
    assert values.array_text((1.0, 2.0, 3.0, 4.0), (2, 2, 1), lines=True) == "[[[1], [2]],\n [[3], [4]]]"
    assert values.array_text((1.0, 2.0), (1, 2, 1, 1), lines=True) == "[[[[1]], [[2]]]]"
    assert (values.array_text((5.0,), ()), values.array_text((), (0,)), values.array_text((), (2, 0))) == (
        "5",
        "[]",
        "[[], []]",
    )


def test_statistics() -> None:
    """Of a large tensor: its range, its norm, shares of zeros, what is not finite, and a histogram."""
    stats = Stats(-1.0, 3.0, 0.5, 12.0, 50, 2, 0, (1, 0, 8))
    text = values.tensor_text(TensorSummary(0, (10, 20), "float32", stats=stats))
    assert text == "min -1 max 3 mean 0.5 norm 12 · 25% zero · 2 NaN · ▁ █"


def test_statistics_of_values() -> None:
    """A tensor of many recorded values is summarised unless asked for in full."""
    tensor = TensorSummary(0, (40,), "float32", values=(*(float(i) for i in range(38)), math.nan, math.inf))
    assert values.tensor_text(tensor).startswith(
        "min 0 max 37 mean 18.5 norm 132.6 · 2.5% zero · 1 NaN · 1 Inf · ██▇██▇██"
    )
    assert values.tensor_text(tensor, full=True).endswith("37.0, nan, inf]")


def test_sizes_and_times() -> None:
    """Units grow with the amount."""
    assert ("0 B", "4 KiB", "1.5 MiB") == tuple(values.bytes_text(n) for n in (0, 4096, 3 << 19))
    assert ("900 ns", "1.2 µs", "100 µs", "34 ms", "2 s") == tuple(
        values.time_text(n) for n in (900, 1234, 99_600, 34_000_000, 2_000_000_000)
    )


def test_plain_values_are_cut() -> None:
    """Nested plain values read as Python, no longer than asked."""
    assert values.value_text({"a": (1, 2.0, None), "b": "x\n"}) == "{'a': [1, 2.0, None], 'b': 'x\\n'}"
    assert len(values.value_text(tuple(range(100_000)), 40)) == 40
