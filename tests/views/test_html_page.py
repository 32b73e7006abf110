"""The html page in a real browser: fold, search, hover, step, keyboard, theme; skipped where there is no browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dyncli.query.graph import GraphOptions
from dyncli.trace.recorder import record_model
from dyncli.trace.request import Request
from dyncli.views import html
from tests import records
from tests.runs import recorded
from tests.views.browser import PROGRAM, Browser

pytestmark = [pytest.mark.slow, pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")]

NODES = "[...document.querySelectorAll('#canvas .node')].map(n => n.getAttribute('aria-label'))"
CHOSEN = "[...document.querySelectorAll('#canvas .node.chosen')].map(n => n.dataset.id)"
LINES = "[...document.querySelectorAll('#source li.chosen')].map(n => +n.dataset.line)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all pages."""
    one = Browser(tmp_path_factory.mktemp("profile"))
    yield one
    one.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[[Any], Browser]]:
    """Opens the page of a record; at the end nothing may have complained and nothing may have been fetched."""

    def open_page(record: Any) -> Browser:
        page = tmp_path / "page.html"
        page.write_text(html.render(record), encoding="utf-8")
        browser.open(page)
        return browser

    browser.problems.clear()
    yield open_page
    assert [] == browser.problems


def test_it_draws_every_record(opened: Callable[[Any], Browser]) -> None:
    """Every node of every record is there, with its words."""
    for build in records.ALL:
        page = opened(build())
        assert page.evaluate("document.querySelectorAll('#canvas .node').length === data.nodes.length")
    assert any("x.sum() > 0" in label for label in opened(records.piecewise()).evaluate(NODES))


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


def test_fold_and_unfold(opened: Callable[[Any], Browser]) -> None:
    """A box folds on a click and on Enter, and says so; the buttons fold and unfold everything."""
    page = opened(records.newton())
    before = len(page.evaluate(NODES))
    page.point("#canvas .head rect")
    folded = page.evaluate(NODES)
    assert ("fold, while, x 4, 28 ops · 5 decisions, folded", before - 9) == (folded[-2], len(folded))
    page.press("Enter")
    assert before == len(page.evaluate(NODES))
    page.point("#fold")
    assert before > len(page.evaluate(NODES))
    page.point("#unfold")
    assert before == len(page.evaluate(NODES))


CROWD = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
maker = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 3))
judge = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))


def forward(x):
    for step in range(3):
        made = maker(x)
        score = judge(made) - judge(made + 1) + judge(made - 1) * judge(-made) + judge(made * 2) * judge(made * 3)
        if score.sum() > 0:
            x = x + 1
        x = x * 0.5
    return score.sum()
