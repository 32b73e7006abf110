"""Pictures of small models in the styles of others: what a reader who has only the picture must find there."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from dyncli.analysis.graph import GraphOptions, build, build_two, union
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.render.graph import dot
from tests.runs import lines, recorded

SEVERAL = """\
import dyncore as torch


def forward(x):
    g = x.sum().reshape(1)
    if g > 0.5:
        y = x * 2
    else:
        y = x - 1
    return y, g, y.sum(), x.detach()
"""


HALTS = """\
import dyncore as torch


def forward(x):
    last = 0.0
    for step in range(4):
        p = x * 0.5
        if step == 3:
            p = 1 - last
        last = last + p
    return last
"""
WHILE = """\
def forward(x):
    error = 9.0
    while error > 0.5:
        x = x / 2
        error = x.item()
    return x
"""


LAYERS = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))


def model(x):
    return net(x).sum()
"""


SPARE = """\
import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.small, self.large, self.spare = nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x):
        if x.sum() > 0:
            return self.large(x)
        return self.small(x)


torch.manual_seed(0)
model = Net()
"""


def test_a_tensor_of_one_element_decides_with_its_value(tmp_path: Path) -> None:
    """The diamond says the number, and how far it was from the other arm."""
    record = recorded(tmp_path, SEVERAL, "[1, 2]")
    assert {"if": ["line 6 · 3 > 0.5 · margin 2.5"]} == lines(build(record), "decision")


def test_every_output_that_backward_began_at_says_so(tmp_path: Path) -> None:
    """One without a gradient does not."""
    outputs = lines(build(recorded(tmp_path, SEVERAL, "[1, 2]")), "output")
    seeds = {name: text[1:] for name, text in outputs.items()}
    began = ["backward · seed ones"]
    assert {"output.0": began, "output.1": began, "output.2": ["backward · seed 1"], "output.3": []} == seeds


def test_two_runs_of_several_outputs(tmp_path: Path) -> None:
    """Each run's own values of a test and of the outputs, by name."""
    runs = [recorded(tmp_path, SEVERAL, given) for given in ("[1, 2]", "[-1, -2]")]
    one = GraphOptions(one_body=True)
    graph = union(build(runs[0], one), build(runs[1], one))
    expected = ["A: line 6 · 3 > 0.5 · margin 2.5", "B: line 6 · -3 > 0.5 · margin -3.5"]
    assert expected == lines(graph, "decision")["if"]


def test_an_arm_first_taken_late_is_no_later_step(tmp_path: Path) -> None:
    """What an arm makes is read in the same step; what the arm reads was made in the step before."""
    graph = build(recorded(tmp_path, HALTS, "1.0"), GraphOptions(one_body=True))
    names = {node.id: node.name for node in graph.nodes}
    edges = {(names[edge.source], names[edge.target], edge.kind) for edge in graph.edges}
    assert {("rsub", "add", "data"), ("add", "rsub", "carried"), ("add", "add", "carried")} <= edges
    assert not {("rsub", "add", "carried"), ("add", "rsub", "data")} & edges


def test_a_test_depends_on_what_its_later_rounds_saw(tmp_path: Path) -> None:
    """The first round of a loop sees a number that was written; the last one what came out of a tensor."""
    assert "9 … 0.5 > 0.5 (scalar)" in lines(build(recorded(tmp_path, WHILE, "1.0")), "decision")["while"]


def test_a_module_drawn_shut_holds_its_parameters(tmp_path: Path) -> None:
    """Many parameters beside it would say less than one norm in it; few are drawn as ever."""
    record = recorded(tmp_path, LAYERS, "[1, 2]")
    shut = build(record, GraphOptions(collapse=("net",)))
    assert {} == lines(shut, "parameter")
    (words,) = lines(shut, "fold").values()
    assert words[-1].startswith("4 parameters · grad norm ")
    one = build(record, GraphOptions(collapse=("0",)))
    assert {"net.0.weight", "net.0.bias", "net.2.weight", "net.2.bias"} == {*lines(one, "parameter")}


def test_a_wish_that_nothing_fits(tmp_path: Path) -> None:
    """It is said, so that nobody looks for what was not unfolded."""
    record = recorded(tmp_path, LAYERS, "[1, 2]")
    options = GraphOptions(expand=("lop", "all"), collapse=("nett", "0"))
    assert "nothing fits --expand lop, --collapse nett" == build(record, options).folded
    assert "nothing fits --only lop, --only 99" == build(record, GraphOptions(only=("lop", "99"))).folded
    assert "" == build(record, GraphOptions(expand=("all",), collapse=("modules",))).folded


