"""How far the inputs are from flipping each test: hand-derived margins, gradients and steps, and what trials say."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.recorder.sensitivity import trials
from dyncli.records import json as record_json
from dyncli.records.model import Record, Sensitivity


def record(folder: Path, body: str, inputs: tuple[str, ...] = ("x=[1., -1., 3.]",), parameters: str = "x") -> Record:
    """The record of `forward` with this body, with its sensitivities."""
    script = folder / "net.py"
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    script.write_text(f"import math\nimport dyncore as torch\ndef forward({parameters}):\n{lines}    return x * 1\n")
    (found,) = record_model(Request(model=str(script), inputs=inputs, sensitivity=True))
    assert found.failure is None, found.failure
    return found


def only(folder: Path, body: str, **more: str) -> Sensitivity:
    """The last sensitivity of a body."""
    return record(folder, body, **more).sensitivities[-1]


@pytest.mark.parametrize(
    ("body", "margin", "gradient"),
    [
        ("if x.sum() > 0: pass", 3.0, (1.0, 1.0, 1.0)),
        ("if x.sum() < 0: pass", -3.0, (-1.0, -1.0, -1.0)),
        ("if 5 >= x.sum(): pass", 2.0, (-1.0, -1.0, -1.0)),
        ("if x[0] * x[2] > x[1]: pass", 4.0, (3.0, -1.0, 1.0)),
        ("if (x * x).sum().item() > 10: pass", 1.0, (2.0, -2.0, 6.0)),
        ("v = float((x * x).sum())\nif v > 10: pass", 1.0, (2.0, -2.0, 6.0)),
        ("v = 2 * (x * x).sum().item() - 1\nif 1 / v < 1: pass", 1 - 1 / 21, (4 / 441, -4 / 441, 12 / 441)),
        ("if abs(x[1].item()) > 0.5: pass", 0.5, (0.0, -1.0, 0.0)),
        ("if abs(x[0].item()) > 0.5: pass", 0.5, (1.0, 0.0, 0.0)),
        ("if x[0].item() / x[2].item() > 0: pass", 1 / 3, (1 / 3, 0.0, -1 / 9)),
        ("def size(t):\n    return abs(t.min().item()) ** 2\nif size(x) > 0.5: pass", 0.5, (0.0, -2.0, 0.0)),
        ("if x[0] * 4 > x[1].item() * 2: pass", 6.0, (4.0, -2.0, 0.0)),
        ("if x[1].item() * 2 >= x[0] * 4: pass", -6.0, (-4.0, 2.0, 0.0)),
        ("if x[2] <= x[0].item(): pass", -2.0, (1.0, 0.0, -1.0)),
        ("if x.tolist()[1] > 0: pass", -1.0, (0.0, 1.0, 0.0)),
        ("if (x > 0).all(): pass", -1.0, (0.0, 1.0, 0.0)),
        ("if (x > 2).any(): pass", 1.0, (0.0, 0.0, 1.0)),
        ("if (x.sum() > 0) & (x[1] > -3): pass", 2.0, (0.0, 1.0, 0.0)),
        ("if ~(x.sum() > 0): pass", -3.0, (-1.0, -1.0, -1.0)),
        ("ok = x.sum() > 0\nif ok: pass", 3.0, (1.0, 1.0, 1.0)),
        ("ok = bool(x.sum() > 0)\nif ok: pass", 3.0, (1.0, 1.0, 1.0)),
        ("ok = x[2].item() * 2 > 0\nif ok: pass", 6.0, (0.0, 0.0, 2.0)),
        ("if x[1]: pass", 1.0, (0.0, -1.0, 0.0)),
        ("if x.sum() == 2: pass", -1.0, (-1.0, -1.0, -1.0)),
        ("if x.sum() != 4: pass", 1.0, (-1.0, -1.0, -1.0)),
        ("assert max(x[0], x[2]) > 1", 2.0, (0.0, 0.0, 1.0)),
        ("y = (x * x).sum()\ny.backward()\nif y.item() < 20: pass", 9.0, (-2.0, 2.0, -6.0)),
        ("y = x * 1\ny += y\nif y.sum() > 0: pass", 6.0, (2.0, 2.0, 2.0)),
        ("if type(x[0].item()) is not float: pass\nif x.sum() > 0: pass", 3.0, (1.0, 1.0, 1.0)),
    ],
)
def test_margin_and_gradient(tmp_path: Path, body: str, margin: float, gradient: tuple[float, ...]) -> None:
    """Exact, by the graph as it was at the test, whatever became of it later."""
    found = only(tmp_path, body)
    assert found.reason is None
    assert margin == pytest.approx(found.margin)
    assert gradient == pytest.approx(found.inputs[0].gradient)


def test_the_step_flips(tmp_path: Path) -> None:
    """step = -margin g / |g|^2; the largest slope gives the element that changes least alone; runs say what happens."""
    found = only(tmp_path, "if (x * torch.tensor([1., 2., 2.])).sum() > 0: pass")
    (reach,) = found.inputs
    assert (5.0, 5 / 3, True) == (found.margin, found.distance, found.flips)
    assert (-5 / 9, -10 / 9, -10 / 9) == pytest.approx(reach.step)
    assert ((1,), -2.5, True) == (reach.element, reach.change, reach.flips)
    assert found.becomes is not None and found.becomes.endswith(" > 0")


def test_a_step_that_is_too_short(tmp_path: Path) -> None:
    """What the test becomes where the margin bends, and where along the gradient it flips."""
    found = only(tmp_path, "if (x * x).sum() > 1: pass")
    assert (False, 2.0) == (found.flips, found.factor)
    assert found.becomes is not None and found.becomes.endswith(" > 1")


def test_on_the_edge(tmp_path: Path) -> None:
    """Nothing needs to change but the least: the run a little beyond flips it."""
    found = only(tmp_path, "if x.sum() > 3: pass")
    assert (0.0, 0.0, True) == (found.margin, found.distance, found.flips)


def test_compound_tests_condition_by_condition(tmp_path: Path) -> None:
    """Each condition has its own; one that leaves the whole test as it is says so."""
    found = record(tmp_path, "if x[1] > 0 or x[0] > 0: pass\nif x[0] > 0 and x[2] > 0: pass").sensitivities
    assert [(0, 0, False), (0, 1, True), (1, 0, False), (1, 1, True)] == [
        (each.decision, each.condition, each.flips) for each in found
    ]
    assert "0.001 > 0, which alone does not flip the test" == found[0].becomes


def test_several_inputs_and_iterations(tmp_path: Path) -> None:
    """Every input that takes part, each evaluation of a loop's test."""
    body = "n = 0\nwhile (x * w).sum() > n:\n    n += 4"
    found = record(tmp_path, body, inputs=("x=[1., 2.]", "w=[3., 4.]"), parameters="x, w").sensitivities
    assert [11.0, 7.0, 3.0, -1.0] == [each.margin for each in found]
    assert [["x", "w"]] * 4 == [[reach.name for reach in each.inputs] for each in found]
    assert (3.0, 4.0) == found[0].inputs[0].gradient and (1.0, 2.0) == found[0].inputs[1].gradient
    assert (1.0 / 30**0.5) == pytest.approx(found[3].distance)


