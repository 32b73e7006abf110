"""The title of a frame stands where nothing runs through it, if there is such a place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dyncli.analysis.graph import GraphOptions, build
from dyncli.render.graph import layout, svg
from dyncli.render.graph.titles import moved, sides
from tests.runs import recorded

DETACHED = """\
def forward(x, w, b):
    y = x * w.detach()
    if b > 0:
        y = y + 1
    return y.sum()
"""
FRAME = """<g id="clust1" class="cluster">
<title>cluster_b1</title>
<path fill="#fff" stroke="#000" d="M0,0C0,0 200,0 200,0 200,0 200,-90 200,-90 200,-90 0,-90 0,-90 0,-90 0,0 0,0"/>
<text xml:space="preserve" text-anchor="start" x="8" y="-78" font-size="10.00">taken: </text>
<text xml:space="preserve" text-anchor="start" x="38" y="-78" font-size="10.00">True</text>
</g>
"""
ARROW = """<g id="edge1" class="edge">
<title>n1&#45;&gt;n2</title>
<path fill="none" stroke="#000" d="M{0},-120C{0},-100 {0},-60 {0},-50"/>
</g>
"""
WORDS = """<g id="edge2" class="edge">
<title>n3&#45;&gt;n4</title>
<path fill="none" stroke="#000" d="M300,-120C300,-100 300,-60 300,-50"/>
<text xml:space="preserve" text-anchor="start" x="{0}" y="-76" font-size="9.00" fill="#000">2.5</text>
</g>
"""


def test_no_arrow_runs_through_a_title(tmp_path: Path) -> None:
    """An arrow into the arm on the left leaves its title the place on the right."""
    graph = build(recorded(tmp_path, DETACHED, "[1, 2]", "[3, 4]", "0.5"), GraphOptions(grads=True))
    found = layout.picture(graph)
    assert found.sides, "the arrow into the frame is where the title would stand"
    assert {} == sides(layout.layout(found.source(), "svg"))


def test_a_title_that_moves_moves_nothing_else(tmp_path: Path) -> None:
    """So no picture is laid out again for it."""
    found = layout.picture(build(recorded(tmp_path, DETACHED, "[1, 2]", "[3, 4]", "0.5"), GraphOptions(grads=True)))
    again = layout.layout(found.source(), "svg")
    assert found.svg != again
    assert re.sub(rb'(<text[^>]*) x="[^"]*"', rb"\1", found.svg) == re.sub(rb'(<text[^>]*) x="[^"]*"', rb"\1", again)


def test_a_title_is_on_the_left_where_it_can_be() -> None:
    """An arrow beside it is no reason to move it."""
    assert {} == sides((FRAME + ARROW.format(100)).encode())


def test_a_title_moves_to_the_side_with_less() -> None:
    """To the right, or if that is crossed too to the middle; where all are it stays."""
    assert {"b1": "r"} == sides((FRAME + ARROW.format(20)).encode())
    assert {"b1": "c"} == sides((FRAME + ARROW.format(20) + ARROW.format(180)).encode())
    assert {} == sides((FRAME + ARROW.format(20) + ARROW.format(100) + ARROW.format(180)).encode())


@pytest.mark.parametrize(("side", "at"), [("r", 'end" x="192.00'), ("c", 'middle" x="100.00')])
def test_a_title_is_moved_with_its_words_in_their_styles(side: str, at: str) -> None:
    """As far in from the right as it was from the left, or in the middle, however wide the viewer's letters are."""
    words = "".join(f'<tspan font-size="10.00">{word}</tspan>' for word in ("taken: ", "True"))
    title = f'<text xml:space="preserve" text-anchor="{at}" y="-78">{words}</text>\n'
    before = FRAME[: FRAME.index("<text")]
    assert (
        f"{before}{title}</g>\n" + ARROW.format(20) == moved((FRAME + ARROW.format(20)).encode(), {"b1": side}).decode()
    )
    assert FRAME.encode() == moved(FRAME.encode(), {"b2": side})


def test_an_svg_has_its_titles_moved(tmp_path: Path) -> None:
    """The title of the arm ends where its frame does."""
    drawn = svg.drawn(build(recorded(tmp_path, DETACHED, "[1, 2]", "[3, 4]", "0.5"), GraphOptions(grads=True)))
    assert re.search(r'text-anchor="end" x="[^"]*" y="[^"]*"><tspan [^>]*>taken: ', drawn)


def test_a_title_makes_way_for_words_on_an_arrow() -> None:
    """What is written on one covers a title as the arrow does."""
    assert {"b1": "r"} == sides((FRAME + WORDS.format(30)).encode())
    assert {} == sides((FRAME + WORDS.format(150)).encode())
