"""What a reader of the picture alone is told: which iterations, how often a loop was come to, which way a test went."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.graph import Graph, GraphOptions, build, union
from tests import records
from tests.runs import recorded


def boxes(graph: Graph, kind: str) -> list[str]:
    """Return what stands on the boxes of a kind."""
    return [f"{box.name} {box.rest}" for box in graph.boxes if box.kind == kind]


NESTED = """\
import dyncore as torch


def forward(values):
    total = torch.tensor(0.0)
    for v in values:
        if v < 0:
            continue
        for _ in range(int(v)):
            if total > 2:
                total = total * 0.5
            else:
                total = total + v
    return total
"""


def test_a_loop_in_a_loop(tmp_path: Path) -> None:
    """The inner loop says its rounds each time; each kind of iteration says which test made it, and which steps it is.

    Iterations of the outer loop are not told apart by what the inner one did.
    """
    graph = build(recorded(tmp_path, NESTED, "[2, -1, 3, 1]"))
    loops = [
        "for v in values · line 6 · x 4 · F, T, F x2",
        "for _ in range(int(v)) · line 9 · x 6 = 2 + 3 + 1 · F x2 … T",
    ]
    assert loops == boxes(graph, "loop")
    assert [
        "F x 3 · v < 0 False · steps 0, 2, 3",
        "F x 3 · total > 2 False",
        "T x 1 · v < 0 True · step 1",
        "T x 3 · total > 2 True",
    ] == boxes(graph, "kind")


def test_rounds_that_are_alike(tmp_path: Path) -> None:
    """A loop that goes round as often each time says so once."""
    text = "def forward(x):\n    for _ in range(3):\n        for _ in range(4):\n            x = x + 1\n    return x\n"
    assert ["for _ in range(3) · line 2 · x 3", "for _ in range(4) · line 3 · x 12 = 3 x 4"] == boxes(
        build(recorded(tmp_path, text, "1.0")), "loop"
    )


def test_arm_without_ops_names_next_step(tmp_path: Path) -> None:
    """A test whose arm ran no op says in its diamond which way it went."""
    text = "def forward(x):\n    y = x * 2\n    return y if y.sum() > 0 else x\n"
    (diamond,) = (node for node in build(recorded(tmp_path, text, "[1, 2]")).nodes if node.kind == "decision")
    assert "line 3 · 6 > 0 · margin 6 → True" == diamond.lines[0].text


def test_drawn_arm_is_not_named_again() -> None:
    """A test with an arrow to what it led to says no more than its values."""
    (diamond,) = (node for node in build(records.piecewise()).nodes if node.kind == "decision")
    assert "→" not in diamond.lines[0].text


def test_a_while_around_calls_leads_into_them(tmp_path: Path) -> None:
    """The arrow from a test leads through loops and calls to the first op they ran."""
    text = """\
def step(x):
    for _ in range(2):
        x = x * 0.5
    return x


def forward(x):
    while x > 1:
        x = step(x)
    return x
"""
    graph = build(recorded(tmp_path, text, "8.0"))
    names = {node.id: node.name for node in graph.nodes}
    assert [("while", "mul")] == [(names[e.source], names[e.target]) for e in graph.edges if e.kind == "taken"]


def test_names_that_differ_between_two_runs() -> None:
    """What is called one thing in one run and another in the other has both names."""
    graph = build(records.piecewise(), GraphOptions(one_body=True))
    renamed = graph._replace(nodes=tuple(n._replace(name="z") if n.name == "mul" else n for n in graph.nodes))
    assert "A: mul, B: z" in [node.name for node in union(graph, renamed).nodes]
    assert "sum" in [node.name for node in union(graph, renamed).nodes]


def test_modules_added_during_run_have_names(tmp_path: Path) -> None:
    """A layer that a network grows while it runs is called by its place, as one it had from the start."""
    text = """\
import dyncore as torch
from dyncore import nn

layers = nn.ModuleList([nn.Linear(1, 1)])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = layers

    def forward(self, x):
        for _ in range(2):
            for layer in list(self.layers):
                x = layer(x)
            self.layers.append(nn.Linear(1, 1))
        return x


model = Net()
"""
    record = recorded(tmp_path, text + "\n\ndef forward(x):\n    return model(x)\n", "[1.0]")
    assert ["model", "layers.0", "layers.0", "layers.1"] == [s.name for s in record.scopes if s.kind == "module"]


ELSEWHERE = """\
import dyncore as torch
from neighbour import steep


def forward(x):
    y = steep(x)
    rule = "y * 2 if y.sum() > 1 else y"
    if y.sum() > 0:
        y = y + 1
    return eval(rule)
"""
NEIGHBOUR = """\
def steep(x):
    for _ in range(2):
        if x.sum() < 0:
            x = -x
        x = x * 3
    return x
