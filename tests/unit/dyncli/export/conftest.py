"""Tests of exports run in one `torch_is_dyncore`, as an export does."""

from collections.abc import Iterator

import pytest

from dyncli.instrument.runtime.importer import torch_is_dyncore


@pytest.fixture(autouse=True)
def torch() -> Iterator[None]:
    """Let `torch` be the engine for the whole test: to enter it for each run takes a third of the time."""
    with torch_is_dyncore():
        yield
