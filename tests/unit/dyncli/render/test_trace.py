"""The length of the report of `dyncli trace`."""

from pathlib import Path

import pytest

from dyncli.render.reports.tables import plain_text
from dyncli.render.reports.trace import TraceOptions, render
from tests.runs import recorded

OPS = 120
SCRIPT = (
    "import dyncore as torch\nfirst_weight, first_bias = torch.eye(2), torch.ones(2)\ndef forward(x):\n"
    + "    x = torch.nn.functional.linear(x, first_weight * 1.0, first_bias)\n" * (OPS // 2)
    + "    return x\n"
)


@pytest.mark.parametrize("width", [80, pytest.param(130, marks=pytest.mark.whole)])
def test_single_ops_of_a_long_run_fit_on_a_screen(tmp_path: Path, width: int) -> None:
    """Cells stay whole, so that narrow pages show fewer ops; a line says how many are left out."""
    record = recorded(tmp_path, SCRIPT, "[1.0, 2]")
    page = plain_text(render(record, TraceOptions(ops=True)), width)
    shown = sum(line.split()[1:2] in (["mul"], ["linear"]) for line in page.splitlines())
    assert 45 <= page.count("\n") <= 60
    assert f"… {OPS - shown} more (--most N)" in " ".join(page.split())
    asked = plain_text(render(record, TraceOptions(ops=True, most=50)), width)
    assert 50 == sum(line.split()[1:2] in (["mul"], ["linear"]) for line in asked.splitlines())


@pytest.mark.parametrize(("milliseconds", "words"), [(300, " (300 ms on a processor) ·"), (900, " ·"), (150, " ·")])
def test_run_that_waited_says_how_long_a_processor_worked(tmp_path: Path, milliseconds: int, words: str) -> None:
    """The times of its ops have waited as well; of a run with little work it says nothing."""
    record = recorded(tmp_path, "import dyncore as torch\ndef forward(x):\n    return x * 2\n", "[1.0, 2]")
    assert 0 <= record.processor_ns < 1_000_000_000  # a processor's clock may count in steps of 10 ms
    waited = record._replace(elapsed_ns=1_000_000_000, processor_ns=milliseconds * 1_000_000)
    assert f"run 1 s{words} forward" in plain_text(render(waited), 200)


@pytest.mark.parametrize(("in_ops", "worked", "said"), [(900, 1000, False), (100, 1000, True), (100, 150, False)])
def test_run_of_little_work_in_ops_says_how_long_it_was_elsewhere(
    tmp_path: Path, in_ops: int, worked: int, said: bool
) -> None:
    """The shares below are of the time in ops alone, so a search in Python would not be seen.

    A run that only waited, as on a busy machine, was not elsewhere.
    """
    record = recorded(tmp_path, "import dyncore as torch\ndef forward(x):\n    return x * 2\n", "[1.0, 2]")
    ops = (record.ops[0]._replace(elapsed_ns=in_ops * 1_000_000, backward_ns=0), *record.ops[1:])
    record = record._replace(elapsed_ns=1_000_000_000, processor_ns=worked * 1_000_000, ops=ops)
    page = plain_text(render(record), 200)
    assert said == ("backward 0 ns · outside ops 900 ms (Python, recording)" in page) == ("outside" in page), page


def test_nan_of_an_inf_in_the_data_says_where_that_began(tmp_path: Path) -> None:
    """The op that made the NaN reads what others made of it; data that no variable holds are known by their reader."""
    body = "    y = torch.from_numpy(numpy.array([1.0, numpy.inf])).unsqueeze(0) * x\n    return y - y.mean()\n"
    record = recorded(tmp_path, "import numpy\nimport dyncore as torch\ndef forward(x):\n" + body, "2.0")
    began = "the Inf began in constant = [1, inf]  float64 [2]  (read by unsqueeze #0, line 4)"
    assert began in plain_text(render(record), 120)


NESTED = """\
import dyncore as torch
def forward(x):
    for outer_step in range(3):
        for middle_step in range(3):
            for inner_step in range(4):
                x = torch.exp(x * 1e-30) - 1.0
    return x
"""


def test_groups_of_long_names_fit_on_a_screen_below_what_is_bad(tmp_path: Path) -> None:
    """Steps of three loops take two lines each; what has no room is summed up."""
    record = recorded(tmp_path, NESTED, "[1.0, 2]")
    page = plain_text(render(record, TraceOptions(by="iteration")), 80)
    assert "First bad" in page and page.count("\n") <= 60
    assert 8 <= page.count("line 4 step") < 20 and " more groups (--most N)" in page
    asked = plain_text(render(record, TraceOptions(by="iteration", most=30)), 80)
    assert 30 <= asked.count("line 4 step")
