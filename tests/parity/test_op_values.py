"""The results of ops that tests without PyTorch compare with are PyTorch's."""

from __future__ import annotations

import warnings

import pytest

from tests.golden.ops.calls import agree, lines, outcome

torch = pytest.importorskip("torch")


def test_values_of_every_line_are_pytorchs() -> None:
    """Each call, done anew."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [] == [line["op"] for line in lines() if not agree(outcome(line, torch), line["wanted"])]
