"""What a node that stands for many ops says of all of them, not of the first and the last alone."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.graph import GraphOptions, build
from dyncli.analysis.graph.model import Graph
from dyncli.records.model import Record
from tests.runs import lines, recorded

GRADS = GraphOptions(grads=True)

ENDS_ALIKE = """\
import dyncore as torch


def forward(x):
    total = torch.zeros(())
    for action in (2, 0, 2):
        if action == 3:
            break
        total = total + x * action
    return total
"""


def edges(graph: Graph) -> dict[tuple[str, str], str]:
    """Return the gradient on each edge between two names."""
    names = {node.id: node.name for node in graph.nodes}
    return {(names[edge.source], names[edge.target]): edge.gradient for edge in graph.edges}


def test_values_of_which_only_the_ends_are_alike(tmp_path: Path) -> None:
    """A step between that differs is told: no constant `mul 2` of 10, no test of `2 == 3` alone."""
    graph = build(recorded(tmp_path, ENDS_ALIKE, "5.0"))
    (mul,) = (node for node in graph.nodes if node.name == "mul")
    assert ("2 … 0 … 2", "float32 [] · 10 … 0 … 10") == (mul.rest, mul.lines[0].text)
    (test,) = lines(graph, "decision").values()
    assert test[:2] == ["line 7 · False x3", "2 … 0 … 2 == 3 (python)"]


WIDE = """\
import dyncore as torch


def forward(x):
    total = torch.zeros(3)
    for scale in (0.0, 0.123456, 0.0):
        total = total + x * scale
    return total.sum()
"""


def test_values_too_wide_to_be_written_thrice(tmp_path: Path) -> None:
    """Vectors of which only the ends are alike are told by their ranges."""
    graph = build(recorded(tmp_path, WIDE, "[1.234567, -2.345678, 3.456789]", edges=True), GRADS)
    assert lines(graph, "op")["mul"][0] == "float32 [3] · all 0 … -0.29 to 0.427 … all 0"
    assert edges(graph)["x", "mul"] == "all 0 … all 0.123 … all 0"


BEAMS = """\
import dyncore as torch


def forward(x):
    scores = []
    for k in range(5):
        scores.append(torch.tanh(x * k))
    return scores[1] + scores[3]
"""


def test_how_many_of_several_a_gradient_came_back_to(tmp_path: Path) -> None:
    """Of five branches of which two led on, the picture does not say that all five got a gradient."""
    graph = build(recorded(tmp_path, BEAMS, "0.5", edges=True), GRADS)
    ops = lines(graph, "op")
    assert [line for line in ops["tanh"] if "grad" in line] == ["grad 1 in 2 of 5"]
    assert [line for line in ops["add"] if "grad" in line] == ["grad 1"]


#: As PyTorch gives them for the same lines.
STEPS_GIVE = [
    ["float32 [2] · [1.441, 2.493]", "grad [1.035, 1.004]"],
    ["float32 [2] · [1.673, 2.741]", "grad [1, 1]"],
]
STEPS = """\
import dyncore as torch


def attempt(y, h):
    slope = torch.tanh(y)
    low = y + h * slope
    high = y + h * torch.tanh(low)
    error = (high - low).abs().sum()
    return high, error


def forward(y):
    y, error = attempt(y, 0.5)
    y, error = attempt(y, 0.25)
    return y
"""


def shut(record: Record, options: GraphOptions) -> list[list[str]]:
    """Return what stands on what is drawn shut, but for how many ops it is."""
    return [[line.text for line in n.lines][2:] for n in build(record, options).nodes if n.kind == "fold"]


def test_a_shut_call_shows_the_result_that_a_gradient_came_back_to(tmp_path: Path) -> None:
    """Of two results of a call, a step and its error, the gradient of the step is told though the error came last."""
    record = recorded(tmp_path, STEPS, "[1, 2]", edges=True)
    first, second = shut(record, GRADS._replace(collapse=("attempt",)))
    assert [first, second] == STEPS_GIVE


LONG = """\
import dyncore as torch


def many(y):
    for _ in range(80):
        y = y * 0.99
    return y


def forward(x):
    x = many(x * 2)
    return many(x).sum()
"""


def test_the_gradient_along_an_arrow_into_many_ops(tmp_path: Path) -> None:
    """What something shut of eighty ops handed back is written on the arrow into it."""
    graph = build(recorded(tmp_path, LONG, "[1, 2]", edges=True), GRADS._replace(collapse=("many",)))
    (first,) = (edge.gradient for edge in graph.edges if edge.source == graph_id(graph, "mul"))
    assert first == "[0.2003, 0.2003]"


def graph_id(graph: Graph, name: str) -> str:
    """Return the id of the node of a name."""
    return next(node.id for node in graph.nodes if node.name == name)


READS = """\
def blend(y, x):
    y = y * 0.5 + x
    y = y.tanh() - x
    y = y.cos() * x
    y = y.sin() / x
    y = y.exp() - y.relu() + y.abs()
    y = y.sigmoid() * 2 - 1
    return y + 0.5


def forward(x):
    return blend(blend(blend(x * 1.5, x), x), x).sum()
"""


def test_what_ran_as_above_says_which_input_it_reads(tmp_path: Path) -> None:
    """A call that is shut because it ran before reads the input again, and says so."""
    again = shut(recorded(tmp_path, READS, "[0.1, 0.2]"), GraphOptions())
    assert [each[-2:] for each in again] == [["with x", "ran as above"]] * 2


FIRST_ALONE = """\
def forward(x):
    total = 0
    for step in range(3):
        total = total + x * step
    return total
"""


def test_an_argument_that_not_all_had(tmp_path: Path) -> None:
    """The first step adds to a number and the others to a tensor: not every one of them added 0."""
    graph = build(recorded(tmp_path, FIRST_ALONE, "5.0"))
    assert [node.rest for node in graph.nodes if node.name == "add"] == ["0 …"]