def test_what_nothing_reads_stands_in_a_column(tmp_path: Path) -> None:
    """Parameters that were not used are no wide row; each says why it has no gradient."""
    graph = build(recorded(tmp_path, SPARE, "[1, 2]"))
    ids = {node.name: node.id for node in graph.nodes if node.kind == "parameter"}
    names = ["small.weight", "small.bias", "spare.weight", "spare.bias"]
    text = dot.drawn(graph)
    for above, below in pairwise(ids[name] for name in names):
        assert f"\t{above} -> {below} [style=invis]\n" in text


def test_a_parameter_stands_in_its_module_in_two_runs(tmp_path: Path) -> None:
    """Also where only the second run came to that module."""
    runs = [build(recorded(tmp_path, SPARE, given), GraphOptions(one_body=True)) for given in ("[1, 2]", "[-1, -2]")]
    graph = union(*runs)
    boxes = {box.id: box.name for box in graph.boxes}
    homes = {node.name: boxes.get(node.box or "") for node in graph.nodes if node.kind == "parameter"}
    assert {"small": "small", "large": "large", "spare": None} == {
        name.partition(".")[0]: home for name, home in homes.items()
    }


NORM = (
    "def forward(x):\n    for _ in range(4):\n        x = (x - 1).relu()\n        x = x / x.sum()\n    return x.sum()\n"
)


def test_the_first_nan_is_marked(tmp_path: Path) -> None:
    """Below the title and on its op, in red, also where the steps of a loop are drawn as one."""
    graph = build(recorded(tmp_path, NORM, "[1, 2, 3]"))
    (marked,) = [node for node in graph.nodes if any(line.tone == "error" for line in node.lines)]
    assert ("div", "x4") == (marked.name, marked.lines[-1].text.rpartition(" ")[2])
    first = next(line.text for line in marked.lines if line.tone == "error")
    assert "first NaN (op 7)" == first
    assert "first NaN (op 7): div, line 4" in graph.note


def test_a_nan_of_a_gradient_is_marked_where_it_was_made(tmp_path: Path) -> None:
    """The values are all well; the slope of a root at zero is not."""
    graph = build(recorded(tmp_path, "def forward(x):\n    return (x * x).sum().sqrt() * 2\n", "[0, 0]"))
    marks = {node.name: line.text for node in graph.nodes for line in node.lines if line.tone == "error"}
    assert "first Inf in a gradient (op 2)" == marks["sqrt"]
    assert "first NaN in a gradient (op 0)" == marks["mul"]


def test_a_nan_that_may_be_older_is_not_called_the_first(tmp_path: Path) -> None:
    """Of large tensors between, `graph` keeps no values; `trace` does."""
    source = "def forward(x):\n    return (x.repeat(20).log() * 2).sum()\n"
    graph = build(recorded(tmp_path, source, "[1, -1]"))
    assert "NaN by here (op 3): sum, line 2" == graph.note


def test_infinities_that_are_meant_are_not_marked(tmp_path: Path) -> None:
    """A mask of infinities ends in no output and no gradient."""
    source = "def forward(x):\n    return x.masked_fill(x < 0, float('-inf')).softmax(0)\n"
    graph = build(recorded(tmp_path, source, "[1, -1]"))
    assert "" == graph.note


MATCH = """\
import dyncore as torch


def forward(x, kind: str):
    match kind:
        case "add":
            y = x + 1
        case "sub":
            y = x - 1
        case "mul":
            y = x * 2
        case _:
            y = x
    return y
"""


def test_many_arms_left_are_one_box(tmp_path: Path) -> None:
    """The cases of a `match` that were not taken are told by their names."""
    graph = build(recorded(tmp_path, MATCH, "x=[1, 2]", "kind=mul"))
    (ghost,) = [node for node in graph.nodes if node.kind == "ghost"]
    assert ['case "add"', 'case "sub"', "case _"] == [line.text for line in ghost.lines]
    (box,) = [box for box in graph.boxes if box.kind == "left"]
    assert ("3 others", "lines 7 to 13") == (box.name, box.rest)
    labels = [edge.label for edge in graph.edges if edge.kind == "left"]
    assert ["3 others"] == labels


