"""The runs behind `--force`: the model as it is, and the model with something forced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from os import devnull
from typing import TYPE_CHECKING

from dyncli import errors
from dyncli.load import force

if TYPE_CHECKING:
    from dyncli.record.model import Record
    from dyncli.trace.request import Request


def pairs(request: Request) -> Iterator[tuple[Record, Record]]:
    """(the forced run, the run as it is) of each case; what the latter prints is not shown."""
    from dyncli.trace.recorder import record_model

    plain = record_model(request._replace(force=(), quiet_stdout=False))
    for changed in record_model(request):
        with open(devnull, "w") as nowhere, redirect_stdout(nowhere):
            as_it_is = next(plain)
        yield changed, as_it_is


def unreached(pins: Sequence[str], records: Sequence[Record]) -> errors.DyncliError | None:
    """The error that a forced arm is which no run came to."""
    for pin in force.parse(pins):
        if not any(pin.text in record.forced for record in records):
            times = sum(
                decision.site.line == pin.line and (pin.file is None or decision.site.file.endswith(pin.file))
                for decision in records[-1].decisions
            )
            return errors.ForceUnreached(pin.text, pin.line, times)
    return None