@pytest.mark.parametrize(
    ("body", "flips", "becomes"),
    [
        ("if x.sum() > 2.9: pass\nif x.sum() > 1: pass", False, "line 4 goes the other way before"),
        ("if x[0] > 5 or x[2] > 0: pass\nif x[0] > 3 or x.sum() > 9: pass", True, "it is not tested any more"),
        ("k = [0, 0, 1][int(x[0] * 2)]\nif x[0] < 1.5: pass", False, "it is not reached any more"),
        (
            "for _ in range(int(x[0] * 2)):\n    if x is None: pass\nif x[0] < 1.5: pass",
            False,
            "line 5 is tested once more before",
        ),
    ],
)
def test_step_that_changes_the_way_there_says_where(tmp_path: Path, body: str, flips: bool, becomes: str) -> None:
    """An earlier test may flip first, another part decide, an error or more steps of a loop come before."""
    found = record(tmp_path, body).sensitivities[-1]
    assert (flips, becomes) == (found.flips, found.becomes)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if x.shape[0] > 2: pass", "decided by a shape, which no small change moves"),
        ("n = 1\nif n: pass", "decided by Python alone"),
        ("import random\nif random.random() < 2: pass", "decided by chance"),
        ("if x.argmax() > 1: pass", "`gt` has no derivative"),
        ("if int(x.argmax()) > 1: pass", "`argmax` has no derivative"),
        (
            "if math.sqrt(abs(x.sum().item())) > 1: pass",
            "worked out in Python in a way that has no recorded derivative",
        ),
        (
            "with torch.no_grad():\n    if x.sum() > 1: pass",
            "no gradient is recorded there: `no_grad`, `detach`, or no input takes part",
        ),
        ("if (x * 0).sum() > 1: pass", "its gradient is zero: to first order no change flips it"),
        ("for k in range(int(x[2].item())): pass", "how often it goes round is an integer"),
        ("match x.sum().item():\n    case 3.0: pass", "which case matches has no margin"),
        ("if (x / 0).sum() > 1: pass", "its margin or its gradient is not finite"),
        ("if x.repeat(6).tolist()[0] > 0: pass", "only tensors of up to 16 elements are differentiated"),
        (
            "import os\nif os.path.exists('seen'): pass\nos.makedirs('seen', exist_ok=True)\nif x.sum() > 0: pass",
            "a second run went another way",
        ),
        ("if x.sum() < math.inf: pass", "its margin or its gradient is not finite"),
    ],
)
def test_why_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, reason: str) -> None:
    """A decision without a gradient says why."""
    monkeypatch.chdir(tmp_path)
    assert reason == only(tmp_path, body).reason


