"""Numbers that leave by `item()` and are only compared: the outcome is the decision, not the number."""

from __future__ import annotations

from typing import Any

import numpy as np

import dyncore as torch
from tests.unit.core.capture.check import bits

LEAST = 2.5
INFINITE, NO_NUMBER = float("inf"), float("nan")


def test_a_number_that_is_only_compared_is_a_decision() -> None:
    """`x.item() < 3` and its like: other numbers on the same side are the same path."""

    def exits(x: Any, most: float) -> Any:
        if x.max().item() < 3:
            return x * 2
        while x.sum().item() > most and x.min().item() != LEAST:
            x = x / 2
        return x

    compiled = torch.compile(exits)
    for top in (1.0, 1.5, 2.0, 4.0, 4.5, 40.0, 41.0, 2.5, float("nan"), 3.0):
        x = torch.tensor([top, 0.5])
        assert bits(exits(x, 5.0)) == bits(compiled(x, 5.0))
    explained = compiled.explain()
    assert explained.hits >= 4, str(explained)
    assert ".item() < 3 is True" in str(explained)


def test_a_number_that_is_used_otherwise_is_compared_itself() -> None:
    """Through `map`, in a chain of comparisons, kept, or compared with something that is no number."""
    uses: list[Any] = [
        lambda x: x * 2 if sum(map(torch.Tensor.item, x)) < 3 else x,
        lambda x: x * 2 if 0 < x.max().item() < 3 else x * x.max().item(),
        lambda x: (x * 2, x.max().item() < 3),
        lambda x: x * (1 + (x.max().item() > 3)),
        lambda x: x * x.max().item() if x.max().item() < 3 else x * x.min().item(),
        lambda x: x * 2 if x.max().item() < INFINITE else x,
        lambda x: x * 2 if x.max().item() > NO_NUMBER else x,
        lambda x: x * 2 if x.max().item() in (1.0, 4.0) else x,
        lambda x: x * 2 if x.max().tolist() < 3 else x,
        lambda x: x * 2 if x.max().item(*()) < 3 else x,
        lambda x: x * 2 if (x.max().item() if x[1] > 0 else x.min().item()) < 3 else x,
        lambda x: x * 2 if (x[0] > 1.5 and x.max().item()) < 3 else x,
        lambda x: x * 2 if x.max().item() < (3 if x[1] > 0 else 2) else x,
        lambda x: (x, x * 2)[x.max().item() < 3],
        lambda x, item=torch.Tensor.item: x * 2 if item(x.max()) < 3 else x,
    ]
    for use in uses:
        compiled = torch.compile(use)
        for top in (1.0, 2.0, 4.0, 2.0, 1.0, 5.0):
            x = torch.tensor([top, 0.5])
            found, expected = compiled(x), use(x)
            if isinstance(expected, tuple):
                assert expected[1] == found[1]
                found, expected = found[0], expected[0]
            assert bits(expected) == bits(found)


def test_a_number_in_a_variable_that_is_only_compared() -> None:
    """`r = x.item()` and `while r > tol`: as many paths as lengths, not one for each number."""

    def root(x: Any, tol: float) -> Any:
        r, n = 1.0, 0
        while r > tol and n < 30:
            step = (x * x - 2) / (2 * x)
            x = x - step
            n += 1
            r = step.abs().max().item()
            done = LEAST < r
            if done:
                x = x * 1.0
        return x * n

    compiled = torch.compile(root)
    rng = np.random.default_rng(0)
    for _ in range(60):
        x = torch.tensor(rng.uniform(0.5, 9.0, 2))
        assert bits(root(x, 1e-5)) == bits(compiled(x, 1e-5))
    explained = compiled.explain()
    assert explained.recordings < 8 and explained.hits > 50, str(explained)
    assert ".item() > 1e-05 is True" in str(explained)
    assert ".item() > 2.5 is False" in str(explained)


def test_a_number_in_a_variable_that_is_read_otherwise() -> None:
    """Returned, printed into a text, compared with what changes, captured, or told by `locals()`."""

    def returned(x: Any) -> Any:
        r = x.max().item()
        return (x * 2, r) if r > 3 else (x, r)

    def computed(x: Any) -> Any:
        r = x.max().item()
        return x * r if r > 3 else x

    def moving(x: Any) -> Any:
        best = 0.0
        for row in x:
            r = row.item()
            if r > best:
                best = r
        return x * best

    def limit(x: Any) -> Any:
        most = 3.0
        r = x.max().item()
        for _ in range(2):
            most = most * 0.75
            if r > most:
                x = x * 2
        return x

    def captured(x: Any) -> Any:
        r = x.max().item()
        return [x, *[x * k for k in range(5) if r > k]][-1]

    def told(x: Any) -> Any:
        r = x.max().item()
        return x * 2 if r > 3 else x * locals()["r"]

    def chained(x: Any) -> Any:
        r = x.max().item()
        return x * 2 if 1.5 < r < 4.5 else x

    def deleted(x: Any) -> Any:
        r = x.max().item()
        if r > 3:
            del r
            r = 7.0
        return x * r

    def swapped(x: Any) -> Any:
        r = x.max().item()
        s = r
        return x * 2 if s > 3 else x

    def own(x: Any) -> Any:
        r = x.max().item()
        return x * 2 if r < r else x * 3 if r == r else x

    def among(x: Any) -> Any:
        r = x.max().item()
        return x * 2 if r in (1.0, 4.0) else x

    def called(x: Any) -> Any:
        r = x.max().tolist()
        return x * 2 if r > 3 else x

    def given(x: Any) -> Any:
        r = x.max().item(*())
        return x * 2 if r > 3 else x

    def part(x: Any) -> Any:
        r = x.max().item()
        return x * 2 if r > LEAST and 3.5 > r or r != 5 else x

    def late(x: Any) -> Any:
        r = x.max().item()
        return x * 2 if r > (3 if x[1] > 0 else 1) else x

    def unused(x: Any) -> Any:
        r = x.max().item()  # noqa: F841
        return x * 2

    for use in (
        returned,
        computed,
        moving,
        limit,
        captured,
        told,
        chained,
        deleted,
        swapped,
        own,
        among,
        called,
        given,
        part,
        late,
        unused,
    ):
        compiled = torch.compile(use)
        for top in (1.0, 2.0, 4.0, 2.0, 1.0, 5.0, float("nan"), 2.2, 1.7, 3.0):
            x = torch.tensor([top, 0.5])
            found, expected = compiled(x), use(x)
            if isinstance(expected, tuple):
                assert repr(expected[1]) == repr(found[1])
                found, expected = found[0], expected[0]
            assert bits(expected) == bits(found), (use.__name__, top)
