"""The html page in a real browser: fold, search, hover, step, keyboard, theme; skipped where there is no browser."""

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

pytestmark = [pytest.mark.whole, pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")]

NODES = "[...document.querySelectorAll('#canvas .node')].map(n => n.getAttribute('aria-label'))"
CHOSEN = "[...document.querySelectorAll('#canvas .node.chosen')].map(n => n.dataset.id)"
LINES = "[...document.querySelectorAll('#source li.chosen')].map(n => +n.dataset.line)"


def test_it_draws_every_record(opened: Callable[[Any], Browser]) -> None:
    """Every node of every record is there, with its words."""
    for build in records.ALL:
        page = opened(build())
        assert page.evaluate("document.querySelectorAll('#canvas .node').length === data.nodes.length")
    assert any("x.sum() > 0" in label for label in opened(records.piecewise()).evaluate(NODES))


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


@pytest.mark.whole
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


def test_escape_ends_a_search(opened: Callable[[Any], Browser]) -> None:
    """The field is empty, and so is the word beside it; nothing stays dim."""
    page = opened(records.newton())
    page.press("/")
    for letter in "abs":
        page.press(letter)
    page.press("Escape")
    words = "[document.getElementById('search').value, document.getElementById('found').textContent]"
    assert ["", ""] == page.evaluate(words)
    assert 0 == page.evaluate("document.querySelectorAll('.node.away').length")


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


UNFOLDED = """\
import dyncore as torch


def run(n):
    x = torch.tensor([0.5, -0.2], requires_grad=True)
    w = torch.tensor([1.0001, 0.9999], requires_grad=True)
    for i in range(n):
        h = x * w
        x = h - 0.0001 if h.sum() > 0.3 else h + 0.0001
    return x.sum().backward()
"""


@pytest.mark.whole
def test_a_long_unfolded_loop_costs_no_more_for_each_step(browser: Browser, tmp_path: Path) -> None:
    """Twice the steps are twice the work: in corners of arrows, and in looking for what stands around a node."""
    corners, asked = [], []
    for steps in (150, 300):
        script, page = tmp_path / f"loop{steps}.py", tmp_path / f"loop{steps}.html"
        script.write_text(f"{UNFOLDED}\n\nrun({steps})\n")
        (record,) = record_model(Request(str(script), edges=True))
        page.write_text(html.render(record, GraphOptions(expand=("all",), max_nodes=100_000, grads=True)))
        browser.open(page)
        assert browser.evaluate("shown.size") > 6 * steps
        corners.append(browser.evaluate("plan.edges.map(edge => routeOf(edge).d).join().length"))
        browser.evaluate(
            "window.asked = 0; window.before = chain; chain = thing => { asked++; return before(thing); }; 1"
        )
        browser.evaluate("foldAll(true); foldAll(false)")
        asked.append(browser.evaluate("asked"))
    assert (True, True) == (corners[1] < 2.2 * corners[0], asked[1] < 2.2 * asked[0]), (corners, asked)


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
