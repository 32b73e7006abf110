"""What a reader of the html page finds in a real browser: every line's value, the step that raised, the print."""

from __future__ import annotations

import base64
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

WIDE = """\
def forward(x, weights):
    shifted = (x - x.mean()) / (x.std() + 0.001) * weights + weights.sum() - (x * weights).sum() * 0.125
    while shifted.sum() < 30:
        shifted = shifted + 1
    return shifted.sum()
"""
RAISES = """\
def forward(x, w):
    for step in range(5):
        x = x @ w
        if x.norm() > 10:
            w = w[:, :1]
    return x.sum()
"""


def test_a_line_that_fills_the_pane_has_its_value_below(opened: Callable[[Any], Browser], tmp_path: Path) -> None:
    """The value of a long line is as wide as it needs, not squeezed to nothing at its end."""
    page = opened(recorded(tmp_path, WIDE, "x=[1, 2]", "weights=[0.5, 0.25]"))
    value, line, number = page.evaluate(
        "['.value', 'code', '.number'].map(part => document.querySelector(`#source li[data-line='2'] ${part}`)"
        ".getBoundingClientRect().toJSON())".replace("'2'", '"2"')
    )
    assert value["width"] > 100 and value["top"] >= line["bottom"] - 1 and value["left"] >= number["right"]
    spoken = page.evaluate("document.querySelector('#source li[data-line=\"2\"]').getAttribute('aria-label')")
    assert spoken.startswith("line 2, ran: shifted = ") and spoken.endswith("]")


def test_the_stepper_names_a_loop_by_its_test(opened: Callable[[Any], Browser], tmp_path: Path) -> None:
    """Of several `while` loops each is told by what it asked, and where."""
    page = opened(recorded(tmp_path, WIDE, "x=[1, 2]", "weights=[0.5, 0.25]"))
    name = page.evaluate("document.querySelector('#loop option').textContent")
    assert name.startswith("while shifted.sum() < 30 · line 3 · x ")


ROWS = """\
import dyncore as torch


class Net(torch.nn.Module):
    def forward(self, x):
        total = torch.zeros(2)
        for row in x:
            total = total + (row * 2 if row.argmax() > 0 else row)
        return total.sum()


Net()(torch.tensor([[1.0, 0.0], [0.0, 1.0], [-2.0, 3.0]]))
"""


def test_the_stepper_says_a_test_once(browser: Browser, tmp_path: Path) -> None:
    """Where the frame of a `for` has its words already, and its line, they are not said again."""
    script, page = tmp_path / "rows.py", tmp_path / "rows.html"
    script.write_text(ROWS)
    (record,) = record_model(Request(str(script)))
    page.write_text(html.render(record))
    browser.open(page)
    assert browser.evaluate("document.querySelector('#loop option').textContent").startswith(
        "for row in x · line 7 · x 3"
    )


