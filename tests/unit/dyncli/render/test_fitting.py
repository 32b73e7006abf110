"""Cells that are cut to a few lines, and reports that fit a screen."""

from __future__ import annotations

import re
from pathlib import Path

from rich.console import Console
from rich.text import Text

from dyncli.render.reports.run import RunOptions, render
from dyncli.render.reports.tables import RuledTable, fitted, fitted_parts, plain_text
from tests.runs import recorded

CONSOLE = Console(width=80)

TESTS = (
    "def forward(x):\n    network_with_a_long_name = {'a_setting': 1}\n"
    + "".join(
        f"    if x.sum() > {place}.5 and network_with_a_long_name['a_setting'] != x.shape[0] + {place}:\n"
        f"        x = x * 1.0\n"
        for place in range(20)
    )
    + "    return x\n"
)


def lines_of(text: str, width: int, most: int) -> list[str]:
    """The lines of a cell that was cut."""
    return [line.plain.rstrip() for line in fitted(Text(text), width, most, CONSOLE).wrap(CONSOLE, width)]


def test_cell_that_fits_stays_whole() -> None:
    """Whatever words it has."""
    assert ["if x.sum() >", "0"] == lines_of("if x.sum() > 0", 12, 2)


def test_origin_stays_where_the_words_before_it_are_cut() -> None:
    """In as many lines as are asked for, and numbers are whole."""
    assert ["[0, 1] …", "(scalar~)"] == lines_of("[0, 1] … [0, 0] in set of 2 (scalar~)", 10, 2)


def test_end_of_an_argument_list_is_no_origin() -> None:
    """Keep the beginning of a test rather than its closing parentheses."""
    assert ["for _ in", "range(…nt(1,…"] == lines_of("for _ in range(int(torch.randint(1, 3, (1,))))", 13, 2)


def test_long_word_loses_its_middle() -> None:
    """Both of its ends tell it from others."""
    assert ["if", "self.has…on_space"] == lines_of("if self.has_continuous_action_space", 17, 2)


def test_parts_without_room_are_left_out_from_the_last() -> None:
    """The first stays however narrow the column is."""
    assert ["norm 0.5 · 1 NaN", "norm 0.5"] == [fitted_parts("norm 0.5 · 1 NaN · -0.1 to 0.2", n) for n in (20, 3)]


def test_decisions_of_a_long_script_fit_a_screen_unless_full(tmp_path: Path) -> None:
    """At 80 columns each has two lines at most; `full` shows all words."""
    record = recorded(tmp_path, TESTS, "[1.5, 2.5]")
    text = plain_text(render(record), 80)
    assert len(text.splitlines()) <= 60 and "10 more tests: `--full`" in text
    full = plain_text(render(record, RunOptions(full=True)), 80)
    assert len(full.splitlines()) > 60 and "…" not in full


CROWD = (
    "import dyncore as torch\nfrom dyncore import nn\n"
    "net = nn.Sequential(*(nn.Linear(4, 4) for _ in range(5)))\nhead, idle = nn.Linear(4, 3), nn.Linear(4, 3)\n"
    "idle(torch.ones(4)).sum().backward()\n"
    "for epoch in range(24):\n    x = net(torch.randn(5, 4))\n"
    + "".join(f"    if (x.sum() > {place}.25) != (epoch % 5 == 0):\n        x = x * 1.5\n" for place in range(12))
    + "".join(f"    x = x[torch.topk(x.sum(1), {5 - place}).indices]\n" for place in range(4))
    + "    head(x).sum().backward()\n"
)


def test_gradients_decisions_and_choices_share_a_screen(tmp_path: Path) -> None:
    """Gradients, one of them elsewhere, and four choices leave room for six decisions, each with its counts."""
    record = recorded(tmp_path, CROWD)
    noted = record._replace(warnings=("stopped after 3 backwards, as asked",) * 4)
    text = plain_text(render(record), 80)
    assert len(text.splitlines()) <= 60
    assert len(plain_text(render(noted), 80).splitlines()) <= 60
    went = re.findall(r"(?:True|False) (\d+), (?:True|False) (\d+)", text)
    assert [24] * 6 == [int(first) + int(second) for first, second in went]
    assert 4 == len(re.findall(r"^ +\d+  topk\(", text, re.MULTILINE))
    assert "6 more tests: `--full`" in text


