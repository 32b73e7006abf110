"""Writes through views, such as `m[0] = 5`: what came out, and where the picture says that it came from."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.graph import GraphOptions, build
from dyncli.records.model import Record
from dyncli.render.graph import tree
from tests.runs import recorded

FILLED = """\
import dyncore as torch


def forward(x):
    out = torch.zeros(3)
    for i in range(3):
        out[i] = x[i] * 2
    return out
"""
MIXED = """\
def forward(x):
    m = x.clone()
    m[0] = 5.0
    tail = m[1:]
    tail.mul_(2)
    m[2] = x[0] * 3
    return m.sum()
"""
STALE = """\
def forward(x):
    m = x * 1
    first, last = m[:2], m[1:]
    last.mul_(3)
    return first.sum()
"""
DETACHED = """\
def forward(x):
    m = x * 2
    m.detach()[0] = 7.0
    return m.sum()
"""


def drawn(record: Record) -> list[str]:
    """The lines of the tree but the title, without their branches."""
    text = tree.render(record, GraphOptions(grads=True))
    return [line.lstrip("│├└─ ") for line in text.splitlines() if line[0] in "│├└"]


def test_what_was_filled_element_by_element_comes_out_filled(tmp_path: Path) -> None:
    """The output of a run is what the memory holds at its end, and the op that wrote last made it."""
    record = recorded(tmp_path, FILLED, "[1, 2, 3]")
    output = record.tensors[record.outputs[0].tensor or 0]
    assert (output.values, record.ops[output.op or 0].name) == ((2.0, 4.0, 6.0), "copy_")
    assert "output  ← copy_#4  float32 [3] · [2, 4, 6]  backward · seed ones" in drawn(record)


def test_who_reads_what_was_written_through_a_view_reads_the_write(tmp_path: Path) -> None:
    """One chain leads through all writes to the reader, with the memory before and after each, and its gradient."""
    assert drawn(recorded(tmp_path, MIXED, "[1, 2, 3]", edges=True))[:-1] == [
        "x  float32 [3] · [1, 2, 3]  grad [3, 2, 0]",
        "constant  float32 [] · 5",
        "clone#0  ← x  float32 [3] · [1, 2, 3]  grad [0, 2, 0]  line 2",
        "getitem#1 (0)  ← clone#0  float32 [] · 1  line 3",
        "copy_#2  ← getitem#1, constant  float32 [3] · [5, 2, 3]  grad [1, 2, 0]  line 3",
        "getitem#3 1:  ← copy_#2  float32 [2] · [2, 3]  line 4",
        "mul_#4 2  ← getitem#3  float32 [3] · [5, 4, 6]  grad [1, 1, 0]  line 5",
        "getitem#5 0  ← x  float32 [] · 1  grad 3  line 6",
        "mul#6 3  ← getitem#5  float32 [] · 3  grad 1  line 6",
        "getitem#7 (2)  ← mul_#4  float32 [] · 6  line 6",
        "copy_#8  ← getitem#7, mul#6  float32 [3] · [5, 4, 3]  grad [1, 1, 1]  line 6",
        "sum#9 → output  ← copy_#8  float32 [] · 12  grad 1  line 7",
    ]


def test_gradient_of_written_tensor_is_shown(tmp_path: Path) -> None:
    """An edge into a write, and one out of it, have the gradients that went along them."""
    graph = build(recorded(tmp_path, MIXED, "[1, 2, 3]", edges=True), GraphOptions(grads=True))
    names = {node.id: f"{node.name} {node.ops[0]}" if node.ops else node.name for node in graph.nodes}
    along = {(names[edge.source], names[edge.target]): edge.gradient for edge in graph.edges}
    assert (along["mul 6", "copy_ 8"], along["copy_ 8", "sum 9"]) == ("1", "[1, 1, 1]")


def test_a_view_made_before_a_write_through_another_leads_from_both(tmp_path: Path) -> None:
    """What the view chose stays to be seen, beside what was written into it."""
    found = drawn(recorded(tmp_path, STALE, "[1, 2, 3]"))
    assert [line.partition("  float32")[0] for line in found if line.startswith("sum")] == [
        "sum#4 → output  ← getitem#1, mul_#3"
    ]


def test_write_without_history_keeps_gradient_path(tmp_path: Path) -> None:
    """Who reads what was written past the graph reads both, and the gradient went to what the graph knows."""
    graph = build(recorded(tmp_path, DETACHED, "[1, 2]", edges=True), GraphOptions(grads=True))
    names = {node.id: node.name for node in graph.nodes}
    into = sorted(names[edge.source] for edge in graph.edges if names[edge.target] == "sum")
    assert into == ["copy_", "mul"]
