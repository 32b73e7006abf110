"""`--steps` and `--until`: a training script inspected without training to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

TRAIN = """\
import dyncore as torch

w = torch.ones(2, requires_grad=True)
for step in range(100):
    w.grad = None
    (w * 2).sum().backward()
"""


@pytest.mark.parametrize("option", [("--steps", "2"), ("--until", "backward == 2")])
@pytest.mark.parametrize("command", ["run", "graph", "trace"])
def test_commands_end_well_after_so_many_backwards(
    dyncli, tmp_path: Path, command: str, option: tuple[str, str]
) -> None:
    """Exit code 0, and what ran until then."""
    (tmp_path / "train.py").write_text(TRAIN)
    found = dyncli(command, "train.py", *option)
    assert 0 == found.code
    assert "100 trips" not in found.out


def test_other_conditions_are_an_error(dyncli, tmp_path: Path) -> None:
    """Only backwards are counted."""
    (tmp_path / "train.py").write_text(TRAIN)
    found = dyncli("run", "train.py", "--until", "loss < 1")
    assert 2 == found.code
    assert "only `backward == N` is known" in found.err


def test_trace_of_a_long_run_is_by_line_first(dyncli, tmp_path: Path) -> None:
    """`--ops` shows each op by itself; a short run is shown so anyway."""
    (tmp_path / "train.py").write_text(TRAIN)
    assert "By line" in dyncli("trace", "train.py").out
    assert "By line" not in dyncli("trace", "train.py", "--ops").out
    assert "By line" not in dyncli("trace", "train.py", "--steps", "2").out


def test_trace_of_a_training_says_how_much_is_held_at_once(dyncli, tmp_path: Path) -> None:
    """The bytes of a line add up over all steps, of which each lets go of its own."""
    (tmp_path / "train.py").write_text(TRAIN.replace("w * 2", "w * w"))
    found = dyncli("trace", "train.py").out
    assert "\nheld: of all calls, never more than 8 B at once\n" in found and "800 B" in found
