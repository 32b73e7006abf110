"""The folded drawing: what is one node, what is a box, what ties them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dyncli.analysis.graph import Graph, GraphOptions, build, union
from dyncli.analysis.graph.build import _plans
from dyncli.analysis.graph.frames import fewest
from dyncli.analysis.graph.groups import Groups
from dyncli.analysis.graph.shapes import Shapes
from dyncli.analysis.graph.slots import Slots
from dyncli.analysis.graph.unmatched import unfit
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from tests import records
from tests.runs import recorded


def kinds(graph: Graph, kind: str) -> list[str]:
    """Return the edges of one kind as `source > target`, by names."""
    names = {node.id: node.name or node.lines[0].text for node in graph.nodes}
    chosen = [edge for edge in graph.edges if edge.kind == kind]
    return [f"{names[edge.source]} > {names[edge.target]} {edge.label}".rstrip() for edge in chosen]


def box_of(graph: Graph, name: str) -> list[str]:
    """Return the names of the boxes around the first node of that name, innermost first."""
    boxes = {box.id: box for box in graph.boxes}
    at = next(node.box for node in graph.nodes if node.name == name)
    found = []
    while at is not None:
        found.append(f"{boxes[at].kind} {boxes[at].name} {boxes[at].rest}".strip())
        at = boxes[at].parent
    return found


def test_piecewise() -> None:
    """Forward, control and the arm left, in one drawing."""
    graph = build(records.piecewise())
    assert kinds(graph, "data") == ["x > sum", "sum > gt", "x > mul", "mul > output"]
    assert kinds(graph, "predicate") == ["gt > if"]
    assert kinds(graph, "taken") == ["if > mul True"]
    assert kinds(graph, "left") == ["if > y = x - 2 False"]
    assert box_of(graph, "mul") == ["arm True"]
    decision = next(node for node in graph.nodes if node.kind == "decision")
    assert ("if", "x.sum() > 0") == (decision.name, decision.rest)
    assert ["line 5 · 2 > 0 · margin 2"] == [line.text for line in decision.lines]
    x = graph.nodes[0]
    assert ["float32 [3] · [1, -1, 2]", "grad [2, 2, 2]"] == [line.text for line in x.lines]


def test_a_loop_folds() -> None:
    """Iterations of one shape are one body, what they hand on is carried, and the test is one diamond."""
    graph = build(records.newton())
    assert 1 == sum(node.kind == "decision" for node in graph.nodes)
    assert kinds(graph, "carried") == ["mul > div", "mul > add"]
    assert kinds(graph, "asked again") == ["gt > while"]
    assert kinds(graph, "taken") == ["while > div True x4"]
    assert box_of(graph, "add") == ["loop while x 4"]


def test_a_loop_unfolds() -> None:
    """`expand` draws each iteration in its own box; a line, a name, `loops` or `all` says which."""
    folded = len(build(records.newton()).nodes)
    for word in ("all", "loops", "7", "while"):
        graph = build(records.newton(), GraphOptions(expand=(word,)))
        assert ["kind iteration 0", "loop while x 4"] == box_of(graph, "add")
        assert len(graph.nodes) > folded
    assert folded == len(build(records.newton(), GraphOptions(expand=("8",))).nodes)


def test_iterations_that_differ() -> None:
    """One box for each kind of iteration, and the pattern on the loop."""
    graph = build(records.alternating())
    loop = "loop for x in xs · line 3 · x 9 · T T F x3"
    assert box_of(graph, "add") == ["arm True x 6", "kind T x 6 · x > 0 True · steps 0, 1, 3, 4, 6, 7", loop]
    assert box_of(graph, "sub") == ["arm False x 3", "kind F x 3 · x > 0 False · steps 2, 5, 8", loop]
    assert [] == kinds(graph, "left")


def test_inputs_of_a_loop_fold() -> None:
    """Numbered inputs that the same op reads are one node."""
    graph = build(records.rnn())
    (sequence,) = (node for node in graph.nodes if node.kind == "input")
    assert ("sequence[0 … 23]", "x24", 24) == (sequence.name, sequence.rest, len(sequence.tensors))


def test_many_readers_get_small_leaves() -> None:
    """No leaf has more than three readers drawn: the others get a small repeat of it."""
    graph = build(records.rnn(), GraphOptions(expand=("all",), max_nodes=1000))
    readers: dict[str, int] = {}
    for edge in graph.edges:
        readers[edge.source] = readers.get(edge.source, 0) + 1
    leaves = [node for node in graph.nodes if node.kind in ("parameter", "input", "leaf")]
    assert 3 >= max(readers.get(node.id, 0) for node in leaves)
    assert 23 == sum(node.kind == "leaf" and node.name == "U" for node in leaves)


def test_recursion_folds() -> None:
    """All calls of one function are one box; small recursions and `expand` draw each call."""
    graph = build(records.tree())
    assert ["call visit"] == [f"{box.kind} {box.name}" for box in graph.boxes if box.kind == "call"]
    assert kinds(graph, "carried") == ["tanh > cat"]
    assert 3 == sum(box.kind == "call" for box in build(records.tree(1)).boxes)
    assert 15 == sum(box.kind == "call" for box in build(records.tree(), GraphOptions(expand=("calls",))).boxes)


def test_depth_and_collapse_shut_boxes() -> None:
    """A box too deep, or named by `collapse`, is one node with what is in it counted."""
    for options in (GraphOptions(depth=0), GraphOptions(collapse=("loops",)), GraphOptions(collapse=("7",))):
        graph = build(records.newton(), options)
        (shut,) = (node for node in graph.nodes if node.kind == "fold")
        assert ("while", "28 ops · 5 decisions") == (shut.name, shut.lines[0].text)
        assert [] == list(graph.boxes)


def test_a_test_that_was_false_at_once() -> None:
    """The body never entered is a ghost, as what follows a `return`; an arm that ran no op is its own source."""
    graph = build(records.never_entered())
    assert kinds(graph, "left") == ["while > x = x / 2 True", "if > return x False"]
    assert kinds(graph, "taken") == ["if > return None True"]


def test_only() -> None:
    """A line, an op or a name, and what it is tied to."""
    graph = build(records.newton(), GraphOptions(only=("5",)))
    assert {"div", "a", "mul", "add"} == {node.name for node in graph.nodes}
    assert not build(records.newton(), GraphOptions(only=("nope",))).nodes


DEEP = """\
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(2, 2), nn.Tanh())

    def scale(self, x):
        if x.sum() > 100:
            return x
        return torch.cos(x) * 2

    def forward(self, x):
        return self.scale(self.inner(x)) + x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(4))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x.sum()

