"""Sums, extremes, moments, norms, cumulative ops and order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncli.export.onnx_graph import BOOL, INT64
from dyncli.export.ops.context import FLAT, OpCall, axes, ints, maps

_SUMS = {"sum": "ReduceSum", "mean": "ReduceMean", "prod": "ReduceProd", "amax": "ReduceMax", "amin": "ReduceMin"}


def reduced(x: OpCall, op: str, name: str, dim: Any, keepdim: Any) -> Any:
    """Reduce a value over dimensions, all of them for None."""
    over = axes(dim, x["input"].rank)
    if x["input"].rank == 0:
        return x("Identity", name)
    if op == "ReduceMean" and (x.symbolic or 0 in x["input"].shape):  # of nothing it is NaN, in ONNX Runtime 0
        total = reduced(x, "ReduceSum", name, dim, keepdim)
        count = x("Div", x("Size", name), x("Max", x("Size", total), np.int64(1)))
        return x("Div", total, x("Cast", count, to=x.type))
    if over is None:
        return x(op, name, keepdims=int(bool(keepdim)))
    return x(op, name, ints(over), keepdims=int(bool(keepdim)))


@maps(*_SUMS)
def simple(x: OpCall) -> Any:
    """Write a reduction that ONNX has; integers are multiplied by the engine's order, which does not matter."""
    return reduced(x, _SUMS[x.call.op], x.input(), x["dim"], x["keepdim"])


@maps("sum_along")
def sum_along(x: OpCall) -> Any:
    """Sum along one dimension, which stays."""
    return reduced(x, "ReduceSum", x.input(), x["dim"], True)


@maps("max_of_all", "min_of_all")
def extreme_of_all(x: OpCall) -> Any:
    """Find the largest or smallest element."""
    return reduced(x, "ReduceMax" if "max" in x.call.op else "ReduceMin", x.input(), None, False)


@maps("max_along", "min_along")
def extreme_along(x: OpCall) -> Any:
    """Find the extremes along a dimension, and where the first of them are."""
    kind = "Max" if "max" in x.call.op else "Min"
    if x["input"].rank == 0:
        return x("Identity", x.input()), x.graph.weights.constant(np.int64(0))
    axis = x["dim"] % x["input"].rank
    values = reduced(x, f"Reduce{kind}", x.input(), axis, x["keepdim"])
    return values, x(f"Arg{kind}", x.input(), axis=axis, keepdims=int(bool(x["keepdim"])))


@maps("argmax", "argmin")
def place(x: OpCall) -> Any:
    """Find where the first extreme is."""
    op = "ArgMax" if x.call.op == "argmax" else "ArgMin"
    name = x.name("input")
    if x["input"].rank == 0:
        return x.graph.weights.constant(np.int64(0))
    if x["dim"] is None:
        found = x(op, x("Reshape", name, FLAT), axis=0, keepdims=0)
        return x("Reshape", found, ints([1] * x["input"].rank)) if x["keepdim"] else found
    return x(op, name, axis=x["dim"] % x["input"].rank, keepdims=int(bool(x["keepdim"])))


@maps("all", "any")
def truths(x: OpCall) -> Any:
    """Reduce truth values, by way of integers."""
    name = x("Cast", x.name("input", np.bool_), to=INT64)
    found = reduced(x, "ReduceMin" if x.call.op == "all" else "ReduceSum", name, x["dim"], x["keepdim"])
    return x("Cast", found, to=x.type)


@maps("count_nonzero")
def count(x: OpCall) -> Any:
    """Count elements that are not zero."""
    return reduced(x, "ReduceSum", x("Cast", x.name("input", np.bool_), to=INT64), x["dim"], False)


@maps("nansum")
def nansum(x: OpCall) -> Any:
    """Sum what is not NaN."""
    name = x.input()
    if x.dtype.kind == "f":
        name = x("Where", x("IsNaN", name), x.number(0), name)
    return reduced(x, "ReduceSum", name, x["dim"], x["keepdim"])


@maps("logsumexp")
def logsumexp(x: OpCall) -> Any:
    """Write log of the sum of exponentials, from the largest down."""
    if x["input"].rank == 0:
        return x("Identity", x.input())
    over = axes(x["dim"], x["input"].rank) or list(range(x["input"].rank))
    top = reduced(x, "ReduceMax", x.input(), over, True)
    top = x("Where", x("IsInf", top), x.number(0), top)
    total = reduced(x, "ReduceSum", x("Exp", x("Sub", x.input(), top)), over, True)
    found = x("Add", x("Log", total), top)
    return found if x["keepdim"] else x("Squeeze", found, ints(over))


