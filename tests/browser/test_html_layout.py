"""Where things stand in the html page, in a real browser: nothing lies on anything else, and a wide model fits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dyncli.analysis.graph import GraphOptions
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.render.graph import html
from tests import records
from tests.browser.browser import PROGRAM, Browser
from tests.runs import recorded

pytestmark = [pytest.mark.whole, pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")]


@pytest.mark.whole
def test_no_boxes_overlap(opened: Callable[[Any], Browser]) -> None:
    """Nodes do not lie on each other, and lie inside their boxes."""
    overlaps = """(() => { const all = [...shown.values()].filter(i => i.node); let bad = 0;
      for (const a of all) for (const b of all) if (a.id < b.id && a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1
        && a.y < b.y + b.height - 1 && b.y < a.y + a.height - 1) bad++;
      for (const a of all) { const box = shown.get(a.node.box); if (box && (a.x < box.x || a.y < box.y
        || a.x + a.width > box.x + box.width + 1 || a.y + a.height > box.y + box.height + 1)) bad++; }
      return bad; })()"""
    for build in records.ALL:
        assert 0 == opened(build()).evaluate(overlaps), build.__name__


SEVERAL_IN = """\
import dyncore as torch


def forward(x, w):
    h = x * 1
    while h.sum() < 40:
        h = h * x + w
    return h.sum()
"""


def test_the_words_of_arrows_that_end_together_do_not_lie_on_each_other(browser: Browser, tmp_path: Path) -> None:
    """Gradients along arrows into one node, and the arm that led there, can each be read."""
    record = recorded(tmp_path, SEVERAL_IN, "x=[1.5, 2.5]", "w=[0.123456, 1.234567]", edges=True)
    path = tmp_path / "page.html"
    path.write_text(html.render(record, GraphOptions(grads=True)), encoding="utf-8")
    browser.open(path)
    overlaps = """(() => { const all = [...document.querySelectorAll('#canvas .word')].map(e => e.getBBox());
      return [all.length > 5, all.filter((a, i) => all.some((b, j) => j < i && a.x < b.x + b.width - 1
        && b.x < a.x + a.width - 1 && a.y < b.y + b.height - 2 && b.y < a.y + a.height - 2)).length]; })()"""
    assert [True, 0] == browser.evaluate(overlaps)


TESTS = """\
def forward(x):
    for place in range(3):
        if place > 0 and x.numel() > 1 and x.numel() < 9 and place < 9:
            x = x * 2
        if x.sum() > 5.5 or x.numel() > 100:
            x = x + 1
        if x.sum() < -5.5 and x.numel() < 100:
            x = x - 1
        if place == 2 and x.dim() == 1:
            x = x / 3
    return x
"""


def test_tests_stand_in_turn_with_their_words_inside(browser: Browser, tmp_path: Path) -> None:
    """A diamond is as wide as its words need; tests beside each other would not fit the window."""
    (tmp_path / "net.py").write_text(TESTS)
    record = next(iter(record_model(Request(str(tmp_path / "net.py"), ("[1, 2]",)))))
    page = tmp_path / "page.html"
    page.write_text(html.render(record), encoding="utf-8")
    browser.open(page)
    outside = """[...document.querySelectorAll('#canvas .node.decision')].flatMap(node => {
      const shape = node.querySelector('polygon'), r = shape.getBBox(), cx = r.x + r.width / 2, cy = r.y + r.height / 2;
      return [...node.querySelectorAll('text')].map(text => text.getBBox()).filter(box =>
        box.width / r.width + 2 * Math.abs(box.y + box.height / 2 - cy) / r.height > 1);
    }).length"""
    assert 0 == browser.evaluate(outside)
    tops = browser.evaluate("data.nodes.filter(n => n.kind === 'decision').map(n => [n.box, shown.get(n.id).y])")
    turns = [[y for box, y in tops if box == each] for each in dict.fromkeys(box for box, _ in tops)]
    assert 2 <= sum(len(each) == 4 and sorted(set(each)) == each for each in turns)
    ends = "drawnEdges.filter(({edge}) => edge.k === 'taken').map(({path}) => path.getPointAtLength(1e6).y)"
    frames = "data.boxes.filter(box => box.kind === 'arm').map(box => shown.get(box.id).y)"
    reached = {round(y) for y in browser.evaluate(ends)}
    assert {round(y) - 2 for y in browser.evaluate(frames)} <= {y + off for y in reached for off in (-1, 0, 1)}


WIDE = """\
def forward(x):
    for step in range(3):
{lines}
        x = {total}
    return x, step
