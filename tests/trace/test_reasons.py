"""Why a parameter has no gradient."""

from __future__ import annotations

from pathlib import Path

from tests.runs import recorded

HEAD = """\
import dyncore as torch

w = torch.tensor([1.0, -1.0], requires_grad=True)


"""
LOOP = """\
def forward(x):
    n = 0
    while n < 3:
        if (w * n).sum() > -1:
            x = x * 2
        n += 1
    return x
"""
ARM = """\
def forward(x):
    if (w * 0).sum() > 1:
        return x * w
    return x
"""


def reason(folder: Path, body: str) -> str | None:
    """What is said of `w`."""
    record = recorded(folder, HEAD + body, "[1.0, 2.0]")
    return next(gradient.reason for gradient in record.backwards[0].gradients if gradient.name == "w")


def test_what_only_decided_in_a_loop_was_on_the_path_taken(tmp_path: Path) -> None:
    """A loop that was left is no arm that was not taken: its body ran."""
    assert reason(tmp_path, LOOP) == "only decided line 9: `(w * n).sum() > -1`"


def test_an_arm_that_was_never_taken(tmp_path: Path) -> None:
    """The test that led elsewhere each time is what kept it away, whatever else it decided."""
    assert reason(tmp_path, ARM) == "not on the path taken: decided at line 7"