def test_a_script_as_it_stands(tmp_path: Path) -> None:
    """The script's own leaves are its inputs; nothing can be tried on them."""
    script = tmp_path / "whole.py"
    script.write_text("import dyncore as torch\nx = torch.tensor([1., 2.], requires_grad=True)\nif x.sum() > 1: pass\n")
    (found,) = record_model(Request(model=str(script), sensitivity=True))
    (one,) = found.sensitivities
    assert ("x", (1.0, 1.0), None) == (one.inputs[0].name, one.inputs[0].gradient, one.flips)


def test_prints_and_chance_are_the_run_s_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Further runs print nothing, and draw the same random numbers."""
    found = only(tmp_path, "print('once')\nif x.sum() + torch.randn(()) > 0: pass")
    assert ("once\n", True) == (capsys.readouterr().out, found.flips)


def test_a_run_that_was_stopped_is_not_run_again(tmp_path: Path) -> None:
    """It would be stopped again, a hundred times: a note says that nothing was looked for."""
    script = tmp_path / "net.py"
    script.write_text("def forward(x):\n    while x.sum() > 0:\n        x = x * 1\n")
    (found,) = record_model(Request(model=str(script), inputs=("[1.0]",), sensitivity=True, max_ops=50))
    assert ((), "limit") == (found.sensitivities, found.status)
    assert "how near the other arms are was not looked for: the run was stopped" in found.warnings


def test_saved_and_loaded(tmp_path: Path) -> None:
    """A record keeps them."""
    found = record(tmp_path, "if x.sum() > 0: pass\nif x.shape[0] > 1: pass")
    assert found == record_json.parse(record_json.dump(found))


def test_trials_end_with_their_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test is tried once the runs for one record are spent; the nearest were, each and then its one element."""
    monkeypatch.setattr(trials, "MOST_TRIALS", 5)
    found = record(tmp_path, "for k in range(9):\n    if x[0] >= 12 - k: pass")
    nearest = sorted(found.sensitivities, key=lambda one: one.distance or 0.0)
    assert [True] * 3 + [None] * 6 == [one.flips for one in nearest]


@pytest.mark.parametrize(("seconds", "most"), [(0.01, 100), (1, 20), (100, 4)])
def test_trials_are_as_many_as_twenty_seconds_of_a_processor_allow(tmp_path: Path, seconds: float, most: int) -> None:
    """However long the run waited for one, as on a busy machine."""
    run = record(tmp_path, "pass")._replace(elapsed_ns=10**12, processor_ns=int(seconds * 1e9))
    assert most == trials.Trials(run, lambda slopes=None, moved=None: None).left


def test_leaf_of_the_script_s_own_is_not_tried(tmp_path: Path) -> None:
    """A run cannot be given another: no trial says that a change of it, or of it and an input, does not flip."""
    found = only(tmp_path, "w = torch.ones(1001).requires_grad_()\nif x.sum() * w.mean() > 1: pass\nw.sum().backward()")
    assert None is found.flips
    assert [("x", True), ("w", None)] == [(reach.name, reach.flips) for reach in found.inputs]
    assert [True, False] == [reach.gradient is not None for reach in found.inputs]


def test_leaf_has_the_name_that_its_own_column_is_assigned_to(tmp_path: Path) -> None:
    found = only(tmp_path, "a = 2 * x; w = torch.tensor(3.0, requires_grad=True); b = -a\nif w > 1: pass")
    assert ["w"] == [reach.name for reach in found.inputs]


def test_what_hooks_decide_is_no_other_way(tmp_path: Path) -> None:
    """Gradients of tested values run the script's hooks, whose own tests are none of the run."""
    found = record(tmp_path, "x = x * 1\nx.register_hook(lambda g: g if g[0] > 0 else g * 2)\nif x.sum() > 0: pass")
    assert [(3.0, True), (1.0, None)] == [(one.margin, one.flips) for one in found.sensitivities]
