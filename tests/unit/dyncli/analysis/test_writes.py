"""Ops whose work a reader finds in memory that several tensors share."""

from __future__ import annotations

from dyncli.analysis.writes import Writes
from tests.builder import Builder

SOURCE = "def forward(x):\n    x.mul_(2)\n    return x + 1\n"


def test_value_written_by_no_op_is_of_no_op_that_wrote_before() -> None:
    """An optimizer's step overwrites what `mul_` left: who reads the new value does not read `mul_`."""
    one = Builder("net.py", SOURCE)
    leaf = one.input("x", (1.0, 2.0), (2,), role="parameter")
    one.op("mul_", (leaf,), (2.0, 4.0), (2,), site=one.site(2, "x.mul_(2)"), inplace=True)
    stepped = one.tensor((9.0, 9.0), (2,), role="written", shares=leaf)
    for number in (leaf, stepped):
        one.op("add", (number,), (10.0, 10.0), (2,), site=one.site(3, "x + 1"))
    writes = Writes(one.record())
    assert (None, 0) == writes.makers(1, leaf)
    assert (None,) == writes.makers(2, stepped)
    assert (None, 0) == writes.makers_at_end(leaf)
    assert (None,) == writes.makers_at_end(stepped)
