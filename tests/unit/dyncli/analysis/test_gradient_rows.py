"""Which gradients of a backward are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.gradients import _folded
from dyncli.analysis.values import TensorRow, gradient_rows
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request

STEPS = """\
import dyncore as torch

w = torch.tensor([2.0], requires_grad=True)
for step in range(2):
    loss = (w * w).sum()
    loss.backward()
    {end}
    w = w - 0.5
"""
GONE = "what got a gradient has no name any more"


@pytest.mark.parametrize(("end", "second"), [("pass", ("", None, GONE)), ("if step: break", ("w", (3.0,), None))])
def test_a_leaf_that_is_gone(tmp_path: Path, end: str, second: tuple[object, ...]) -> None:
    """A step that is not taken in place leaves the first `w` behind: a later `w` stands in for it, if one is left."""
    script = tmp_path / "net.py"
    script.write_text(STEPS.format(end=end))
    (record,) = record_model(Request(str(script)))
    (row,) = gradient_rows(record, record.backwards[1])
    assert second == (row.name, None if row.tensor is None else row.tensor.values, row.reason)


def test_second_reason_of_equal_names_is_counted_in_the_singular(tmp_path: Path) -> None:
    """Two layers of one name, one under `no_grad` and one that was not reached."""
    reasons = ["under no_grad at line 7", "not reached"]
    rows = [TensorRow("w", None, reason=reason) for reason in reasons]
    assert _folded("w", rows).reason == "under no_grad at line 7, and 1 more reason"