def test_a_drag_from_a_node_chooses_nothing(opened: Callable[[Any], Browser]) -> None:
    """Panning leaves what is chosen as it is, wherever it begins; a click on a node chooses it."""
    page = opened(records.newton())
    place = "document.querySelector('.node.op').getBoundingClientRect()"
    x, y = page.evaluate(f"[{place}.x + 20, {place}.y + 20]")
    page.send("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
    for by in (10, 30):
        page.send("Input.dispatchMouseEvent", type="mouseMoved", x=x + by, y=y, button="left", buttons=1)
    page.send("Input.dispatchMouseEvent", type="mouseReleased", x=x + 30, y=y, button="left", clickCount=1)
    assert page.evaluate("[state.chosen, document.querySelectorAll('.chosen').length]") == [None, 0]
    page.point(".node.op")
    assert page.evaluate("document.querySelectorAll('.node.chosen').length") == 1


def test_the_step_that_raised_is_a_step(opened: Callable[[Any], Browser], tmp_path: Path) -> None:
    """The iteration that ended the run can be stepped to, and its failing op is there; before, it is away."""
    page = opened(recorded(tmp_path, RAISES, "x=[1, 2]", "w=[[1, 2], [3, 4]]"))
    count = "document.getElementById('count').textContent"
    away = "document.querySelector('.node[aria-label*=\"raised\"]').classList.contains('away')"
    page.press("]")
    assert "iteration 1 of 3" == page.evaluate(count)
    page.press("]")
    page.press("]")
    assert "iteration 3 of 3" == page.evaluate(count)
    assert page.evaluate(away) is False
    page.press("[")
    labels = "[...document.querySelectorAll('.node.away')].map(n => n.getAttribute('aria-label'))"
    assert any(label.startswith("op, matmul, not in this iteration") for label in page.evaluate(labels))


NESTED = """\
def forward(x):
    for i in range(3):
        k = 0
        while k <= i:
            x = x * 2
            k += 1
        x = x - 1
    return x.sum()
"""


def test_a_while_inside_a_loop_is_asked_at_each_step(opened: Callable[[Any], Browser], tmp_path: Path) -> None:
    """Its test says what led to the iteration that its ops show, and what ended the loop stands with the last."""
    page = opened(recorded(tmp_path, NESTED, "[1, 2]"))
    page.evaluate("state.loop = document.getElementById('loop').options[1].value; step(0)")
    said = []
    for _ in range(6):
        page.press("]")
        words = "document.querySelector('.node.decision').getAttribute('aria-label').split(', ').slice(3).join(', ')"
        said.append(page.evaluate(words).split(" (")[0])
    assert "iteration 6 of 6" == page.evaluate("document.getElementById('count').textContent")
    assert ["True · 0 <= 0", "True · 0 <= 1", "True · 1 <= 1"] == [each.split(", then")[0] for each in said[:3]]
    assert said[3] == "True · 0 <= 2" and said[5] == "True · 2 <= 2, then False · 3 <= 2"


MANY = """\
def forward(x):
    for step in range(9000):
        x = x * 0.999
    return x.sum()
"""


@pytest.mark.whole
def test_iterations_have_their_own_numbers(opened: Callable[[Any], Browser], tmp_path: Path) -> None:
    """Of a loop that is too long for a page the first and the last steps are there, each by its place in the run."""
    page = opened(recorded(tmp_path, MANY, "[1, 2]"))
    count = "document.getElementById('count').textContent"
    page.press("]")
    assert "iteration 1 of 9,000" == page.evaluate(count)
    page.evaluate("step(9000)")
    assert "iteration 9,000 of 9,000" == page.evaluate(count)
    assert page.evaluate("+document.getElementById('at').max") < 9000


def test_a_print_holds_the_whole_picture_on_white(opened: Callable[[Any], Browser]) -> None:
    """Before printing the page turns light and shows all; afterwards it is as it was."""
    page = opened(records.newton())
    page.press("t")
    before = page.evaluate("[{...view}, document.documentElement.dataset.theme]")
    page.evaluate("""window.seen = null; window.addEventListener('beforeprint', () => {
      seen = [document.documentElement.dataset.theme, document.querySelectorAll('#paper svg').length > 0,
        document.querySelectorAll('#paper .node').length === data.nodes.length]; }); null""")
    assert base64.b64decode(page.send("Page.printToPDF")["data"]).startswith(b"%PDF")
    assert ["light", True, True] == page.evaluate("seen")
    assert before == page.evaluate("[{...view}, document.documentElement.dataset.theme]")
    assert 0 == page.evaluate("document.getElementById('paper').childElementCount")


def test_the_keyboard_goes_on_where_it_was(opened: Callable[[Any], Browser]) -> None:
    """After Escape an arrow goes on from the node in focus; Home and End reach the first and the last."""
    page = opened(records.piecewise())
    focus = "document.activeElement.dataset.id"
    page.evaluate("document.querySelector('#canvas [data-id]').focus()")
    first = page.evaluate(focus)
    for key in ("ArrowDown", "ArrowDown", "Escape", "ArrowDown"):
        page.press(key)
    third = page.evaluate("[...document.querySelectorAll('#canvas [data-id]')].map(n => n.dataset.id)[3]")
    assert third == page.evaluate(focus)
    page.press("Home")
    assert first == page.evaluate(focus)
    page.press("End")
    assert page.evaluate("[...document.querySelectorAll('#canvas [data-id]')].pop().dataset.id") == page.evaluate(focus)


def test_focus_on_expanded_box_announces_its_contents(opened: Callable[[Any], Browser]) -> None:
    """Walking onto a frame says which it is and what it holds, as walking onto a node does."""
    page = opened(records.newton())
    page.evaluate("document.querySelector('#canvas .head').focus()")
    page.press("ArrowUp")
    page.press("ArrowDown")
    assert "while" in page.evaluate("document.querySelector('#about b').textContent")
    assert "ops" in page.evaluate("document.getElementById('about').textContent")


SECOND = """\
import dyncore as torch


def loss_of(w, x, y):
    return ((x @ w - y) ** 2).mean()


def forward(w, lr):
    x = torch.tensor([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]])
    y = torch.tensor([1.0, 0.0, 2.0])
    for k in range(5):
        loss = loss_of(w, x, y)
        if loss < 0.2:
            break
        (g,) = torch.autograd.grad(loss, w, create_graph=True)
        w = w - lr * g
    return loss_of(w, x, y)
"""


def test_words_of_arrows_keep_off_titles(browser: Browser, tmp_path: Path) -> None:
    """A gradient that belongs to an arrow does not lie on the title of a frame that the arrow enters."""
    path = tmp_path / "page.html"
    record = recorded(tmp_path, SECOND, "w=[0.1, 0.2]", "lr=0.2", edges=True)
    path.write_text(html.render(record, GraphOptions(grads=True)), encoding="utf-8")
    browser.open(path)
    overlaps = """(() => { const heads = [...document.querySelectorAll('#canvas .head text')].map(e => e.getBBox());
      return [...document.querySelectorAll('#canvas .word')].map(e => e.getBBox()).filter(a => heads.some(b =>
        a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height - 2 && b.y < a.y + a.height - 2)).length;
    })()"""
    assert 0 == browser.evaluate(overlaps)


GENERATED = """\
import dyncore as torch


def stream(x):
    while x.norm() > 0.1:
        yield x
        x = x * 0.5 if x[0] > 0 else x * 0.25


def forward(x):
    total = torch.zeros(2)
    for part in stream(x):
        total = total + part**2
    return total.sum()
"""


@pytest.fixture
def two_runs(browser: Browser, tmp_path: Path) -> Browser:
    """The page of two runs of a generator, whose steps take different arms."""
    (tmp_path / "net.py").write_text(GENERATED)
    runs = [Request(str(tmp_path / "net.py"), inputs=(x,), edges=True) for x in ("[3,-1]", "[-3,1]")]
    a, b = (record for request in runs for record in record_model(request))
    page = tmp_path / "two.html"
    page.write_text(html.render_two(a, b, GraphOptions(grads=True), ("A", "B")))
    browser.open(page)
    return browser


def test_lines_of_two_runs_have_the_values_of_both(two_runs: Browser) -> None:
    """Where the runs differ each has its own, by its name, and no line says on itself which it is."""
    said = (
        "Object.fromEntries([...document.querySelectorAll('#source li')].map(li => [li.dataset.line, li.textContent]))"
    )
    lines = two_runs.evaluate(said)
    assert lines["14"].endswith("→ A: 13.32  |  B: 10.66")
    assert lines["13"].endswith("→ A: [9, 1] … [11.99, 1.332]  |  B: [9, 1] … [9.598, 1.066]")
    assert "→ A: True x5, False · 3.162 … 0.09882 > 0.1 · margin -0.00118  |  B: True x3, False" in lines["5"]


def test_no_words_of_an_arrow_lie_under_a_node(two_runs: Browser) -> None:
    """Also those of an arrow that leads from a node back to it."""
    hidden = """(() => {
      const places = what => [...document.querySelectorAll(what)].map(each => each.getBoundingClientRect());
      const over = (a, b) => a.x < b.right - 1 && b.x < a.right - 1 && a.y < b.bottom - 1 && b.y < a.bottom - 1;
      return places('.word').filter(word => places('.node rect.shape').some(node => over(word, node)));
    })()"""
    assert [] == two_runs.evaluate(hidden)
