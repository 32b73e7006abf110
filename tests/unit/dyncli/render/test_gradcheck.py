"""The table of `dyncli gradcheck`, from reports made by hand."""

import json

import pytest

from dyncli.records.gradcheck import Checked, Report, Worst
from dyncli.render.reports.gradcheck import render, render_json
from dyncli.render.reports.tables import plain_text


@pytest.mark.parametrize(
    ("verdict", "shown"), [("kink", "2 | 3"), ("jump", "2 | 3"), ("wrong", "2.5"), ("detached", "2.5")]
)
def test_numeric_derivative_shows_both_sides_where_they_differ(verdict, shown):
    worst = Worst((1,), "output", 2.0, 2.5, 0.2, 0.0, left=2 + 3e-12, right=3.0)
    check = Checked("x", "input", (2,), verdict, elements=2, checked=2, worst=worst)
    lines = plain_text(render(Report("m.py", "forward", None, verdict, ("x",), None, None, (check,))), 120).splitlines()
    row = next(line for line in lines if line.startswith("x "))
    assert shown in row
    assert ("|" in row) == ("|" in shown)


def test_right_parameters_of_many_are_left_out_and_counted():
    """Those with the least errors are; what is not right stays, and a report has one screen."""
    checks = tuple(
        Checked(
            f"p{n}",
            "parameter",
            (2,),
            "wrong" if n == 3 else "right",
            2,
            2,
            worst=Worst((0,), "output", 1.0, 1.0, n * 1e-12, 1e-9),
        )
        for n in range(40)
    )
    lines = plain_text(render(Report("m.py", "forward", None, "wrong", ("p3",), None, None, checks)), 80).splitlines()
    shown = [line.split()[0] for line in lines if line.startswith("p")]
    assert ["p3", *(f"p{n}" for n in range(21, 40))] == shown
    assert "and 20 parameters more, all right" in lines


@pytest.mark.parametrize(("count", "shown"), [(20, 20), (21, 21), (22, 20)])
def test_one_more_row_than_fits_is_shown_rather_than_counted(count, shown):
    checks = tuple(Checked(f"p{n}", "parameter", (2,), "right", 2, 2) for n in range(count))
    text = plain_text(render(Report("m.py", "forward", None, "right", (), None, None, checks)), 80)
    assert shown == sum(line.startswith("p") for line in text.splitlines())


def test_input_without_a_worst_element_has_no_numbers_in_json():
    """One that no probe was made of, as of an empty tensor."""
    check = Checked("x", "input", (0,), "right", 0, 0)
    (found,) = json.loads(render_json([Report("m.py", "forward", None, "right", (), None, None, (check,))]))["checks"]
    empty = ("worst_index", "output", "analytic", "numeric", "error", "estimated_error", "left", "right", "jump")
    empty += ("flip", "nearest", "line", "note")
    zero = {"name": "x", "role": "input", "shape": [0], "verdict": "right", "elements": 0, "checked": 0}
    assert {**zero, "directions": False, **dict.fromkeys(empty)} == found
