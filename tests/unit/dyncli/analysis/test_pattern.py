"""Long runs of outcomes as short patterns."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from dyncli.analysis.pattern import letters, pattern, repeats

CASES = {
    "": "",
    "T": "T",
    "TT": "T x2",
    "TTTTTTF": "T x6, F",
    "TTFTTFTTF": "(T x2, F) x3",
    "TFTFTF": "(T, F) x3",
    "FTFTF": "(F, T) x2, F",
    "TTTTTTF" * 3: "(T x6, F) x3",
    "TT" + "FFTFTF" * 4 + "FF": "T 10, F 18, mixed",  # no pattern within a pattern
    "ABCDEF": "A, B, C, D, E, F",
    "ABCDEFG": "A 1, B 1, C 1, D 1, E 1, F 1, G 1, mixed",
    "TFFTTTFTFFFFTTTTTFTFTTTTFF": "T 15, F 11, mixed",
}


@pytest.mark.parametrize(("symbols", "text"), CASES.items())
def test_pattern(symbols: str, text: str) -> None:
    """The block that covers most is folded first; a run with no order is counted."""
    assert text == pattern(list(symbols))


def test_letters_are_spelled_out() -> None:
    """A short block is written letter by letter, as on a loop's box."""
    assert ("T T F x3", "T x4, F", "A") == (letters("TTFTTFTTF"), letters("TTTTF"), letters("A"))
    assert "T 15, F 11, mixed" == letters("TFFTTTFTFFFFTTTTTFTFTTTTFF")


@given(st.text("TF", max_size=60))
def test_repeats_lose_nothing(symbols: str) -> None:
    """Writing the blocks out gives the run back."""
    assert symbols == "".join("".join(block) * times for block, times in repeats(symbols))


def test_a_long_run_is_folded_in_time() -> None:
    """A hundred thousand outcomes are one block."""
    assert [(("T",), 100_000)] == repeats(["T"] * 100_000)