"""


def test_lines_of_other_files(tmp_path: Path) -> None:
    """A line without a file is the model script's; of a module beside it, and of a text it evaluates, it has one."""
    (tmp_path / "neighbour.py").write_text(NEIGHBOUR)
    graph = build(recorded(tmp_path, ELSEWHERE, "[1, 2]"))
    lines = [line for node in graph.nodes for line in node.lines]
    places = {line.text.split(" · ")[0] for line in lines if line.tone in ("faint", "plain")}
    assert {"neighbour.py:3", "neighbour.py:5", "line 8", "line 9", "<string>:1"} <= places
    assert not {"line 1", "line 2", "line 3", "line 4", "line 5"} & places
    assert ["for _ in range(2) · neighbour.py:2 · x 2"] == boxes(graph, "loop")
    assert "neighbour.py:4" in [box.rest for box in graph.boxes if box.kind == "left"]


def test_a_test_that_saw_an_old_value_stands_where_it_was_made(tmp_path: Path) -> None:
    """What a decision tested may have been made long before; it stands below what ran above it in the same step."""
    text = "def forward(x):\n    s = x.sum()\n    y = x * 2\n    if y.sum() > 5:\n        y = y - 1\n    y = y + 3\n"
    text += "    if s.item() > 0:\n        print('up')\n    return y\n"
    graph = build(recorded(tmp_path, text, "[1, 2]"))
    names = [node.name for node in graph.nodes if node.kind in ("op", "decision")]
    assert ["sum", "mul", "sum", "gt", "if", "sub", "add", "if"] == names


CALLED = """\
import dyncore as torch


def settle(x):
    y = x * 2
    while y > 1:
        y = y / 2
    return y


def forward(x):
    return settle(x) + settle(x * 8)
"""


def test_what_is_drawn_shut_says_what_left_it(tmp_path: Path) -> None:
    """Not what ran last in it, which was its test; and the gradient that came back to what left it."""
    graph = build(recorded(tmp_path, CALLED, "3.0"), GraphOptions(collapse=("settle",), grads=True))
    shut = [[line.text for line in node.lines][2:4] for node in graph.nodes if node.kind == "fold"]
    assert shut == [["float32 [] · 0.75", "grad 1"], ["float32 [] · 0.75", "grad 1"]]


FOREVER = """\
def forward(x):
    while True:
        x = x * 2
        if x > 10:
            break
    while True:
        x = x - 3
        if x < 1:
            break
    return x
"""


def test_loops_without_a_test_stand_where_they_stand(tmp_path: Path) -> None:
    """Two after each other were drawn as one, of as many steps as both had, and none of their boxes had a line."""
    graph = build(recorded(tmp_path, FOREVER, "1.0"))
    assert boxes(graph, "loop") == ["while True · line 2 · x 4 · F x3, T", "while True · line 6 · x 6 · F x5, T"]


SEARCH = """\
def forward(x):
    while x > 1:
        x = x * 0.5
    else:
        x = x - 3
    return x * x
"""


def test_the_else_of_a_while_leads_to_what_ran_in_it(tmp_path: Path) -> None:
    """Its source stood in a box of its own, as if nothing had run there, and no arrow led to its ops."""
    graph = build(recorded(tmp_path, SEARCH, "3.0"))
    nodes = {node.id: node for node in graph.nodes}
    leads = [(edge.label, nodes[edge.target].name, nodes[edge.target].rest) for edge in graph.edges if edge.label]
    assert leads == [("True x2", "mul", "0.5"), ("False", "sub", "3")]
    assert {"done", "ghost"}.isdisjoint(node.kind for node in graph.nodes)


DRAWS = """\
import dyncore as torch


def forward(p):
    return torch.bernoulli(p) * p
"""


def test_what_chance_drew_shows_no_name_of_a_node(tmp_path: Path) -> None:
    """`None, 'BernoulliBackward0'` stood on it as if the script had written that."""
    graph = build(recorded(tmp_path, DRAWS, "0.5"))
    assert ["bernoulli", "drawn", "mul"] == [node.name for node in graph.nodes if node.kind == "op"]
    assert not any("Backward" in node.rest for node in graph.nodes)


def test_diamond_of_a_loop_with_many_trip_counts_shows_their_range(tmp_path: Path) -> None:
    """Past three counts, which would make it very wide, how often it was come to and the least and greatest stand."""
    texts = []
    for values in ("[3, 5, 2, 7, 3, 8, 6, 3, 5]", "[3, 3, 3, 5, 3, 5, 4]"):
        graph = build(recorded(tmp_path, NESTED.replace("if v < 0:\n            continue", "pass"), values))
        (diamond,) = (node for node in graph.nodes if node.kind == "decision" and node.name == "for")
        texts.append([line.text for line in diamond.lines])
    assert ["line 8 · 9 times", "2 to 8 trips (probably scalar)"] == texts[0]
    assert ["line 8 · 3 trips 4 times, 5 trips 2 times, 4 trips 1 time", "3 to 5 trips (probably scalar)"] == texts[1]
