"""Rules by which an op runs on many examples at once: by the word `batching` of its block.

A rule gets a call on one example and returns a function that does the same for many, from the same arguments with
tensors of one more dimension, the first, in the place of those that differ between examples; `call` where that is the
op itself; or None, and then each example is computed alone.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_letters
from typing import Any, NamedTuple

import numpy as np

from dyncore.dispatch.registry import TABLE, Op
from dyncore.tensors.tensor import wrap


class Operand(NamedTuple):
    """A tensor of a call on one example.  lazy: whether it differs between examples; else all have the same one."""

    shape: tuple[int, ...]
    dtype: Any
    lazy: bool

    @property
    def ndim(self) -> int:
        return len(self.shape)


Arguments = dict[str, Any]  # by the op's parameters, all of them; Operand in the place of tensors
Run = Callable[..., Any]


def each(op: Op, given: Arguments) -> Run | None:
    """Elementwise: operands get dimensions of one after the first, so that they broadcast as they did."""
    operands = {name: value for name, value in given.items() if isinstance(value, Operand)}
    values = [value for name, value in operands.items() if name not in ("condition", "mask")]
    if any(value.dtype != values[0].dtype for value in values) and not all(value.ndim for value in values):
        return None  # a 0-d tensor does not take part in the dtype, one with rows does
    top = max(value.ndim for value in operands.values())
    lifted = {name: (1,) * (top - value.ndim) for name, value in operands.items() if value.lazy and value.ndim < top}
    if not lifted:
        return rows(op, given)

    def run(**arguments: Any) -> Any:
        for name, ones in lifted.items():
            tensor = arguments[name]
            arguments[name] = tensor.reshape((tensor._array.shape[0], *ones, *tensor._array.shape[1:]))
        return call(op, arguments)

    return run


def rows(op: Op, given: Arguments) -> Run | None:
    """Leading dimensions are free: the same call."""
    return call


def input_rows(op: Op, given: Arguments) -> Run | None:
    """Leading dimensions of the inputs are free, all else is the same for all examples."""
    return rows(op, given) if _lazy(given) == [name for name in given if name.startswith("input")] else None


def table(op: Op, given: Arguments) -> Run | None:
    """Rows of a table at the numbers of all examples, unless each example counts its own."""
    return None if given.get("scale_grad_by_freq") else input_rows(op, given)


def linear(op: Op, given: Arguments) -> Run | None:
    """Leading dimensions of the input are free; matrices of each example's own are multiplied side by side."""
    input, weight = given["input"], given["weight"]
    if not weight.lazy:
        return input_rows(op, given)
    if input.ndim not in (1, 2) or weight.ndim != 2:
        return None
    matmul = TABLE["matmul"].entry

    def run(input: Any, weight: Any, bias: Any) -> Any:
        if given["input"].ndim == 1:
            made = matmul(weight, input.unsqueeze(-1)).squeeze(-1)
        else:
            made = matmul(input, weight.transpose(-2, -1))
            bias = bias.unsqueeze(1) if bias is not None and given["bias"].lazy else bias
        return made if bias is None else made + bias

    return run


def alias(op: Op, given: Arguments) -> Run | None:
    """Share the memory of the operand: the same call, whose results are views."""
    return rows(op, given)


def samples(op: Op, given: Arguments) -> Run | None:
    """Put the samples of all examples, the first dimension of the input, together."""
    if _lazy(given) != ["input"]:
        return None

    def run(input: Any, **arguments: Any) -> Any:
        together = call(op, {"input": input.flatten(0, 1), **arguments})
        return together.unflatten(0, (input._array.shape[0], -1))

    return run


def attention(op: Op, given: Arguments) -> Run | None:
    """Leading dimensions are free where all three have as many, without a mask of each example or a draw."""
    ndims = {given[name].ndim for name in ("query", "key", "value")}
    plain = _lazy(given) == ["query", "key", "value"] and len(ndims) == 1 and not given["dropout_p"]
    return rows(op, given) if plain else None