DEEP = """\
import dyncore as torch


def half(x, n: int):
    if n == 0:
        return x
    return half(x / 2, n - 1)


def forward(x, n: int):
    return half(x, n).sum()
"""


def test_a_recursion_is_drawn_call_by_call_as_long_as_it_is_shallow(tmp_path: Path) -> None:
    """Frames in frames in frames are wide; from the fourth on they are one."""
    shallow = build(recorded(tmp_path, DEEP, "x=[1, 2]", "n=2"))
    assert 3 == len([box for box in shallow.boxes if box.kind == "call"])
    deep = build(recorded(tmp_path, DEEP, "x=[1, 2]", "n=4"))
    assert ["half x 5"] == [f"{box.name} {box.rest}" for box in deep.boxes if box.kind == "call"]
    unfolded = build(recorded(tmp_path, DEEP, "x=[1, 2]", "n=4"), GraphOptions(expand=("half",)))
    assert 5 == len([box for box in unfolded.boxes if box.kind == "call"])


SCRIPT = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
judge = nn.Sequential(nn.Linear(2, 2), nn.ReLU())


def once(layers):
    inner = nn.Linear(2, 1)
    return inner(layers(torch.ones(2))).sum()


once(judge).backward()
"""


def test_modules_of_a_script_have_the_names_of_their_variables(tmp_path: Path) -> None:
    """Also those that a function holds."""
    script = tmp_path / "net.py"
    script.write_text(SCRIPT)
    graph = build(next(iter(record_model(Request(str(script))))))
    assert ["judge", "0", "1", "inner"] == [box.name for box in graph.boxes if box.kind == "module"]


BACKWARD = """\
import dyncore as torch


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def forward(x):
    return Twice.apply(x)
"""


def test_what_a_backward_is_given_is_a_gradient(tmp_path: Path) -> None:
    """The ops of one's own derivative start from it."""
    graph = build(recorded(tmp_path, BACKWARD, "[1, 2, 3]"))
    assert ["gradient"] == [node.name for node in graph.nodes if node.kind == "constant"]


NESTED = """\
def forward(x):
    for i in range(3):
        y = x * i
        for j in range(2):
            y = y + x
        x = y / 2
        if i > 1:
            x = x - 1
    return x
"""


def test_a_loop_drawn_shut_reads_what_its_own_step_made(tmp_path: Path) -> None:
    """Only what a step before made comes from a step before, also for the steps of a loop inside."""
    record = recorded(tmp_path, NESTED, "[1, 2]")
    graph = build(record, GraphOptions(collapse=("4",), one_body=True))
    named = {node.id: node.name for node in graph.nodes}
    kinds = {(named[edge.source], named[edge.target]): edge.kind for edge in graph.edges}
    assert ("data", "data") == (kinds["mul", "for"], kinds["for", "div"])
    assert "carried" == kinds["div", "mul"]


LEAVES = """\
import dyncore as torch


def forward(x, mode: str):
    if mode == "deep":
        for step in range(3):
            x = x.sin()
    elif mode == "wide":
        x = torch.cat([x, x])
    else:
        raise ValueError(mode)
    y = x.mean()
    if y > 0:
        y = y * 2
    return y
"""


def test_what_comes_after_an_arm_is_drawn_below_it_and_not_in_it(tmp_path: Path) -> None:
    """Also where the other arm leaves, so that the way there led through the one taken; two runs have it in common."""
    deep, wide = (recorded(tmp_path, LEAVES, "x=[1, 2]", f"mode={mode}") for mode in ("deep", "wide"))
    for record, inside in ((deep, {"sin"}), (wide, {"cat"})):
        graph = build(record)
        boxes = {box.id: box for box in graph.boxes}
        outside = {node.name for node in graph.nodes if node.box is None}
        assert inside.isdisjoint(outside) and {"mean", "gt"} < outside
        (arm,) = {boxes[node.box].name for node in graph.nodes if node.name == "mul" and node.box is not None}
        assert "True" == arm
    both = build_two(deep, wide, GraphOptions(), ("A", "B"))[0]
    sides = {node.name: node.side for node in both.nodes if node.kind == "op"}
    assert {"sin": "a", "cat": "b", "mean": "both", "gt": "both", "mul": "both"} == sides
