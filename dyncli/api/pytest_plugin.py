"""The pytest plugin: the fixture `same_path`, which compares the path of a run with the one that was accepted.

It is loaded with every run of pytest where dyncli is installed, so it imports nothing before a test asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from dyncli.api.record import Record

FOLDER = "paths"  # beside the test's file
OPTION = "--accept-paths"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes what `same_path` compares with."""
    group = parser.getgroup("dyncli")
    group.addoption(OPTION, action="store_true", help="write the paths that the fixture same_path compares with")


class SamePath:
    """The fixture's value: a function of one record, compared with the accepted one, or of two.

    The accepted records of a test lie in `paths/<file>/` beside it, one for each call.
    """

    def __init__(self, folder: Path, name: str, accept: bool) -> None:
        self.folder = folder
        self.name = name
        self.accept = accept
        self.calls = 0

    def __call__(self, record: Record, other: Record | str | Path | None = None) -> None:
        """Fail the test with the first decision that differs; with --accept-paths save the record instead."""
        __tracebackhide__ = True
        from dyncli.api.assertions import assert_same_path, with_path

        with_path(record)
        is_accepted = other is None
        if other is None:
            self.calls += 1
            number = f".{self.calls}" if self.calls > 1 else ""
            other = self.folder / f"{self.name}{number}.dyn"
            if self.accept:
                self.folder.mkdir(parents=True, exist_ok=True)
                record.save(other)
                return
            if not other.is_file():
                pytest.fail(f"no path was accepted yet: `pytest {OPTION}` writes {other}", pytrace=False)
        try:
            assert_same_path(record, other)
        except AssertionError as error:
            if not is_accepted:
                raise
            words = f"A is this run, B the accepted one; if this is right, `pytest {OPTION}` accepts it"
            raise AssertionError(f"{error}\n\n{words}") from None


@pytest.fixture
def same_path(request: pytest.FixtureRequest) -> Iterator[SamePath]:
    """Compare the path of a record with the accepted one, or with that of another record."""
    name = re.sub(r"[^\w.=-]+", "-", request.node.name).strip("-")
    folder = request.path.parent / FOLDER / request.path.stem
    yield SamePath(folder, name, request.config.getoption(OPTION))
