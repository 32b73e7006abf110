"""Records of real runs: saved and read back exactly, and drawn by every view."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dyncli.analysis.graph import GraphOptions, build
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records import json as record_json
from dyncli.records.model import Record
from dyncli.render.export import graph_json, json
from dyncli.render.graph import dot, html, layered_svg, mermaid, tree
from tests.unit.dyncli.render.test_run import printed

BRANCHES = """\
import dyncore as torch


def forward(x, mode="b", n=3):
    total = torch.zeros(3)
    for i in range(n):
        for j in range(i + 1):
            if j % 2 == 0:
                total = total + x * j
            elif x[0] > 0:
                total = total - x
            else:
                continue
    match mode:
        case "a":
            total = total * 2
        case "b" if n > 2:
            total = total * 3
    kept = [v * 2 for v in x if v > 0]
    try:
        if total.max() > -99:
            raise ValueError("too large")
    except ValueError:
        total = total.clamp(max=5)
    while True:
        total = total * 1.5 + 1
        if total.abs().sum().item() > 20:
            break
    return {"total": total, "kept": len(kept)}
"""
RECURSION = """\
import dyncore as torch

W = torch.ones(2, 4, requires_grad=True)


def visit(depth):
    if depth == 0:
        return torch.ones(2)
    return torch.tanh(W @ torch.cat([visit(depth - 1), visit(depth - 1)]))


def forward(x, depth=4):
    return (visit(depth) * x).sum()
"""
FAILS = """\
import dyncore as torch


def forward(x):
    for i in range(6):
        x = x * 2
        if i == 3:
            x = x @ torch.ones(7, 2)
    return x
"""
MODULES = """\
import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])
        self.unused = nn.Linear(3, 1)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
            if x.max() > 100:
                break
        return x.sum()


model = Net()
"""
RUNS = {"branches": (BRANCHES, "[1, -1, 2]"), "recursion": (RECURSION, "[1, 2]"), "fails": (FAILS, "[1, 2, 3]"),
        "modules": (MODULES, "[1, 2, 3]")}  # fmt: skip


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    """One record of each script."""
    folder = tmp_path_factory.mktemp("scripts")
    found = {}
    for name, (source, given) in RUNS.items():
        path = Path(folder / f"{name}.py")
        path.write_text(source)
        (found[name],) = record_model(Request(str(path), (f"x={given}" if name != "modules" else given,)))
    return found


@pytest.mark.parametrize("name", RUNS)
def test_saved_and_read_back(runs: dict[str, Record], name: str) -> None:
    """What a recorder wrote obeys the rules of a file, and comes back as it was."""
    assert repr(runs[name]) == repr(record_json.parse(record_json.dump(runs[name])))


@pytest.mark.parametrize("view", [dot, graph_json, html, json, mermaid, tree], ids=lambda view: view.__name__)
@pytest.mark.parametrize("name", RUNS)
def test_drawn_by_every_view(runs: dict[str, Record], name: str, view: Any) -> None:
    """No view stumbles over a real run, folded or not."""
    assert view.render(runs[name])
    if view is not json:
        assert view.render(runs[name], GraphOptions(expand=("all",), grads=True, saved=True, times=True, max_nodes=500))
    assert layered_svg.drawn(build(runs[name])).startswith("<?xml")


@pytest.mark.parametrize("name", RUNS)
def test_printed(runs: dict[str, Record], name: str) -> None:
    """The tables fit 80 columns."""
    assert max(map(len, printed(runs[name], trace=True).splitlines())) <= 80


def test_a_real_recursion_folds(runs: dict[str, Record]) -> None:
    """31 calls are one box, and the entry has none."""
    graph = build(runs["recursion"])
    assert ["visit"] == [box.name for box in graph.boxes if box.kind == "call"]
    decision = next(node for node in graph.nodes if node.kind == "decision")
    assert 31 == len(decision.decisions)


def test_real_modules_fold(runs: dict[str, Record]) -> None:
    """Four layers that a loop runs are one module, its parameters one node each, the unused ones told."""
    graph = build(runs["modules"])
    assert "layers.0 … 3" in [box.name for box in graph.boxes if box.kind == "module"]
    names = [node.name for node in graph.nodes if node.kind == "parameter"]
    assert {"layers.0 … 3.weight", "layers.0 … 3.bias", "unused.weight", "unused.bias"} == set(names)


def test_a_real_failure_is_marked(runs: dict[str, Record]) -> None:
    """The op that raised is the only failed node, in the iteration that raised."""
    graph = build(runs["fails"])
    (failed,) = (node for node in graph.nodes if node.failed)
    assert "matmul" == failed.name
    assert "F x3, T" in next(box.rest for box in graph.boxes if box.kind == "loop")
