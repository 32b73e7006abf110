"""The runs behind `--force` and `--patch`: the model as it is, and the model with something forced or replaced."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from os import devnull
from typing import TYPE_CHECKING

from dyncli import errors
from dyncli.load import force
from dyncli.record.syntax import parse

if TYPE_CHECKING:
    from dyncli.record.model import Record
    from dyncli.trace.request import Request


def pairs(request: Request) -> Iterator[tuple[Record, Record]]:
    """(the forced run, the run as it is) of each case; what the latter prints is not shown."""
    from dyncli.trace.recorder import record_model

    plain = record_model(request.unseen)
    for changed in record_model(request):
        with open(devnull, "w") as nowhere, redirect_stdout(nowhere):
            as_it_is = next(plain)
        yield changed, as_it_is


def unreached(request: Request, records: Sequence[Record]) -> errors.DyncliError | None:
    """The error that a forced arm, a patch or a watched name is which no run came to."""
    for pin in force.parse(request.force):
        if not any(pin.text in record.forced for record in records):
            times = sum(
                decision.site.line == pin.line and (pin.file is None or decision.site.file.endswith(pin.file))
                for decision in records[-1].decisions
            )
            return errors.ForceUnreached(pin.text, pin.line, times)
    seen = {(notice.kind, notice.name) for record in records for notice in record.notices}
    for text in request.patches:
        if ("patch", text) not in seen:
            name = re.sub(r"\s", "", text.partition("=")[0].rpartition(":")[2])
            known = _names(records[-1])
            return errors.PatchUnreached(text) if name in known else errors.WatchUnbound("--patch", name, known)
    for text in request.watches:
        name = re.sub(r"\s", "", text)
        if ("watch", name) not in seen:
            return errors.WatchUnbound("--watch", name, _names(records[-1]))
    return None


def _names(record: Record) -> set[str]:
    """Everything that the scripts give a value to."""
    found: set[str] = set()
    for source in record.sources:
        for node in ast.walk(parse(source.text)):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                    found.add(name)
                case ast.Attribute(value=ast.Name(id=base), attr=name, ctx=ast.Store()):
                    found.add(f"{base}.{name}")
    return found
