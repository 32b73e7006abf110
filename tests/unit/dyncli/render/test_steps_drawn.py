"""Loops and tests as strangers read them: what goes on from step to step, how often, and why."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from dyncli.analysis.graph import Graph, GraphOptions, build, build_two
from dyncli.analysis.graph.model import Line, Node
from dyncli.render.graph import carried, dot, layout, svg
from tests.runs import lines, recorded

HEAD = "import dyncore as torch\nfrom dyncore import nn\n\ntorch.manual_seed(0)\n"

TAKES_TURNS = """\
def forward(x):
    for step in range(3):
        if step == 1:
            x = x * 2
        else:
            x = x + 1
    return x
"""


def test_what_one_kind_of_step_hands_to_another_goes_into_a_later_step(tmp_path: Path) -> None:
    """Both ways: steps 0 and 2 add, step 1 between them doubles."""
    graph = build(recorded(tmp_path, TAKES_TURNS, "1.0"))
    named = {node.id: node.name for node in graph.nodes}
    kinds = {(named[edge.source], named[edge.target]): edge.kind for edge in graph.edges}
    assert ("carried", "carried", "data") == (kinds["add", "mul"], kinds["mul", "add"], kinds["x", "add"])


RECURRENT = """\
cell = nn.RNNCell(1, 2)


def forward(xs):
    h = torch.zeros(1, 2)
    for x in xs:
        h = cell(x.reshape(1, 1), h)
    return h
"""


def test_a_layer_that_reads_what_it_made_a_step_before_says_so(tmp_path: Path) -> None:
    """Drawn as one node, a cell has an arrow to itself, as an op has; a layer without memory has none."""
    graph = build(recorded(tmp_path, HEAD + RECURRENT, "[1, 2, 3]"), GraphOptions(collapse=("cell",)))
    (cell,) = [node.id for node in graph.nodes if node.name == "cell"]
    assert ["carried"] == [edge.kind for edge in graph.edges if edge.source == edge.target == cell]
    plain = RECURRENT.replace("x.reshape(1, 1), h)", "x.reshape(1, 1), torch.zeros(1, 2))")
    graph = build(recorded(tmp_path, HEAD + plain, "[1, 2, 3]"), GraphOptions(collapse=("cell",)))
    assert not [edge for edge in graph.edges if edge.source == edge.target]


LATER_TIED = """\
def forward(x):
    for step in range(3):
        for row in range(x.shape[0]):
            x = x + row
        x = x * 2
    return x
"""


def test_a_loop_that_a_tensor_decides_later_counts_from_its_first_time_on(tmp_path: Path) -> None:
    """At first it goes over an input, which no op made; the diamond tells of all three times all the same."""
    graph = build(recorded(tmp_path, LATER_TIED, "[1, 2]"))
    assert {"for": ["line 3 · 2 trips x3", "2 trips (shape)"]} == lines(graph, "decision")


NEGATED = """\
def forward(x):
    for step in range(3):
        if not (x > 1).any():
            x = x + 1
    return x
"""


def test_a_truth_that_a_test_turns_round_is_not_read_as_its_outcome(tmp_path: Path) -> None:
    """`if not any` went the way of True because `any` was False."""
    drawn = [node for node in build(recorded(tmp_path, NEGATED, "[0, 0]")).nodes if node.kind == "decision"]
    told = [[line.text for line in node.lines] for node in drawn]
    assert [["line 3 · True x2", "not False"], ["line 3 · not True → False"]] == told


SAME = "def forward(x):\n    if (x > 9).any():\n        x = x - 9\n    return x * 2\n"


def test_a_value_that_is_the_outcome_is_said_once(tmp_path: Path) -> None:
    """Not `False → False`."""
    graph = build(recorded(tmp_path, SAME, "[1, 2]"))
    assert {"if": ["line 2 · False"]} == lines(graph, "decision")


SORTED = """\
def forward(x):
    parts = [x, x + 1, x + 2]
    for step in range(3):
        parts = sorted(parts, key=lambda part: -part.item())[: 3 - step]
        x = x + parts[0]
    return x
