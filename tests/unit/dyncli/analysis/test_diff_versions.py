"""Runs of two versions of a script, and of two modules that it imports."""

from pathlib import Path

import pytest

from dyncli.analysis.diff import diff
from tests.unit.dyncli.analysis.parted import Recorded, told

OLD = """\
import dyncore as torch

def step(x):
    return x * 0.5

def forward(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 2
    while y.sum() > 1:
        y = step(y)
    return y
"""
#: a second version -> the input, how the runs part, the lines that only one of them ran an op on
VERSIONS = {
    "comments, blank lines, a docstring": (
        OLD.replace("def forward", "# the model\n\n\ndef forward").replace("    if", '    """Halves."""\n\n    if'),
        "[1, 1]", (), (),
    ),
    "a function renamed and moved": (
        OLD.replace("def step(x):\n    return x * 0.5\n\n", "").replace("step(", "halve(")
        + "\ndef halve(x):\n    return x * 0.5\n",
        "[1, 1]", (), (),
    ),
    "another bound": (
        OLD.replace("x.sum() > 0", "x.sum() > 3"), "[1, 1]",
        ("arm", (7, "then"), (7, "else")), ("A8", "A4", "A11", "B10"),
    ),
    "a line more": (OLD.replace("    return y\n", "    y = y.tanh()\n    return y\n"), "[1, 1]", (), ("B13",)),
    "a test more that changes nothing": (
        OLD.replace("    while", "    if y.max() > 9:\n        return y\n    while"),
        "[1, 1]", ("alone", None, (11, "else")), ("B11",),
    ),
    "a test more that leaves": (
        OLD.replace("    while", "    if y.max() > 1:\n        return y\n    while"),
        "[1, 1]", ("elsewhere", (11, "body", (0,)), (11, "then")), ("A4", "A11", "B11"),
    ),
    "a loop less": (
        OLD.replace("    while y.sum() > 1:\n        y = step(y)\n", ""),
        "[1, 1]", ("alone", (11, "body", (0,)), None), ("A4", "A11"),
    ),
    "another op on the line": (OLD.replace("x * 2", "x + 2"), "[-1, -1]", (), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", VERSIONS)
def test_two_versions_of_a_script(recorded: Recorded, name: str):
    """What an edit did not touch belongs together, wherever it moved to."""
    text, given, expected, alone = VERSIONS[name]
    found = diff(recorded(OLD, given, name="old.py"), recorded(text, given, name="new.py"))
    assert expected == told(found)
    lines = {
        f"{side}{record.ops[number].site.line}"
        for pair in found.ops
        if None in pair
        for side, record, number in (("A", found.a, pair.a), ("B", found.b, pair.b))
        if number is not None
    }
    assert set(alone) == lines
    assert found.is_equal == (not alone and not expected)
    back = diff(found.b, found.a)
    assert (expected[:1] + expected[:0:-1]) == told(back)
    assert {(pair.a, pair.b) for pair in found.ops} == {(pair.b, pair.a) for pair in back.ops}
    assert {(pair.a, pair.b) for pair in found.decisions} == {(pair.b, pair.a) for pair in back.decisions}


def test_a_callee_in_another_module(recorded: Recorded, tmp_path: Path):
    """A decision in a module that both import, and the same module in two versions."""
    (tmp_path / "gate.py").write_text("def gate(x):\n    if x.sum() > 1:\n        return x * 2\n    return x\n")
    text = "from gate import gate\n\ndef forward(x):\n    return gate(x + 1) + gate(x)\n"
    found = diff(recorded(text, "[1.5]"), recorded(text, "[0.5]"))
    assert ("arm", (2, "then"), (2, "else")) == told(found) and not found.changed
    assert found.parting is not None and 1 == found.parting.a == found.parting.b
    before = recorded(text, "[1]")
    (tmp_path / "gate.py").write_text("\n\ndef gate(x):\n    if x.sum() > 3:\n        return x * 2\n    return x\n")
    after = diff(before, recorded(text, "[1]"))
    assert ("arm", (2, "then"), (4, "else")) == told(after) and after.changed


def test_decision_of_a_renamed_function_is_paired_on_a_line_that_moved_and_changed(recorded: Recorded) -> None:
    """The text of its test is the same; the other lines say which function it was."""
    before = (
        "def step(x):\n    y = x * 2\n    z = y + 1\n    if z.max() > 3: return z\n    w = y - z\n    return w\n\n"
        "def other(x):\n    if x.max() > 3: return x * 3\n    return x\n\n"
        "def forward(x):\n    return step(x) + other(x)\n"
    )
    after = before.replace("step", "stride").replace(
        "    if z.max() > 3: return z\n    w = y - z\n", "    w = y - z\n    if z.max() > 3: return -z\n"
    )
    found = diff(recorded(before, "[1, 2]", name="old.py"), recorded(after, "[1, 2]", name="new.py"))
    assert () == told(found) and () == found.decisions
