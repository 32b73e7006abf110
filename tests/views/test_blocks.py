"""What is written without rich is what rich would write."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from dyncli.views import trace
from dyncli.views.blocks import NARROW, Group, Table, Text, plain
from dyncli.views.run import RunOptions, render
from dyncli.views.sensitivity import SensitivityTable
from tests import records


def by_rich(block: Any, width: int) -> str:
    """What rich prints into a file."""
    file = io.StringIO()
    console = Console(
        file=file, width=width, color_system=None, no_color=True, highlight=False, emoji=False, legacy_windows=False
    )
    console.print(block)
    return file.getvalue()


RECORDS = [
    records.piecewise, records.newton, records.rnn, records.tree, records.failing, records.hostile, records.nothing,
    records.large_tensors, records.alternating, records.never_entered,
]  # fmt: skip
OPTIONS = [{}, {"full": True, "trace": True}, {"show": ("outputs", "x")}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("build", RECORDS, ids=lambda build: build.__name__)
def test_reports(build: Any, options: dict[str, Any]) -> None:
    """Of every kind of record, at widths where tables fit and where they do not."""
    block = render(build(), RunOptions(**options))
    for width in (60, 100, 200):
        text = plain(block, width)
        assert text is None or text == by_rich(block, width)


@pytest.mark.parametrize("by", [None, "op", "line"])
@pytest.mark.parametrize("build", RECORDS, ids=lambda build: build.__name__)
def test_costs(build: Any, by: str | None) -> None:
    """The report of `dyncli trace`, at widths where tables fit and where they do not."""
    block = trace.render(build(), trace.TraceOptions(by=by, most=3))
    for width in (60, 100, 200):
        text = plain(block, width)
        assert text is None or text == by_rich(block, width)


@pytest.mark.parametrize("build", [records.piecewise, records.nothing, records.failing])
def test_common_reports_need_no_rich(build: Any) -> None:
    """At the width of a pipe."""
    assert plain(render(build()), 100) is not None


@pytest.mark.parametrize("build", [records.piecewise, records.nothing])
def test_common_costs_need_no_rich(build: Any) -> None:
    """At the same width."""
    for by in (None, "op"):
        assert plain(trace.render(build(), trace.TraceOptions(by=by)), 100) is not None


def test_tables_of_forced_arms_and_of_sensitivities() -> None:
    """`dyncli run --force` and `--sensitivity`."""
    for build in (records.piecewise, records.rnn, records.large_tensors, records.nothing):
        for block in (render(build(), RunOptions(), build()), Group(SensitivityTable(build()))):
            for width in (60, 100, 200):
                text = plain(block, width)
                assert text is None or text == by_rich(block, width)
    assert plain(render(records.piecewise(), RunOptions(), records.piecewise()), 100) is not None
    assert plain(SensitivityTable(records.piecewise()), 100) is not None


CHARACTERS = st.one_of(
    st.sampled_from(["a", "b", " ", "  ", "\n", "\t", "é", "漢", "\x1b", "[", "…", "·"]), st.text(max_size=2)
)
WORDS = st.lists(CHARACTERS, max_size=12).map("".join)
STYLES = st.sampled_from(["", "dim", "bold red"])
TEXTS = st.builds(lambda first, style, more: add(Text(first, style), more), WORDS, STYLES, st.lists(WORDS, max_size=2))
COLUMNS = st.fixed_dictionaries(
    {},
    optional={
        "justify": st.just("right"), "overflow": st.sampled_from(["fold", "ellipsis"]), "no_wrap": st.just(True),
        "style": STYLES, "ratio": st.integers(1, 3), "max_width": st.integers(3, 12), "min_width": st.integers(0, 9),
    },
)  # fmt: skip


def add(text: Text, more: list[str]) -> Text:
    for each in more:
        text.append(each, "green")
    return text


@st.composite
def tables(draw: st.DrawFn) -> Table:
    table = Table()
    columns = draw(st.lists(st.tuples(st.sampled_from(["a", "name", "values"]), COLUMNS), min_size=1, max_size=4))
    for header, options in columns:
        table.add_column(header, **options)
    for row in draw(st.lists(st.lists(TEXTS | st.just(""), max_size=len(columns)), max_size=4)):
        table.add_row(*row, style=draw(STYLES))
        if draw(st.booleans()):
            table.add_section()
    return table


@settings(max_examples=100)
@given(st.lists(TEXTS | tables(), min_size=1, max_size=3), st.integers(10, 60))
def test_texts_and_tables(parts: list[Any], width: int) -> None:
    """Whatever they hold: where `plain` says anything, rich says the same."""
    block = Group(*parts)
    text = plain(block, width)
    assert text is None or text == by_rich(block, width)


@settings(max_examples=100)
@given(st.lists(st.text("ab ·…é漢", max_size=6), min_size=1, max_size=4), st.integers(4, 20))
def test_a_text_is_cut_as_rich_cuts_it(words: list[str], width: int) -> None:
    """In a cell of a table, and as a line that does not wrap."""
    text = add(Text(words[0], "dim", cut=True), words[1:])
    cut = text.__rich__()
    cut.truncate(width, overflow="ellipsis")
    found = text.within(width).plain
    assert cut.plain == found or (not text.plain.isascii() and cell_len(found) <= width)
    shown = plain(Group(text), width)
    assert shown is None or shown == by_rich(Group(text), width)


def test_narrow_characters_are_one_column_wide() -> None:
    """To rich too."""
    assert {1} == {cell_len(character) for character in NARROW}
