"""Models that take gradients themselves, with `autograd.grad`: what is recorded of it, and what comes back after."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.graph import build
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record
from tests.unit.dyncli.render.test_run import printed

PENALTY = """\
import dyncore as torch


def forward(x):
    energy = (x**3).sum()
    (slope,) = torch.autograd.grad(energy, x, create_graph=True)
    return energy + (slope * slope).sum()
"""
RETURNED = """\
import dyncore as torch


def forward(x):
    energy = (x**3).sum()
    (slope,) = torch.autograd.grad(energy, x, retain_graph=True)
    return energy, slope * 2
"""
UNUSED = "what was differentiated does not depend on it"


def recorded(folder: Path, source: str, given: str = "[1, 2]") -> Record:
    script = folder / "net.py"
    script.write_text(source)
    return next(iter(record_model(Request(str(script), (given,)))))


def gradients(record: Record) -> list[tuple[str, str, list[object]]]:
    """(how it was asked for, of what, its values), for inputs and parameters."""
    return [
        (one.by, each.name, list(record.tensors[each.value].values or ()) if each.value is not None else [each.reason])
        for one in record.backwards
        for each in one.gradients
        if each.role != "intermediate"
    ]


def test_backward_follows_a_model_that_takes_gradients_itself(tmp_path: Path) -> None:
    """What `autograd.grad` gave is one pass, what comes back from the output the next: 3x^2 + 36x^3."""
    found = gradients(recorded(tmp_path, PENALTY))
    assert [("grad", "x", [3.0, 12.0]), ("backward", "x", [39.0, 300.0])] == found


def test_a_saved_tensor_is_the_tensor_it_was(tmp_path: Path) -> None:
    """Under `create_graph` a node gives back what it saved as another object: no op reads a nameless constant."""
    record = recorded(tmp_path, PENALTY.replace("x**3", "(x + x) ** 3"))
    made_by_none = {tensor.name for tensor in record.tensors if tensor.op is None and tensor.role != "gradient"}
    assert {"x", "seed"} == made_by_none
    (square,) = [op for op in record.ops if op.name == "pow" and op.phase == "backward"]
    assert "add" == record.ops[record.tensors[square.inputs[0]].op or 0].name


def test_what_was_returned_is_drawn_with_what_it_is_the_gradient_of(tmp_path: Path) -> None:
    """An op `grad` leads from the sum and the input to what reads the gradient."""
    record = recorded(tmp_path, RETURNED)
    graph = build(record)
    named = {node.id: node.name for node in graph.nodes}
    assert [] == [node.name for node in graph.nodes if node.kind == "constant"]
    edges = {(named[edge.source], named[edge.target]) for edge in graph.edges}
    assert {("sum", "grad"), ("x", "grad"), ("grad", "mul")} <= edges
    drawn = next(node for node in graph.nodes if node.name == "x")
    assert "grad [3, 12]" in [line.text for line in drawn.lines]


def test_what_backward_left_goes_before_what_grad_returned(tmp_path: Path) -> None:
    """The picture shows what came back to the input in the end."""
    graph = build(recorded(tmp_path, PENALTY))
    drawn = next(node for node in graph.nodes if node.name == "x")
    assert "grad [39, 300]" in [line.text for line in drawn.lines]
    derived = [node.name for node in graph.nodes if any("of a derivative" in line.text for line in node.lines)]
    assert ["expand", "pow", "mul", "mul"] == derived


def test_a_freed_graph_is_a_note(tmp_path: Path) -> None:
    """The script did nothing wrong by itself; what it returned has no way back."""
    record = recorded(tmp_path, RETURNED.replace(", retain_graph=True", ""))
    assert "ok" == record.status
    assert [("grad", "x", [3.0, 12.0])] == gradients(record)
    note = "no gradient came back: `autograd.grad` freed what backward needs, `retain_graph=True` keeps it"
    assert (note,) == record.warnings
    assert "no gradient: `autograd.grad` freed what backward needs" in build(record).note


def test_nothing_used_is_said(tmp_path: Path) -> None:
    """A target that was not used has a reason, as a leaf has."""
    source = (
        RETURNED.replace("grad(energy, x,", "grad(energy, (x, y), allow_unused=True,")
        .replace("energy = ", "y = torch.ones(2, requires_grad=True)\n    energy = ")
        .replace("(slope,)", "slope, _")
    )
    found = gradients(recorded(tmp_path, source))
    assert [("grad", "x", [3.0, 12.0]), ("grad", "y", [UNUSED])] == found[:2]


def test_what_is_asked_for_inside_is_named_by_its_variable(tmp_path: Path) -> None:
    """The gradient of a result on the way stands in the report and on its op."""
    source = RETURNED.replace("energy = (x**3)", "h = x * 2\n    energy = (h**3)").replace("energy, x,", "energy, h,")
    record = recorded(tmp_path, source)
    assert ("grad", "h", [12.0, 48.0]) == gradients(record)[0]
    drawn = next(node for node in build(record).nodes if node.name == "mul")
    assert "grad [12, 48]" in [line.text for line in drawn.lines]


def test_the_report_says_who_asked(tmp_path: Path) -> None:
    """Several outputs are named, and `autograd.grad` is told from `backward`."""
    record = recorded(tmp_path, RETURNED)
    text = printed(record)
    assert "Gradients of output.0  seeded with 1\n" in text
    assert "not shown: autograd.grad() at line 6 (`--full` for all)\n" in text
    assert "Gradients of output.0  autograd.grad() at line 6 · seeded with 1\n" in printed(record, full=True)
    several = "import dyncore as torch\n\n\ndef forward(x):\n    return x * 2, x.sum(), x > 0, x / 2\n"
    assert "Gradients of output.0, output.1, output.3  seeded with ones\n" in printed(recorded(tmp_path, several))


def test_training_shows_the_last_gradients(tmp_path: Path) -> None:
    """Of several backward passes the picture has what the last one left."""
    source = """\
import dyncore as torch

w = torch.tensor([1.0], requires_grad=True)
for step in range(4):
    w.grad = None
    loss = (w * (step + 1)).sum()
    loss.backward()
"""
    script = tmp_path / "train.py"
    script.write_text(source)
    record = next(iter(record_model(Request(str(script)))))
    graph = build(record)
    labelled = [line.text for node in graph.nodes for line in node.lines if line.text.startswith("grad ")]
    assert "grad [4]" in labelled
