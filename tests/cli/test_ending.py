"""The exit code of several runs is that of the worst."""

from __future__ import annotations

import pytest

from dyncli import errors
from dyncli.cli.output import end
from dyncli.records.model import Failure, Record


def run(status: str, message: str = "") -> Record:
    """Return a run that ended so."""
    return Record("m.py", "f", status=status, failure=Failure("ValueError", message) if message else None)


OK, RAISED, LATE = run("ok"), run("error", "bad"), run("timeout", "stopped after 1 s")
STOPPED = run("interrupted")


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([OK, RAISED], errors.RunRaised),
        ([RAISED, OK, LATE], errors.LimitReached),
        ([LATE, STOPPED, RAISED], errors.Interrupted),
    ],
)
def test_worst_of_several_runs_decides(records: list[Record], expected: type[errors.DyncliError]) -> None:
    """Wherever it stands among them."""
    with pytest.raises(expected):
        end(records)


def test_first_of_equally_bad_runs_is_named() -> None:
    """The reader looks for it from the top."""
    with pytest.raises(errors.RunRaised, match="first"):
        end([OK, run("error", "first"), run("error", "second")])


def test_runs_that_went_well_raise_nothing() -> None:
    """None at all as well."""
    end([OK, OK])
    end([])
