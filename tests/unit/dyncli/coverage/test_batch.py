"""`cover --batch`: inputs that run together are reported as those that run one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dyncli.coverage.together import Turns
from tests.unit.dyncli.coverage.running import arms, covered, missed, outcomes

BRANCHES = """\
import torch
def forward(x):
    while x.norm() > 4:
        x = x / 2
    if x.sum() > 0 and x.min() > -1:
        return torch.sqrt(x.abs()).sum()
    return x.sum()
"""
LAYERS = """\
import torch
torch.manual_seed(0)
cell, stop = torch.nn.GRUCell(1, 4), torch.nn.Linear(4, 1)
def forward(x):
    h, states = None, []
    for value in x:
        h = cell(value.reshape(1, 1), h)
        states.append(h)
        if stop(h).sum() > 0.4:
            break
    return torch.cat(states).sum() if len(states) > 1 else h.sum()
"""
RECURSION = """\
import torch
def halves(x, depth):
    if len(x) == 1:
        return x[0].tanh()
    return halves(x[: len(x) // 2], depth + 1) * halves(x[len(x) // 2 :], depth + 1)
def forward(x):
    return halves(x, 0)
"""
RAISES = """\
def forward(x):
    if x.sum() > 2:
        raise ValueError(f"too large: {x.sum().item():.1f}")
    return (x * 2).sum() if x.min() > -1 else x[7]
"""
STATEFUL = """\
import torch
seen = []
def forward(x):
    seen.append(x.sum())
    return x.sum() if len(seen) < 2 else x.prod()
"""
RANDOM = """\
import torch
def forward(x):
    return x.sum() if torch.rand(()) > 0.5 or x.sum() > 0 else x.prod()
"""
BACKWARD = """\
import torch
def forward(x):
    y = (x * x).sum()
    y.backward()
    return y if x.grad.sum() > 0 else -y
"""
IN_BACKWARD = """\
import torch
class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1
    @staticmethod
    def backward(ctx, g):
        return g if g.sum() > 0 else -g
def forward(x):
    return Sign.apply(x).sum() * (1 if x.sum() > 0 else -1)
"""
TOGETHER = {"branches": BRANCHES, "layers": LAYERS, "recursion": RECURSION, "raises": RAISES}
ALONE = {"stateful": STATEFUL, "random": RANDOM, "backward": BACKWARD, "decides in backward": IN_BACKWARD}
INPUTS = [[(k * 37 % 101 - 50) / 17, (k * 53 % 89 - 40) / 29, k % 11 - 5.0][: 1 + k % 3] for k in range(40)]
INPUTS[5:5] = ["no json", {"y": 1}, ""]


def facts(report: Any) -> Any:
    """Return the part that does not depend on rounding."""
    paths = sorted((path.text, path.inputs, path.raised) for path in map(PathFacts, report.tally.paths.values()))
    return arms(report), missed(report), outcomes(report), paths, report.tally.depths, report.tally.reasons


class PathFacts:
    def __init__(self, path: Any) -> None:
        self.text, self.inputs, self.raised = path.text, path.count, path.raised


def norms(report: Any) -> list[float]:
    found = [path.inputs for path in report.tally.paths.values()]
    return sorted(value for each in found if each.runs for value in (each.least, each.most))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many inputs each batch answered."""
    counts: list[int] = []
    run = Turns.run

    def counting(self: Turns, given: Any, watch: Any) -> Any:
        found = run(self, given, watch)
        counts.append(len(found))
        return found

    monkeypatch.setattr(Turns, "run", counting)
    return counts


@pytest.mark.parametrize("no_grad", [False, True])
@pytest.mark.parametrize("name", [*TOGETHER, *ALONE])
def test_report_of_a_batch_is_that_of_single_runs(name, no_grad, tmp_path: Path, counted):
    source = {**TOGETHER, **ALONE}[name]
    single = covered(tmp_path, source, INPUTS, no_grad=no_grad, timeout=20.0)
    found = covered(tmp_path, source, INPUTS, no_grad=no_grad, timeout=20.0, batch=8)
    assert facts(single) == facts(found)
    assert norms(single) == pytest.approx(norms(found), rel=1e-5)
    if name in TOGETHER:
        assert sum(counted) == outcomes(found)["ok"]


def test_inputs_after_a_script_kept_state_run_one_by_one(tmp_path: Path, counted):
    covered(tmp_path, STATEFUL, INPUTS, batch=8, timeout=20.0)
    assert not any(counted)


def test_batch_that_takes_too_long_is_run_one_by_one(tmp_path: Path):
    source = "def forward(x):\n    while x.sum() > 2:\n        x = x * 1\n    return x.sum()\n"
    found = covered(tmp_path, source, [[1.0], [3.0], [0.5], [2.0]], batch=4, timeout=0.3)
    assert outcomes(found) == {"ok": 3, "timeout": 1}
