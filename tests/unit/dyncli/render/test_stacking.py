"""Where boxes stand in a picture: what ran later further down, and no picture wider than need be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dyncli.analysis.graph import Foldings, Graph, GraphOptions, build
from dyncli.render.graph import dot, layout, png, rows as in_rows, svg
from dyncli.render.graph.layout import WIDEST
from dyncli.render.graph.rows import columns
from dyncli.render.graph.stacking import stacked
from tests.unit.dyncli.render.test_strangers import recorded

TWO_LOOPS = """\
import dyncore as torch


def forward(x):
    for _ in range(3):
        x = torch.tanh(x)
        y = x * 2
    total = 0
    for _ in range(2):
        total = total + x.sum()
        if total > 0:
            total = total * y.sum()
    return total
"""
MIXED = """\
import dyncore as torch


def forward(a, b):
    total = torch.zeros(())
    for i in range(4):
        row = a[i]
        for j in range(5):
            v = row * b[j]
            if v > 1:
                v = torch.log(v)
            elif v < 0:
                v = -v
                if i % 2 == 0:
                    v = v * 0.5
            else:
                v = v ** 2
            total = total + v
        if total > 6:
            total = total / 2
    return total
"""
TREE = """\
import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 2)

    def forward(self, depth: int, x: torch.Tensor):
        if depth == 0:
            return x
        left = self.forward(depth - 1, x)
        right = self.forward(depth - 1, x * 2)
        return torch.tanh(self.mix(torch.cat([left, right])))


torch.manual_seed(0)
net = Net()


def forward(x):
    return net(3, x).sum()
"""
PARSE = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
leaf = nn.Embedding(8, 3)
combine = {"np": nn.Linear(6, 3), "vp": nn.Linear(6, 3), "s": nn.Linear(6, 3)}
gate = nn.Linear(3, 1)


def encode(node):
    if isinstance(node, int):
        return leaf(torch.tensor(node))
    label, left, right = node
    l, r = encode(left), encode(right)
    h = torch.tanh(combine[label](torch.cat([l, r])))
    if gate(h) > 0:
        h = h * 2
    else:
        h = h - l
    return h


out = encode(("s", ("np", 1, 2), ("vp", 3, ("np", 4, 5))))
loss = (out**2).sum()
loss.backward()
"""
TWICE = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
shared = nn.Linear(2, 2)


def forward(x):
    return shared(torch.tanh(shared(x)))
"""


def names(graph: Graph) -> dict[str, str]:
    """Return what each node is called, with the box it stands in."""
    boxes = {box.id: box.name for box in graph.boxes}
    return {node.id: f"{boxes.get(node.box or '', '')}:{node.name}" for node in graph.nodes}


def width(picture: str) -> float:
    found = re.search(r'<svg width="([0-9.]+)pt"', picture)
    assert found is not None
    return float(found[1])


def rows(picture: str) -> dict[str, float]:
    """Return how far down the text of each kind stands first, in SVG units."""
    found: dict[str, float] = {}
    for y, text in re.findall(r'<text [^>]*y="(-?[0-9.]+)"[^>]*>([^<]*)</text>', picture):
        found.setdefault(text.strip(), float(y))
    return found


def test_a_loop_stands_below_the_loop_it_reads(tmp_path: Path) -> None:
    """Its first op is below the last of the other, though nothing leads there from it."""
    graph = build(recorded(tmp_path, TWO_LOOPS, "[1, 2]"))
    pairs = {(names(graph)[one], names(graph)[other]) for one, other in stacked(graph)}
    assert ("for:mul", "for:sum") in pairs
    drawn = rows(svg.drawn(graph))
    assert drawn["mul"] < drawn["add"]


def test_no_box_is_to_stand_above_itself(tmp_path: Path) -> None:
    """What leads back and forth between two boxes says nothing of which is above."""
    for source, given in ((TWO_LOOPS, ("[1, 2]",)), (MIXED, ("a=[1, -2, 0.5, 1.5]", "b=[1, 2, -1, 0.3, 0.7]"))):
        graph = build(recorded(tmp_path, source, *given))
        leads: dict[str, list[str]] = {}
        for one, other in stacked(graph, tall=True):
            leads.setdefault(one, []).append(other)
        for start in leads:
            seen, pending = {start}, [start]
            while pending:
                for each in leads.get(pending.pop(), []):
                    assert each != start
                    pending += [each] if each not in seen else []
                    seen.add(each)


def test_kinds_of_step_stand_side_by_side_where_there_is_room(tmp_path: Path) -> None:
    """Only a picture that would be wider than a screen has them below each other."""
    source = """\
import dyncore as torch


def forward(x):
    found = []
    for each in x.split(1):
        found.append(each / 2 if each > 2 else each + 1)
    return torch.cat(found)
