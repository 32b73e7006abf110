"""A run that the script itself ended: where the picture and the page beside it say so."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.graph import GraphOptions, build
from dyncli.analysis.source import pages
from dyncli.records.json import dump, parse
from dyncli.render.graph import dot, html, layered_svg, mermaid, tree
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
    for drawn in (dot.drawn(graph), layered_svg.drawn(graph), mermaid.drawn(graph)):
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
    """Below the title stands what was saved where, and which line wrote over it; the op that saved it is in red."""
    graph = build(recorded(tmp_path, WRITTEN_OVER, "[1, 2]"))
    assert graph.note.split(" · ")[1:] == ["saved by MaskedFillBackward0 at net.py:6", "modified at net.py:7"]
    (x,) = (node for node in graph.nodes if node.kind == "input")
    assert x.lines[-1].text == "no grad: backward raised before it came here"
    (failed,) = [node for node in graph.nodes if node.failed]
    assert (failed.name, failed.lines[1].tone) == ("masked_fill", "error")
    assert failed.lines[1].text.startswith("backward raised: one of the variables needed for gradient")


CLAMP = """\
import dyncore as torch


class Clamp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(max=1) + 0

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        if grad.max() > 5:
            raise ValueError("too steep")
        return grad * (x < 1)


def forward(x):
    y = Clamp.apply(x * 3)
    return (y.exp() * 9).sum()
"""


def test_a_backward_of_the_users_own_that_raised(tmp_path: Path) -> None:
    """What its forward gave is in red in every format, the input was not cut off, and a record keeps which it was."""
    record = recorded(tmp_path, CLAMP, "[1, 2]")
    (one,) = record.backwards
    assert one.failed is not None
    assert ("add", "too steep") == (record.ops[one.failed].name, one.error)
    assert parse(dump(record)).backwards == record.backwards
    graph = build(record, GraphOptions())
    (failed,) = [node for node in graph.nodes if node.failed and node.kind == "op"]
    assert ("add", "backward raised: too steep") == (failed.name, failed.lines[1].text)
    (x,) = [node for node in graph.nodes if node.kind == "input"]
    assert "no grad: backward raised before it came here" == x.lines[-1].text
    for drawn in (dot.drawn(graph), layered_svg.drawn(graph), mermaid.drawn(graph), tree.drawn(graph)):
        assert "backward raised: too steep" in drawn.replace("#58;", ":")


def test_what_a_folded_loop_holds_of_it(tmp_path: Path) -> None:
    """The one node that stands for all steps is red, too; a run whose script caught it shows it all the same."""
    source = CLAMP.replace(
        "    y = Clamp.apply(x * 3)\n", "    y = x\n    for _ in range(3):\n        y = Clamp.apply(y * 3)\n"
    )
    graph = build(recorded(tmp_path, source, "[1, 2]"), GraphOptions(collapse=("loops",)))
    (failed,) = [node for node in graph.nodes if node.failed and node.kind == "fold"]
    assert "backward raised: too steep" in [line.text for line in failed.lines]
    tried = CLAMP.replace(
        "    return (y.exp() * 9).sum()\n",
        "    try:\n        (y.exp() * 9).sum().backward()\n    except ValueError:\n        pass\n    return x.sum()\n",
    )
    caught = build(recorded(tmp_path, tried, "[1, 2]"), GraphOptions())
    assert ["add"] == [node.name for node in caught.nodes if node.failed and node.kind == "op"]
