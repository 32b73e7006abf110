"""Tables on screens that are too narrow for them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from dyncli.render.reports.tables import DecisionTable, RuledTable
from tests.runs import recorded

BRANCH = """\
def forward(x):
    if x.sum().item() > 100.5:
        return x * 2
    return x
"""


def printed(block: Any, width: int) -> list[str]:
    """The lines of what a console of that width shows, without colour."""
    file = io.StringIO()
    Console(file=file, width=width, color_system=None).print(block)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_a_row_is_a_paragraph_where_its_columns_cannot_be_read(tmp_path: Path) -> None:
    """Each cell stands after the head of its column, an empty one not at all."""
    table = DecisionTable(recorded(tmp_path, BRANCH, "[1.5, 2.5]"), full=False)
    assert printed(table, 40)[1:] == [
        "# 0 · line 2 · test if x.sum().item()",
        "  > 100.5 · because x.sum().item() = 4.0",
        "  > 100.5 (scalar) · took else · left",
        "  then · margin -96.5",
    ]


@pytest.mark.parametrize("width", [80, 120])
def test_a_row_stays_a_row_where_it_can_be_read(tmp_path: Path, width: int) -> None:
    """On an ordinary screen the heads stand above the columns."""
    table = DecisionTable(recorded(tmp_path, BRANCH, "[1.5, 2.5]"), full=False)
    assert printed(table, width)[1].split()[:4] == ["#", "line", "test", "because"]


def test_markup_in_a_cell_is_text_in_a_paragraph_too(tmp_path: Path) -> None:
    """What a script is called or says is no markup, however narrow the screen."""
    record = recorded(tmp_path, BRANCH.replace("100.5", "len('[red]' * 3)"), "[1.5, 2.5]")
    assert "len('[red]'" in " ".join(printed(DecisionTable(record, full=False), 40))


def test_numbers_are_never_broken() -> None:
    """A column that is not wrapped is whole, or its table is none."""
    table = RuledTable()
    for head in ("bytes", "share"):
        table.add_column(head, no_wrap=True)
    table.add_row("123,456,789 B", "33.33 %")
    assert [printed(table, width)[-1] for width in (22, 21)] == ["123,456,789 B  33.33 %", "  · share 33.33 %"]


def test_no_column_is_narrower_than_its_words_while_there_is_room() -> None:
    """Other columns give way before a word of more than 8 letters is broken; values have no longer words."""
    table = RuledTable()
    for head, layout in (("test", {"overflow": "fold"}), ("because", {"overflow": "fold"}), ("took", {})):
        table.add_column(head, **layout)
    table.add_row(
        "if tree.prediction == tree.label", "tree.prediction = 2 == 3", "False x3, True x2, False x4, True x3"
    )
    for width in (38, 44, 60):
        lines = printed(table, width)
        assert 2 == sum(line.count("tree.prediction") for line in lines)


def test_cells_whose_words_have_no_room_stand_above_and_below_their_row() -> None:
    """The first text column above, others below after their head; the columns left are as wide as they need."""
    table = RuledTable()
    for head, layout in (("line", {"no_wrap": True}), ("test", {}), ("because", {}), ("took", {"max_width": 10})):
        table.add_column(head, **layout)
    table.add_row("7", "if projected_attention_of_the_whole_layer", "gate_threshold_of_the_whole_network = 0.1", "then")
    assert printed(table, 46)[2:] == [
        "if projected_attention_of_the_whole_layer",
        "7     then",
        "  because",
        "    gate_threshold_of_the_whole_network = 0.1",
    ]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_names_of_forty_letters_are_whole_in_decisions(tmp_path: Path, width: int) -> None:
    """Whatever else stands in the row."""
    name = "maximum_allowed_activation_magnitude_now"
    source = (
        f"def forward(x):\n    {name} = x.abs().max()\n    if {name} >= x.sum() * 2:\n        return x\n    return -x\n"
    )
    lines = printed(DecisionTable(recorded(tmp_path, source, "[1.5, -1.0, 2.0]"), full=False), width)
    assert 2 == sum(line.count(name) for line in lines)


def test_long_word_of_a_cut_cell_loses_its_middle_rather_than_a_line() -> None:
    """Where rows have two lines, no cell has lines of its own."""
    table = RuledTable(most_lines=2)
    table.add_column("line", no_wrap=True)
    table.add_column("test")
    table.add_row("7", "encoder_hidden_states_of_previous_layer")
    assert ["7     encoder_…us_layer"] == printed(table, 23)[2:]


LONG_NAMES = """\
import torch
class BinaryTreeEncoder(torch.nn.Module):
    def forward(self, representation_of_tree, weight_of_children):
        if representation_of_tree.norm() > weight_of_children.sum():
            return self.forward(representation_of_tree / 2, weight_of_children)
        return representation_of_tree
