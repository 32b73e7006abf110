"""`torch.utils.benchmark` times statements with a clock that tests can set."""

from __future__ import annotations

import itertools

import pytest
from dyncore.utils import benchmark


def _timer(**options: object) -> benchmark.Timer:
    ticks = itertools.count()
    return benchmark.Timer(timer=lambda: float(next(ticks)), **options)


def test_timer_runs_statement_with_its_names() -> None:
    """Setup, then the statement, with `torch` among the names."""
    seen: list[float] = []
    found = _timer(stmt="\n  seen.append(torch.tensor(x).item())", setup="x = 2.5", globals={"seen": seen}).timeit(5)
    assert seen == [2.5] * 7  # two runs are not timed
    assert (found.number_per_run, found.raw_times, found.times, found.mean) == (5, [1.0], [0.2], 0.2)


def test_measurement_says_what_was_timed() -> None:
    """Label, unit, numbers of measurements and runs."""
    text = repr(_timer(stmt="pass", label="add", sub_label="4x8", num_threads=2).timeit(5))
    assert text.splitlines()[1:] == ["add: 4x8", "  200.00 ms", "  1 measurement, 5 runs , 2 threads"]


def test_autorange_measures_until_the_time_is_over() -> None:
    """Blocks of one tick each."""
    found = _timer(stmt="pass").blocked_autorange(min_run_time=3)
    assert found.raw_times == [1.0] * 3 and found.iqr == 0 and found.meets_confidence()


def test_comparison_has_a_column_for_each_description() -> None:
    """Medians of merged measurements, in one unit."""
    spec = [benchmark.TaskSpec("f(x)", sub_label=row, description=column) for row in "ab" for column in ("one", "two")]
    results = [benchmark.Measurement(1, [0.002 * (n + 1)], each) for n, each in enumerate(spec)]
    comparison = benchmark.Compare(results)
    comparison.extend_results([benchmark.Measurement(2, [0.004], spec[0])])
    assert str(comparison).splitlines() == [
        "  |      one |      two",
        "a |        2 |        4",
        "b |        6 |        8",
        "Times are in ms.",
    ]


def test_statement_in_cpp_is_refused() -> None:
    """There is no compiler."""
    with pytest.raises(NotImplementedError, match=r"no C\+\+"):
        benchmark.Timer(stmt="x", language="c++")