"""
    graph = build(recorded(tmp_path, source, "[1, 2, 3, 4]"))
    assert ["F", "T"] == [box.name for box in graph.boxes if box.kind == "kind"]
    assert [] == list(stacked(graph))
    assert 1 <= len(list(stacked(graph, tall=True)))
    drawn = rows(svg.drawn(graph))
    assert abs(drawn["div"] - drawn["add"]) < 1


def test_loops_inside_kinds_of_step_have_one_body(tmp_path: Path) -> None:
    """Kinds inside kinds would be as many boxes as steps; the test in the body says which way each step went."""
    record = recorded(tmp_path, MIXED, "a=[1, -2, 0.5, 1.5]", "b=[1, 2, -1, 0.3, 0.7]")
    graph = build(record)
    assert "all steps of an inner loop are drawn as one" == graph.folded
    assert ["A", "B"] == [box.name for box in graph.boxes if box.kind == "kind"]
    inner = [box.rest for box in graph.boxes if box.kind == "loop" and "range(5)" in box.rest]
    assert [
        "j in range(5) · line 8 · x 5 · 3 kinds of step",
        "j in range(5) · line 8 · x 15 = 3 x 5 · 4 kinds of step",
    ] == inner
    tests = [line.text for node in graph.nodes if node.rest == "v > 1" for line in node.lines]
    assert "line 10 · False, True, False x3" in tests
    assert width(svg.drawn(graph)) < WIDEST


def test_a_small_loop_inside_a_kind_keeps_its_own_kinds(tmp_path: Path) -> None:
    """Where there is room each kind of step is a box, in each loop."""
    source = """\
def forward(x):
    for i in range(2):
        for j in range(2):
            if x.sum() > 5:
                x = x - 4
        if i == 1:
            x = x * 3
    return x
"""
    graph = build(recorded(tmp_path, source, "[3, 4]"))
    assert "" == graph.folded
    assert 3 <= len([box for box in graph.boxes if box.kind == "kind"])


@pytest.mark.parametrize("call", ["self.forward(", "self("])
def test_a_module_that_calls_itself_is_one_frame(tmp_path: Path, call: str) -> None:
    """`self.forward(...)` is the recursion that `self(...)` is."""
    graph = build(recorded(tmp_path, TREE.replace("self.forward(", call), "[1, 2]"))
    assert "calls of one function are drawn as one" == graph.folded
    assert ["net x 15", "mix x 7"] == [
        f"{box.name} {box.rest}" for box in graph.boxes if box.kind in ("call", "module")
    ]


def test_a_parameter_stands_where_it_is_read_first(tmp_path: Path) -> None:
    """Each further module that reads it has a small repeat: no edge crosses the picture."""
    graph = build(recorded(tmp_path, TWICE, "[1, 2]"))
    boxes = {box.id for box in graph.boxes if box.kind == "module"}
    drawn = [(node.kind, node.name, node.box in boxes) for node in graph.nodes if "weight" in node.name]
    assert [("parameter", "shared.weight", True), ("leaf", "shared.weight", True)] == sorted(drawn, reverse=True)
    home = {node.id: node.box for node in graph.nodes}
    crossing = [edge for edge in graph.edges if home[edge.source] in boxes and home[edge.source] != home[edge.target]]
    assert all("weight" not in names(graph)[edge.source] for edge in crossing)


@pytest.mark.whole
@pytest.mark.parametrize("view", [svg, png])
def test_the_same_bytes_again(tmp_path: Path, view: object) -> None:
    """Choosing between two layouts does not make a picture depend on anything but the record."""
    record = recorded(tmp_path, MIXED, "a=[1, -2, 0.5, 1.5]", "b=[1, 2, -1, 0.3, 0.7]")
    graph = build(record, GraphOptions(max_nodes=400))
    assert view.drawn(graph) == view.drawn(graph)


def test_very_many_boxes_are_left_as_they_stand(tmp_path: Path) -> None:
    """One below the other they would take a layout program many times as long."""
    record = recorded(tmp_path, MIXED, "a=[1, -2, 0.5, 1.5]", "b=[1, 2, -1, 0.3, 0.7]")
    graph = build(record, GraphOptions(expand=("all",), max_nodes=400))
    assert len(graph.boxes) > layout.MOST_BOXES
    assert layout.layout(dot.drawn(graph), "svg") == layout.picture(graph).svg


def test_arrows_lead_downwards(tmp_path: Path) -> None:
    """Also where a layout program, box by box, would have a test stand below what ran under it."""
    graph = build(recorded(tmp_path, PARSE))
    assert 0 < layout.upwards(graph, layout.layout(dot.drawn(graph), "svg"))
    assert 0 == layout.upwards(graph, layout.picture(graph).svg)


def test_long_lines_are_broken(tmp_path: Path) -> None:
    """Dtype and shape stand above values that would make the node wide."""
    text = dot.drawn(build(recorded(tmp_path, "def forward(x):\n    return x * 1.5\n", "[1.25, 2.5, 3.75, 5.5, 6.5]")))
    assert "float32 [5]</font><br/>" in text
    assert "float32 [5] &#183; [1.25" not in text


def test_parts_that_nothing_joins_fill_rows(tmp_path: Path) -> None:
    """Forty results beside each other would be as wide as five screens."""
    lines = "\n".join(f"    torch.ones({n + 1}).exp() * {n}" for n in range(40))
    source = f"import dyncore as torch\n\n\ndef forward(x):\n{lines}\n    return x * 2\n"
    graph = build(recorded(tmp_path, source, "[1, 2]"))
    beside = width(layout.layout(dot.drawn(graph), "svg").decode())
    assert beside > 3 * WIDEST
    assert width(svg.drawn(graph)) < 0.7 * beside


def test_many_leaves_and_dead_ends_stand_in_columns(tmp_path: Path) -> None:
    """What one op alone reads, and what is made of it and read by nobody."""
    numbers = range(16)
    made = "\n".join(f"a{chr(97 + n)} = torch.tensor([{n}.0, 1.0])" for n in numbers)
    names = ", ".join(f"a{chr(97 + n)}" for n in numbers)
    ends = "\n".join(f"    y * {n}" for n in numbers)
    body = f"def forward(x):\n    y = torch.cat([{names}, x])\n{ends}\n    return y\n"
    graph = build(recorded(tmp_path, f"import dyncore as torch\n\n{made}\n\n\n{body}", "[1, 2]"))
    pairs = list(columns(graph))
    assert 12 <= len(pairs)
    assert {"mul"} == {node.name for node in graph.nodes if node.id in {one for one, _ in pairs} and node.kind == "op"}
    assert width(svg.drawn(graph)) < width(layout.layout(dot.drawn(graph), "svg").decode())


CALLS = """\
import dyncore as torch


