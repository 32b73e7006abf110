"""What a run with checkpoints shows: the script's ops, and those that are computed again."""

from __future__ import annotations

from pathlib import Path

from tests.runs import recorded

PART = """\
import dyncore as torch
from dyncore.utils.checkpoint import checkpoint


def part(x):
    return torch.tanh(x * 2)


def forward(x):
    return checkpoint(part, x, use_reentrant=False).sum()
"""


def test_how_a_checkpoint_keeps_its_inputs_is_no_op_of_the_script(tmp_path: Path) -> None:
    """No `empty` and no `detach` that nobody wrote, of a result that the picture called a gradient."""
    ran = [(op.name, op.phase) for op in recorded(tmp_path, PART, "[1, -1]", edges=True).ops]
    assert ran == [("mul", "forward"), ("tanh", "forward"), ("sum", "forward"), ("mul", "recompute")]
