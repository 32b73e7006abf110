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


def saved_by(node: Any) -> dict[str, Any]:
    """The names under which PyTorch's node shows what it saved, with their values."""
    return {name: getattr(node, name) for name in dir(node) if name.startswith("_saved_")}


def complex_numbers(torch: Any) -> Any:
    """Four of them."""
    return torch.tensor([[1 + 2j, 3 - 1j], [0.5j, 4 - 2j]], dtype=torch.complex128)


def unturned(tensor: Any) -> Any:
    """The values without lazy bits and without signs of zeros."""
    found = tensor.resolve_conj().resolve_neg()
    return (found.real + 0, found.imag + 0) if found.is_complex() else found + 0


def state(*tensors: Any) -> list[Any]:
    """Values, lazy bits, whether they are views, and versions."""
    return [(each, each.is_conj(), each.is_neg(), each._is_view(), each._version) for each in tensors]