"""


def test_a_wide_model_fits_the_window(browser: Browser, tmp_path: Path) -> None:
    """Rows that are too wide are cut, the first above the last, and the first view is legible and needs no panning."""
    lines = "\n".join(f"        y{n} = (x * {n}).sin() + {n}" for n in range(12))
    (tmp_path / "net.py").write_text(WIDE.format(lines=lines, total=" + ".join(f"y{n}" for n in range(12))))
    record = next(iter(record_model(Request(str(tmp_path / "net.py"), ("[1, 2]",)))))
    page = tmp_path / "page.html"
    page.write_text(html.render(record), encoding="utf-8")
    browser.open(page)
    room = "document.getElementById('picture').getBoundingClientRect()"
    assert browser.evaluate(f"view.scale >= 0.7 && size.width * view.scale <= {room}.width")
    rows = browser.evaluate("data.nodes.filter(n => n.name === 'sin').map(n => shown.get(n.id).y)")
    assert sorted(rows) == rows and 1 < len(set(rows)) < 12
    outputs = browser.evaluate("data.nodes.filter(n => n.kind === 'output').map(n => shown.get(n.id).y)")
    assert 2 == len(outputs) and min(outputs) > max(rows)
    later = browser.evaluate(
        "data.nodes.map(n => n.lines.map(([text]) => text).join()).filter(text => text.includes('later from'))"
    )
    assert 12 == len(later) and 0 == browser.evaluate("data.edges.filter(e => e.k === 'carried').length")


def test_a_chain_is_straight(opened: Callable[[Any], Browser], tmp_path: Path) -> None:
    """What one op alone leads to, and nothing else, stands right below it."""
    (tmp_path / "net.py").write_text("def forward(x, y, z):\n    return ((x + y + z) * 2).sin().cos().sum()\n")
    page = opened(next(iter(record_model(Request(str(tmp_path / "net.py"), ("x=[1, 2]", "y=[3, 4]", "z=[5, 6]"))))))
    middle = "['mul', 'sin', 'cos', 'sum'].map(name => [...shown.values()].find(item => item.node.name === name))"
    middles = page.evaluate(f"{middle}.map(item => Math.round(item.x + item.width / 2))")
    assert 1 == len(set(middles))


BACK = """\
def forward(x):
    n, kept = 0, []
    for t in range(3):
        y = (x * 2).sin()
        if n > 5:
            y = y - 1
        kept.append(y)
        if t + 1 < len(kept) + 2:
            x = x + y
    return x
"""


def test_arrows_into_later_steps_cross_no_node(opened: Callable[[Any], Browser], tmp_path: Path) -> None:
    """They pass right of what stands beside them, and end at the node they lead to."""
    (tmp_path / "net.py").write_text(BACK)
    page = opened(next(iter(record_model(Request(str(tmp_path / "net.py"), ("[1, 2]",))))))
    crossed = """(() => { const found = []; let arrows = 0;
      for (const {edge, path} of drawnEdges) {
        if (edge.k !== 'carried' || edge.from === edge.to) continue;
        arrows++;
        for (let at = 0; at <= path.getTotalLength(); at += 2) {
          const p = path.getPointAtLength(at);
          for (const i of shown.values()) if (i.node && i.id !== edge.from && i.id !== edge.to
            && p.x > i.x && p.x < i.x + i.width && p.y > i.y && p.y < i.y + i.height) found.push(i.id);
        }
      }
      return [arrows, found]; })()"""
    arrows, found = page.evaluate(crossed)
    assert arrows and [] == found


def test_a_test_that_no_op_feeds_stands_below_what_came_before(
    opened: Callable[[Any], Browser], tmp_path: Path
) -> None:
    """Also where there is room beside it."""
    source = "def act(x):\n    return x * 2\n\n\ndef forward(x):\n    n = 1\n    x = act(x)\n"
    (tmp_path / "net.py").write_text(source + "    if n > 0:\n        x = x + 1\n    return x\n")
    page = opened(next(iter(record_model(Request(str(tmp_path / "net.py"), ("[1, 2]",))))))
    top, call = page.evaluate(
        "['decision', 'call'].map(k => [...shown.values()].find(i => (i.box || i.node).kind === k).y)"
    )
    assert top > call


def test_the_words_of_arrows_stay_in_the_picture(browser: Browser, tmp_path: Path) -> None:
    """A gradient beside an arrow that leads back along the border can be read without panning."""
    record = recorded(tmp_path, SEVERAL_IN, "x=[1.5, 2.5]", "w=[0.123456, 1.234567]", edges=True)
    path = tmp_path / "page.html"
    path.write_text(html.render(record, GraphOptions(grads=True)), encoding="utf-8")
    browser.open(path)
    outside = """[...document.querySelectorAll('#canvas .word')].map(word => word.getBBox())
      .filter(({x, width}) => x < -12 || x + width > size.width + 12).length"""
    assert 0 == browser.evaluate(outside)


TWO_LAYERS = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(1)
gate = nn.Linear(2, 3)


def forward(x):
    scores = torch.softmax(gate(x), dim=1)
    if scores.max() > 0.9:
        scores = scores * 2
    return (scores * scores).sum()
"""


def test_the_words_of_two_runs_do_not_lie_on_each_other(browser: Browser, tmp_path: Path) -> None:
    """What came back along an arrow has a line for each run."""
    a, b = (recorded(tmp_path, TWO_LAYERS, text, edges=True) for text in ("[[1, 0.5], [-1, 0.2]]", "[[4, -3], [1, 2]]"))
    path = tmp_path / "page.html"
    options = GraphOptions(grads=True, expand=("modules",))
    path.write_text(html.render_two(a, b, options, ("first", "second")), encoding="utf-8")
    browser.open(path)
    overlaps = """(() => { const all = [...document.querySelectorAll('#canvas .word')].map(e => e.getBBox());
      return [all.filter(a => a.height > 20).length > 2, all.filter((a, i) => all.some((b, j) => j < i
        && a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1
        && a.y < b.y + b.height - 2 && b.y < a.y + a.height - 2)).length]; })()"""
    assert [True, 0] == browser.evaluate(overlaps)
