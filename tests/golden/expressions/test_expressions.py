"""Lines as they are typed at a prompt print on dyncore what they print on PyTorch; no PyTorch needed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

import dyncore
from dyncore.binding.lazy import load_all
from dyncore.dispatch.entries import family_of
from dyncore.dispatch.specialize.cache import Specialized
from tests.golden.expressions.printed import differing

FILES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.fixture(scope="module", params=["general", "written"])
def path_of_ops(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each op on the general path, as in a short script, or as the function written for it, from its first call on.

    Those of lists and `linear` are written at the first call in any case.
    """
    load_all()
    every = [each for each in gc.get_objects() if type(each) is Specialized]
    before = [(each.codes, each.calls_left) for each in every]
    for each in every:
        is_written = request.param == "written" or family_of(each.names["op"]) in ("lists", "linear")
        each.codes, each.calls_left = [None, None], [1, 1] if is_written else [10**9, 10**9]
        each.stop()
    yield
    for each, (codes, calls_left) in zip(every, before, strict=True):
        each.codes, each.calls_left = codes, calls_left
        each.stop()


@pytest.mark.usefixtures("path_of_ops")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_line_prints_what_it_prints_on_pytorch(path: Path) -> None:
    """Each line runs by itself, from the same seed; what its last expression is, or its error, is compared as text."""
    assert [] == differing(path, dyncore)
