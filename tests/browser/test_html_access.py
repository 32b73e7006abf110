"""The html page for who reads with little contrast, by keyboard alone, or by ear, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import records
from tests.browser.browser import PROGRAM, Browser
from tests.runs import recorded

pytestmark = [pytest.mark.whole, pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")]

MODEL = """\
def scaled(h):
    return h * 2


def forward(x):
    h = x
    for i in range(6):
        if h.sum() > 20:
            break
        h = scaled(h) if i % 2 else h + 1
    h = h.sum()
    return h * h
"""

# Of each text in the page and in the picture: its contrast with what lies behind it, where WCAG asks for more.
FAINT = r"""(() => {
  const parts = color => (color.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const light = color => {
    const [r, g, b] = color.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [less, more] = [light(a.slice(0, 3)), light(b.slice(0, 3))].sort((x, y) => x - y);
    return (more + 0.05) / (less + 0.05);
  };
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const color = parts(getComputedStyle(at).backgroundColor);
      if (color.length === 3) return color;
    }
    return [255, 255, 255];
  };
  const page = parts(getComputedStyle(document.body).backgroundColor), found = [];
  const look = (what, ink, back) => {
    if (contrast(ink, back) < 4.5) found.push([what, Math.round(contrast(ink, back) * 100) / 100]);
  };
  for (const words of document.querySelectorAll('#canvas tspan, #canvas .word')) {
    const shape = words.closest('.node') && words.closest('.node').querySelector('.shape');
    look(words.textContent, parts(getComputedStyle(words).fill), shape ? parts(getComputedStyle(shape).fill) : page);
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const at = walk.currentNode.parentElement;
    const shown = !at.closest('svg, script, noscript') && at.getClientRects().length;
    const words = walk.currentNode.data.trim();
    if (words && shown) look(words, parts(getComputedStyle(at).color), behind(at));
  }
  return found; })()"""


@pytest.fixture
def model(opened: Callable[[Any], Browser], tmp_path: Path) -> Browser:
    """The page of a loop, a call in it, and what follows."""
    record = recorded(tmp_path, MODEL, "[1, 2]", edges=True)
    return opened(record)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_text_has_contrast(model: Browser, name: str) -> None:
    """Of nodes, arrows, lines chosen and not, and of what a step leaves out: 4.5 to 1 at least."""
    model.evaluate(f"theme('{name}')")
    model.evaluate("choose(data.nodes.find(node => node.kind === 'op').id)")
    assert [] == model.evaluate(FAINT)
    model.evaluate("step(1)")
    assert [] == model.evaluate(FAINT)


@pytest.mark.whole
def test_every_record_has_contrast(opened: Callable[[Any], Browser]) -> None:
    """Also where a run failed, where nothing ran, and in arms that ran as their source."""
    for build in records.ALL:
        page = opened(build())
        for name in ("light", "dark"):
            page.evaluate(f"theme('{name}')")
            assert [] == page.evaluate(FAINT), (build.__name__, name)


def test_a_chosen_line_is_marked_under_the_mouse(model: Browser) -> None:
    """Who clicked a line sees that it is chosen while the mouse is still on it."""
    model.point('#source li[data-line="2"]')
    color = "getComputedStyle(document.querySelector('#source li[data-line=\"2\"]')).backgroundColor"
    chosen = model.evaluate(color)
    model.send("Input.dispatchMouseEvent", type="mouseMoved", x=900, y=5)
    assert chosen == model.evaluate(color)


def test_what_is_reached_by_keys_says_what_it_is(model: Browser) -> None:
    """Each stop has a name; lines and nodes are buttons that say whether they are chosen."""
    model.evaluate("choose(data.nodes.find(node => node.kind === 'op').id)")
    tree = model.send("Accessibility.getFullAXTree")["nodes"]
    stops = [node for node in tree if not node["ignored"] and ("focusable", True) in _properties(node)]
    assert [] == [node["role"]["value"] for node in stops if not node["name"]["value"]]
    roles = {node["role"]["value"] for node in stops}
    assert {"button", "searchbox", "combobox", "slider"} <= roles | {"RootWebArea"}
    assert "listitem" not in roles
    pressed = [node["name"]["value"] for node in stops if ("pressed", "true") in _properties(node)]
    assert ["line 8", "op"] == sorted(name.split(",")[0] for name in pressed)


def _properties(node: Any) -> list[tuple[str, Any]]:
    return [(each["name"], each["value"].get("value")) for each in node.get("properties", ())]


def test_what_tab_reaches_is_in_the_window(model: Browser) -> None:
    """The picture comes to the node or the title of the frame that has the focus, however far it was panned."""
    seen = """(() => { const room = document.getElementById('picture').getBoundingClientRect();
      const {x, y, right, bottom} = document.activeElement.getBoundingClientRect();
      return [document.activeElement.dataset.id !== undefined, Math.min(right, room.right) - Math.max(x, room.x) > 20
        && Math.min(bottom, room.bottom) - Math.max(y, room.y) > 15]; })()"""
    model.evaluate("view.x = view.y = -5000; move(); document.querySelector('#source [tabindex=\"0\"]').focus()")
    model.send("Input.dispatchKeyEvent", type="keyDown", key="Tab", windowsVirtualKeyCode=9)
    assert [True, True] == model.evaluate(seen)
    model.evaluate("zoom(4)")
    for _ in range(4):
        model.press("ArrowDown")
        assert [True, True] == model.evaluate(seen)
    assert model.evaluate("order.slice(0, 5).some(item => item.box && !item.folded)")


def test_from_a_node_to_its_line_and_back(model: Browser) -> None:
    """A chosen node makes its line the stop of Tab in the source, and a line its node the one in the picture."""
    stop = "document.querySelector('{} [tabindex=\"0\"]').dataset.{}"
    model.evaluate("choose(data.nodes.find(node => node.name === 'sum' && node.line === 8).id)")
    assert "8" == model.evaluate(stop.format("#source", "line"))
    model.evaluate("document.querySelector('#source li[data-line=\"2\"]').focus()")
    model.press("Enter")
    first = model.evaluate("data.nodes.find(node => node.line === 2).id")
    assert first == model.evaluate(stop.format("#canvas", "id"))


def test_a_frame_that_folds_stays_where_it_was(model: Browser) -> None:
    """Its title, or its one node, is where the reader looked."""
    model.evaluate("zoom(2); centre(order.find(item => item.box && item.box.kind === 'loop'))")
    place = "(({x, y}) => [x, y])(document.querySelector('[data-id=\"%s\"] rect').getBoundingClientRect())"
    loop = model.evaluate("data.boxes.find(box => box.kind === 'loop').id")
    before = model.evaluate(place % loop)
    for shut in ("false", "true"):
        model.evaluate(f"document.querySelector('[data-id=\"{loop}\"]').focus()")
        model.press("Enter")
        assert shut == model.evaluate(f"document.querySelector('[data-id=\"{loop}\"]').getAttribute('aria-expanded')")
        after = model.evaluate(place % loop)
        assert [True, True] == [abs(a - b) < 9 for a, b in zip(before, after, strict=True)]


def test_frames_are_found(model: Browser) -> None:
    """A search for the name of a function or the words of a loop finds its frame, and says which of how many."""
    found = "document.getElementById('found').textContent"
    for words, kind in (("scaled", "call"), ("for i in range(6)", "loop")):
        model.evaluate(f"document.getElementById('search').value = state.query = '{words}'; search(0)")
        assert "1 found" == model.evaluate(found)
        model.evaluate("search(1)")
        assert "1 of 1" == model.evaluate(found)
        assert kind == model.evaluate("boxes.get(state.chosen).kind")
        assert 1 == model.evaluate("document.querySelectorAll('#canvas .chosen').length")


def test_the_stepper_says_how_many_steps_there_are(model: Browser) -> None:
    """Before the first step too."""
    assert "all 5" == model.evaluate("document.getElementById('count').textContent")


def test_two_fingers_zoom(model: Browser) -> None:
    """On a screen that is touched the picture grows around the place between them; one finger pans."""
    before = model.evaluate("({...view})")

    def touch(kind: str, *places: tuple[int, int]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        model.send("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    touch("touchStart", (800, 400))
    touch("touchStart", (800, 400), (900, 400))
    touch("touchMove", (750, 400), (950, 400))
    touch("touchEnd")
    grown = model.evaluate("({...view})")
    room = model.evaluate("document.getElementById('picture').getBoundingClientRect().toJSON()")
    assert grown["scale"] == pytest.approx(2 * before["scale"], rel=0.02)
    middle = [(850 - room["x"] - view["x"]) / view["scale"] for view in (before, grown)]
    assert middle[0] == pytest.approx(middle[1], abs=3)
    touch("touchStart", (800, 400))
    touch("touchMove", (800, 300))
    touch("touchEnd")
    assert model.evaluate("view.y") == pytest.approx(grown["y"] - 100, abs=12)


def test_shift_and_enter_go_back_in_a_search(model: Browser) -> None:
    """From the first of what was found to the last, and on from there."""
    model.evaluate("document.getElementById('search').focus()")
    for letter in "float32":
        model.press(letter)
    number = "+document.getElementById('found').textContent.split(' ')[0]"
    found = model.evaluate(number)
    model.press("Enter")
    assert 1 == model.evaluate(number)
    for at in (found, found - 1):
        model.send("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r", modifiers=8)
        assert at == model.evaluate(number)


def test_on_a_phone_the_picture_has_half_of_the_screen(model: Browser) -> None:
    """The stepper is one line below its loop, and no keys are explained where there are none."""
    model.send("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=False)
    model.evaluate(
        "document.querySelector('h1').textContent = 'net.py:forward'"
    )  # not the long way to this test's folder
    tops = "['back', 'at', 'next', 'count'].map(id => document.getElementById(id).getBoundingClientRect())"
    middles = model.evaluate(f"{tops}.map(({{y, height}}) => y + height / 2)")
    height = model.evaluate("document.getElementById('graph').getBoundingClientRect().height")
    wide = model.evaluate("document.documentElement.scrollWidth")
    model.send("Emulation.clearDeviceMetricsOverride")
    assert max(middles) - min(middles) < 8
    assert (True, 390) == (height >= 390, wide)
