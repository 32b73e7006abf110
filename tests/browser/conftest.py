"""A browser for the tests of the html page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dyncli.render.graph import html
from tests.browser.browser import Browser


@pytest.fixture(scope="session")
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
