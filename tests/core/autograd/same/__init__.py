"""Scripts that run on both engines and must give the same: values, printed text, errors and their sentences."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any


def err(call: Callable[[], Any]) -> Any:
    """What `call` returns, or the error it raises."""
    try:
        return call()
    except Exception as error:
        return error


def warns(call: Callable[[], Any]) -> list[tuple[str, str]]:
    """The kinds and first sentences of the warnings that `call` gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [(each.category.__name__, str(each.message).partition(" (Triggered")[0]) for each in caught]


def named(nodes: Any) -> list[str]:
    """The names of nodes."""
    return [node.name().split(" ")[-1] for node in nodes]


def again(torch: Any, make: Callable[[Any], Any]) -> Any:
    """What a second backward through `make` of a tensor returns or raises."""
    x = torch.tensor([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], requires_grad=True)
    y = make(x * 1)
    seed = torch.ones_like(y)
    y.backward(seed)
    return err(lambda: y.backward(seed))