def forward(x):
    return BinaryTreeEncoder()(x, x)
"""


@pytest.mark.parametrize(("width", "head"), [(115, "depth"), (160, "called as")])
def test_columns_of_a_wide_screen_stand_where_no_word_is_broken_for_them(tmp_path: Path, width: int, head: str) -> None:
    """The calls take the place that the words of long names leave."""
    lines = printed(DecisionTable(recorded(tmp_path, LONG_NAMES, "[1.5, -1.0, 2.0]"), full=False), width)
    assert lines[1].endswith(head)
    assert 4 == sum(line.count("representation_of_tree.norm()") for line in lines)


@pytest.mark.parametrize("width", [84, 112])
def test_name_of_twenty_letters_is_whole_where_cells_are_cut(tmp_path: Path, width: int) -> None:
    """Many tests, each in few lines: the columns of the others give way."""
    tests = "".join(
        f"        if not torch.isfinite(norm{n}) or (norm{n} * step * 7).sin() > 0.1 and (x * 3).sum() > norm{n}:\n"
        f"            x = x + {n}\n"
        for n in range(8)
    )
    norms = "".join(f"    norm{n} = x.norm() + {n}\n" for n in range(8))
    source = f"import torch\ndef forward(x):\n{norms}    for step in range(14):\n{tests}    return x\n"
    lines = printed(DecisionTable(recorded(tmp_path, source, "[1.5, -1.0, 2.0]"), full=False), width)
    assert all(any(f"torch.isfinite(norm{n})" in line for line in lines) for n in range(8))


def test_column_that_rich_would_break_by_a_few_letters_is_wide_enough() -> None:
    """The gaps between the columns count."""
    table = RuledTable()
    table.add_column("op")
    table.add_column("source", no_wrap=True, max_width=28)
    for head in ("forward", "backward", "held"):
        table.add_column(head, no_wrap=True)
    table.add_row("mul encoder_hidden_states_of_previous_layer", "states_of_previous_layer * temperature", *"123")
    assert any("encoder_hidden_states_of_previous_layer" in line for line in printed(table, 93))


@pytest.mark.parametrize(("long_rows", "whole"), [(1, True), (4, False)])
def test_a_row_takes_the_lines_that_short_rows_leave(long_rows: int, whole: bool) -> None:
    """Twelve lines for six rows: two each, or seven for one of them where the others need one."""
    table = RuledTable(most_lines=12)
    table.add_column("test")
    for row in range(6):
        table.add_row("seven words that need seven lines end" if row < long_rows else "one")
    lines = printed(table, 8)
    assert any(line == "end" for line in lines) is whole
    assert len(lines) <= 12 + 2


def test_a_table_whose_columns_are_all_cut_shows_a_line_for_each_row() -> None:
    """At any width; rich gives the long column so much that nothing is left for others."""
    table = RuledTable()
    table.add_column("line", no_wrap=True)
    table.add_column("source", overflow="ellipsis", no_wrap=True, ratio=1)
    table.add_column("forward", no_wrap=True)
    table.add_row("48", "loss = " + "criterion " * 12, "84 ms")
    assert [1] * 10 == [sum("84 ms" in line for line in printed(table, width)) for width in range(30, 130, 10)]