model = Net()
"""


@pytest.mark.parametrize("most", [120, 3])
def test_only_of_a_for_line_draws_its_loop(tmp_path: Path, most: int) -> None:
    """No op and no test stands on the line; the loop does, as a box or folded."""
    (tmp_path / "net.py").write_text(
        "def forward(x):\n    y = x.exp()\n    for k in range(3):\n        y = y * x\n    return y.sum()\n"
    )
    (record,) = record_model(Request(str(tmp_path / "net.py"), ("[1.0, 2.0]",)))
    graph = build(record, GraphOptions(only=("3",), max_nodes=most))
    drawn = {op for node in graph.nodes for op in node.ops}
    assert {"exp", "mul", "sum"} == {record.ops[op].name for op in drawn}
    assert unfit([record], GraphOptions(only=("1",))) is not None


@pytest.mark.parametrize("most", [120, 12, 4])
@pytest.mark.parametrize("word", ["cos", "tanh", "inner", "scale", "blocks.2.*.weight", "10", "12", "25"])
def test_only_opens_what_is_folded(tmp_path: Path, word: str, most: int) -> None:
    """An op, a name or a line is drawn though a drawing of so few nodes has it in a fold."""
    (tmp_path / "net.py").write_text(DEEP)
    (record,) = record_model(Request(str(tmp_path / "net.py"), ("[[1.0, 2.0]]",)))
    options = GraphOptions(only=(word,), max_nodes=most)
    assert unfit([record], options) is None
    graph = build(record, options)
    ops = {name for node in graph.nodes for name in (record.ops[seq].name for seq in node.ops)}
    wanted = {"inner": "tanh", "scale": "cos", "blocks.2.*.weight": "linear", "10": "gt", "12": "mul", "25": "sum"}
    assert wanted.get(word, word) in ops | {node.name for node in graph.nodes if not node.ops}


def test_hint_of_only_has_names_in_folds(tmp_path: Path) -> None:
    """A misspelt name of what is folded is known."""
    (tmp_path / "net.py").write_text(DEEP)
    (record,) = record_model(Request(str(tmp_path / "net.py"), ("[[1.0, 2.0]]",)))
    found = unfit([record], GraphOptions(only=("cso",), max_nodes=4))
    assert found is not None and {"cos", "blocks.3.inner", "Block.scale"} <= {*found.known}


@pytest.mark.parametrize("most", [10, 40, 200])
@pytest.mark.parametrize("build_record", [records.straight, records.tree, records.rnn, records.newton])
def test_max_nodes(build_record: Any, most: int) -> None:
    """Folding goes on until no more are left, however the run was made."""
    options = GraphOptions(max_nodes=most, expand=("all",))
    assert most + 8 >= len(build(build_record(), options).nodes)


def test_what_to_write() -> None:
    """Gradients, saved bytes and times are written when asked for."""
    options = GraphOptions(grads=True, saved=True, times=True)
    mul = next(node for node in build(records.piecewise(), options).nodes if node.name == "mul")
    assert [line.text for line in mul.lines][-1] == "line 6 · 1.2 µs · backward 900 ns · saves 4 B"
    assert "[2, 2, 2]" in [edge.gradient for edge in build(records.piecewise(), options).edges]


def test_a_failing_op() -> None:
    """The op that raised is marked, with its message."""
    (op,) = (node for node in build(records.failing()).nodes if node.kind == "op")
    assert op.failed
    assert "error" in [line.tone for line in op.lines]


def test_two_runs() -> None:
    """What both ran is there once; each has its own arm."""
    graph = union(build(records.piecewise()), build(records.piecewise(False)), ("positive", "negative"))
    sides = {node.name: node.side for node in graph.nodes}
    assert {"x": "both", "sum": "both", "gt": "both", "if": "both", "mul": "a", "sub": "b", "output": "both"} == sides
    assert ["arm True a", "arm False b"] == [f"{box.kind} {box.name} {box.side}" for box in graph.boxes]


def test_two_equal_runs() -> None:
    """Nothing is said twice when nothing differs."""
    graph = union(build(records.newton()), build(records.newton()))
    assert {"both"} == {item.side for item in (*graph.nodes, *graph.boxes, *graph.edges)}
    assert len(build(records.newton()).nodes) == len(graph.nodes)


@pytest.mark.parametrize("build_record", records.ALL, ids=lambda build: build.__name__)
def test_every_end_is_there(build_record: Any) -> None:
    """Edges end at nodes, nodes stand in boxes, boxes come after the boxes around them."""
    for graph in (build(build_record()), build(build_record(), GraphOptions(expand=("all",), max_nodes=10_000))):
        nodes, boxes = {node.id for node in graph.nodes}, [box.id for box in graph.boxes]
        assert len(nodes) == len(graph.nodes)
        assert all(edge.source in nodes and edge.target in nodes for edge in graph.edges)
        assert {node.box for node in graph.nodes} - {None} <= set(boxes)
        for place, box in enumerate(graph.boxes):
            assert box.parent is None or box.parent in boxes[:place]


@pytest.mark.parametrize("build_record", records.ALL, ids=lambda build: build.__name__)
def test_no_folding_leaves_fewer_than_the_lines_outside_of_calls(build_record: Any) -> None:
    """But the last, which counts ops: a straight run of 30,000 goes to it at once."""
    record = build_record()
    shapes = Shapes(record)
    groups, least = Groups(record, shapes, GraphOptions()), fewest(record, shapes)
    for folding, *_ in _plans(record, GraphOptions()):
        slots = Slots(groups, GraphOptions(), folding)
        assert folding.chunk or least <= slots.visible()


def test_the_lines_outside_of_calls_are_counted(tmp_path: Path) -> None:
    """Those of arms are, those of loops and functions are not, which may be drawn shut."""
    source = (
        "import dyncore as torch\n\n\ndef half(x):\n    return x / 2\n\n\nx = torch.ones(2)\ny = x * 2 + 1\n"
        "if y.sum() > 1:\n    y = y - 3\nfor _ in range(3):\n    y = y * x\ny = half(y)\n"
    )
    record = recorded(tmp_path, source)
    assert 4 == fewest(record, Shapes(record))
