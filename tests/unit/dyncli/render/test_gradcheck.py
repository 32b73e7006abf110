"""The table of `dyncli gradcheck`, from reports made by hand."""

import pytest

from dyncli.records.gradcheck import Checked, Report, Worst
from dyncli.render.reports.gradcheck import render
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