def extreme(op: Op, given: Arguments) -> Run | None:
    """Largest or smallest of all elements of each example, which share the gradient as in `amax` and `amin`."""
    if any(given.get(name) is not None for name in ("dim", "other")):
        return None
    along = TABLE["amax" if op.name.startswith("max") else "amin"].entry
    return lambda input, **_: along(input.reshape((input._array.shape[0], -1)), 1)


_DIMS = ("dim", "dim0", "dim1", "dim2", "dims", "start_dim", "end_dim", "axis0", "axis1")


def dims(op: Op, given: Arguments) -> Run | None:
    """Dimensions counted from the first move by one; none given are all but the first."""
    tensors = [value for value in given.values() if isinstance(value, Operand)]
    lists = [value for value in given.values() if isinstance(value, list)]
    ndim = (tensors[0] if tensors else lists[0][0]).ndim
    if not all(value.lazy and value.ndim == ndim for value in tensors):
        return None
    moved: Arguments = {}
    flat = ""
    for name in _DIMS:
        if name not in given:
            continue
        value = given[name]
        if value is None or value == ():
            if given.get("keepdim") or op.names[0] != "input":
                return None
            moved[name] = 1
            flat = "" if ndim == 1 else "input"
        elif isinstance(value, (tuple, list)):
            moved[name] = tuple([_moved(each) for each in value])
        else:
            moved[name] = _moved(value)
    if not ndim and not flat and op.name not in ("unsqueeze", "stack"):
        return None

    def run(**arguments: Any) -> Any:
        if flat:
            tensor = arguments[flat]
            arguments[flat] = tensor.reshape((tensor._array.shape[0], -1))
        arguments.update(moved)
        return call(op, arguments)

    return run


def _moved(dim: int) -> int:
    return dim + 1 if dim >= 0 else dim


def permuted(op: Op, given: Arguments) -> Run | None:
    """Dimensions in a new order, the reverse if none is given: the first stays."""
    ndim = given["input"].ndim
    order = (0, *[dim % ndim + 1 for dim in given.get("dims", range(ndim - 1, -1, -1))])
    return lambda input, **arguments: TABLE["permute"].entry(input, *order)


def squeezed(op: Op, given: Arguments) -> Run | None:
    """Remove dimensions of one, never the first."""
    shape, dim = given["input"].shape, given["dim"]
    ndim = len(shape)
    chosen = range(ndim) if dim is None else (dim,) if isinstance(dim, int) else dim
    moved = tuple([each % ndim + 1 for each in chosen if ndim and shape[each] == 1])
    return lambda input, **arguments: op.entry(input, moved)


def sized(op: Op, given: Arguments) -> Run | None:
    """Put the number of examples before a new shape."""
    name = op.names[-1]
    size = tuple(given[name])
    if op.name in ("broadcast_to", "expand", "repeat"):
        ones = (1,) * (len(size) - given["input"].ndim)

        def run(input: Any, **arguments: Any) -> Any:
            shape = input._array.shape
            lifted = input.reshape((shape[0], *ones, *shape[1:])) if ones else input
            if op.name == "repeat":
                return op.entry(lifted, (1, *size))
            return op.entry(lifted, (shape[0], *_sizes(size, shape, ones)))

        return run
    return lambda input, **arguments: op.entry(input, (input._array.shape[0], *size))


def _sizes(size: tuple[int, ...], shape: tuple[int, ...], ones: tuple[int, ...]) -> list[int]:
    old = (*ones, *shape[1:])
    return [own if wanted == -1 else wanted for wanted, own in zip(size, old, strict=True)]


def product(op: Op, given: Arguments) -> Run | None:
    """Products of vectors and matrices: those of all examples as one, or side by side."""
    one, other = op.names
    multiply = _multiply(given[one], given[other])
    return None if multiply is None else lambda **a: multiply(a[one], a[other])