def test_few_decisions_of_a_run_that_was_stopped_early_fit_a_screen(tmp_path: Path) -> None:
    """Below the gradients of three backwards tests on data have room, and settings are folded."""
    source = (
        "import torch\nfrom torch import nn\nlinears = [nn.Linear(99, 99) for _ in range(2)]\n"
        "net, clip, flags = nn.Sequential(*linears), 9e9, {n: True for n in range(7)}\n"
        "for epoch in range(3):\n    loss = net(torch.ones(99)).sum()\n    loss.backward()\n"
        "    if loss > clip:\n        break\n"
        + "".join(
            f"    if flags[{n}] and flags.get({n}, 'a setting of the run'):\n        loss = loss * 1\n"
            for n in range(7)
        )
    )
    text = plain_text(render(recorded(tmp_path, source)), 80)
    assert len(text.splitlines()) <= 60
    assert "if loss > clip" in text and "24 on Python values in 1 function" in text


WORDY = (
    "import dyncore as torch\nfrom dyncore import nn\n"
    "nets = nn.ModuleList(nn.Sequential(*(nn.Linear(4, 4) for _ in range(2))) for _ in range(3))\n"
    "for step in range(16):\n    rows = torch.randn(64, 4)\n    rows = rows[rows[:, 0] < 99]\n"
    "    for net in nets:\n        rows = net(rows)\n"
    + "".join(f"    if rows.abs().max().item() + {place}.25 > 100:\n        break\n" for place in range(12))
    + "".join(f"    rows = rows[rows[:, 0].argsort() * 1 + {place} * 0]\n" for place in range(4))
    + "".join(f"    values_{place} = rows.flatten()[:20] * {place}.5\n" for place in range(2))
    + "    rows.sum().backward()\n"
)


def test_values_of_several_lines_leave_less_room_for_decisions(tmp_path: Path) -> None:
    """Outputs of several lines are counted as they are, and a mask of all rows makes room for orders."""
    text = plain_text(render(recorded(tmp_path, WORDY)), 80)
    assert len(text.splitlines()) <= 60
    assert 3 == text.count(" orders of 64") and "rows[:, 0] < 99" not in text
    assert "2 more choices: `--full`" in text


def test_values_of_many_decisions_stand_without_names(tmp_path: Path) -> None:
    """The test beside them has the names."""
    steps = "for step in range(300):\n    loss = torch.rand(()).abs().item()\n    if loss < 0.5: pass\n"
    source = f"import dyncore as torch\n{steps}"
    (line,) = [line for line in plain_text(render(recorded(tmp_path, source)), 100).splitlines() if "if loss" in line]
    assert "loss =" not in line and " < 0.5 (scalar)" in line
    assert sum(int(count) for count in re.findall(r"(?:True|False) (\d+)", line)) == 300


def test_long_name_in_one_row_cuts_no_values_of_the_others() -> None:
    """It loses its middle rather than the values by which the other tests came out."""
    table = RuledTable(most_lines=24)
    table.add_column("test", overflow="fold", ratio=4)
    table.add_column("because", overflow="fold", ratio=5)
    table.add_column("took", overflow="fold", max_width=20)
    values = "1.5 … 1.836e8 <= 1.135 … 2 True, 4.25 (scalar)"
    for _ in range(10):
        table.add_row("assert now <= before + 1e-5", values, "True x166, False")
    table.add_row("if not torch.isfinite(net.proj.weight.grad).all()", "not True", "False x6")
    lines = plain_text(table, 76).splitlines()
    assert 10 == sum("4.25 (scalar)" in line for line in lines)
    assert any(line.startswith("torch.i") and "…" in line for line in lines)