def moments(x: OpCall) -> tuple[Any, Any]:
    """Return the variance and the mean over the dimensions, which stay."""
    correction = (
        x["correction"] if x["correction"] is not None else int(x["unbiased"] if x["unbiased"] is not None else 1)
    )
    over = axes(x["dim"], x["input"].rank) or list(range(x["input"].rank))
    name = x.input()
    mean = reduced(x, "ReduceMean", name, over, True)
    away = x("Sub", name, mean)
    total = reduced(x, "ReduceSum", x("Mul", away, away), over, True)
    size = x("ReduceProd", x("Gather", x.shape_of(name), ints(over)), keepdims=0)
    count_ = x("Max", x("Sub", x("Cast", size, to=x.type), x.number(correction)), x.number(0))
    return x("Div", total, count_), mean


@maps("var", "std", "var_mean", "std_mean")
def spread(x: OpCall) -> Any:
    """Write the variance or the standard deviation, and the mean."""
    variance, mean = moments(x)
    found = [x("Sqrt", variance) if "std" in x.call.op else variance, mean]
    if not x["keepdim"] and x["input"].rank:
        over = axes(x["dim"], x["input"].rank) or list(range(x["input"].rank))
        found = [x("Squeeze", each, ints(over)) for each in found]
    return found if "mean" in x.call.op else found[0]


@maps("linalg_vector_norm", "length")
def norm(x: OpCall) -> Any:
    """Write the p-norm of all elements or over dimensions."""
    order = x["ord"] if x.call.op == "linalg_vector_norm" else x["p"]
    dim = x["dim"] if x.call.op == "linalg_vector_norm" else -1
    name = x("Abs", x.input())
    if order == 2:
        total = reduced(x, "ReduceSum", x("Mul", name, name), dim, x["keepdim"])
        return x("Sqrt", total)
    if order in (math.inf, -math.inf):
        return reduced(x, "ReduceMax" if order > 0 else "ReduceMin", name, dim, x["keepdim"])
    if order == 0:
        return reduced(x, "ReduceSum", x("Cast", x("Cast", name, to=9), to=x.type), dim, x["keepdim"])
    if order == 1:
        return reduced(x, "ReduceSum", name, dim, x["keepdim"])
    total = reduced(x, "ReduceSum", x("Pow", name, x.number(order)), dim, x["keepdim"])
    return x("Pow", total, x.number(1 / order))


@maps("dist")
def dist(x: OpCall) -> Any:
    """Write the 2-norm or 1-norm of a difference."""
    away = x("Abs", x("Sub", x.input(), x.name("other", x.dtype)))
    if x["p"] == 2:
        return x("Sqrt", x("ReduceSum", x("Mul", away, away), keepdims=0))
    return x("ReduceSum", away, keepdims=0) if x["p"] == 1 else x.refuse("with this p")


@maps("cumsum")
def cumsum(x: OpCall) -> Any:
    """Write running sums."""
    return x("CumSum", x.input(), np.int64(x["dim"])) if x["input"].rank else x("Identity", x.input())


@maps("softmax", "log_softmax")
def softmax(x: OpCall) -> Any:
    """Write softmax, or its logarithm, along a dimension."""
    op = "Softmax" if x.call.op == "softmax" else "LogSoftmax"
    if x["input"].rank == 0:
        return x.reshaped(x(op, x("Reshape", x.input(), FLAT), axis=0))
    return x(op, x.input(), axis=x["dim"])


@maps("topk", "sort", "argsort")
def order(x: OpCall) -> Any:
    """Write the elements in order, and where they were; equal ones in the order of the input."""
    name, rank = x.name("input"), x["input"].rank
    if rank == 0:
        x.refuse("of a 0-d tensor")
    axis = x["dim"] % rank
    if x.call.op == "topk":
        k, largest = x("Reshape", x.name("k", np.int64), ints([1])), x["largest"]
    else:
        k = x("Reshape", x("Gather", x.shape_of(name), np.int64(axis)), ints([1]))
        largest = bool(x["descending"])
    values, places = x("TopK", name, k, axis=axis, largest=int(bool(largest)), sorted=1, outputs=2)
    return places if x.call.op == "argsort" else (values, places)


@maps("median_of_all")
def median(x: OpCall) -> Any:
    """Take the lower of the two middle elements; NaN if there is one, or none at all."""
    flat = x("Reshape", x.name("input"), FLAT)
    count = x("Size", flat)
    ordered, _ = x("TopK", flat, x("Reshape", count, FLAT), axis=0, largest=0, sorted=1, outputs=2)
    missing = np.asarray([np.nan]).astype(x.dtype)
    middle = x("Div", x("Max", x("Sub", count, np.int64(1)), np.int64(0)), np.int64(2))
    found = x("Gather", x("Concat", ordered, missing, axis=0), middle)
    if x.dtype.kind != "f":
        return found
    lost = x("ReduceMax", x("Concat", x("Cast", x("IsNaN", flat), to=INT64), ints([0]), axis=0), keepdims=0)
    return x("Where", x("Cast", lost, to=BOOL), missing[0], found)