def _multiply(left: Operand, right: Operand) -> Run | None:
    """Return a function of two tensors that gives the products of such operands for all examples."""
    if left.dtype != right.dtype or not left.ndim or not right.ndim:
        return None
    matmul = TABLE["matmul"].entry
    if left.lazy and not right.lazy:
        return matmul if right.ndim <= 2 else None
    if right.lazy and not left.lazy:
        if left.ndim > 2 or right.ndim > 2:
            return None
        if right.ndim == 1:
            return (lambda a, b: matmul(b, a)) if left.ndim == 1 else lambda a, b: TABLE["linear"].entry(b, a)
        return matmul
    if left.ndim > 2 or right.ndim > 2:
        return matmul if left.ndim == right.ndim else None
    if left.ndim == right.ndim == 1:
        return lambda a, b: (a * b).sum(-1)
    if left.ndim == 1:
        return lambda a, b: matmul(a.unsqueeze(1), b).squeeze(1)
    if right.ndim == 1:
        return lambda a, b: matmul(a, b.unsqueeze(-1)).squeeze(-1)
    return matmul


def solved(op: Op, given: Arguments) -> Run | None:
    """Leading dimensions are free where each example has a matrix and a right side of its own."""
    return rows(op, given) if given["A"].lazy and given["B"].lazy and given["A"].ndim == 2 else None


def added_product(op: Op, given: Arguments) -> Run | None:
    """Add beta times the input to alpha times a product of a matrix with a matrix or vector."""
    input, left, right = (given[name] for name in op.tensor_names)
    multiply = _multiply(left, right)
    if multiply is None or input.dtype != left.dtype or not given["beta"] or left.dtype.kind != "f":
        return None
    ones = (1,) * (right.ndim - input.ndim if input.lazy else 0)

    def run(*, beta: float, alpha: float, **tensors: Any) -> Any:
        input, left, right = (tensors[name] for name in op.tensor_names)
        if ones:
            input = input.reshape((input._array.shape[0], *ones, *input._array.shape[1:]))
        return input * beta + multiply(left, right) * alpha

    return run


def contraction(op: Op, given: Arguments) -> Run | None:
    """Give the operands and the result one subscript more, the first."""
    more = next(letter for letter in ascii_letters if letter not in "".join(given["subscripts"]))
    subscripts, output = tuple([more + each for each in given["subscripts"]]), more + given["output"]
    return lambda tensors, lined, **_: op.entry(tensors, subscripts, output, lined)


def raveled(op: Op, given: Arguments) -> Run | None:
    """Lay the elements of each example in a row."""
    return lambda input: input.reshape((input._array.shape[0], -1))


def rolled(op: Op, given: Arguments) -> Run | None:
    """Move elements along dimensions counted from the first; without any, along all of a vector."""
    return dims(op, given) if given["dims"] not in (None, ()) or given["input"].ndim == 1 else None


def traced(op: Op, given: Arguments) -> Run | None:
    """Sum the diagonal of each matrix."""
    return lambda input: TABLE["diagonal"].entry(input, 0, 1, 2).sum(1)


def distance(op: Op, given: Arguments) -> Run | None:
    """Norm of the differences of each example's elements."""
    input, other = given["input"], given["other"]
    if not (input.lazy and other.lazy and input.shape == other.shape and input.dtype == other.dtype):
        return None
    norm = TABLE["linalg_vector_norm"].entry
    return lambda input, other, p: norm((input - other).reshape((input._array.shape[0], -1)), p, 1)


def outer(op: Op, given: Arguments) -> Run | None:
    """Products of all elements of two vectors: they broadcast as columns and rows."""
    if given["input"].dtype != given["vec2"].dtype:
        return None
    return lambda input, vec2: input.unsqueeze(-1) * vec2.unsqueeze(-2)


_REDUCTIONS = ("mean", "sum", "none")
_UNUSUAL = ("weight", "pos_weight", "size_average", "reduce")


def loss(op: Op, given: Arguments) -> Run | None:
    """Compute the loss of each element, then its mean or sum in each example."""
    reduction = given["reduction"]
    shapes = {value.shape for value in given.values() if isinstance(value, Operand) and value.lazy}
    if reduction not in _REDUCTIONS or len(shapes) > 1 or any(given.get(name) is not None for name in _UNUSUAL):
        return None
    if reduction == "none":
        return rows(op, given)

    def run(**arguments: Any) -> Any:
        losses = call(op, {**arguments, "reduction": "none"})
        flat = losses.reshape((losses._array.shape[0], -1))
        return flat.mean(1) if reduction == "mean" else flat.sum(1)

    return run


