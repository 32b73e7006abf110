"""The html page of thousands of nodes in a real browser: what is near the window is drawn, all is within reach."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dyncli.analysis.graph import GraphOptions
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.render.graph import html
from tests.browser.browser import PROGRAM, Browser

pytestmark = [pytest.mark.whole, pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")]

LONG = """\
import dyncore as torch


def run(n):
    x = torch.tensor([0.5, -0.2], requires_grad=True)
    h = x
    for i in range(n):
        h = h * 1.01
        if h.sum() > 0.3:
            h = h - x
        else:
            h = h + 0.1 * x
    (h.sum() * 2).backward()


run(350)
"""

ELEMENTS = "document.querySelectorAll('#canvas *').length"
MISSED = """(() => {
  const room = document.getElementById('picture').getBoundingClientRect(), known = new Set();
  for (const element of document.querySelectorAll('#canvas [data-id]')) known.add(element.dataset.id);
  const seen = ({x, y, width, height}) => x * view.scale + view.x < room.width && (x + width) * view.scale + view.x > 0
    && y * view.scale + view.y < room.height && (y + height) * view.scale + view.y > 0;
  const here = [...shown.values()].filter(item => (item.node || item.folded) && seen(item));
  const bare = here.filter(item => plan.edges.some(edge => edge.to === item.id)
    && !drawnEdges.some(({edge, path}) => edge.to === item.id && path.isConnected));
  return [here.length > 0, here.filter(item => !known.has(item.id)).length, bare.length]; })()"""


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The page of 350 iterations, unfolded."""
    folder = tmp_path_factory.mktemp("large")
    (folder / "loop.py").write_text(LONG)
    (record,) = record_model(Request(str(folder / "loop.py")))
    (folder / "page.html").write_text(html.render(record, GraphOptions(expand=("all",), max_nodes=100_000)))
    browser.problems.clear()
    browser.open(folder / "page.html")
    yield browser
    assert [] == browser.problems


@pytest.mark.whole
def test_what_is_near_the_window_is_drawn(page: Browser) -> None:
    """Of thousands of nodes few are elements; wherever the reader looks, nothing is missing, and no arrow into it."""
    assert page.evaluate("data.nodes.length") > 2000
    for place in (0, 0.3, 0.31, 0.9, 1):
        page.evaluate(f"view.y = -{place} * (size.height * view.scale - 300); move()")
        assert [True, 0, 0] == page.evaluate(MISSED)
        assert page.evaluate(ELEMENTS) < 3000
    page.evaluate("fit()")
    assert [True, 0, 0] == page.evaluate(MISSED)
    page.evaluate("zoom(8)")
    assert [True, 0, 0] == page.evaluate(MISSED)


@pytest.mark.whole
def test_the_keyboard_reaches_what_is_not_drawn(page: Browser) -> None:
    """End and Home, Tab's one stop, and Enter in the search each lead to a node that was far away."""
    page.evaluate("start(); document.querySelector('#canvas [tabindex=\"0\"]').focus()")
    last = page.evaluate("order[order.length - 1].id")
    assert not page.evaluate(f"document.querySelector('#canvas [data-id=\"{last}\"]')")
    page.press("End")
    assert last == page.evaluate("document.activeElement.dataset.id")
    assert [True, 0, 0] == page.evaluate(MISSED)
    page.evaluate("view.y = 20; move()")  # what has the focus stays, however far the reader pans
    assert last == page.evaluate("document.activeElement.dataset.id")
    page.press("Home")
    assert page.evaluate("order[0].id") == page.evaluate("document.activeElement.dataset.id")
    assert 1 == page.evaluate("document.querySelectorAll('#canvas [tabindex=\"0\"]').length")
    page.press("/")
    for letter in "mul, 2":
        page.press(letter)
    page.press("Enter")
    assert "mul2float32 []" in page.evaluate("document.querySelector('#canvas .chosen').textContent")
    page.press("Escape")


@pytest.mark.whole
def test_find_in_page_searches_what_is_not_drawn(page: Browser) -> None:
    """Ctrl+F leads to the search of the page, which knows all nodes; pressed there, it is the browser's."""
    kept = """(() => { const event = new KeyboardEvent('keydown',
        {key: 'f', ctrlKey: true, cancelable: true, bubbles: true});
      document.activeElement.dispatchEvent(event); return [event.defaultPrevented, document.activeElement.id]; })()"""
    page.evaluate("document.activeElement.blur()")
    assert [True, "search"] == page.evaluate(kept)
    assert [False, "search"] == page.evaluate(kept)
    page.evaluate("foldAll(true); document.activeElement.blur()")
    assert [False, ""] == page.evaluate(kept)
    page.evaluate("foldAll(false)")


@pytest.mark.whole
def test_paper_holds_everything(page: Browser) -> None:
    """Printed, no node is missing and none is cut between two sheets; afterwards few are elements again."""
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    drawn = "new Set([...document.querySelectorAll('#paper .node')].map(node => node.dataset.id))"
    assert page.evaluate(f"{drawn}.size === data.nodes.length")
    box = "svg.getAttribute('viewBox').split(' ').map(Number)"
    sheets = f"[...document.querySelectorAll('#paper svg')].map(svg => {box})"
    assert page.evaluate(f"{sheets}.length > 20")
    whole = f"{sheets}.some(([, y, , height]) => item.y > y - 1 && item.y + item.height < y + height + 1)"
    assert 0 == page.evaluate(f"order.filter(item => item.node && !({whole})).length")
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert 0 == page.evaluate("document.getElementById('paper').childElementCount")
    assert page.evaluate(ELEMENTS) < 3000
