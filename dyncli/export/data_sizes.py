"""Sizes that the elements of tensors decide, as that of `x[x > 0]`: they vary where those of the inputs do not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dyncli.export.engine import values_in
from dyncli.export.ops.context import numpy_dtype

_COUNTING = frozenset(("nonzero", "argwhere", "masked_select", "unique", "unique_consecutive", "bincount"))
#: Ops whose result has the shape of `input`, whatever the shapes of their other arguments are.
_KEEPING = frozenset((
    "index_add", "index_copy", "index_fill", "index_put", "scatter", "scatter_add", "scatter_reduce", "masked_scatter",
))  # fmt: skip


def sized_by_data(nodes: Iterable[Any]) -> dict[int, Any]:
    """Return the values of a path, by number, whose shape may be another for inputs of the same shapes."""
    found: dict[int, Any] = {}
    for node in nodes:
        kind = type(node).__name__
        if kind == "Call":
            given = {"input": node.arguments.get("input")} if node.op in _KEEPING else dict(node.arguments)
            if _counts(node) or any(each.number in found for each in values_in(given)):
                found.update((each.number, each) for each in node.results if each is not None and each.shape)
        elif kind == "Write" and node.base.number in found:
            found[node.result.number] = node.result
        elif kind == "Mark":
            found.update((new.number, new) for old, new in node.leaves.values() if old.number in found)
    return found


def _counts(call: Any) -> bool:
    """Return whether the number of results of an op is that of elements which fulfil something."""
    if call.op == "where":
        return call.arguments.get("input") is None
    if call.op == "__getitem__":
        return any(numpy_dtype(each).kind == "b" for each in values_in({"index": call.arguments["index"]}))
    if call.op == "repeat_interleave":
        return bool(values_in({"repeats": call.arguments.get("repeats")}))
    return call.op in _COUNTING