def classes(op: Op, given: Arguments) -> Run | None:
    """Compute the loss of one class, or of one for each row, for each example."""
    input, target, reduction = given["input"], given["target"], given["reduction"]
    if input.ndim > 2 or target.ndim != input.ndim - 1 or not input.lazy or not target.lazy:
        return None
    if reduction not in _REDUCTIONS or any(given.get(name) is not None for name in _UNUSUAL):
        return None

    def run(input: Any, target: Any, **arguments: Any) -> Any:
        if reduction == "mean" and (target._array == given["ignore_index"]).any():
            raise Apart  # of each example other rows count; a mean of nothing is NaN
        arguments["reduction"] = "none"
        if len(target._array.shape) == 1:
            return call(op, {"input": input, "target": target, **arguments})
        flat = call(op, {"input": input.flatten(0, 1), "target": target.flatten(), **arguments})
        losses = flat.reshape(target._array.shape)
        return losses if reduction == "none" else losses.mean(1) if reduction == "mean" else losses.sum(1)

    return run


class Apart(Exception):
    """Raised where values, not shapes, keep examples from being computed together."""


def subscript(op: Op, given: Arguments) -> Run | None:
    """Integers, slices, None, an ellipsis and a vector of integers choose in each example what they do in one."""
    index = given["index"]
    if isinstance(index, Operand):
        return picked(op, {"dim": 0, **given})
    index = index if isinstance(index, tuple) else (index,)
    kinds = (int, slice, type(None), type(Ellipsis))
    if not given["input"].lazy or any(type(each) not in kinds for each in index):
        return None
    moved = (slice(None), *index)
    return lambda input, **arguments: op.entry(input, moved)


def picked(op: Op, given: Arguments) -> Run | None:
    """Choose along the first dimension, in each example at its own integers."""
    input, index = given["input"], given["index"]
    if not (input.lazy and index.lazy and input.ndim and index.ndim < 2 and index.dtype.kind == "i"):
        return None
    if given["dim"] % input.ndim or op.name == "index_select" and not index.ndim:
        return None
    getitem = TABLE["__getitem__"].entry

    def run(input: Any, index: Any, **_: Any) -> Any:
        numbers = np.arange(input._array.shape[0])
        return getitem(input, (wrap(numbers[:, None] if index._array.ndim == 2 else numbers, None), index))

    return run


def one_hot(op: Op, given: Arguments) -> Run | None:
    """Leading dimensions are free if the number of classes is given."""
    return rows(op, given) if given["num_classes"] > 0 else None


def _lazy(given: Arguments) -> list[str]:
    return [name for name, value in given.items() if isinstance(value, Operand) and value.lazy]


def call(op: Op, arguments: Arguments) -> Any:
    """Call an op with its arguments by name: by position up to the first one at its default, which is left out."""
    defaults = op.defaults
    named = {n: arguments[n] for n in op.names if n not in defaults or arguments[n] is not defaults[n]}
    placed = []
    for name in op.names[: op.positional]:
        if name not in named:
            break
        placed.append(named.pop(name))
    return op.entry(*placed, **named)


RULES: dict[str, Callable[[Op, Arguments], Run | None]] = {
    "each": each, "rows": rows, "alias": alias, "samples": samples, "attention": attention, "all": extreme,
    "input rows": input_rows, "table": table, "linear": linear, "dims": dims, "order": permuted, "size": sized,
    "product": product, "solved": solved, "added product": added_product, "contraction": contraction, "outer": outer,
    "raveled": raveled, "rolled": rolled, "traced": traced, "distance": distance, "squeezed": squeezed,
    "loss": loss, "classes": classes, "subscript": subscript, "picked": picked, "one hot": one_hot,
}  # fmt: skip
