"""What is said of the end of a run besides what the script itself says."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.trace.recorder import record_model
from dyncli.trace.request import Request

HINT = "hint: a whole number by itself stays an int: `n=1.0` or `n=[1]` is a tensor"


@pytest.mark.parametrize(
    ("body", "value", "notes"),
    [
        ("n.sum()", "1", (HINT,)),
        ("torch.relu(n)", "1", (HINT,)),
        ("(n + 1).sum()", "1", (HINT,)),
        ("n.no_such_name()", "1", ()),
        ("'a' + n", "1", ()),
        ("(3).sum()", "1.0", ()),
    ],
)
def test_a_whole_number_where_a_tensor_is_wanted(tmp_path: Path, body: str, value: str, notes: tuple[str, ...]) -> None:
    """It is told where a tensor would have done, and only to who gave a whole number."""
    script = tmp_path / "net.py"
    script.write_text(f"import dyncore as torch\n\n\ndef forward(n):\n    return {body}\n")
    (record,) = record_model(Request(str(script), (value,)))
    assert record.failure is not None and notes == record.failure.notes


@pytest.mark.parametrize(
    ("wanted", "notes"),
    [
        ("p.parse_args()", ("hint: a script is given no arguments: let its options have defaults",)),
        ("raise SystemExit(2)", ()),
    ],
)
def test_a_script_that_wants_arguments(tmp_path: Path, wanted: str, notes: tuple[str, ...]) -> None:
    """What `argparse` prints says what is missing, and not how it could be given."""
    script = tmp_path / "net.py"
    script.write_text(f"import argparse\n\np = argparse.ArgumentParser()\np.add_argument('n')\n{wanted}\n")
    (record,) = record_model(Request(str(script)))
    assert record.failure is not None and notes == record.failure.notes
