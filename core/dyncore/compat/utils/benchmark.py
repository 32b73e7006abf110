"""`torch.utils.benchmark`: time a statement, and put measurements side by side."""

from __future__ import annotations

import statistics
import textwrap
import timeit
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import dyncore
from dyncore.errors.explain import missing_in

__all__ = ["Compare", "Measurement", "TaskSpec", "Timer"]

_UNITS = (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3), ("s", 1.0))


def _unit(seconds: float) -> tuple[str, float]:
    """Return the largest unit that is not more than a time, and its seconds."""
    return max([each for each in _UNITS if each[1] <= seconds] or [_UNITS[0]], key=lambda each: each[1])


@dataclass(frozen=True)
class TaskSpec:
    """The statement that is timed, and what reports call it."""

    stmt: str
    setup: str = "pass"
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self) -> str:
        """The label, else the statement."""
        return ": ".join(each for each in (self.label or self.stmt, self.sub_label) if each)

    def summarize(self) -> str:
        """Return the title, the description and the setup, a line each."""
        setup = "" if self.setup == "pass" else f"setup: {self.setup}"
        return textwrap.indent("\n".join(each for each in (self.title, self.description, setup) if each), "  ").strip()


@dataclass(repr=False)
class Measurement:
    """Times of a statement.

    number_per_run: how often it ran in each of `raw_times`, which are in seconds.
    """

    number_per_run: int
    raw_times: list[float]
    task_spec: TaskSpec
    metadata: dict[str, Any] | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "task_spec":
            raise AttributeError(name)
        return getattr(self.task_spec, name)

    @property
    def times(self) -> list[float]:
        """Seconds of one run of the statement."""
        return [each / self.number_per_run for each in self.raw_times]

    @property
    def mean(self) -> float:
        """Mean of `times`."""
        return statistics.fmean(self.times)

    @property
    def median(self) -> float:
        """Median of `times`."""
        return statistics.median(self.times)

    @property
    def iqr(self) -> float:
        """Distance of the upper quartile of `times` from the lower one."""
        low, high = self._quartiles()
        return high - low

    def _quartiles(self) -> tuple[float, float]:
        quarters = statistics.quantiles(self.times * (2 if len(self.times) == 1 else 1), n=4, method="inclusive")
        return quarters[0], quarters[2]

    @property
    def significant_figures(self) -> int:
        """Number of digits of the median that the spread of the times leaves certain."""
        spread = max(self.iqr, 25e-9)
        return min(max(len(str(int(self.median / spread))), 1), 4)

    @property
    def has_warnings(self) -> bool:
        """Return whether the times differ by a tenth or more."""
        return not self.meets_confidence()

    def meets_confidence(self, threshold: float = 0.1) -> bool:
        """Return whether the quartiles are closer than this part of the median."""
        return self.iqr / self.median < threshold

    def __repr__(self) -> str:
        unit, scale = _unit(self.median)
        count, threads = len(self.raw_times), self.task_spec.num_threads
        low, high = self._quartiles()
        spread = f"\n  IQR:    {self.iqr / scale:.2f} {unit} ({low / scale:.2f} to {high / scale:.2f})"
        return (
            f"{object.__repr__(self)}\n{self.task_spec.summarize()}\n"
            f"  {'Median: ' if count > 1 else ''}{self.median / scale:.2f} {unit}{spread if count >= 4 else ''}\n"
            f"  {count} measurement{'s' if count > 1 else ''}, {self.number_per_run} runs "
            f"{'per measurement,' if count > 1 else ','} {threads} thread{'s' if threads > 1 else ''}"
        )

    @staticmethod
    def merge(measurements: Iterable[Measurement]) -> list[Measurement]:
        """Return one measurement for each statement, with the times of all of its measurements."""
        times: dict[TaskSpec, list[float]] = {}
        for each in measurements:
            times.setdefault(each.task_spec, []).extend(each.times)
        return [Measurement(1, found, spec) for spec, found in times.items()]


