"""Ops that rearrange elements: views, joins, splits, padding."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncli.export.engine import Kept
from dyncli.export.onnx_graph import BOOL, INT64
from dyncli.export.ops.context import FLAT, OpCall, axes, ints, is_operand, maps, positions_by_dimension, sizes
from dyncli.recorder.engine import TABLE as ENGINE_OPS


@maps("size")
def size(x: OpCall) -> Any:
    """Write the size of a dimension."""
    return x("Gather", x.shape_of(x.name("input")), np.int64(x["dim"]))


@maps("reshape", "view", "unflatten", "flatten", "ravel")
def reshape(x: OpCall) -> Any:
    """Write another shape of the same elements."""
    name = x.name("input")
    given = sizes(x["shape"] if x.call.op == "reshape" else x["size"]) if x.call.op in ("reshape", "view") else ()
    if any(map(is_operand, given)):
        return x("Reshape", name, vector(x, given), allowzero=int(-1 not in [e for e in given if isinstance(e, int)]))
    if not x.symbolic:
        return x.reshaped(name)
    if x.call.op == "ravel":
        return x("Reshape", name, FLAT)
    rank = max(x["input"].rank, 1)
    if x.call.op == "flatten":
        first, last = x["start_dim"] % rank, x["end_dim"] % rank
        shape = x.shape_of(name)
        before, after = x("Slice", shape, ints([0]), ints([first])), x("Slice", shape, ints([last + 1]), ints([rank]))
        return x("Reshape", name, x("Concat", before, FLAT, after, axis=0))
    if x.call.op in ("reshape", "view") and all(isinstance(each, int) for each in given):
        return x("Reshape", name, ints(given), allowzero=0 if 0 not in given else 1)
    return x.reshaped(name)


@maps("squeeze")
def squeeze(x: OpCall) -> Any:
    """Drop dimensions of size 1."""
    name, given = x.name("input"), x["input"]
    over = axes(x["dim"], given.rank)
    if over is None and x["dim"] is None:
        x.static()
        over = list(range(given.rank))
    over = [each for each in over or [] if given.rank and given.shape[each] == 1]
    return x("Squeeze", name, ints(over)) if over else x("Identity", name)


@maps("unsqueeze")
def unsqueeze(x: OpCall) -> Any:
    """Add a dimension of size 1."""
    return x("Unsqueeze", x.name("input"), ints([x["dim"] % (x["input"].rank + 1)]))


@maps("transpose", "t", "T", "mT")
def transpose(x: OpCall) -> Any:
    """Swap two dimensions; of `T`, reverse all."""
    rank = x["input"].rank
    if rank == 0:
        return x("Identity", x.name("input"))
    order = list(range(rank))
    if x.call.op == "T":
        order.reverse()
    elif "dim0" in x.arguments:
        one, two = x["dim0"] % rank, x["dim1"] % rank
        order[one], order[two] = two, one
    elif rank > 1:
        order[-1], order[-2] = order[-2], order[-1]
    return x("Transpose", x.name("input"), perm=order)


@maps("permute")
def permute(x: OpCall) -> Any:
    """Put the dimensions in another order."""
    if "dims" not in x.arguments:
        x.refuse("in this form")
    rank = x["input"].rank
    return (
        x("Transpose", x.name("input"), perm=[int(each) % rank for each in sizes(x["dims"])])
        if rank
        else x("Identity", x.name("input"))
    )


@maps("expand", "broadcast_to")
def expand(x: OpCall) -> Any:
    """Repeat dimensions of size 1; -1 keeps a size."""
    wanted = [1 if isinstance(each, int) and each == -1 else each for each in sizes(x["size"])]
    return x("Expand", x.name("input"), vector(x, wanted))


@maps("repeat")
def repeat(x: OpCall) -> Any:
    """Repeat the tensor along each dimension."""
    times = sizes(x["repeats"])
    name = x.name("input")
    missing = len(times) - x["input"].rank
    if missing:
        name = x("Unsqueeze", name, ints(range(missing)))
    return x("Tile", name, vector(x, times)) if times else x("Identity", name)


@maps("copy")
def copy(x: OpCall) -> Any:
    """Write the elements of another tensor, in the shape and dtype of the first."""
    return x("Expand", x.name("src", x.dtype), x.shape_of(x.name("input")))


@maps("filled")
def filled(x: OpCall) -> Any:
    """Make a tensor of one number."""
    return x("Expand", x.name("number", x.dtype), vector(x, x["shape"]))


@maps("no_rows")
def no_rows(x: OpCall) -> Any:
    """Make a list without elements."""
    return x.graph.weights.constant(np.zeros(x.results[0].shape, x.dtype))


@maps("more_rows")
def more_rows(x: OpCall) -> Any:
    """Append an element to a list; one of another shape than those before is cut or filled, and not captured."""
    rows, row, rank = x.name("input"), x.name("other", x.dtype), x["other"].rank
    if rank:
        is_first = x("Equal", x("Size", rows), np.int64(0))
        before = x("Slice", x.shape_of(rows), ints([1]), ints([rank + 1]))
        shape = x("Where", is_first, x.shape_of(row), before)
        is_alike = x("ReduceMin", x("Cast", x("Equal", x.shape_of(row), shape), to=INT64), keepdims=0)
        x.graph.required.append(x("Cast", is_alike, to=BOOL))
        wide = x("Pad", row, x("Concat", ints([0] * rank), shape, axis=0))
        row = x("Slice", wide, ints([0] * rank), shape)
        rows = x("Reshape", rows, x("Concat", FLAT, shape, axis=0))
    return x("Concat", rows, x("Unsqueeze", row, ints([0])), axis=0)


@maps("arange")
def arange(x: OpCall) -> Any:
    """Count."""
    numbers = x("Range", *(x.name(each, np.int64) for each in ("start", "end", "step")))
    return x("Cast", numbers, to=x.type)


def vector(x: OpCall, numbers: Any) -> Any:
    """Return numbers, of which some may be values, as a vector of int64."""
    if not any(map(is_operand, numbers)):
        return ints(numbers)
    return x("Concat", *(x("Reshape", x.named(each, np.int64), FLAT) for each in numbers), axis=0)


@maps("cat")
def cat(x: OpCall) -> Any:
    """Join tensors along a dimension; empty ones of one dimension count for nothing."""
    rank = len(x.results[0].shape)
    parts = [each for each in x["tensors"] if each.shape != (0,) or rank == 1]
    return x("Concat", *(x.named(each, x.dtype) for each in parts), axis=x["dim"])


@maps("stack")
def stack(x: OpCall) -> Any:
    """Join tensors along a new dimension."""
    rank = len(x.results[0].shape)
    axis = x["dim"] % rank
    return x("Concat", *(x("Unsqueeze", x.named(each, x.dtype), ints([axis])) for each in x["tensors"]), axis=axis)


@maps("split", "split_with_sizes", "chunk", "unsafe_split", "unsafe_split_with_sizes", "unsafe_chunk")
def split(x: OpCall) -> Any:
    """Cut along a dimension."""
    source = x["tensor" if "tensor" in x.arguments else "input"]
    axis = x["dim"] % source.rank
    x.require_size(source, axis)
    ends = np.cumsum([each.shape[axis] for each in x.results])
    starts = [0, *ends[:-1]]
    return [x("Slice", source.name, ints([a]), ints([b]), ints([axis])) for a, b in zip(starts, ends)]


@maps("unbind")
def unbind(x: OpCall) -> Any:
    """Cut a dimension into its elements."""
    axis = (x["dim"] or 0) % x["input"].rank
    name, count = x.name("input"), x.require_size(x["input"], axis)
    if x.symbolic:  # enough elements for the reads, whatever the size is
        name = x("Pad", name, ints([count if k == x["input"].rank + axis else 0 for k in range(2 * x["input"].rank)]))
    return [x("Gather", name, np.int64(k), axis=axis) for k in range(count)]


@maps("select", "narrow", "slice")
def part(x: OpCall) -> Any:
    """Take one element or a range along a dimension."""
    name = x.name("input")
    if "dim" not in x.arguments:
        x.refuse("in this form")
    axis = x["dim"] % x["input"].rank
    if x.call.op.startswith("select"):
        return x("Gather", name, np.int64(x["index"]), axis=axis)
    start, end = (x["start"], x["end"]) if x.call.op == "slice" else (x["start"], x["start"] + x["length"])
    if x.call.op == "narrow" and start < 0 <= end:
        size = x.require_size(x["input"], axis)
        start, end = start + size, end + size
    return sliced(x, name, axis, slice(start, end, x["step"] if x.call.op == "slice" else 1))


def sliced(x: OpCall, name: str, axis: int, part_: slice) -> Any:
    """Return a range of elements along a dimension."""
    start = 0 if part_.start is None else part_.start
    end = 2**62 if part_.stop is None else part_.stop
    return x("Slice", name, vector(x, [start]), vector(x, [end]), ints([axis]), ints([part_.step or 1]))


@maps("__getitem__")
def getitem(x: OpCall) -> Any:
    """Read by integers, slices, None, `...` and tensors."""
    index = x["index"]
    parts = list(index) if isinstance(index, tuple) else [index]
    name, given = x.name("input"), x["input"]
    used = sum(
        1 if not is_operand(e) or e.dtype != np.bool_ else e.rank for e in parts if e is not None and e is not Ellipsis
    )
    if Ellipsis in [each for each in parts if not is_operand(each)]:
        at = next(k for k, each in enumerate(parts) if not is_operand(each) and each is Ellipsis)
        parts[at : at + 1] = [slice(None)] * (given.rank - used)
    tensors = [each for each in parts if is_operand(each)]
    if tensors:
        made = _by_tensors(x, name, [each for each in parts if each is not None], tensors)
        new = _new_axes(x, parts, tensors)
        return x("Unsqueeze", made, ints(new)) if new else made
    axis = 0
    for each in parts:
        if each is None:
            name = x("Unsqueeze", name, ints([axis]))
        elif isinstance(each, slice):
            if each != slice(None):
                name = sliced(x, name, axis, each)
        elif type(each) is int:
            name = x("Gather", name, np.int64(each), axis=axis)
            continue
        else:
            return rearranged(x)
        axis += 1
    return x("Identity", name)


def _new_axes(x: OpCall, parts: list[Any], tensors: list[Any]) -> list[int]:
    """Return the dimensions that None adds to a result of reading by tensors, which stand side by side."""
    found, axis, seen = [], 0, 0
    for each in parts:
        if is_operand(each):
            axis += 0 if seen else max(1 if e.dtype == np.bool_ else e.rank for e in tensors)
            seen += 1
            continue
        if each is None:
            if 0 < seen < len(tensors):
                x.refuse("with None between tensors")
            found.append(axis)
        axis += 1
    return found


def _by_tensors(x: OpCall, name: str, parts: list[Any], tensors: list[Any]) -> Any:
    """Read by one tensor of integers anywhere, or by tensors and masks that come first."""
    plain = [each for each in parts if not is_operand(each)]
    if all(isinstance(each, slice) and each == slice(None) for each in plain):
        if len(tensors) == 1 and tensors[0].dtype != np.bool_:
            return x("Gather", name, x("Cast", tensors[0].name, to=INT64), axis=parts.index(tensors[0]))
        if parts[: len(tensors)] == tensors:
            return x("GatherND", name, positions(x, tensors))
    return x.refuse("with tensors among other indices")


def positions(x: OpCall, tensors: list[Any]) -> Any:
    """Return index tensors, broadcast together, side by side in a last dimension; of a mask, where it is True."""
    if len(tensors) == 1 and tensors[0].dtype == np.bool_:
        return x("Transpose", x("NonZero", tensors[0].name), perm=[1, 0])
    names: list[str] = []
    for each in tensors:
        mask = each.dtype == np.bool_
        names += positions_by_dimension(x, each) if mask else [x("Cast", each.name, to=INT64)]
    total = names[0]
    for name in names[1:]:
        total = x("Add", total, name)
    shape = x.shape_of(total)
    return x("Concat", *(x("Unsqueeze", x("Expand", each, shape), ints([-1])) for each in names), axis=-1)


@maps(
    "rot90", "diagonal", "unfold", "as_strided", "pixel_shuffle", "pixel_unshuffle", "channel_shuffle",
    "reflection_pad", "replication_pad", "circular_pad", "quarter_turn", "frames_of", "im2col",
)  # fmt: skip
def rearranged(x: OpCall) -> Any:
    """Write an op that only chooses elements: which ones, the engine says of their positions."""
    x.static()
    tensors = [each for each in x.arguments.values() if is_operand(each)]
    if len(tensors) != 1:
        x.refuse("in this form")
    given = x["input"]
    places = np.arange(int(np.prod(given.shape)), dtype=np.int64).reshape(given.shape)
    op = ENGINE_OPS[x.call.op]
    options = {name: each for name, each in x.arguments.items() if name != "input"}
    try:
        if op.variadic is not None:
            found = op.forward(places, *options.pop(op.variadic), **options)
        else:
            found = op.forward(places, **options)
    except Exception as error:
        x.refuse(f"({error})")
    found = found[0] if isinstance(found, Kept) else found
    parts = list(found) if isinstance(found, (list, tuple)) else [found]
    flat = x("Reshape", x.name("input"), FLAT)
    return [x("Gather", flat, np.asarray(each, np.int64)) for each in parts]


@maps("flip")
def flip(x: OpCall) -> Any:
    """Reverse dimensions."""
    over = ints(axes(sizes(x["dims"]), x["input"].rank) or [])
    if not len(over):
        return x("Identity", x.name("input"))
    return x("Slice", x.name("input"), over * 0 - 1, over * 0 - 2**62, over, over * 0 - 1)


@maps("roll")
def roll(x: OpCall) -> Any:
    """Shift along dimensions, or through all elements; what leaves at one end comes in at the other."""
    made = name = x.name("input")
    over = axes(x["dims"], x["input"].rank)
    if over is None:
        made, over = x("Reshape", name, FLAT), [0]
    for axis, shift in zip(over, sizes(x["shifts"])):
        count = x("Gather", x.shape_of(made), np.int64(axis))
        places = x("Sub", x("Range", np.int64(0), count, np.int64(1)), np.int64(shift))
        made = x("Gather", made, x("Mod", places, x("Max", count, np.int64(1))), axis=axis)
    return x("Reshape", made, x.shape_of(name))


@maps("constant_pad_nd")
def pad(x: OpCall) -> Any:
    """Put a number around the last dimensions."""
    rank = x["input"].rank
    before, after = [0] * rank, [0] * rank
    for k in range(len(x["pad"]) // 2):
        before[rank - 1 - k], after[rank - 1 - k] = x["pad"][2 * k], x["pad"][2 * k + 1]
    return x("Pad", x.name("input"), ints([*before, *after]), x.number(x["value"] or 0), mode="constant")


@maps("tril", "triu")
def triangle(x: OpCall) -> Any:
    """Keep the lower or upper triangle."""
    if x.dtype == np.bool_:
        name = x("Cast", x.name("input"), to=INT64)
        return x("Cast", x("Trilu", name, np.int64(x["diagonal"]), upper=int(x.call.op == "triu")), to=x.type)
    return x("Trilu", x.name("input"), np.int64(x["diagonal"]), upper=int(x.call.op == "triu"))


@maps("diag_embed")
def diag_embed(x: OpCall) -> Any:
    """Put vectors on diagonals."""
    shape = x.shape
    places = np.arange(int(np.prod(x["input"].shape)), dtype=np.int64).reshape(x["input"].shape) + 1
    options = {name: each for name, each in x.arguments.items() if name != "input"}
    made = np.asarray(ENGINE_OPS["diag_embed"].forward(places, **options)).reshape(shape)
    flat = x("Concat", x.number(0).reshape(1), x("Reshape", x.input(), FLAT), axis=0)
    return x("Gather", flat, made)
