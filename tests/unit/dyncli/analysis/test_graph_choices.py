"""What an index that came from a tensor chose, as arrows from the op that made it; none where that is not sure."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.graph import GraphOptions, build
from tests.runs import recorded

LAYERS = """\
import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])

    def forward(self, x):
{body}


model = Net()
"""
OWN = """\
import dyncore as torch
from dyncore import nn


class Expert(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))

    def forward(self, x):
        y = self.w * x
        return y.tanh()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = nn.ModuleList([Expert(), Expert()])

    def forward(self, x):
{body}


model = Net()
"""
TABLE = """\
import dyncore as torch

table = [torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])]


def forward(x):
{body}
"""


def chosen(folder: Path, script: str, body: str) -> list[tuple[str, str, str, str]]:
    """The arrows that say what was chosen: from which op to which, of what kind, and the words on it."""
    indented = "\n".join(" " * (4 if script is TABLE else 8) + line for line in body.splitlines())
    graph = build(recorded(folder, script.replace("{body}", indented), "[1.0, 2.0]"), GraphOptions())
    names = {node.id: node.name for node in graph.nodes}
    edges = [edge for edge in graph.edges if edge.label.startswith("chose")]
    return [(names[edge.source], names[edge.target], edge.kind, edge.label) for edge in edges]


@pytest.mark.parametrize(
    ("script", "body", "expected"),
    [
        (LAYERS, "i = x.argmax().item()\nreturn self.layers[i](x)", ("argmax", "linear", "layers[1]")),
        (LAYERS, "return self.layers[int(x.argmin())](x)", ("argmin", "linear", "layers[0]")),
        (LAYERS, "i = x.argmax()\nreturn self.layers[0](x) + self.layers[i](x)", ("argmax", "linear", "layers[1]")),
        (LAYERS, "i = x.argmax()\nlayer = self.layers[i]\nreturn layer(x)", ("argmax", "linear", "layers[1]")),
        (OWN, "i = x.argmax().item()\nreturn self.experts[i](x)", ("argmax", "mul", "experts[1]")),
        (OWN, "i = x.argmin()\ne = self.experts[i]\nreturn e(x) + i", ("argmin", "mul", "experts[0]")),
        (TABLE, "k = x.argmax()\nreturn x * table[k.item()]", ("argmax", "mul", "table[1]")),
        (TABLE, "k = x.argmax().item()\nreturn x * table[k]", ("argmax", "mul", "table[1]")),
    ],
)
def test_an_index_leads_to_what_it_chose(
    tmp_path: Path, script: str, body: str, expected: tuple[str, str, str]
) -> None:
    """A dashed arrow as of what decides, with the list and the number."""
    source, target, words = expected
    assert [(source, target, "predicate", f"chose {words}")] == chosen(tmp_path, script, body)


@pytest.mark.parametrize(
    "body",
    [
        "i = x.argmax().item()\ni = 1\nreturn self.layers[i](x)",
        "i = x.argmax().item()\nreturn self.layers[1](x)",
        "i = x.argmin().item()\nreturn self.layers[i + 1](x)",
        "y = self.layers[1](x)\ni = y.argmax().item()\nreturn y + i",
        "i = 0\nif x.sum() < 0:\n    i = x.argmax().item()\nreturn self.layers[i](x)",
    ],
)
def test_index_that_may_be_another_is_no_cause(tmp_path: Path, body: str) -> None:
    """One that was assigned again or reckoned with, one written out, or one that chose nothing."""
    assert [] == chosen(tmp_path, LAYERS, body)


@pytest.mark.parametrize(
    "body",
    [
        "i = x.argmax().item()\ny = sum(e(x) for e in self.experts)\nreturn y if i < 2 else self.experts[i](x)",
        "i = x.argmax().item()\nreturn self.experts[1 - i](x) + x[i]",
        "i = x.argmax().item()\nfor e in self.experts:\n    x = e(x)\nreturn x * len(self.experts[i]._buffers)",
    ],
)
def test_modules_not_chosen_by_index_have_no_cause(tmp_path: Path, body: str) -> None:
    """One of several that were called, or another one."""
    assert [] == chosen(tmp_path, OWN, body)


def test_steps_that_choose_different_layers_share_an_arrow(tmp_path: Path) -> None:
    """It names the index as it is written."""
    body = "for s in range(2):\n    i = (x * (1 - 2 * s)).argmax().item()\n    x = table[i] * x.abs()\nreturn x.sum()"
    assert [("argmax", "mul", "predicate", "chose table[i]")] == chosen(tmp_path, TABLE, body)