class Timer:
    """Times a statement by the clock of Python's `timeit`.

    `globals` are its names, and `torch` is one of them.
    """

    def __init__(
        self, stmt: str = "pass", setup: str = "pass", global_setup: str = "",
        timer: Callable[[], float] = timeit.default_timer, globals: dict[str, Any] | None = None,
        label: str | None = None, sub_label: str | None = None, description: str | None = None,
        env: str | None = None, num_threads: int = 1, language: Any = "python",
    ) -> None:  # fmt: skip
        if global_setup or str(getattr(language, "value", language)).lower() in ("c++", "cpp"):
            raise NotImplementedError("dyncore times statements of Python; it compiles no C++")
        stmt, setup = textwrap.dedent(stmt).strip(), textwrap.dedent(setup).strip()
        self._task_spec = TaskSpec(stmt, setup, "", label, sub_label, description, env, num_threads)
        self._timer = timeit.Timer(stmt, setup, timer, {"torch": dyncore} | dict(globals or {}))

    def timeit(self, number: int = 1000000) -> Measurement:
        """Run the statement so often, after a few runs that are not timed."""
        self._timer.timeit(max(number // 100, 2))
        return Measurement(number, [self._timer.timeit(number)], self._task_spec)

    def blocked_autorange(self, callback: Any = None, min_run_time: float = 0.2) -> Measurement:
        """Run blocks of runs until they took `min_run_time` seconds."""
        number = self._block(min_run_time)
        times: list[float] = []
        while sum(times) < min_run_time:
            times.append(self._timer.timeit(number))
            if callback is not None:
                callback(number, times[-1])
        return Measurement(number, times, self._task_spec)

    def adaptive_autorange(
        self, threshold: float = 0.1, *, min_run_time: float = 0.01, max_run_time: float = 10.0, callback: Any = None
    ) -> Measurement:
        """Run blocks of runs until their times agree, for `max_run_time` seconds at most."""
        found = self.blocked_autorange(callback, min_run_time)
        while sum(found.raw_times) < max_run_time and not (
            len(found.raw_times) > 3 and found.meets_confidence(threshold)
        ):
            found.raw_times.append(self._timer.timeit(found.number_per_run))
        return found

    def _block(self, min_run_time: float) -> int:
        """Return a number of runs that take a thousandth of the time or more."""
        number = 1
        while self._timer.timeit(number) < min_run_time / 1000 and number < 10**9:
            number *= 10
        return number


@dataclass
class Compare:
    """Measurements as a table: a row for each `sub_label`, a column for each `description`."""

    results: list[Measurement]
    _digits: int | None = field(default=None, init=False)

    def extend_results(self, results: Iterable[Measurement]) -> None:
        """Add measurements."""
        self.results = [*self.results, *results]

    def trim_significant_figures(self) -> None:
        """Show two digits."""
        self._digits = 2

    def colorize(self, rowwise: bool = False) -> None:
        """Do nothing: the table has no colours."""

    def highlight_warnings(self) -> None:
        """Do nothing: the table has no marks."""

    def print(self) -> None:
        """Print the table."""
        print(self)

    def __str__(self) -> str:
        merged = Measurement.merge(self.results)
        unit, scale = _unit(min(each.median for each in merged))
        columns = list(dict.fromkeys(each.task_spec.description or "" for each in merged))
        table: dict[tuple[str, int], dict[str, str]] = {}
        for each in merged:
            spec = each.task_spec
            row = table.setdefault((spec.sub_label or spec.stmt, spec.num_threads), {})
            row[spec.description or ""] = f"{each.median / scale:.{self._digits or 4}g}"
        width = max(len(name) for name, _ in table)
        wide = [max(len(title), 8) for title in columns]
        lines = [" | ".join([" " * width, *(f"{title:>{n}}" for title, n in zip(columns, wide, strict=True))])]
        for (name, threads), row in table.items():
            cells = [f"{row.get(title, ''):>{n}}" for title, n in zip(columns, wide, strict=True)]
            lines.append(" | ".join([f"{name:<{width}}", *cells]) + (f"  ({threads} threads)" if threads > 1 else ""))
        return "\n".join([*lines, f"Times are in {unit}."])


__getattr__ = missing_in(__name__)
