"""Collect examples from the sources that hold some: to import all others only to find none takes seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

TESTS = Path(__file__).parent


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Skip sources without an example, and the helpers of the tests, which may need what is not installed."""
    if collection_path.suffix != ".py" or _is_test(collection_path):
        return None
    return True if TESTS in collection_path.parents or b">>>" not in collection_path.read_bytes() else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[list[pytest.Collector]]:
    """Look for no examples in tests."""
    collectors = yield
    return [each for each in collectors if not (_is_test(file_path) and isinstance(each, DoctestModule))]


def _is_test(path: Path) -> bool:
    return path.name.startswith(("test_", "conftest"))
