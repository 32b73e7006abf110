"""The pages of a run's scripts: lines that ran, lines that were left, columns as a browser counts them."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.graph import build
from dyncli.analysis.graph.build import build_two
from dyncli.analysis.graph.model import DEFAULT
from dyncli.analysis.source import Page, pages, pages_of_two
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record, Site
from dyncli.render.graph import html
from tests import records


def marks(record: Record) -> str:
    """Return one letter for each line: r ran, l left, dot unknown."""
    (page,) = pages(build(record), record)
    return "".join(mark[:1] or "." for _, mark in page.lines)


def test_marks() -> None:
    """Arms taken ran, arms never taken are left, also the lines nested in them."""
    assert "....rr.l." == marks(records.piecewise())
    assert "....r..r." == marks(records.piecewise(False)).replace("l", ".")
    assert ".rlrr." == marks(records.never_entered())


def test_lines_inside_an_arm_left_are_left() -> None:
    """A loop in an arm that was not taken did not run either."""
    record = records.piecewise()
    inner = record.sites[0]._replace(id="b" * 12, line=8, kind="while", arms=("body",), arm_lines=((9, 9),))
    assert "....rr.ll" == marks(record._replace(sites=(*record.sites, inner)))


def test_columns_count_as_browsers_do() -> None:
    """Bytes become UTF-16 units; tabs and control characters are shown wider."""
    page = Page("m.py", (), ("é\U0001f600 = x + 1", "\tx\x07y"))
    first = Site("0" * 12, "m.py", 1, 9, 1, 14, "op", "x + 1", "f")
    assert (6, 11) == page.columns(first)
    assert (4, 10) == page.columns(first._replace(line=2, end_line=2, col=1, end_col=4))
    assert (0, 0) == page.columns(first._replace(line=99))


def test_first_script_is_shown_where_nothing_of_any_ran() -> None:
    """Others are not."""
    record = records.never_entered()
    other = record.sources[0]._replace(file="other.py")
    empty = record._replace(ops=(), decisions=(), sites=(), scopes=(), calls=(), sources=(*record.sources, other))
    assert [record.sources[0].file] == [page.name for page in pages(build(empty), empty)]


def test_two_runs_share_a_page() -> None:
    """Without a record the drawing itself says what ran."""
    (page,) = pages(build(records.piecewise()))
    assert ["ran", "ran"] == [mark for _, mark in page.lines if mark]


def test_page_of_two_runs_marks_what_either_ran() -> None:
    """Mark a line as run that one run left and the other came to."""
    a, b = records.piecewise(), records.piecewise(False)
    graph, _, _ = build_two(a, b, DEFAULT, ("A", "B"))
    (page,) = pages_of_two(graph, a, b)
    assert "....rr.r." == "".join(mark[:1] or "." for _, mark in page.lines)
    edited = b._replace(sources=(b.sources[0]._replace(text=f"{b.sources[0].text}\n# another line"),))
    assert list(pages(graph, a)) == pages_of_two(graph, a, edited)
    assert "another line" not in html.render_two(a, edited, DEFAULT, ("A", "B"))


def test_lines_without_an_op_ran_too(tmp_path: Path) -> None:
    """What a function did to plain values ran, what stands in one that nobody called did not."""
    script = tmp_path / "net.py"
    script.write_text(
        "def spare(x):\n    return x - 1\n\n\ndef forward(x):\n    found = []\n    if x.sum() > 0:\n"
        "        found.append(x)\n    else:\n        found.append(-x)\n    return found\n"
    )
    record = next(iter(record_model(Request(str(script), ("[1, 2]",)))))
    assert "ll..rrrrllr" == marks(record)


def test_a_script_without_functions_ran_line_by_line(tmp_path: Path) -> None:
    """What it set up before its first op is marked too, though nothing was called."""
    script = tmp_path / "train.py"
    script.write_text("import dyncore as torch\n\nn = 2\nx = torch.ones(2)\nif n > 3:\n    x = x * 2\nx.sum()\n")
    record = next(iter(record_model(Request(str(script)))))
    assert "r.rrrlr" == marks(record)
