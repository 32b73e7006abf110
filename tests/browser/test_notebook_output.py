"""Output of a record in a notebook, in a real browser, on the pages of a light and of a dark theme."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dyncli
from tests.browser.browser import PROGRAM, Browser

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium on this machine")

# Of each text: its contrast with the page, or with the tint behind it in the picture, where WCAG asks for more.
FAINT = r"""(() => {
  const canvas = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d");
  const painted = (...colors) => {
    for (const [color, opacity] of colors) {
      canvas.globalAlpha = opacity;
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = color => {
    const [r, g, b] = color.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const page = [getComputedStyle(document.body).backgroundColor, 1], found = [];
  for (const words of document.querySelectorAll("svg text, pre, pre span")) {
    const node = words.closest(".node"), shape = node && node.querySelector("path, polygon");
    const style = shape && getComputedStyle(shape);
    const back = shape && style.fill !== "none" ? [page, [style.fill, style.fillOpacity]] : [page];
    const ink = getComputedStyle(words)[words.closest("svg") ? "fill" : "color"];
    const [less, more] = [painted(...back, [ink, 1]), painted(...back)].map(light).sort((x, y) => x - y);
    const contrast = (more + 0.05) / (less + 0.05);
    if (words.textContent.trim() && contrast < 4.5) found.push([words.textContent, contrast]);
  }
  return found; })()"""


def forward(x: Any, w: Any) -> Any:
    """Take both arms, cut a gradient, loop."""
    for _ in range(2):
        if x.sum() > 2:
            x = x * w.detach()
        else:
            x = x - 1
    return x


@pytest.mark.whole
@pytest.mark.parametrize(("back", "ink"), [("#ffffff", "#000000"), ("#111111", "#e0e0e0")], ids=["light", "dark"])
def test_output_of_a_record_has_contrast_on_the_page_of_a_theme(back: str, ink: str, tmp_path: Path) -> None:
    """Picture and tables take the page's colours: nothing says which theme it is."""
    shown = dyncli.record(forward, [1.0, 2.0], [0.5, 3.0])._repr_mimebundle_()["text/html"]
    page = tmp_path / "page.html"
    style = f"background:{back};color:{ink}"
    page.write_text(f'<meta charset="utf-8"><body data-ready="true" style="{style}">{shown}</body>', "utf-8")
    browser = Browser(tmp_path / "profile", 1000, 700)
    try:
        browser.open(page)
        assert browser.evaluate("document.querySelectorAll('svg text').length") > 10
        assert [] == browser.problems
        assert [] == browser.evaluate(FAINT)
    finally:
        browser.close()