"""


def test_a_key_to_sort_by_makes_no_kind_of_step(tmp_path: Path) -> None:
    """Calls in which nothing ran that is drawn are no difference: a beam that narrows is one loop with one body."""
    graph = build(recorded(tmp_path, SORTED, "1.0"))
    assert not [box for box in graph.boxes if box.kind == "kind"]


PRUNED = """\
layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])


def forward(x):
    for layer in layers:
        if layer.weight.norm() > 0:
            x = layer(x)
    return x
"""


def test_a_repeat_of_several_parameters_has_all_their_names(tmp_path: Path) -> None:
    """What stands for three weights, in the box of their layers, is not called the first."""
    graph = build(recorded(tmp_path, HEAD + PRUNED, "[1, 2]"), GraphOptions(compact=False))
    (leaf,) = [node for node in graph.nodes if node.kind == "leaf"]
    assert ("layers.0 … 2.weight", "x3") == (leaf.name, leaf.rest)


STAGES = """\
field = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 2))


def forward(y):
    k = field(y)
    for step in range(3):
        a = y + k
        b = y - k
        c = y * k
        d = k * 2
        y = (a + b + c + d).sin()
        k = field(y)
    return y
"""


def test_words_on_what_comes_from_a_layer_name_it_whole(tmp_path: Path) -> None:
    """`2` is its name in the box of its module, not outside."""
    graph = carried.carried_in_words(build(recorded(tmp_path, HEAD + STAGES, "[1, 2]"), GraphOptions(max_nodes=80)))
    words = {line.text for node in graph.nodes for line in node.lines if line.tone == "carried"}
    assert any("field.2" in text for text in words) and not any("from 2" in text for text in words)


def test_kinds_of_step_that_take_turns_stand_side_by_side(tmp_path: Path) -> None:
    """What one hands to the other goes into a later step, and puts neither below the other."""
    steps = "\n".join(f"            x = x.sin() * {n}.5 + 1" for n in range(7))
    others = steps.replace("sin", "cos")
    loop = f"    for i in range(4):\n        if i % 2:\n{steps}\n        else:\n{others}\n"
    record = recorded(tmp_path, f"def forward(x):\n{loop}    return x\n", "[1, 2]")
    assert layout.oversize(svg.drawn(build(record))) < 1


def test_costs_of_an_op_make_it_higher_and_not_wider(tmp_path: Path) -> None:
    """Its line, how often it ran, times and bytes are told in lines of a few each."""
    text = "line 16 · x6 · of a derivative · 152 µs · backward 57 µs · saves 120 B"
    op = Node("n0", ("mul",), "op", "mul", lines=(Line(text, "faint"), Line("line 3 · x2", "faint")))
    label = dot.drawn(Graph((("run", True),), (op,), (), ())).partition("<b>mul</b>")[2].partition("];")[0]
    told = [html.unescape(line) for line in re.findall(r">([^<>]+)</font>", label)]
    assert ["line 16 · x6 · of a derivative", "152 µs · backward 57 µs", "saves 120 B", "line 3 · x2"] == told


@pytest.mark.whole
def test_loops_in_loops_drawn_step_by_step_keep_to_a_screen(tmp_path: Path) -> None:
    """More than 50 boxes with an arrow from each step to the next, like stairs, would be as wide as two screens."""
    inner = "        for j in range(3):\n            a, b = x.sin(), x * j\n"
    inner += "            if j == i:\n                a = a + b\n"
    source = f"def forward(x):\n    for i in range(9):\n{inner}        x = a * b\n    return x\n"
    graph = build(recorded(tmp_path, source, "[1, 2]"), GraphOptions(expand=("loops",)))
    assert layout.MANY_BOXES < len(graph.boxes) <= layout.MOST_BOXES
    assert layout.width_of(layout.layout(dot.drawn(graph), "svg")) > 1.5 * layout.WIDEST
    assert layout.width_of(svg.drawn(graph)) <= 1.2 * layout.WIDEST


AGAIN = """\
def forward(x, times: int):
    for step in range(times):
        x = x.unbind()[0] + x
        if x.sum() < 9:
            x = x + 1
    return x
