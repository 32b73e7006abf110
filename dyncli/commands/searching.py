"""`dyncli cover --search`: looks for inputs that reach the arms the data never reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dyncli import errors
from dyncli.commands import files
from dyncli.commands.console import progress

if TYPE_CHECKING:
    from dyncli.analysis.coverage import Report, Sought
    from dyncli.cover.session import Session


def check(search: bool, save: Path | None, inputs: Sequence[str], overwrite: bool) -> None:
    """Raises UsageError, OutputExists for what cannot be done."""
    if save is not None and not search:
        raise errors.UsageError("`--save-cases` saves what `--search` finds", hint="add `--search`")
    if search and "-" in inputs:
        raise errors.UsageError("`--search` reads the data again, and standard input is gone", hint="save it as a file")
    if save is not None and save.suffix.lower() != ".jsonl":
        hint = "cases are lines of JSON: `--save-cases found.jsonl`"
        raise errors.UsageError(f"`--save-cases {save}` does not end in `.jsonl`", hint=hint)
    files.may_write(save, overwrite=overwrite)


def searched(session: Session, report: Report, runs: int, quiet: bool) -> tuple[Report, bool]:
    """The report with what a search found for the arms it misses, and whether the search was interrupted."""
    from dyncli.cover.search import Probe, Search, apart, starts

    plan = session.plan

    def work() -> Iterator[Sought]:
        probe = Probe(plan.model, plan.entry, plan.settings)
        found = starts(session.again(), report, probe.parameters)
        yield from Search(probe, report, found, budget=runs, seed=plan.settings.seed).run()

    sought: list[Sought] = []
    interrupted = False
    told = apart(work, report.missed) if report.missed else iter(())
    try:
        with progress(f"searching for {len(report.missed)} arms", quiet=quiet):
            sought.extend(told)
    except KeyboardInterrupt:
        interrupted = True
    order = {(arm.site.id, arm.index): place for place, arm in enumerate(report.missed)}
    sought.sort(key=lambda each: order[each.site.id, each.index])
    return replace(report, sought=tuple(sought)), interrupted


def save_cases(report: Report, path: Path, quiet: bool) -> None:
    """Writes each input that was found as a line of JSON, one that reaches several arms once."""
    lines = list(dict.fromkeys(each.input for each in report.sought if each.input is not None))
    files.write(path, "".join(f"{line}\n" for line in lines).encode())
    files.say(f"Wrote {path} ({len(lines)} case{'s' * (len(lines) != 1)})", quiet)
