"""`topk` takes PyTorch's places among equal elements, and PyTorch's order where none is asked for."""

from __future__ import annotations

from random import Random

import pytest

import dyncore

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("largest", [True, False])
def test_equal_elements_are_chosen_as_in_pytorch(largest: bool, in_order: bool) -> None:
    """Rows of five values, with up to 50 elements."""
    random, wrong = Random(0), []
    for _ in range(150):
        length = random.randint(1, 50)
        k = random.randint(1, length)
        rows = [[float(random.randint(0, 4)) for _ in range(length)] for _ in range(2)]
        ours, theirs = (
            module.topk(module.tensor(rows), k, largest=largest, sorted=in_order)[1].tolist()
            for module in (dyncore, torch)
        )
        if ours != theirs and k * 64 > length:
            wrong.append((rows, k))
    assert wrong == []
