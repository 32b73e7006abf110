"""Every op's values and gradients are PyTorch's, without PyTorch: its results stand in files."""

from __future__ import annotations

import warnings
from itertools import groupby
from operator import itemgetter
from typing import Any

import pytest

import dyncore
from tests.golden.ops.calls import agree, lines, outcome

CALLS = {name: list(calls) for name, calls in groupby(sorted(lines(), key=itemgetter("op")), itemgetter("op"))}


@pytest.mark.parametrize("name", CALLS)
def test_op_returns_what_pytorch_returned(name: str) -> None:
    """Dtypes, shapes, values and gradients, of a few small calls."""
    for line in CALLS[name]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = outcome(line, dyncore)
        assert agree(found, line["wanted"]), shown(line, found)


def shown(line: dict[str, Any], found: Any) -> str:
    """Describe a call that differs."""
    return f"{line['op']}{line['args']} {line['kwargs']}\nfound  {found}\nwanted {line['wanted']}"
