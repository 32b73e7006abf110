"""Calls of ops as lines of JSON, and what comes of one in a few numbers: the same under PyTorch and dyncore.

`values.jsonl` has the first small calls of PyTorch's OpInfo database; `further.jsonl` those of its others that show
some fault that was planted in an op and that no other line shows.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("values.jsonl")
FURTHER = FILE.with_name("further.jsonl")
DTYPES = ("float64", "int64", "bool", "complex128", "float32")


def lines() -> Iterator[dict[str, Any]]:
    """Yield the calls: the op's name below `torch` or as a method, its arguments, and PyTorch's outcome."""
    for file in (FILE, FURTHER):
        for line in file.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def encoded(value: Any, torch: Any) -> Any:
    """Return a value as JSON.  Raises TypeError for what a line cannot hold."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).removeprefix("torch.")
        if dtype not in DTYPES:
            raise TypeError(dtype)
        elements = torch.view_as_real(value.resolve_conj()) if value.is_complex() else value
        return {"tensor": elements.tolist(), "shape": list(value.shape), "dtype": dtype, "grad": value.requires_grad}
    if type(value) is complex:
        return {"complex": [value.real, value.imag]}
    if isinstance(value, torch.dtype) and str(value).removeprefix("torch.") in DTYPES:
        return {"dtype_of": str(value).removeprefix("torch.")}
    if isinstance(value, slice):
        return {"slice": [encoded(each, torch) for each in (value.start, value.stop, value.step)]}
    if isinstance(value, (list, tuple)):
        return {type(value).__name__ if type(value) is list else "tuple": [encoded(each, torch) for each in value]}
    if isinstance(value, dict):
        return {"dict": {key: encoded(each, torch) for key, each in value.items()}}
    raise TypeError(type(value).__name__)


def decoded(value: Any, torch: Any, leaves: list[Any]) -> Any:
    """Return the value; tensors that require a gradient are added to `leaves`."""
    if not isinstance(value, dict):
        return value
    if "tensor" in value:
        parts = value["dtype"] == "complex128"  # a last dimension of two
        tensor = torch.tensor(value["tensor"], dtype=torch.float64 if parts else getattr(torch, value["dtype"]))
        tensor = tensor.reshape(*value["shape"], 2) if parts else tensor.reshape(value["shape"])
        tensor = torch.view_as_complex(tensor) if parts else tensor
        if value["grad"]:
            leaves.append(tensor.requires_grad_())
        return tensor
    ((kind, inner),) = value.items()
    if kind == "dtype_of":
        return getattr(torch, inner)
    if kind == "complex":
        return complex(*inner)
    if kind == "dict":
        return {key: decoded(each, torch, leaves) for key, each in inner.items()}
    parts = [decoded(each, torch, leaves) for each in inner]
    return slice(*parts) if kind == "slice" else parts if kind == "list" else tuple(parts)


def outcome(line: dict[str, Any], torch: Any) -> list[list[Any]]:
    """Call the op; return `digest` of each tensor in the result, then of each gradient for fixed cotangents."""
    leaves: list[Any] = []
    args, kwargs = (decoded(line[part], torch, leaves) for part in ("args", "kwargs"))
    try:
        function = attrgetter(line["op"])(torch)
    except AttributeError:
        function = getattr(torch.Tensor, line["op"])
    outs = list(tensors(function(*args, **kwargs), torch))
    rows = [digest(each) for each in outs]
    outs = [each for each in outs if each.requires_grad]
    if outs:
        cotangents = [torch.tensor(weights(each.numel())).reshape(each.shape).to(each.dtype) for each in outs]
        rows += map(digest, torch.autograd.grad(outs, leaves, cotangents, allow_unused=True))
    return rows


def tensors(value: Any, torch: Any) -> Iterator[Any]:
    """Yield the tensors of a result in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors(each, torch)


def weights(count: int) -> Any:
    """Return numbers of about one that tell places apart."""
    return np.sin(np.arange(count) * 1.7 + 0.6) + 0.2


def digest(tensor: Any) -> list[Any]:
    """Return [dtype, shape, sum of weighted elements, largest element]; of what is not finite, how much and where."""
    if tensor is None:
        return []
    array = np.array(tensor.detach().tolist(), np.complex128 if tensor.is_complex() else np.float64).reshape(-1)
    array = array.view(np.float64)
    odd = np.where(np.isnan(array), 11.0, np.where(np.isposinf(array), 13.0, 17.0))
    array = np.where(np.isfinite(array), array, odd)
    sizes = array @ weights(array.size), np.abs(array).max(initial=0.0)
    return [str(tensor.dtype).removeprefix("torch."), list(tensor.shape), *(float(f"{each:.9g}") for each in sizes)]


def agree(found: list[list[Any]], wanted: list[list[Any]]) -> bool:
    """Return whether two outcomes are the same but for rounding."""
    return len(found) == len(wanted) and all(
        one[:2] == other[:2]
        and all(math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-6 * (1 + other[3])) for a, b in zip(one[2:], other[2:]))
        for one, other in zip(found, wanted)
    )
