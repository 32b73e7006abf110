"""Calls at edges, those of `tests/golden/expressions`, give several examples at once what they give each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from tests.golden.expressions import printed

FOLDER = Path(printed.__file__).parent
FILES = ("reductions", "places", "shapes", "matrices", "layers", "elementwise")
Call = tuple[str, str, Any, tuple[Any, ...], dict[str, Any]]  # line, letters of operands, function, arguments, options


@pytest.fixture(autouse=True)
def _float64() -> Iterator[None]:
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


def calls(path: Path) -> list[Call]:
    """Return the calls of a file; of elementwise ops, those of several tensors."""
    found: list[Call] = []
    names: dict[str, Any] = {"torch": torch, "F": torch.nn.functional, "math": math}
    names["wave"] = lambda shape, number=0: printed.wave(torch, shape, number)
    for line, _ in printed.cases(path):
        names["edges"] = lambda *given, line=line, **options: found.append((line, *given[:2], given[2:], options))
        eval(line, names)
    return found if path.stem != "edges_elementwise" else [each for each in found if any(map(torch.is_tensor, each[3]))]


def outcome(run: Callable[[Any, Any], Any], call: Call, letter: str, lazy: tuple[int, ...]) -> Any:
    """Return results and gradients of five calls with operands at `lazy` that differ between them; or the error."""
    _, _, function, given, options = call
    operands = [printed.operand(torch, letter), *given]
    leaves: list[Any] = []

    def leaf(value: Any, number: int) -> Any:
        if not torch.is_tensor(value) or not value.is_floating_point():
            return value
        leaves.append((value.double() * (1 + number / 8)).requires_grad_())
        return leaves[-1]

    shared = [leaf(each, 0) for each in operands]
    rows = [{place: leaf(operands[place], number) for place in lazy} for number in range(5)]

    def model(row: dict[int, Any]) -> Any:
        made = function(*[row[place].clone() if place in row else each for place, each in enumerate(shared)], **options)
        return made if isinstance(made, (tuple, list)) else (made,)

    try:
        results = [each for made in run(model, rows) for each in made]
        slopes = [each for each in results if torch.is_tensor(each) and each.requires_grad]
        if slopes:
            total = sum((each * printed.wave(torch, each.shape, n)).sum().abs() for n, each in enumerate(slopes))
            results += torch.autograd.grad(total, leaves, allow_unused=True)
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]
    return [(each.dtype, each.shape, np.array(each.tolist())) if torch.is_tensor(each) else each for each in results]


def alike(found: Any, wanted: Any) -> bool:
    """Return whether two outcomes are the same but for rounding."""
    return len(found) == len(wanted) and all(
        one == other if not isinstance(one, tuple) or not isinstance(other, tuple)
        else one[:2] == other[:2] and np.allclose(one[2], other[2], 1e-9, 1e-11, equal_nan=True)
        for one, other in zip(found, wanted, strict=True)
    )  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FILES)
def test_call_gives_several_examples_what_it_gives_each(name: str) -> None:
    for call in calls(FOLDER / f"edges_{name}.txt"):
        line, letters, _, given, _ = call
        tensors = tuple(place for place, each in enumerate(given, 1) if torch.is_tensor(each))
        letter = "m" if "m" in letters else letters[0]
        for lazy in {(0,), (0, *tensors), tensors} - {()}:
            wanted = outcome(lambda model, rows: [model(row) for row in rows], call, letter, lazy)
            found = outcome(lambda model, rows: torch.batched(model)(rows), call, letter, lazy)
            assert alike(found, wanted), (line, letter, lazy)
