"""A saved record in the place of a script."""

from __future__ import annotations

from dyncli import errors
from dyncli.record.model import Record
from dyncli.trace.request import Request


def load_saved(request: Request) -> Record:
    """Return the record that MODEL names; raises SavedRun for an option that only a run can heed."""
    from dyncli.record.json import load

    for option, given in (
        ("--input", request.inputs), ("--case", request.case), ("--entry", request.entry),
        ("--grad-output", request.grad_output), ("--no-grad", request.no_grad), ("--timeout", request.timeout),
        ("--max-ops", request.max_ops), ("--force", request.force), ("--patch", request.patches),
        ("--watch", request.watches), ("--break", request.breaks), ("--sensitivity", request.sensitivity),
    ):  # fmt: skip
        if given:
            raise errors.SavedRun(request.model, option)
    return load(request.model)
