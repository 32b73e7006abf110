"""What is concatenated is computed in its place; the bits, and who shares memory with whom, stay as they are."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from tests.unit.core.capture.check import run, same


def made(*shape: int, grad: bool = True) -> Any:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)), requires_grad=grad)


def text_of(compiled: Any) -> str:
    """The forward's text."""
    return "\n".join(root.plan[0].text for roots in compiled._roots.values() for root in roots)


def deep(x: Any, w: Any) -> Any:
    h = x
    for _ in range(3):
        h = torch.tanh(w @ torch.cat([h, torch.relu(h)]))
    return h.sum()


def twice(x: Any) -> Any:
    h = x * 2
    return torch.cat([h, x, h]) * torch.cat([h, h, x])


def handed_out(x: Any) -> Any:
    h = x.exp()
    joined = torch.cat([h, x])
    return h, joined, joined * 2


def written(x: Any) -> Any:
    h = x * 3
    joined = torch.cat([h, h * 2])
    h.add_(1)
    joined.mul_(2)
    return (torch.cat([h, joined]) * 2).sum() + joined.sum()


def looked_at(x: Any) -> Any:
    h = x * 3
    joined = torch.cat([h[1:], h[:1], torch.zeros(2)])
    return joined[2:].tanh() * joined[:-2]


def along_columns(x: Any) -> Any:
    a, b = (x * 2).reshape(3, 4), (x + 1).reshape(3, 4)
    joined = torch.cat([a, b], dim=1)
    return joined.t() @ torch.cat([a, b, a], dim=-1)


def gates(x: Any, w: Any) -> Any:
    i, f, o = (w @ x).chunk(3)
    return (i.sigmoid() * f.tanh() + o).sum()


def branching(x: Any) -> Any:
    h = x * 2
    if h.sum() > 0:
        return torch.cat([h, x.exp()]).sum()
    return torch.cat([x.exp(), h, h]).sum()


def of_two_dtypes(x: Any) -> Any:
    return torch.cat([x * 2, (x * 3).double()]).sum()


CASES = {
    "deep": (deep, [(8,), (8, 16)]),
    "twice": (twice, [(5,)]),
    "handed out": (handed_out, [(5,)]),
    "written": (written, [(5,)]),
    "looked at": (looked_at, [(6,)]),
    "along columns": (along_columns, [(12,)]),
    "gates": (gates, [(4,), (12, 4)]),
    "of two dtypes": (of_two_dtypes, [(5,)]),
}


@pytest.mark.parametrize("name", CASES)
def test_same_bits(name: str) -> None:
    """Forward and backward, call after call, with other values in between."""
    function, shapes = CASES[name]
    args = [made(*shape) for shape in shapes]
    compiled = same(function, *args)
    for value in (0.0, -0.0, float("nan"), float("inf")):
        with torch.no_grad():
            args[0].fill_(value)
        assert run(function, tuple(args), args) == run(compiled, tuple(args), args)


def test_both_arms_of_branch_are_captured() -> None:
    """A piece computed before a decision is joined differently after it."""
    compiled = torch.compile(branching)
    for sign in (1, -1, 1, -1, 1):
        x = made(4).abs().detach().mul(sign).requires_grad_()
        expected = made(4).abs().detach().mul(sign).requires_grad_()
        branching(expected).backward()
        compiled(x).backward()
        assert x.grad.tolist() == expected.grad.tolist()


def test_nothing_is_copied_that_is_computed_in_its_place() -> None:
    """Only the argument is."""
    x, w = made(8), made(8, 16)
    compiled = torch.compile(deep)
    for _ in range(2):
        compiled(x, w)
    text = text_of(compiled)
    assert 1 == text.count("[...] = ") and "concatenate" not in text


def test_results_keep_memory_of_their_own() -> None:
    """What one call gave is not changed by the next."""
    compiled = torch.compile(handed_out)
    x = made(5, grad=False)
    with torch.no_grad():
        compiled(x)
        first = compiled(x)
        held = [each.tolist() for each in first]
        compiled(x + 1)
    assert held == [each.tolist() for each in first]


def cast_to_itself(x: Any) -> Any:
    y = (x * 2).to(x.dtype)
    z = (y.float() + 1) ** 2
    y.mul_(3)
    return z.float().sum() + y.sum(), z


def test_a_cast_that_changes_nothing_shares_what_is_made() -> None:
    """Not what is written in place, nor what is handed out."""
    x = made(6)
    same(cast_to_itself, x)
    kept = torch.compile(cast_to_itself)
    for _ in range(2):
        _, z = kept(x)
        values = z.tolist()
    kept(x)
    assert values == z.tolist()
