"""Lists that loops append to: one `Loop`, however many elements they get."""

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from tests.unit.dyncli.export.exporting import Exported

LOOP = """\
import torch

def forward(x):
    out = []
    for v in x:
        if v > -0.5:
            out.append(ELEMENT)
"""
GIVEN = [[1, 2, 3], [-1, -2], [0.5, -1, 2, -3], [-1, 0.25]]
FRESH = [[3, -1, 2, 0, 5, 4, -2], [1], [-9, -8, 7], [2, 2]]


def exported(folder, element, rest):
    """Export a loop that appends an element for each number above -0.5."""
    return Exported(folder, f"{LOOP.replace('ELEMENT', element)}    {rest}\n", GIVEN)


@pytest.mark.parametrize(
    ("element", "rest"),
    [
        ("v", "return torch.stack(out) if out else x"),
        ("v * 2", "return sum(out) + len(out) + x.sum()"),
        ("v.item()", "return torch.tensor(out).sum() if len(out) > 0 else x.sum()"),
        ("int(v * 3)", "return out[0] + out[-1] if out else 7"),
        ("torch.stack([v, v + 1])", "return torch.cat(out) if out else x"),
        ("torch.stack([v, v + 1])", "return torch.stack(out, 1).sum(1) if out else torch.stack([x[0], x[0]])"),
        ("v", "return out[len(out) // 2] if len(out) >= 1 else x[0]"),
        ("v", "out += [x[0]]\n    out.extend([x[0] + 1])\n    return torch.stack(out).mean()"),
        ("v", "state = {'o': out}\n    state['o'].append(x[0])\n    return torch.stack(out).sum(), len(state['o'])"),
    ],
)
def test_list_that_a_loop_appends_to_is_a_value(tmp_path, element, rest):
    """Also where it has more elements than any run has shown, or none."""
    model = exported(tmp_path, element, rest)
    assert 1 == model.nodes("Loop") and [] == model.notes
    assert ["net.py:5: for v in x:"] == [each.doc_string.rpartition("/")[2] for each in model.top("Loop")]
    assert {"right"} == {model.outcome(x) for x in (*GIVEN, *FRESH)}


@pytest.mark.parametrize("over", ["e in out", "e in reversed(x)", "i, e in enumerate(out)"])
def test_elements_of_a_list_are_stepped_through(tmp_path, over):
    """By a second loop."""
    model = exported(tmp_path, "v", f"t = x.sum()\n    for {over}:\n        t = t * 0.5 + e\n    return t")
    assert 2 == model.nodes("Loop") and {"right"} == {model.outcome(x) for x in (*GIVEN, *FRESH)}


@pytest.mark.parametrize(
    ("element", "rest"),
    [
        ("v", "out.reverse()\n    return out[0] if out else x[0]"),
        ("v", "return out.pop() if out else x[0]"),
        ("v", "return sum(out[1:]) + x[0]"),
        ("v", "return torch.stack([e * 2 for e in out]).sum() if out else x[0]"),
        ("(v, 1)", "return sum(a for a, b in out) + x[0]"),
        ("x[x > v]", "return torch.cat(out).sum() if out else x.sum()"),
        ("v if v > 1 else 2", "return sum(out) + x[0]"),
        (
            "v",
            "for e in out:\n        if e > 2 and len(out) < 9:\n            out.append(e - 1)\n    return sum(out) + x",
        ),
        ("v", "y = x * 1\n    y[0] = 3\n    return sum(out) + y"),
        ("v", "return (out == []) * x, out * 2 == [1]"),
    ],
)
def test_list_that_is_more_than_a_value_is_right_or_flagged(tmp_path, element, rest):
    """It is a list of Python's, and runs differ where it does."""
    model = exported(tmp_path, element, rest)
    assert {"right"} == {model.outcome(x) for x in GIVEN}
    assert {model.outcome(x) for x in FRESH} <= {"right", "flagged"}


def test_elements_of_other_shapes_than_before_are_flagged(tmp_path):
    """Data decide the shape of each."""
    source = (
        "import torch\n\ndef forward(x):\n    out, k = [], 0\n    while k < x.abs().max() and k < 9:\n        k += 1\n"
        "        out.append(x[x > -1 - k * x[0]])\n    return torch.stack(out).sum() if out else x.sum()\n"
    )
    model = Exported(tmp_path, source, [[0, 1, 2], [0, 3, -4], [0, 0.5, 0.5]])
    assert 1 == model.nodes("Loop") and "right" == model.outcome([0, 1, 7])
    assert {model.outcome(x) for x in ([1, 1, -4], [1, -4, -2.5], [0.5, 3, -3])} <= {"right", "flagged"}


def test_view_held_in_a_list_sees_a_write(tmp_path):
    """A row would be a copy."""
    source = (
        "import torch\n\ndef forward(x):\n    a, out, k = x * 1.0, [], 0\n    while k < a.sum() and k < 3:\n"
        "        out.append(a[k:k + 1])\n        k += 1\n    a += 1\n    return torch.stack(out).sum() if out else a\n"
    )
    model = Exported(tmp_path, source, [[1, 2, 3], [-1, 0, 2], [1, 0.5, 0.25]])
    assert {"right"} == {model.outcome(x) for x in ([1, 2, 3], [4, 5, 6], [0.1, 1, 0.2])}


def test_elements_of_a_list_have_the_length_of_the_input(tmp_path):
    """An op that takes one holds for lengths that no run had."""
    source = (
        "import torch\n\ndef forward(x):\n    items, a = [x * 1.0], x * 2.0\n    while a.max() > 1:\n"
        "        a = a * 0.5\n        items.append(a)\n    return x + sum([e * 0.5 for e in items])\n"
    )
    model = Exported(tmp_path, source, [[1, 2, 3], [0.1, 0.2], [4, 0, 0, 0]])
    assert ["right"] * 3 == [model.outcome(x) for x in ([1, 2, 3, 1, 2], [3], [0.1] * 7)]
