"""What a script makes to be trained is a parameter in its picture, whether beside an entry or in a plain script."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.graph import build
from tests.runs import lines, recorded

BESIDE = """\
import dyncore as torch

w = torch.tensor([1.0, -2.0], requires_grad=True)
b = torch.tensor(0.5)


def forward(x):
    return (x * w + b).sum()
"""
PLAIN = """\
import dyncore as torch

w = torch.tensor([1.0, -2.0], requires_grad=True)
b = torch.tensor(0.5)
(w * torch.tensor([3.0, 4.0]) + b).sum().backward()
"""
DEEP = """\
import dyncore as torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        block = torch.nn.ModuleDict({"projection_of_the_heads": torch.nn.Linear(2, 2)})
        self.transformer_encoder = torch.nn.ModuleList([block])

    def forward(self, x):
        return self.transformer_encoder[0]["projection_of_the_heads"](x).sum()


model = Net()
"""


def test_a_tensor_beside_the_entry_that_gets_a_gradient_is_a_parameter(tmp_path: Path) -> None:
    """Its name is the variable's, its gradient stands on it; one without a gradient is a constant."""
    record = recorded(tmp_path, BESIDE, "[1.0, 2.0]")
    graph = build(record)
    assert {"w": ["float32 [2] · [1, -2]", "grad [1, 2]"]} == lines(graph, "parameter")
    assert ["b"] == [*lines(graph, "constant")]
    assert [("x", "input"), ("w", "parameter")] == [(g.name, g.role) for g in record.backwards[0].gradients[:2]]


def test_a_tensor_that_a_plain_script_makes_to_be_trained_is_a_parameter(tmp_path: Path) -> None:
    """It stands under its variable's name, with how it was made; what gets no gradient is an op's result."""
    graph = build(recorded(tmp_path, PLAIN))
    assert {"w": ["float32 [2] · [1, -2]", "grad [3, 4]", "line 3"]} == lines(graph, "parameter")
    assert ["w = tensor [1, -2]"] == [f"{node.name} {node.rest}" for node in graph.nodes if node.kind == "parameter"]
    assert "tensor" in lines(graph, "op")


def test_a_long_name_ends_as_it_ends(tmp_path: Path) -> None:
    """Weight and bias of a layer deep inside had one name, cut before what told them apart."""
    graph = build(recorded(tmp_path, DEEP, "[1.0, 2.0]"))
    named = "transformer_encoder.0.projection_of_the"
    assert [f"{named}_….weight", f"{named}_he….bias"] == [*lines(graph, "parameter")]


TRAINED = """\
import dyncore as torch

w = torch.tensor(1.0, requires_grad=True)
for _ in range(3):
    loss = (w - 3) ** 2
    w.grad = None
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
"""


def test_a_training_says_which_gradient_is_drawn(tmp_path: Path) -> None:
    """Of many that came back a reader of the picture could not tell the first, the last or their sum."""
    graph = build(recorded(tmp_path, TRAINED))
    assert "backward() at line 7 ran 3 times: inputs and parameters have the last gradient" == graph.note
    assert any("grad -2.56" in told for told in lines(graph, "parameter").values())