"""


def test_what_two_runs_have_in_common_is_said_once(tmp_path: Path) -> None:
    """Also where one says more between; and a test asked once in one run, often in the other, is told run by run."""
    runs = [recorded(tmp_path, HEAD + AGAIN, "x=[1, 2]", f"times={times}") for times in (1, 2)]
    graph = build_two(runs[0], runs[1], GraphOptions(), ("A", "B"))[0]
    (unbind,) = [node for node in graph.nodes if node.name == "unbind"]
    assert "line 7 · B: x2 · the first of 2 outputs" == unbind.lines[-1].text
    told = lines(graph, "decision")["if"]
    assert ["A: line 8 · 5 < 9 · margin 4", "B: line 8 · True, False", "B: 5 … 13 < 9", "B: margin 4"] == told


def test_gradients_of_two_runs_stand_on_lines_of_their_own(tmp_path: Path) -> None:
    """On an arrow, too: what B handed back does not begin on the last line of A."""
    source = "def forward(x):\n    for step in range(2):\n        x = x * x\n    return x.sum()\n"
    runs = [recorded(tmp_path, source, given, edges=True) for given in ("[0.3, 0.7]", "[1.5, 2.5]")]
    text = dot.drawn(build_two(runs[0], runs[1], GraphOptions(grads=True), ("A", "long one"))[0])
    labels = re.findall(r'label=<<font color="#9f4508">(.*?)</font>>', text)
    told = [[part.strip() for part in html.unescape(label).split("<br/>")] for label in labels]
    assert any(line.startswith("long one: ") for lines in told for line in lines)
    assert [] == [line for lines in told for line in lines if re.search(r"\S.*(A|long one):", line)]
    assert "…" not in {line for lines in told for line in lines}


HALVES = """\
def forward(x):
    total = x * 0
    while x.max() > 1:
        y = x / 2
        total = total + y
        x = x - y
    return total.sum()
"""


def test_steps_drawn_one_by_one_hand_on_what_the_next_reads(tmp_path: Path) -> None:
    """An arrow leads from each step to the next, as data does, and none of it is told in words; the test asks again."""
    graph = build(recorded(tmp_path, HALVES, "[9, 3]"), GraphOptions(expand=("all",)))
    boxes = {box.id: box.name for box in graph.boxes}
    home = {node.id: boxes.get(node.box or "", "") for node in graph.nodes}
    names = {node.id: node.name for node in graph.nodes}
    between = [(home[e.source], names[e.source], home[e.target], names[e.target], e.kind) for e in graph.edges]
    for step in range(3):
        one, other = f"iteration {step}", f"iteration {step + 1}"
        assert (one, "sub", other, "div", "data") in between and (one, "add", other, "add", "data") in between
    assert not [edge for edge in graph.edges if edge.kind == "carried"]
    assert {"asked again", "predicate"} == {e.kind for e in graph.edges if names[e.target] == "while"}
    assert "later from" not in dot.drawn(graph)


def test_steps_drawn_one_by_one_go_down_like_stairs(tmp_path: Path) -> None:
    """Each begins below the step that it reads from, beside it: one below the other they would be twice as high."""
    graph = build(recorded(tmp_path, HALVES, "[9, 3]"), GraphOptions(expand=("all",)))
    width, height = layout.size_of(layout.picture(graph).svg)
    below = layout.size_of(layout.layout(dot.drawn(graph, tall=True), "svg"))
    assert width <= layout.WIDEST and height < 0.8 * below[1]


def test_costs_of_two_runs_are_listed_by_kind(tmp_path: Path) -> None:
    """How often an op ran in one run does not stand beside how long it took in the other."""
    source = "def forward(x, n: int):\n    for _ in range(n):\n        x = x.tanh()\n    return x.sum()\n"
    runs = [recorded(tmp_path, source, "x=[1, 2]", f"n={n}") for n in (1, 3)]
    graph = build_two(*runs, GraphOptions(times=True, saved=True), ("A", "B"))[0]
    (tanh,) = [node for node in graph.nodes if node.name == "tanh"]
    time = r"[\d.]+ [mµn]?s"
    of_two = f"(?:A: {time}, B: {time}|{time})"  # one where both took as long
    told = f"line 3 · B: x3 · {of_two} · (?:A: backward {time}, B: backward {time}|backward {time})"
    told += " · A: saves 8 B, B: saves 24 B"
    assert re.fullmatch(told, tanh.lines[-1].text)
