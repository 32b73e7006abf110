"""A run that the script itself ended: where the picture and the page beside it say so."""

from __future__ import annotations

from pathlib import Path

from dyncli.query.graph import GraphOptions, build
from dyncli.query.source import pages
from dyncli.views import dot, html, large, mermaid
from tests.runs import recorded

GUARDED = """\
def forward(x):
    for step in range(5):
        x = x * 10
        if x.max() > 99:
            raise OverflowError(f"too large at step {step}")
    return x
"""
LATE = """\
def forward(x):
    for step in range(2):
        x = x * 10
        if step >= 0:
            x = x * 2
            if x.max() > 99:
                y = x * 5
                raise OverflowError(f"{y.item():g}")
    return x
"""
CAUGHT = """\
def forward(x):
    try:
        if x > 0:
            raise OverflowError
    except OverflowError:
        return x * 0
"""


def test_the_arm_that_ended_the_run_is_marked_and_has_the_message(tmp_path: Path) -> None:
    """An arm that raised is drawn as failed, with what it raised below its source."""
    graph = build(recorded(tmp_path, GUARDED, "[1]"), GraphOptions())
    failed = [(node.kind, [(line.text, line.tone) for line in node.lines]) for node in graph.nodes if node.failed]
    message = ("OverflowError: too large at step 1", "error")
    assert failed == [("done", [('raise OverflowError(f"too large at step {step}")', "source"), message])]


def test_an_arm_in_which_ops_ran_is_marked_too(tmp_path: Path) -> None:
    """Its frame is red and has the message; the arm around it, and the one taken before, are as ever."""
    record = recorded(tmp_path, LATE, "[1]")
    graph = build(record, GraphOptions())
    marks = [(box.name, box.rest, box.failed) for box in graph.boxes if box.kind == "arm"]
    assert marks == [("True", "", False), ("True", "", False), ("True", "OverflowError: 2000", True)]
    for drawn in (dot.drawn(graph), large.drawn(graph), mermaid.drawn(graph)):
        assert "#dc2626" in drawn and "OverflowError: 2000" in drawn.replace("&#58;", ":")
    assert '"failed":true' in html.render(record, GraphOptions()).replace(" ", "")
    assert not [box for box in build(recorded(tmp_path, LATE, "[0.001]")).boxes if box.failed]


def test_an_arm_whose_error_was_caught_is_not_marked(tmp_path: Path) -> None:
    """What a `try` caught did not end the run."""
    graph = build(recorded(tmp_path, CAUGHT, "1.0"), GraphOptions())
    assert [node.failed for node in graph.nodes if node.kind == "done"] == [False]


def test_the_line_that_raised_is_marked_in_the_source(tmp_path: Path) -> None:
    """The page beside the graph marks the line, and what was not reached as before."""
    record = recorded(tmp_path, GUARDED, "[1]")
    (page,) = pages(build(record, GraphOptions()), record)
    assert [mark for _, mark in page.lines] == ["ran", "ran", "ran", "ran", "raised", "left"]


WRITTEN_OVER = """\
import dyncore as torch


def forward(x):
    mask = torch.zeros(2, dtype=torch.bool)
    y = x.masked_fill(mask, 0.0)
    mask[0] = True
    return y.sum()
"""


def test_a_backward_that_raised_says_for_which_line(tmp_path: Path) -> None:
    """No op is in red then: below the title stands what was saved where, and which line wrote over it."""
    graph = build(recorded(tmp_path, WRITTEN_OVER, "[1, 2]"))
    assert graph.note.split(" · ")[1:] == ["saved by MaskedFillBackward0 at net.py:6", "modified at net.py:7"]
    (x,) = (node for node in graph.nodes if node.kind == "input")
    assert x.lines[-1].text == "no grad: backward raised before it came here"
