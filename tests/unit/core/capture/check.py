"""What the tests of `compile` share: an ordinary call and a replayed one compared bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np

import dyncore as torch


def tensors_in(value: Any) -> list[Any]:
    """The tensors in a tree of tuples, lists and dicts."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [each for part in value for each in tensors_in(part)] if isinstance(value, (list, tuple)) else []


def bits(tensor: Any) -> Any:
    """Everything of a tensor's values that can be observed."""
    if tensor is None:
        return None
    array = tensor._array
    strides = tensor.stride() if tensor.numel() else ()
    units = tuple(s for n, s in zip(tensor.shape, strides, strict=False) if n != 1)
    return str(array.dtype), tuple(array.shape), units, np.ascontiguousarray(array).tobytes()


def seeds(outputs: list[Any]) -> list[Any]:
    """A fixed cotangent for each output."""
    made = []
    for number, out in enumerate(outputs):
        values = np.random.default_rng(number + 7).standard_normal(tuple(out.shape))
        made.append(torch.tensor(values).to(out.dtype))
    return made


def run(function: Any, args: tuple[Any, ...], leaves: list[Any], seed: int | None = None) -> Any:
    """The bits of what `function` gives, of which outputs require grad, and of the gradients of `leaves`."""
    if seed is not None:
        torch.manual_seed(seed)
    for leaf in leaves:
        leaf.grad = None
    result = function(*args)
    outputs = tensors_in(result)
    found = [type(result).__name__, [bits(each) for each in outputs], [each.requires_grad for each in outputs]]
    wanted = [each for each in outputs if each.requires_grad]
    if wanted:
        torch.autograd.backward(wanted, seeds(wanted))
    return [*found, [bits(leaf.grad) for leaf in leaves]]


def leaves_in(*trees: Any) -> list[Any]:
    """The leaves that require grad in some trees."""
    return [each for each in tensors_in(list(trees)) if each.requires_grad and each.is_leaf]


def same(function: Any, *args: Any, leaves: list[Any] | None = None, calls: int = 3, seed: int | None = None) -> Any:
    """Compares `calls` calls of the compiled function with the ordinary one; gives the compiled function."""
    leaves = leaves_in(args) if leaves is None else leaves
    expected = run(function, args, leaves, seed)
    compiled = torch.compile(function)
    for number in range(calls):
        assert expected == run(compiled, args, leaves, seed), f"call {number}\n{compiled.explain()}"
    return compiled
