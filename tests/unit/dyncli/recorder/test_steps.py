"""`--steps N`: a run that ends well after so many backwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request

SCRIPT = """\
import dyncore as torch


def main():
    w = torch.ones(2, requires_grad=True)
    for step in range(100):
        (g,) = torch.autograd.grad((w * w).sum(), [w])
        w.grad = None
        loss = (w * 2).sum()
        loss.backward()
        with torch.no_grad():
            w -= 0.1 * w.grad


main()
raise SystemExit(9)
"""


@pytest.mark.parametrize("steps", [1, 3])
def test_run_ends_well_after_so_many_backwards(tmp_path: Path, steps: int) -> None:
    """Calls of `autograd.grad` do not count; names and gradients are there, and a note says why it ended."""
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    (record,) = record_model(Request(str(script), (), steps=steps))
    assert ("ok", None) == (record.status, record.failure)
    assert steps == sum(one.by == "backward" for one in record.backwards)
    assert [("w", True)] == [
        (each.name, each.value is not None) for each in record.backwards[-1].gradients if each.role != "intermediate"
    ]
    assert f"stopped after {steps} backward{'s' * (steps > 1)}, as asked" in record.warnings
    assert ["stopped"] == [each.exit for each in record.decisions if each.trips is not None]


@pytest.mark.parametrize("limit", [{"max_ops": 20}, {"steps": 1}])
@pytest.mark.parametrize(("body", "ending"), [("pass", "exhausted"), ("raise ValueError", "raise")])
def test_loop_that_was_open_ended_with_the_run_or_raised(
    tmp_path: Path, limit: dict[str, int], body: str, ending: str
) -> None:
    """A loop that the script's own exception left before the stop keeps that ending."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\nw = torch.ones(2, requires_grad=True)\ntry:\n    for row in range(1):\n"
        f"        {body}\nexcept ValueError:\n    pass\nfor row in range(100):\n    (w * 2).sum().backward()\n"
    )
    (record,) = record_model(Request(str(script), (), **limit))
    first, last = [each.exit for each in record.decisions if each.trips is not None]
    assert (ending, "stopped") == (first, last)


def test_run_with_fewer_backwards_ends_by_itself(tmp_path: Path) -> None:
    """With the script's own end."""
    script = tmp_path / "train.py"
    script.write_text(SCRIPT.replace("100", "2"))
    (record,) = record_model(Request(str(script), (), steps=3))
    assert "error" == record.status
