"""Reading and writing by index tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.export.onnx_graph import INT64
from dyncli.export.ops.context import FLAT, OpCall, ints, is_operand, maps, positions_by_dimension
from dyncli.export.ops.shapes import positions

_REDUCE = {"sum": "add", "add": "add", "prod": "mul", "multiply": "mul", "amax": "max", "amin": "min"}


@maps("index_select")
def index_select(x: OpCall) -> Any:
    """Take slices by a list of positions."""
    if x["input"].rank == 0:
        return x("Identity", x.name("input"))
    return x("Gather", x.name("input"), x("Cast", x.name("index"), to=INT64), axis=x["dim"] % x["input"].rank)


@maps("row")
def row(x: OpCall) -> Any:
    """Take one slice."""
    return x("Gather", x.name("input"), x.name("other"), axis=0)


@maps("gather")
def gather(x: OpCall) -> Any:
    """Take elements along a dimension."""
    return x("GatherElements", x.name("input"), x.name("index", np.int64), axis=x["dim"] % max(x["input"].rank, 1))


@maps("take")
def take(x: OpCall) -> Any:
    """Take elements of the flattened tensor."""
    return x("Gather", x("Reshape", x.name("input"), FLAT), x.name("index", np.int64))


@maps("embedding")
def embedding(x: OpCall) -> Any:
    """Take rows of a table."""
    return x("Gather", x.name("weight"), x.name("input", np.int64))


def _cut(x: OpCall, source: Any) -> str:
    """Return the part of `source` that an index of its rank reaches: its first elements of every dimension."""
    index = x["index"]
    if not index.rank or (source.shape == index.shape and not x.symbolic):
        return x.named(source, x.dtype)
    zeros = ints([0] * index.rank)
    return x("Slice", x.named(source, x.dtype), zeros, x.shape_of(index.name))


@maps("scatter", "scatter_add", "scatter_reduce")
def scatter(x: OpCall) -> Any:
    """Put, add or reduce elements along a dimension."""
    reduce = {"scatter": x["reduce"], "scatter_add": "add", "scatter_reduce": x["reduce"]}[x.call.op]
    if x.call.op == "scatter_reduce" and (not x["include_self"] or reduce == "mean"):
        x.refuse("without the element itself, or by the mean")
    source = x["value"] if x["src"] is None else x["src"]
    index = x.name("index", np.int64)
    part = (
        _cut(x, source)
        if is_operand(source) and source.rank
        else x("Expand", x.named(source, x.dtype), x.shape_of(index))
    )
    return x("ScatterElements", x.input(), index, part, axis=x["dim"] % max(x["input"].rank, 1),
             **({"reduction": _REDUCE[reduce]} if reduce else {}))  # fmt: skip


def _slices(x: OpCall, source: str, reduction: str | None) -> Any:
    """Put slices of `source` at positions along a dimension."""
    axis = x["dim"] % x["input"].rank
    index = x("Reshape", x.name("index", np.int64), FLAT)
    spread = ints([1 if k != axis else -1 for k in range(x["input"].rank)])
    everywhere = x("Expand", x("Reshape", index, spread), x.shape_of(source))
    return x(
        "ScatterElements", x.input(), everywhere, source, axis=axis, **({"reduction": reduction} if reduction else {})
    )


@maps("index_add", "index_copy")
def index_add(x: OpCall) -> Any:
    """Add or put slices."""
    source = x.name("source", x.dtype)
    if x.call.op == "index_copy":
        return _slices(x, source, None)
    if x["alpha"] != 1:
        source = x("Mul", source, x.named(x["alpha"], x.dtype))
    return _slices(x, source, "add")


@maps("index_fill")
def index_fill(x: OpCall) -> Any:
    """Fill slices with a number."""
    taken = x("Gather", x.input(), x("Reshape", x.name("index", np.int64), FLAT), axis=x["dim"] % x["input"].rank)
    return _slices(x, x("Expand", x.named(x["value"], x.dtype), x.shape_of(taken)), None)


@maps("index_put")
def index_put(x: OpCall) -> Any:
    """Put values at positions given by index tensors of the first dimensions, or where masks are True."""
    indices = list(x["indices"])
    if not all(is_operand(each) for each in indices):
        x.refuse("with whole dimensions among the indices")
    values, name = x.name("values", x.dtype), x.input()
    whole = len(indices) == 1 and indices[0].dtype == np.bool_ and indices[0].rank == x["input"].rank
    if whole and not x["accumulate"] and not x["values"].rank:
        return x("Where", indices[0].name, values, name)
    where = positions(x, indices)
    lead = x("Slice", x.shape_of(where), ints([0]), ints([-1]))
    count = sum(each.rank if each.dtype == np.bool_ else 1 for each in indices)
    rest = x("Slice", x.shape_of(name), ints([count]), ints([x["input"].rank]))
    spread = x("Expand", values, x("Concat", lead, rest, axis=0))
    return x("ScatterND", name, where, spread, **({"reduction": "add"} if x["accumulate"] else {}))


@maps("masked_select")
def masked_select(x: OpCall) -> Any:
    """Take the elements where a mask is True."""
    shape = x("Shape", x("Where", x.name("mask"), x.name("input"), x.name("input")))
    name, mask = x("Expand", x.name("input"), shape), x("Expand", x.name("mask"), shape)
    return x("Compress", x("Reshape", name, FLAT), x("Reshape", mask, FLAT), axis=0)


@maps("nonzero")
def nonzero(x: OpCall) -> Any:
    """Find the positions of elements that are not zero."""
    if x["as_tuple"]:
        return positions_by_dimension(x, x["input"])
    return x("Transpose", x("NonZero", x.name("input")), perm=[1, 0])


@maps("one_hot")
def one_hot(x: OpCall) -> Any:
    """Write vectors with a 1 at each number."""
    if x["num_classes"] < 0:
        x.refuse("without the number of classes")
    return x("OneHot", x.name("input"), np.int64(x["num_classes"]), np.array([0, 1], np.int64))


@maps("isin")
def isin(x: OpCall) -> Any:
    """Tell which elements are among others."""
    kind = x["elements"].dtype
    each = x("Unsqueeze", x.name("elements", kind), ints([-1]))
    same = x("Equal", each, x("Reshape", x.name("test_elements", kind), FLAT))
    found = x("Cast", x("ReduceSum", x("Cast", same, to=INT64), ints([-1]), keepdims=0), to=x.type)
    return x("Not", found) if x["invert"] else found


@maps("bucketize", "searchsorted")
def bucketize(x: OpCall) -> Any:
    """Count the boundaries before each element."""
    edges = "boundaries" if x.call.op == "bucketize" else "sorted_sequence"
    if x[edges].rank != 1 or x["sorter"] is not None:
        x.refuse("with a sorter, or more than one row of boundaries")
    kind = np.result_type(x[edges].dtype, x["input"].dtype)
    each = x("Unsqueeze", x.name("input", kind), ints([-1]))
    before = "LessOrEqual" if x["right"] or x["side"] == "right" else "Less"
    counted = x("Cast", x(before, x.name(edges, kind), each), to=INT64)
    return x("Cast", x("ReduceSum", counted, ints([-1]), keepdims=0), to=x.type)
