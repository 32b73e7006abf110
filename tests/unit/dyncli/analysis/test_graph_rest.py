"""What follows an `if` that left: its other arm, where it has no `else`."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.graph import Graph, build
from dyncli.analysis.graph.union import union
from tests.runs import recorded

RETURNS = """\
def forward(x):
    if x.sum() > 0:
        return x.tanh()
    x = x + 1
    return x.exp()
"""
SILENT = "def forward(x):\n    if x.sum() > 0:\n        return x.tanh()\n    return x\n"
LOOP = """\
def forward(x):
    for _ in range(3):
        x = x * 2
        if x.sum() > 100:
            x = -x
        elif x.sum() < -3:
            break
        x = x + 1
    return x
"""
ELIF = LOOP.replace("x = -x", "continue")
GUARD = """\
def forward(x):
    if x.sum() > 0:
        raise ValueError("positive")
    return x * 2
"""


def left(graph: Graph) -> list[tuple[str, str, list[str]]]:
    """Return what is drawn as left: the word on its arrow, where it stands and its source."""
    boxes = {box.id: box for box in graph.boxes}
    nodes = {node.id: node for node in graph.nodes}
    return [
        (edge.label, boxes[nodes[edge.target].box or ""].rest, [line.text for line in nodes[edge.target].lines])
        for edge in graph.edges
        if edge.kind == "left"
    ]


def test_a_return_passes_over_what_follows(tmp_path: Path) -> None:
    """A reader of the picture sees what would have run otherwise, both ways."""
    assert left(build(recorded(tmp_path, RETURNS, "[1, 2]"))) == [
        ("False", "lines 4 to 5", ["x = x + 1", "return x.exp()"])
    ]
    assert left(build(recorded(tmp_path, RETURNS, "[-1, -2]"))) == [("True", "line 3", ["return x.tanh()"])]


@pytest.mark.parametrize("script", [RETURNS, SILENT])
def test_what_the_other_run_took_is_not_left(tmp_path: Path, script: str) -> None:
    """Of two runs in one picture, also where no op follows: nothing leads there then."""
    a, b = (build(recorded(tmp_path, script, text)) for text in ("[1, 2]", "[-1, -2]"))
    assert left(union(a, b)) == []
    assert len(left(union(a, a))) == 1


def test_only_what_nothing_else_leads_to(tmp_path: Path) -> None:
    """A body before it that goes on leads there too; what a step of the loop came to was not passed over."""
    assert [words for words, *_ in left(build(recorded(tmp_path, LOOP, "[-9]")))] == ["True"]
    assert ("False", "line 8", ["x = x + 1"]) in left(build(recorded(tmp_path, ELIF, "[-9]")))
    assert "False" not in {words for words, *_ in left(build(recorded(tmp_path, ELIF, "[-1.4]")))}


def test_a_guard_that_raised(tmp_path: Path) -> None:
    """The rest of a run that raised is drawn as left."""
    assert ("False", "line 4", ["return x * 2"]) in left(build(recorded(tmp_path, GUARD, "[1]")))
