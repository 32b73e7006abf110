"""Assertions for tests of dynamic models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dyncli import errors
from dyncli.api.comparing import compared
from dyncli.api.record import Record, data_of, load
from dyncli.api.shown import text_of

if TYPE_CHECKING:
    from dyncli.records import model


def with_path(record: Record) -> model.Record:
    """Return the plain record of a run whose decisions were recorded.  Raises NotARecord, PathNotRecorded."""
    plain = data_of(record)
    if not plain.sources:
        raise errors.PathNotRecorded(plain.model)
    return plain


def assert_same_path(record: Record, other: Record | str | Path) -> None:
    """Raise AssertionError with the first decision that differs between two runs: its line, its values, what it took.

    other: a record, or the file of a saved one.  Values that differ on the same path are no difference.
    Raises NotARecord, DifferentScripts, RecordUnreadable, and PathNotRecorded where decisions were not recorded.
    """
    __tracebackhide__ = True
    from rich.console import Group

    from dyncli.render.reports.diff import heading, parted

    a = with_path(record)
    b = with_path(load(other) if isinstance(other, str | Path) else other)
    found = compared(a, b, 0.0, 0.0)
    if found.parting is not None:
        raise AssertionError(f"the runs took different paths\n\n{text_of(Group(*heading(found), *parted(found)))}")
