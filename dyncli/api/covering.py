"""`cover`: a model of this process over many inputs, and the arms that none of them reached."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dyncli import errors
from dyncli.api.checking import inputs_of
from dyncli.api.inputs import name_of
from dyncli.api.shown import WIDTH, Shown, text_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from dyncli.analysis.coverage import Report
    from dyncli.analysis.coverage.report import ArmRow
    from dyncli.coverage.fast_arguments import Arguments


class Coverage(Shown):
    """A model's runs on many inputs.  data: the whole report.

    `print(coverage)` shows the tables of `dyncli cover`.
    """

    def __init__(self, data: Report) -> None:
        self.data = data

    @property
    def percent(self) -> float:
        """The share of the arms that were reached, from 0 to 100."""
        return self.data.percent

    @property
    def missed(self) -> Sequence[ArmRow]:
        """The arms never reached: `.site.line`, `.site.text`, `.name`."""
        return self.data.missed

    def table(self, *, full: bool = False, width: int = WIDTH) -> str:
        """Return the tables as text; with `full` every row."""
        from dyncli.render.reports.coverage import CoverageOptions, CoverageView

        return text_of(CoverageView(self.data, CoverageOptions(full=full)), width)

    def save(self, path: str | Path) -> None:
        """Write the report to a file: .html, .json or .txt.  Raises UnknownSuffix, OutputUnwritable."""
        from dyncli.records.files import write
        from dyncli.render.coverage_file import SUFFIXES, render

        target = Path(path)
        if target.suffix.lower() not in SUFFIXES:
            raise errors.UnknownSuffix(target, SUFFIXES)
        write(target, render(self.data, target.suffix.lower(), full=True))

    def _report(self) -> RenderableType:
        from dyncli.render.reports.coverage import CoverageOptions, CoverageView

        return CoverageView(self.data, CoverageOptions())

    def __repr__(self) -> str:
        data = self.data
        group = data.tally.outcomes.get("raised")
        raised = f", {group.count:,} raised" if group else ""
        return f"<Coverage {data.reached} of {data.total} arms, {data.tally.inputs:,} inputs{raised}>"


def cover(
    model: Any, inputs: Iterable[Any], *, seed: int = 0, max_ops: int | None = None, timeout: float | None = None
) -> Coverage:
    """Run a model, forward and backward, on many inputs, and return which arms they reached.

    Each input is a tuple of what the model is called with, a dict of arguments by name, or the only argument.
    Counted are the functions that the model may call.  Before each input the model's tensors are put back and the
    random numbers seeded; in the end its gradients and the random numbers are as they were.
    An input on which the model raises, or runs over `max_ops` ops or `timeout` seconds, is counted as such.
    Raises what `record` raises, BadOption if there is no input, and PathNotRecorded where no source fits the model.
    """
    from dyncli.analysis.coverage import Settings, report
    from dyncli.coverage.live import LiveRunner
    from dyncli.recorder.engine import is_grad_enabled
    from dyncli.recorder.live import default_dtype

    for option, value in (("max_ops", max_ops), ("timeout", timeout)):
        if value is not None and not value > 0:
            raise errors.BadOption(option, value, "a number above 0, or None for no limit")
    name = name_of(model)
    if isinstance(inputs, str | Path | Mapping) or not isinstance(inputs, Iterable):
        allowed = "a list of inputs, one alone as `[x]`; a file of inputs is read by `dyncli cover --inputs FILE`"
        raise errors.BadOption("inputs", inputs, allowed)
    given = list(inputs)
    if not given:
        raise errors.BadOption("inputs", inputs, "at least one input")
    settings = Settings(default_dtype(), seed, not is_grad_enabled(), timeout, max_ops)
    runner = LiveRunner(model, name, settings)
    tally = runner.cover([(_text(each), partial(_arguments, model, each)) for each in given])
    return Coverage(report(runner.subject, tally))


def _arguments(model: Any, given: Any) -> Arguments:
    """Return what the model is called with for one input."""
    from dyncli.coverage.fast_arguments import Arguments
    from dyncli.recorder import naming

    arguments = inputs_of(model, given).tensors()
    leaves = naming.leaves([arguments.args, arguments.kwargs], "")
    return Arguments(list(arguments.args), dict(arguments.kwargs), [each for _, each in leaves if each.requires_grad])


def _text(given: Any) -> str:
    """Return an input as it is shown in the report."""
    values = given.tolist() if hasattr(given, "tolist") else given
    return " ".join(repr(values).split())