"""


def test_a_crowded_page_begins_with_boxes_shut(opened: Callable[[Any], Browser], tmp_path: Path) -> None:
    """Layers and repeats are one node each, which opens, steps with its loop, and is opened by a search within."""
    (tmp_path / "net.py").write_text(CROWD)
    page = opened(next(iter(record_model(Request(str(tmp_path / "net.py"), ("[[1, 2]]",))))))
    labels = page.evaluate(NODES)
    assert any(label.startswith("module, 0, linear") and "bias [8] · grad " in label for label in labels)
    assert any(label.startswith("fold, judge") and "ran as above, folded" in label for label in labels)
    page.press("]")
    texts = "[...document.querySelectorAll('#canvas .node.module')].map(n => n.textContent)"
    assert "float32 [1, 8]" in page.evaluate(texts)[0]
    assert "…" not in page.evaluate(texts)[0]
    page.press("/")
    for letter in "judge.4.bias":
        page.press(letter)
    page.press("Enter")
    page.evaluate("new Promise(done => setTimeout(done, 100))")
    assert any(label.startswith("parameter, judge.4.bias") for label in page.evaluate(NODES))
    page.press("Escape")
    page.point("#unfold")
    assert page.evaluate("document.querySelectorAll('#canvas .node').length === data.nodes.length")


def test_selection_is_linked_both_ways(opened: Callable[[Any], Browser]) -> None:
    """A node chooses its line and marks its expression; a line chooses its nodes."""
    page = opened(records.piecewise())
    page.point('#canvas .node[data-id="n2"]')
    assert (["n2"], [6]) == (page.evaluate(CHOSEN), page.evaluate(LINES))
    assert "x * 2" == page.evaluate("document.querySelector('#source mark').textContent")
    assert "mul 2" in page.evaluate("document.getElementById('about').textContent")
    page.point('#source li[data-line="5"] code')
    assert (["n0", "n1", "n3"], [5]) == (sorted(page.evaluate(CHOSEN)), page.evaluate(LINES))


def test_the_source_is_marked(opened: Callable[[Any], Browser]) -> None:
    """Lines that ran, lines that were left, and the value of each line."""
    page = opened(records.piecewise())
    marks = "[...document.querySelectorAll('#source li')].map(li => li.className.split(' ')[0])"
    assert ["", "", "", "", "ran", "ran", "", "left", ""] == page.evaluate(marks)
    assert "→ [2, -2, 4]" == page.evaluate("document.querySelector('[data-line=\"6\"] .value').textContent")


def test_search(opened: Callable[[Any], Browser]) -> None:
    """What fits stays bright, Enter goes from one to the next, also into a folded box."""
    page = opened(records.newton())
    page.point("#fold")
    page.press("/")
    for letter in "abs":
        page.press(letter)
    assert "2 found" == page.evaluate("document.getElementById('found').textContent")
    page.press("Enter")
    assert ["n3"] == page.evaluate(CHOSEN)
    page.press("Enter")
    assert ["n10"] == page.evaluate(CHOSEN)
    assert page.evaluate("[...document.querySelectorAll('.node.away')].length") > 5


def test_hover(opened: Callable[[Any], Browser]) -> None:
    """The value and the gradient, larger than the label holds."""
    page = opened(records.rnn())
    page.point('#canvas .node[aria-label^="parameter, U"]', press=False)
    tip = page.evaluate("document.getElementById('tip').textContent")
    assert "[[-0.3, -0.2, -0.1, 0]" in tip and "grad [[0.5, 0.5, 0.5, 0.5]" in tip


def test_stepping(opened: Callable[[Any], Browser]) -> None:
    """Each iteration's values, the arms it did not take dimmed, and the line's value with it."""
    page = opened(records.alternating())
    count = "document.getElementById('count').textContent"
    value = "document.querySelector('[data-line=\"5\"] .value').textContent"
    away = "[...document.querySelectorAll('.node.away')].map(n => n.getAttribute('aria-label').split(',')[1].trim())"
    page.press("]")
    page.press("]")
    assert ("iteration 2 of 9", "→ 2") == (page.evaluate(count), page.evaluate(value))
    assert ["gt", "if", "sub"] == sorted(page.evaluate(away))
    page.press("]")
    assert ("iteration 3 of 9", "") == (page.evaluate(count), page.evaluate(value))
    assert ["add", "gt", "if"] == sorted(page.evaluate(away))
    for _ in range(3):
        page.press("[")
    assert "all 9" == page.evaluate(count)


def test_stepping_through_two_runs(opened: Callable[[Any], Browser], browser: Browser, tmp_path: Path) -> None:
    """Each step shows what both runs held then; where one had ended, that it did."""
    page = tmp_path / "two.html"
    options = GraphOptions()
    page.write_text(html.render_two(records.alternating("TTF"), records.alternating("TFFT"), options, ("A", "B")))
    browser.open(page)
    count = "document.getElementById('count').textContent"
    words = "document.querySelector('.node.decision').getAttribute('aria-label')"
    browser.press("]")
    browser.press("]")
    assert "iteration 2 of 4" == browser.evaluate(count)
    assert "decision, if, x > 0, A: True · 1 > 0, B: False · -1 > 0" == browser.evaluate(words)
    browser.press("]")
    assert "decision, if, x > 0, False · -1 > 0" == browser.evaluate(words)
    browser.press("]")
    assert "decision, if, x > 0, A: —, B: True · 1 > 0" == browser.evaluate(words)
    marks = "[...document.querySelectorAll('#source li')].map(li => li.className.split(' ')[0])"
    assert "left" not in browser.evaluate(marks)


INNER = """\
def forward(x):
    for i in range(4):
        for j in range(2):
            x = x * 2
        if i % 2 == 0:
            for j in range(3):
                x = x - 1
    return x