def score(feats, tags):
    total = feats.sum() * 0
    for place in range(3):
        a, b, c, d = (feats[place] + shift for shift in tags)
        total = total + (a * b).sum() + (c * d).sum()
    return total


def partition(feats, tags):
    alpha = feats[0]
    for place in range(3):
        a, b, c, d = (alpha + shift for shift in tags)
        alpha = torch.logsumexp(torch.stack([a, b, c, d]), 0)
    return alpha.sum()


def best(feats, tags):
    v = feats[0]
    for place in range(3):
        if place > 0:
            v = v * 2
        if place % 2:
            v = v + tags[place]
        if len(tags) > place + 2:
            v = v - 1
        if place == 2:
            v = v / 3
    return v.sum()


def forward(feats):
    tags = [1.0, 2.0, 3.0, 4.0]
    return partition(feats, tags) - score(feats, tags) + best(feats, tags)
"""


ROWS = "[[1, 2, 3], [4, 5, 6], [7, 8, 9]]"


def test_what_ran_later_stands_further_down_where_there_is_no_room_beside_it(tmp_path: Path) -> None:
    """Calls that have their input in common, and tests of one step, stand in the order in which they came."""
    graph = build(recorded(tmp_path, CALLS, ROWS), GraphOptions(grads=True))
    assert width(layout.layout(dot.drawn(graph), "svg").decode()) > WIDEST > width(svg.drawn(graph))
    lowest = {node.id: node for node in graph.nodes}
    pairs = {(lowest[one], lowest[other]) for one, other in stacked(graph, tall=True)}
    tests = [(one.rest, other.rest) for one, other in pairs if one.kind == other.kind == "decision"]
    assert {("place > 0", "place % 2"), ("place % 2", "len(tags) > place + 2")} < {*tests}


def test_what_is_higher_than_two_screens_is_folded_further(tmp_path: Path) -> None:
    """The kinds of step of a loop become one body, where that leaves fewer nodes."""
    steps = "\n".join(f"        x = x.sin() * {n}.5 + 1" for n in range(5))
    loop = f"    for i in range(4):\n{steps}\n        if i % 2:\n            x = x - 1\n"
    record = recorded(tmp_path, f"def forward(x):\n{loop}    return x\n", "[1, 2]")

    def as_a_column(graph: Graph) -> str:
        return f'<svg width="300pt" height="{100 * len(graph.nodes)}pt"'

    beside, drawn = as_a_column(build(record)), layout.fitted(record, GraphOptions(), as_a_column)
    assert layout.size_of(beside)[1] > layout.HIGHEST > layout.size_of(drawn)[1]


@pytest.mark.parametrize("count", [45, 60])
def test_picture_that_no_folding_makes_smaller_is_drawn_once(tmp_path: Path, count: int) -> None:
    """However large it is: of a run without loops, whatever folding is asked for is the same drawing."""
    ops = "\n".join(f"    x = x.sin() * {n}.5" for n in range(count // 2))
    record = recorded(tmp_path, f"def forward(x):\n{ops}\n    return x\n", "[1, 2]")
    pictures: list[str] = []

    def wide(graph: Graph) -> str:
        pictures.append(f'<svg width="3000pt" height="{len(graph.nodes)}pt"')
        return pictures[-1]

    assert layout.fitted(record, GraphOptions(), wide) == pictures[0]
    assert 1 == len(pictures)


def test_drawings_under_one_folding_are_one(tmp_path: Path) -> None:
    """Less room that leads to no other folding takes no time."""
    ops = "\n".join(f"    x = x.sin() * {n}.5" for n in range(30))
    foldings = Foldings(recorded(tmp_path, f"def forward(x):\n{ops}\n    return x\n", "[1, 2]"), GraphOptions())
    assert foldings.graph(GraphOptions(room=0.4)) is foldings.graph(GraphOptions())
    assert foldings.folded(GraphOptions(room=0.4)).slots is foldings.folded(GraphOptions()).slots


@pytest.mark.parametrize(("source", "given", "most"), [(TWO_LOOPS, ["[1, 2]"], 1), (CALLS, [ROWS], 2), (PARSE, [], 2)])
def test_picture_takes_few_runs_of_the_layout_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, given: list[str], most: int
) -> None:
    """One where it fits, a second where it is too wide or has arrows that lead upwards."""
    graph = build(recorded(tmp_path, source, *given), GraphOptions(grads=source is CALLS))
    calls: list[str] = []
    program = layout.layout

    def counted(source: str, *options: object) -> bytes:
        calls.append(source)
        return program(source, *options)

    monkeypatch.setattr(layout, "layout", counted)
    layout.picture(graph)
    assert most == len(calls) == len(set(calls))


def test_no_two_rules_contradict_each_other(tmp_path: Path) -> None:
    """Parts that stand below each other because one ran later are one part, and not put into rows another way round."""
    graph = build(recorded(tmp_path, "def forward(x, y):\n    return x.sin(), y.cos()\n", "x=1.0", "y=2.0"))
    ids = {node.name: node.id for node in graph.nodes}
    around: dict[str, tuple[str, ...]] = {node.id: () for node in graph.nodes}
    assert set(in_rows.rows(graph, around, 1.0))
    assert not set(in_rows.rows(graph, around, 1.0, [(ids["cos"], ids["x"])]))


def test_what_ran_later_stands_lower_in_a_tall_picture(tmp_path: Path) -> None:
    """Calls and tests take turns as they did in time."""
    text = "def act(x):\n    return x * 2\n\n\ndef forward(x):\n    n = 0\n    x = act(x)\n"
    text += "    if n == 0:\n        x = x + 1\n    return act(x)\n"
    graph = build(recorded(tmp_path, text, "[1, 2]"))
    test = next(node.id for node in graph.nodes if node.kind == "decision")
    calls = [node.id for node in graph.nodes if node.name == "mul"]
    assert {(calls[0], test), (test, calls[1])} <= set(stacked(graph, tall=True))


def test_ranges_stay_whole_on_narrow_edges(tmp_path: Path) -> None:
    """Where a picture is too wide, what came back along an edge stands on several lines."""
    text = "def forward(x):\n    return (x * x.exp()).sum()\n"
    graph = build(recorded(tmp_path, text, "[1, 2, 3, 4, 5, 6, 7, 8]"), GraphOptions(grads=True))
    words = re.findall(r">([^<>]* to [^<>]*)<", dot.drawn(graph, tall=True))
    assert words and all(re.search(r"[\d.]+ to -?[\d.]+", each) for each in words)


def test_a_test_that_no_op_feeds_stands_below_what_came_before(tmp_path: Path) -> None:
    """What was raised in a call was caught after it."""
    text = "def solve(x):\n    x = x * 2\n    raise ArithmeticError\n\n\ndef forward(x):\n    try:\n        solve(x)\n"
    graph = build(recorded(tmp_path, text + "    except ArithmeticError:\n        x = x + 1\n    return x\n", "[1, 2]"))
    of = {node.name: node.id for node in graph.nodes}
    assert [(of["mul"], of["try"])] == list(stacked(graph))


def test_longer_values_on_an_arrow_stand_below_each_other(tmp_path: Path) -> None:
    """One long line would bend the arrow out of its frame."""
    text = "def forward(x):\n    for _ in range(3):\n        x = (x * x).sin()\n    return x\n"
    graph = build(recorded(tmp_path, text, "[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]"), GraphOptions(grads=True))
    long = [edge.gradient for edge in graph.edges if "\u2026" in edge.gradient]
    first, _, last = long[0].partition(" \u2026 ")
    assert f"{first} &#8230; <br/> {last} " in dot.drawn(graph)
