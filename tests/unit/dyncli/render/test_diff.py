"""What `dyncli diff` prints, for records made by hand, hostile ones among them."""

import io
import json
from itertools import product
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from dyncli.analysis.diff import diff
from dyncli.records.model import Record
from dyncli.render.export.diff_json import render as render_json
from dyncli.render.reports.diff import DiffOptions, render
from dyncli.render.reports.diff_tables import CutTable
from tests import records
from tests.runs import recorded

PAIRS = [
    (make, other) for make, other in product(records.ALL, records.ALL) if make is other or "hostile" in repr(other)
]
PAIRS += [(records.piecewise, records.newton), (records.rnn, records.alternating), (records.nothing, records.tree)]


def drawn(a: Record, b: Record, width: int, full: bool = False) -> list[str]:
    """The lines of a report, without colour."""
    file = io.StringIO()
    Console(file=file, width=width, color_system=None, legacy_windows=False).print(
        render(diff(a, b), DiffOptions(full))
    )
    return file.getvalue().splitlines()


@pytest.mark.parametrize("make, other", PAIRS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("width", [80, 120])
def test_the_summary_fits_a_screen(make, other, width: int):
    """Whatever is compared: 40 lines, no wider than the terminal, nothing in them that could steer it."""
    lines = drawn(make(), other(), width)
    assert 2 < len(lines) <= 40 and max(map(len, lines)) <= width
    assert "\x1b" not in "".join(lines) and "\u202e" not in "".join(lines)
    full = drawn(make(), other(), width, full=True)
    assert max(map(len, full)) <= width and "\x1b" not in "".join(full)
    assert json.loads(render_json(diff(make(), other())))["equal"] == diff(make(), other()).is_equal


TRAINING = """\
import dyncore as torch
from dyncore.utils.data import DataLoader
SCALE = {scale}
weights_of_the_encoder = torch.ones(40, requires_grad=True)
for epoch in range(2):
    for batch in DataLoader([1.0, 2.0, 3.0], batch_size=1, shuffle=True):
        loss_of_this_batch = (weights_of_the_encoder * batch.sum() * SCALE).sum()
        if loss_of_this_batch.item() > 100.0 or weights_of_the_encoder.sum().item() > 1000.0: break
        loss_of_this_batch.backward()
"""


def test_summary_says_in_which_steps_runs_part_and_what_differs(tmp_path: Path):
    """Whole at 80 columns: long cells have two lines, and a loader's seed is no difference worth naming."""
    a, b = (recorded(tmp_path, TRAINING.format(scale=scale), seed=seed) for scale, seed in ((0.5, 1), (1.5, 2)))
    text = " ".join(" ".join(drawn(a, b, 80)).split())
    assert "step 0 of line 5, step 0 of line 6" in text
    assert "random_" not in text.partition("most: ")[2]
    assert "weights_of_the_encoder ·" in text and "[40] norm 3.162 mean 0.5" in text


def test_trips_that_differ():
    """A loop that goes round more often: what both have is the same, the rest is only in one."""
    lines = drawn(records.rnn(3), records.rnn(5), 80)
    assert "They part at line 10: for x in sequence" in lines[4]
    assert "Differ: 1 decision · 10 ops only in B · 1 gradient only in A, 1 only in B" in [
        line.strip() for line in lines
    ]


def test_a_great_many_ops():
    """Every op of one run finds its own among those of the other."""
    found = diff(records.long_loop(5_000), records.long_loop(4_990))
    assert (4_990, 10, 0) == (found.counts["ops"].same, found.counts["ops"].only_a, found.counts["ops"].only_b)
    assert found.parting is not None and "arm" == found.parting.kind


def test_a_long_table_is_cut():
    """Past some hundred rows nothing is folded: one line for each op, no wider than the terminal."""
    lines = drawn(records.long_loop(900), records.long_loop(400), 60, full=True)
    start = lines.index(next(line for line in lines if line.startswith("Ops")))
    assert 900 - 400 + 2 <= len(lines) - start <= 900 - 400 + 14
    assert max(map(len, lines)) <= 60 and "#400 201.5  —" in " ".join(lines)


def test_cells_of_a_long_table_are_cut_to_one_line():
    """End cut cells with `…`, write line breaks as spaces, and set numbers on the right."""
    row = Text("#7"), Text("first\nsecond third"), Text("a long place"), Text("0.5")
    table = CutTable(("op", "values", "where", "error"), [row] * 401, right=(3,), shared=(1,), capped=(2,))
    (lines,) = table.blocks(36)
    assert 403 == len(lines.lines) and lines.lines[:3] == [
        "op  values         where       error",
        "──  ─────────────  ──────────  ─────",
        "#7  first second…  a long pl…    0.5",
    ]