"""


def test_stepping_leaves_out_the_loops_of_other_steps(browser: Browser, tmp_path: Path) -> None:
    """At a step of one kind, all that stands in the other kinds is away, in loops inside too."""
    (tmp_path / "net.py").write_text(INNER)
    page = tmp_path / "inner.html"
    page.write_text(html.render(next(iter(record_model(Request(str(tmp_path / "net.py"), ("[1, 2]",)))))))
    browser.open(page)
    away = "[...document.querySelectorAll('.node.away')].map(n => n.getAttribute('aria-label').split(',')[1].trim())"
    browser.press("]")
    assert {"if", "mul"} == set(browser.evaluate(away))
    browser.press("]")
    assert {"if", "mul", "sub"} == set(browser.evaluate(away))


def test_keyboard_alone(opened: Callable[[Any], Browser]) -> None:
    """Tab reaches the picture, arrows walk it in order, Escape lets go, plus and minus zoom."""
    page = opened(records.piecewise())
    page.evaluate("document.querySelector('#canvas [data-id]').focus()")
    page.press("ArrowDown")
    page.press("ArrowDown")
    assert ["n1"] == page.evaluate(CHOSEN)
    assert "bool [] · True" in page.evaluate("document.getElementById('about').textContent")
    scale = page.evaluate("view.scale")
    page.press("+")
    assert scale < page.evaluate("view.scale")
    page.press("Escape")
    assert [] == page.evaluate(CHOSEN)


def test_light_and_dark(opened: Callable[[Any], Browser]) -> None:
    """`t` changes the theme and every colour with it."""
    page = opened(records.piecewise())
    back = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(back)
    page.press("t")
    assert {"rgb(255, 255, 255)", "rgb(11, 17, 32)"} == {light, page.evaluate(back)}


def test_names_cannot_script_the_page(opened: Callable[[Any], Browser]) -> None:
    """Hostile names are text; every element is one of ours."""
    page = opened(records.hostile())
    assert 0 == page.evaluate("document.querySelectorAll('a, img, iframe, [onclick], [onload], [onerror]').length")
    assert 2 == page.evaluate("document.scripts.length")


def test_a_large_page_is_quick(opened: Callable[[Any], Browser]) -> None:
    """A few hundred nodes are laid out in well under a second."""
    page = opened(records.rnn(24))
    ten_times = "(() => { const t = performance.now(); for (let i = 0; i < 10; i++) draw();"
    assert page.evaluate(f"{ten_times} return performance.now() - t; }})()") < 3000


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


def test_one_stop_of_tab_for_the_source_and_one_for_the_picture(opened: Callable[[Any], Browser]) -> None:
    """From there arrows lead on, in the source as in the picture."""
    page = opened(records.piecewise())
    stops = "['#source', '#canvas'].map(part => document.querySelectorAll(part + ' [tabindex=\"0\"]').length)"
    assert [1, 1] == page.evaluate(stops)
    page.evaluate("document.querySelector('#source [tabindex=\"0\"]').focus()")
    at = page.evaluate("+document.activeElement.dataset.line")
    page.press("ArrowDown")
    assert at < page.evaluate("+document.activeElement.dataset.line")
    page.press("Enter")
    assert page.evaluate(CHOSEN)
    assert [1, 1] == page.evaluate(stops)


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
