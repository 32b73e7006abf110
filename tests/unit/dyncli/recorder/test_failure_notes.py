"""What is said of the end of a run besides what the script itself says."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request

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
        ("n.sum()", "'abc'", ("hint: `n` is of type str, as it was given: `n=1.0` or `n=[1, 2]` is a tensor",)),
        ("n.sum()", "['a']", ("hint: `n` is of type list, as it was given: `n=1.0` or `n=[1, 2]` is a tensor",)),
        ("n.sum()", "null", ("hint: `n` is None, as it was given: `n=1.0` or `n=[1, 2]` is a tensor",)),
    ],
)
def test_a_plain_value_where_a_tensor_is_wanted(tmp_path: Path, body: str, value: str, notes: tuple[str, ...]) -> None:
    """It is told where a tensor would have done, and only to who gave a plain value."""
    script = tmp_path / "net.py"
    script.write_text(f"import dyncore as torch\n\n\ndef forward(n):\n    return {body}\n")
    (record,) = record_model(Request(str(script), (value,)))
    assert record.failure is not None and notes == record.failure.notes


def test_a_forgotten_return(tmp_path: Path) -> None:
    """An entry that computed something and returned nothing is told of."""
    script = tmp_path / "net.py"
    script.write_text("def forward(x):\n    y = x * 2\n")
    (record,) = record_model(Request(str(script), ("[1]",)))
    assert ("`forward` returned None: a `return` may be missing",) == record.warnings


@pytest.mark.parametrize(
    ("body", "kind"), [("x.sum().item()", "a float"), ("(x * 2).detach().numpy()", "a NumPy array")]
)
def test_result_that_left_the_graph_is_named(tmp_path: Path, body: str, kind: str) -> None:
    """An array of several elements is no failure of the script."""
    script = tmp_path / "net.py"
    script.write_text(f"def forward(x):\n    return {body}\n")
    (record,) = record_model(Request(str(script), ("[1, 2]",)))
    assert ("ok", None) == (record.status, record.failure)
    assert (f"`forward` returned {kind}, which has no gradient: return the tensor",) == record.warnings


def test_a_script_that_only_defines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of the script itself that recorded no op says how to run what it defines."""
    monkeypatch.delitem(sys.modules, "torch", raising=False)  # which other tests import
    script = tmp_path / "net.py"
    script.write_text("def first(x):\n    return x\n\n\ndef second(x):\n    return x\n")
    (record,) = record_model(Request(str(script)))
    assert (
        f"no op was recorded: the script itself was run; `{record.model}:first` with an input runs that alone",
    ) == record.warnings


@pytest.mark.parametrize(
    ("wanted", "notes"),
    [
        ("p.parse_args()", ("hint: the script's own arguments go after `--`: `dyncli run script.py -- --epochs 1`",)),
        ("raise SystemExit(2)", ()),
    ],
)
def test_a_script_that_wants_arguments(tmp_path: Path, wanted: str, notes: tuple[str, ...]) -> None:
    """What `argparse` prints says what is missing, and not how it could be given."""
    script = tmp_path / "net.py"
    script.write_text(f"import argparse\n\np = argparse.ArgumentParser()\np.add_argument('n')\n{wanted}\n")
    (record,) = record_model(Request(str(script)))
    assert record.failure is not None and notes == record.failure.notes
