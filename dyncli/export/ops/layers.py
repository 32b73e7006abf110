"""Layers: convolution, pooling, normalization, attention, recurrent cells, losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.export.ops.context import OpCall, ints, maps
from dyncli.export.ops.reductions import reduced


def _each(value: Any, rank: int) -> list[int]:
    """Return an option as one number for each dimension."""
    values = list(value) if isinstance(value, (tuple, list)) else [value]
    return [int(each) for each in (values * rank if len(values) == 1 else values)]


@maps("convolution")
def convolution(x: OpCall) -> Any:
    """Write a convolution or its transpose."""
    rank = x["weight"].rank - 2
    padding = _each(x["padding"], rank)
    options: dict[str, Any] = {
        "strides": _each(x["stride"], rank), "pads": padding * 2, "dilations": _each(x["dilation"], rank),
        "group": x["groups"],
    }  # fmt: skip
    if x["transposed"]:
        options["output_padding"] = _each(x["output_padding"], rank)
    names = [x.input(), x.name("weight", x.dtype), *([x.name("bias", x.dtype)] if x.has("bias") else [])]
    lone = x["input"].rank == rank + 1
    if lone:
        names[0] = x("Unsqueeze", names[0], ints([0]))
    made = x("ConvTranspose" if x["transposed"] else "Conv", *names, **options)
    return x("Squeeze", made, ints([0])) if lone else made


def _windows(x: OpCall, op: str, *, outputs: int = 1, **options: Any) -> Any:
    """Write a pool over the last dimensions."""
    rank = x["rank"]
    kernel = _each(x["kernel_size"], rank)
    stride = _each(x["stride"], rank) if x["stride"] not in (None, (), []) else kernel
    name, lone = x.input(), x["input"].rank == rank + 1
    if lone:
        name = x("Unsqueeze", name, ints([0]))
    made = x(
        op, name, outputs=outputs, kernel_shape=kernel, strides=stride, pads=_each(x["padding"], rank) * 2,
        ceil_mode=int(x["ceil_mode"]), **options,
    )  # fmt: skip
    made = made if isinstance(made, list) else [made]
    return [x("Squeeze", each, ints([0])) for each in made] if lone else made


@maps("max_windows")
def max_windows(x: OpCall) -> Any:
    """Write the maximum of every window."""
    return _windows(x, "MaxPool", dilations=_each(x["dilation"], x["rank"]))


@maps("max_windows_with_indices")
def max_windows_with_indices(x: OpCall) -> Any:
    """Write the maximum of every window and its place in its plane."""
    x.static()
    values, places = _windows(x, "MaxPool", outputs=2, dilations=_each(x["dilation"], x["rank"]))
    plane = int(np.prod(x["input"].shape[-x["rank"] :]))
    return values, x("Mod", places, np.int64(plane))


@maps("avg_windows")
def avg_windows(x: OpCall) -> Any:
    """Write the mean of every window."""
    if x["divisor_override"] is not None:
        x.refuse("with a divisor of its own")
    if x["ceil_mode"] and (x["count_include_pad"] or any(_each(x["padding"], x["rank"]))):
        x.refuse("with ceil_mode and padding")
    return _windows(x, "AveragePool", count_include_pad=int(x["count_include_pad"]))


@maps("adaptive_avg", "adaptive_max")
def adaptive(x: OpCall) -> Any:
    """Write a pool to a fixed size, of parts of one size."""
    size = [int(each) for each in x["output_size"]]
    rank = len(size)
    over = ints(range(x["input"].rank - rank, x["input"].rank))
    kind = "Average" if x.call.op == "adaptive_avg" else "Max"
    if size == [1] * rank and kind == "Average":
        return x("ReduceMean", x.input(), over, keepdims=1)
    x.static()
    given = x["input"].shape[-rank:]
    if any(n % m for n, m in zip(given, size)):
        x.refuse(f"of sizes {list(given)} to {size}, which are no multiples")
    kernel = [n // m for n, m in zip(given, size)]
    name = x.input() if x["input"].rank == rank + 2 else x("Unsqueeze", x.input(), ints([0]))
    made = x(f"{kind}Pool", name, kernel_shape=kernel, strides=kernel, outputs=1 if kind == "Average" else 2)
    made = made if isinstance(made, list) else [made]
    if len(made) == 2:
        made[1] = x("Mod", made[1], np.int64(int(np.prod(given))))
    return made if x["input"].rank == rank + 2 else [x("Squeeze", each, ints([0])) for each in made]


# -- normalization


def _normalized(x: OpCall, name: str, over: Any, eps: float) -> Any:
    """Return values with mean 0 and variance 1 over dimensions."""
    away = x("Sub", name, x("ReduceMean", name, over, keepdims=1))
    variance = x("ReduceMean", x("Mul", away, away), over, keepdims=1)
    return x("Div", away, x("Sqrt", x("Add", variance, x.number(eps))))


def _affine(x: OpCall, name: str, shape: Any = None) -> Any:
    """Return values times weight plus bias, where given."""
    for argument, op in (("weight", "Mul"), ("bias", "Add")):
        if x.has(argument):
            each = x.name(argument, x.dtype)
            name = x(op, name, each if shape is None else x("Reshape", each, shape))
    return name


@maps("layer_norm")
def layer_norm(x: OpCall) -> Any:
    """Normalize over the last dimensions."""
    rank = x["input"].rank
    over = ints(range(rank - len(x["normalized_shape"]), rank))
    return _affine(x, _normalized(x, x.input(), over, x["eps"]))


@maps("rms_norm")
def rms_norm(x: OpCall) -> Any:
    """Divide by the root mean square over the last dimensions."""
    rank = x["input"].rank
    over = ints(range(rank - len(x["normalized_shape"]), rank))
    eps = float(np.finfo(x.dtype).eps) if x["eps"] is None else x["eps"]
    mean = x("ReduceMean", x("Mul", x.input(), x.input()), over, keepdims=1)
    return _affine(x, x("Div", x.input(), x("Sqrt", x("Add", mean, x.number(eps)))))


@maps("group_norm")
def group_norm(x: OpCall) -> Any:
    """Normalize over groups of channels."""
    groups = x("Reshape", x.input(), ints([0, x["num_groups"], -1]))
    made = x("Reshape", _normalized(x, groups, ints([2]), x["eps"]), x.shape_of(x.input()))
    return _affine(x, made, ints([1, -1, *[1] * (x["input"].rank - 2)]))


@maps("batch_norm_with")
def batch_norm(x: OpCall) -> Any:
    """Normalize by given statistics."""
    if x["training"]:
        x.refuse("in training mode; call `model.eval()` first")
    shape = ints([1, -1, *[1] * (x["input"].rank - 2)])
    mean, variance = (x("Reshape", x.name(each, x.dtype), shape) for each in ("mean", "variance"))
    made = x("Div", x("Sub", x.input(), mean), x("Sqrt", x("Add", variance, x.number(x["eps"]))))
    return [_affine(x, made, shape), *["" for _ in x.call.results[1:]]]


@maps("dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout")
def dropout(x: OpCall) -> Any:
    """Pass the input on outside training."""
    if x["train"] and x["p"]:
        x.refuse("in training mode; call `model.eval()` first")
    return [x("Identity", x.input()), *["" for _ in x.call.results[1:]]]


# -- attention and recurrent cells


@maps("scaled_dot_product_attention")
def attention(x: OpCall) -> Any:
    """Write softmax(query key^T scale + mask) value."""
    if x["dropout_p"]:
        x.refuse("with dropout")
    query, key, value = (x.name(each, x.dtype) for each in ("query", "key", "value"))
    rank = x["key"].rank
    order = [*range(rank - 2), rank - 1, rank - 2]
    scores = x("MatMul", query, x("Transpose", key, perm=order))
    if x["scale"] is not None:
        scores = x("Mul", scores, x.number(x["scale"]))
    else:
        size = x("Cast", x("Gather", x.shape_of(query), np.int64(-1)), to=x.type)
        scores = x("Div", scores, x("Sqrt", size))
    low = x.number(-np.inf)
    if x["is_causal"]:
        rows, columns = (x("Gather", x.shape_of(each), np.int64(-2)) for each in (query, key))
        first = x("Unsqueeze", x("Range", np.int64(0), rows, np.int64(1)), ints([1]))
        scores = x("Where", x("LessOrEqual", x("Range", np.int64(0), columns, np.int64(1)), first), scores, low)
    elif x.has("attn_mask"):
        mask = x["attn_mask"]
        scores = (
            x("Where", mask.name, scores, low) if mask.dtype == np.bool_ else x("Add", scores, x.named(mask, x.dtype))
        )
    weights = x("Softmax", scores, axis=-1)
    weights = x("Where", x("IsNaN", weights), x.number(0), weights) if x.has("attn_mask") else weights
    return [x("MatMul", weights, value), *["" for _ in x.call.results[1:]]]


def _gates(x: OpCall, name: str, count: int) -> Any:
    return x("Split", name, axis=-1, num_outputs=count, outputs=count)


@maps("lstm_cell_state")
def lstm_cell_state(x: OpCall) -> Any:
    """Write sigmoid(forget) c + sigmoid(input) tanh(cell)."""
    into, forget, new, _ = _gates(x, x.name("gates"), 4)
    kept = x("Mul", x("Sigmoid", forget), x.name("cell"))
    return x("Add", kept, x("Mul", x("Sigmoid", into), x("Tanh", new)))


@maps("lstm_hidden_state")
def lstm_hidden_state(x: OpCall) -> Any:
    """Write sigmoid(output) tanh(c)."""
    return x("Mul", x("Sigmoid", _gates(x, x.name("gates"), 4)[3]), x("Tanh", x.name("cell")))


@maps("gru_hidden_state")
def gru_hidden_state(x: OpCall) -> Any:
    """Write (h - n) z + n."""
    ours, theirs = _gates(x, x.name("from_input"), 3), _gates(x, x.name("from_hidden"), 3)
    reset, update = (x("Sigmoid", x("Add", ours[k], theirs[k])) for k in (0, 1))
    new = x("Tanh", x("Add", ours[2], x("Mul", reset, theirs[2])))
    return x("Add", x("Mul", x("Sub", x.name("hidden"), new), update), new)


@maps("lstm_sequence")
def lstm_sequence(x: OpCall) -> Any:
    """Write the steps of an LSTM one after the other."""
    x.static()
    hidden, cell, outs = x.name("hidden"), x.name("cell"), []
    weight = x("Transpose", x.name("weight"), perm=[1, 0])
    for step in range(x["from_input"].shape[0]):
        part = x("Gather", x.name("from_input"), np.int64(step), axis=0)
        into, forget, new, out = _gates(x, x("Add", part, x("MatMul", hidden, weight)), 4)
        cell = x("Add", x("Mul", x("Sigmoid", forget), cell), x("Mul", x("Sigmoid", into), x("Tanh", new)))
        hidden = x("Mul", x("Sigmoid", out), x("Tanh", cell))
        outs.append(x("Unsqueeze", hidden, ints([0])))
    return x("Concat", *outs, axis=0), hidden, cell


# -- losses


def _mean(x: OpCall, name: str) -> Any:
    """Reduce the losses of all elements as asked for."""
    if x["reduction"] == "none":
        return name
    return reduced(x, "ReduceMean" if x["reduction"] == "mean" else "ReduceSum", name, None, False)


@maps("mse_loss", "huber_loss", "smooth_l1_loss")
def distance_loss(x: OpCall) -> Any:
    """Write a loss of the difference."""
    away = x("Sub", x.input(), x.name("target", x.dtype))
    if x.call.op == "mse_loss":
        return _mean(x, x("Mul", away, away))
    size = x("Abs", away)
    edge = x["delta"] if x.call.op == "huber_loss" else x["beta"]
    square = x("Mul", x.number(0.5), x("Mul", size, size))
    line = x("Sub", size, x.number(0.5 * edge))
    if x.call.op == "huber_loss":
        line = x("Mul", x.number(edge), line)
    else:
        square = x("Div", square, x.number(edge))
    return _mean(x, x("Where", x("Less", size, x.number(edge)), square, line))


@maps("nll_loss")
def nll_loss(x: OpCall) -> Any:
    """Write minus the entry of each row that its target names."""
    if x["input"].rank < 2:
        x.refuse("of one row")
    weight = [x.name("weight", x.dtype)] if x.has("weight") else []
    return x(
        "NegativeLogLikelihoodLoss", x.input(), x.name("target"), *weight, reduction=x["reduction"],
        ignore_index=x["ignore_index"],
    )  # fmt: skip


@maps("binary_cross_entropy")
def binary_cross_entropy(x: OpCall) -> Any:
    """Write -(t log p + (1 - t) log(1 - p)), logarithms not below -100."""
    target, low = x.name("target", x.dtype), x.number(-100)
    one, other = (x("Max", x("Log", each), low) for each in (x.input(), x("Sub", x.number(1), x.input())))
    made = x("Neg", x("Add", x("Mul", target, one), x("Mul", x("Sub", x.number(1), target), other)))
    return _mean(x, x("Mul", made, x.name("weight", x.dtype)) if x.has("weight") else made)
