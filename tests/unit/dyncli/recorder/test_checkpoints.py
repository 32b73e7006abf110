"""Runs with checkpoints: the script's ops, those that are computed again, and what is held meanwhile."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.memory import memory
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record
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


DEEP = """import dyncore as torch
from dyncore.utils.checkpoint import checkpoint

layers = [torch.nn.Linear(4, 4) for _ in range(4)]


def block(x, first):
    for layer in layers[first : first + 2]:
        x = torch.relu(layer(x))
    return x


def plain(x):
    for first in (0, 2):
        x = block(x, first)
    return x.sum()


def forward(x):
    for first in (0, 2):
        x = checkpoint(block, x, first, use_reentrant=False)
    return x.sum()
"""


def deep(tmp_path: Path, entry: str = "forward") -> Record:
    """Record one of the two functions."""
    script = tmp_path / "net.py"
    script.write_text(DEEP)
    return next(iter(record_model(Request(f"{script}:{entry}", ["[[1, 2, 3, 4]]"], measure=True))))


def test_the_lines_of_ops_in_a_checkpoint_are_the_scripts(tmp_path: Path) -> None:
    """Under hooks of saved tensors `linear` takes another way through the engine, whose lines are nobody's concern."""
    assert {"net.py"} == {Path(op.site.file).name for op in deep(tmp_path).ops}


def test_calls_that_are_run_again_stand_beside_each_other(tmp_path: Path) -> None:
    """Each ends by an exception as soon as enough is there; the next is not called by it."""
    record = deep(tmp_path)
    again = [each for each in record.decisions if each.phase == "recompute"]
    assert 2 == len(again)
    assert 1 == len({record.scopes[record.scopes[each.scope].parent].parent for each in again})


def test_ops_in_a_checkpoint_hold_nothing_for_backward(tmp_path: Path) -> None:
    """Until they are run again, inside the node that asks for what they hold."""
    record = deep(tmp_path)
    held = {phase: sum(op.saved_bytes for op in record.ops if op.phase == phase) for phase in ("forward", "recompute")}
    assert 0 == held["forward"] < held["recompute"]
    assert memory(record).most_saved < memory(deep(tmp_path, "plain")).most_saved
