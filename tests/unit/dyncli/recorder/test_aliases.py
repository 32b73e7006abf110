"""What is written and read through `.data`: the memory of the leaf, which the record and its picture say."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.graph import Graph, build
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from tests.runs import recorded

STEP = """\
import dyncore as torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
(w * w).sum().backward()
w.data -= 0.5 * w.grad
w.data.clamp_(-2, 2)
y = torch.exp(w).sum()
y.backward()
"""
HELD = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
layer = nn.Linear(2, 1, bias=False)
first = layer(torch.ones(2))
held = layer.weight.data
held.mul_(2)
held.add_(1)
second = layer(torch.ones(2))
"""


def arrows(graph: Graph) -> set[tuple[str, str]]:
    """From which node to which, by name."""
    names = {node.id: node.name for node in graph.nodes}
    return {(names[edge.source], names[edge.target]) for edge in graph.edges}


def run_of(folder: Path, source: str) -> Graph:
    """The drawing of a script's run."""
    script = folder / "script.py"
    script.write_text(source)
    return build(next(iter(record_model(Request(str(script), ())))))


def test_a_write_through_data_leads_to_who_reads_the_leaf_next(tmp_path: Path) -> None:
    """A step of descent and a clamp are on the way from the leaf to what reads it, and no constants are beside them."""
    graph = run_of(tmp_path, STEP)
    found = arrows(graph)
    assert {("w", "sub_"), ("sub_", "clamp_"), ("clamp_", "exp")} <= found
    assert [] == [node.name for node in graph.nodes if node.name == "constant"]


def test_what_data_gave_may_be_held_on_to(tmp_path: Path) -> None:
    """Several writes through one tensor are a chain, from the parameter to the layer that reads it."""
    found = arrows(run_of(tmp_path, HELD))
    assert {("mul_", "add_"), ("add_", "linear")} <= found
    assert ("layer.weight", "mul_") in found


def test_a_value_read_through_data_has_no_gradient(tmp_path: Path) -> None:
    """It is the input's, and the line that let go of the graph is named."""
    record = recorded(tmp_path, "def forward(x, y):\n    return (x.data * y).sum()\n", "[1.0, 2.0]", "[3.0, 4.0]")
    found = {item.name: item.reason for item in record.backwards[0].gradients if item.value is None}
    assert {"x": "detached at line 2: `x.data * y`"} == found


def test_data_of_a_result_is_the_result_without_its_gradient(tmp_path: Path) -> None:
    """The op that reads it follows the one that made it, and says where the gradient ends."""
    body = "def forward(x, y):\n    h = x * 2\n    return (h.data.data * y).sum()\n"
    record = recorded(tmp_path, body, "[1.0, 2.0]", "[3.0, 4.0]")
    (made,) = record.ops[0].outputs
    assert ("mul", made) == (record.ops[1].name, record.ops[1].inputs[0])
    assert {"x": "detached at line 3: `h.data.data * y`"} == {
        item.name: item.reason for item in record.backwards[0].gradients if item.value is None and item.reason
    }


SCALARS = """\
import dyncore as torch

w = torch.tensor(2.0, requires_grad=True)
c = torch.tensor(3.0)


def forward(x):
    return x * w + c
"""


def test_numbers_that_are_no_arrays_share_nothing(tmp_path: Path) -> None:
    """A constant without dimensions is its own, whatever place its value is read from."""
    record = recorded(tmp_path, SCALARS, "1.0")
    mul, add = record.ops
    assert ["x", "w"] == [record.tensors[number].name for number in mul.inputs]
    assert "c" == record.tensors[add.inputs[1]].name


ASSIGNED = """\
import dyncore as torch

w = torch.tensor({values}, requires_grad=True)
for i in range(4):
    loss = (w * w).sum()
    loss.backward()
    w.data = w.data - 0.25 * w.grad
    w.grad = None
"""


@pytest.mark.parametrize("values", ["[1.0, 2.0]", "2.0"])
def test_data_that_is_assigned_is_what_the_leaf_holds_next(tmp_path: Path, values: str) -> None:
    """A step of descent leads from the leaf to who reads it in the next step of the loop, without constants between."""
    graph = run_of(tmp_path, ASSIGNED.replace("{values}", values))
    found = arrows(graph)
    assert {("w", "mul"), ("w", "sub"), ("sub", "mul"), ("sub", "sub")} <= found
    assert ["w.grad"] == [node.name for node in graph.nodes if node.kind == "constant"]


def test_a_parameter_whose_data_is_assigned_shows_what_it_held_at_first(tmp_path: Path) -> None:
    """What it was given later is the op's result, and the gradient is still the parameter's."""
    source = (
        "import dyncore as torch\nw = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "def forward(x):\n    w.data = w.data * 3\n    return (w * x).sum()\n"
    )
    record = recorded(tmp_path, source, "[1.0, 1.0]")
    (w,) = [each for each in record.tensors if each.role == "parameter"]
    assert ("w", (1.0, 2.0)) == (w.name, w.values)
    scaled, read = record.ops[:2]
    assert (w.id,) == scaled.inputs
    assert read.inputs[0] == scaled.outputs[0]
    assert ["x", "w"] == [each.name for each in record.backwards[0].gradients[:2]]


ROW = """\
import dyncore as torch
from dyncore import nn

m = nn.Parameter(torch.zeros(3, 3))
m.data[0, :] = 5
y = (m * 2).sum()
y.backward()
"""


def test_write_to_a_row_through_data_is_recorded(tmp_path: Path) -> None:
    """A write through a view of `m.data`, before any op read `m`, leads to the op that reads `m`."""
    graph = run_of(tmp_path, ROW)
    assert {("m", "mul"), ("copy_", "mul")} <= arrows(graph)


FROZEN = """\
import torch
from torch import nn

layer = nn.Linear(2, 2).double()
y = layer(torch.ones(1, 2).double()).sum()
layer.requires_grad_(False)
layer.half().double()
layer.to(torch.float64)
"""


def test_leaf_frozen_and_converted_after_it_was_read_is_recorded(tmp_path: Path) -> None:
    """A parameter that no longer requires grad, and got other data, is no alias of itself."""
    script = tmp_path / "script.py"
    script.write_text(FROZEN)
    (record,) = record_model(Request(str(script)))
    assert ("ok", ["y"]) == (record.status, [output.name for output in record.outputs])


SAVED = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
weights = list(model.parameters())
grads = torch.autograd.grad(model(torch.ones(3, 2)).pow(2).mean(), weights, create_graph=True)
torch.autograd.grad(sum(g.sum() for g in grads), weights)
for p in weights:
    p.data.copy_(p.data.view(-1).view(p.size()) * 2)
model(torch.ones(2))
"""


def test_data_after_a_second_derivative_is_that_of_the_leaf(tmp_path: Path) -> None:
    """Not of what a node had saved of the leaf, which is another object on the same memory."""
    script = tmp_path / "script.py"
    script.write_text(SAVED)
    record = next(iter(record_model(Request(str(script), ()))))
    viewed = [record.tensors[op.inputs[0]].name for op in record.ops if op.name == "view"]
    assert ["model.0.weight", "model.0.bias", "model.2.weight", "model.2.bias"] == viewed[::2]
