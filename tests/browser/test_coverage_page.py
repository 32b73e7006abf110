"""The html report of `dyncli cover` in a real browser, and the tables at the widths of real terminals."""

from pathlib import Path

import pytest
from rich.console import Console

from dyncli.analysis.coverage import Report
from dyncli.render.reports.coverage import CoverageOptions, CoverageView
from dyncli.render.reports.coverage_html import render
from tests.browser.browser import PROGRAM, Browser
from tests.unit.dyncli.coverage.running import covered

SOURCE = '''\
"""</script><script>document.title = "broken"</script>"""


def clip(x):
    if x.abs().max() > 3:
        return x / x.abs().max()
    return x


def never(x):
    return x * 0


def forward(x, steps: int = 3):
    x = clip(x)
    for k in range(steps):
        if x.sum() > 0 and not (x.min() < -2 or k > 1):
            x = x * 2
        elif x.norm() > 100:
            return x / 100
    while x.sum() > 1:
        x = x / 2
    return x.sum()
'''


@pytest.fixture
def found(tmp_path: Path) -> Report:
    """The report of a model over four inputs."""
    return covered(tmp_path, SOURCE, [[1.0, 2.0], [-1.0, 0.5], [0.25, -3.5], ["<b>", 2]])


@pytest.mark.whole
@pytest.mark.skipif(PROGRAM is None, reason="needs Chromium or Chrome")
def test_the_page(found: Report, tmp_path: Path):
    """It asks for nothing, complains of nothing, and links what was never reached to its line."""
    page = tmp_path / "page.html"
    page.write_text(render(found))
    browser = Browser(tmp_path / "profile", 1000, 700)
    try:
        browser.open(page)
        assert [] == browser.problems
        assert "net.py:forward: coverage" == browser.evaluate("document.title")
        assert "20" == browser.evaluate("document.querySelector('table.missed td a').textContent")
        browser.point("table.missed td a")
        assert "            return x / 100" == browser.evaluate(
            "document.querySelector('tr:target td.code').textContent"
        )
        left = browser.evaluate("[...document.querySelectorAll('tr.left td.no')].map(e => e.textContent).join()")
        assert "10,11,20" == left
        assert browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert "rgb" in browser.evaluate("getComputedStyle(document.querySelector('tr.left')).backgroundColor")
    finally:
        browser.close()


@pytest.mark.parametrize("width", [60, 80, 100, 120, 200])
@pytest.mark.parametrize("full", [False, True])
def test_tables_fit(found: Report, width: int, full: bool):
    """No line is wider than the terminal, and the arm never reached is there."""
    console = Console(width=width, no_color=True, force_terminal=False)
    with console.capture() as capture:
        console.print(CoverageView(found, CoverageOptions(full=full)))
    text = capture.get()
    assert width >= max(map(len, text.splitlines()))
    assert "Never reached  1 arm" in text and "never (line 10)" in text
