"""Rows of a table by number."""

import numpy as np

from dyncore.dispatch.recompute import recomputed
from dyncore.dispatch.registry import UNDERIVED, keep, op
from dyncore.dispatch.row_gradient import row_gradient
from dyncore.dtypes import dtypes
from dyncore.ops.indexing import index_place


def _embedding_rule(g, input, weight_shape, padding_idx, scale_grad_by_freq, sparse):
    if sparse and g.__class__ is np.ndarray:
        if scale_grad_by_freq:
            raise RuntimeError("embedding_backward: scale_grad_by_freq not supported with sparse gradients")
        return _of_rows(g.reshape(-1, weight_shape[1]), input.reshape(-1), weight_shape, padding_idx)
    if padding_idx is not None and padding_idx >= 0:
        g = g * np.expand_dims(input != padding_idx, -1)
    if scale_grad_by_freq:
        g = g / np.expand_dims(frequency(input, weight_shape[0]), -1)
    return index_place(g, tuple(weight_shape), input)


def _of_rows(values, numbers, weight_shape, padding_idx):
    """Return the gradient by rows, without those of `padding_idx`."""
    if padding_idx >= 0:
        real = numbers != padding_idx
        numbers, values = numbers[real], values[real]
    return row_gradient(tuple(weight_shape), numbers, values)


def _check_dtype(input, name, *others):
    """Raise RuntimeError for positions that are neither int64 nor int32.

    others: arrays whose dtypes count too.
    """
    if np.result_type(input, *others) not in (np.int64, np.int32):
        kind = "CPUBoolType" if input.dtype.kind == "b" else f"torch.{dtypes.of(input.dtype).title}Tensor"
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{kind} instead (while checking arguments for {name})"
        )


@op(private=True)
def frequency(input, rows: int):
    """Number of times each number occurs among all."""
    counts = np.bincount(input.reshape(-1), minlength=rows)
    return counts[input]


@op(batching="table", weight=_embedding_rule, method=False, function=False, back="EmbeddingDenseBackwardBackward0")
def embedding(weight, input, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False):
    """Rows of `weight` at the positions `input`: (rows, width), (*) -> (*, width).

    The gradient of row `padding_idx` stays zero.   Raises IndexError for a number outside the table.
    """
    _check_dtype(input, "embedding")
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if input.size and (np.min(input) < 0 or np.max(input) >= weight.shape[0]):
        raise IndexError("index out of range in self")
    return weight[input] if input.ndim else weight[input].copy()


@op(input=lambda g, bag: g[bag], private=True)
def bag_sum(input, bag, count: int):
    """Rows of `input` summed by the number of the bag each belongs to."""
    result = np.zeros((count, *input.shape[1:]), input.dtype)
    np.add.at(result, bag, input)
    return result


def _bagged(weight, per_sample_weights, input, real, bag, count, sizes, mode, best):
    if mode == "max":
        return np.reshape(weight[best[0], best[1]] * best[2], best[0].shape)
    rows = weight[input]
    if per_sample_weights is not None:
        rows = rows * np.expand_dims(per_sample_weights[real], -1)
    total = bag_sum(rows, bag, count)
    return total / sizes if mode == "mean" else total


def _bag_rule(g, weight, per_sample_weights, numbers, real, bag, count, sizes, mode, best, frequencies, sparse, wanted):
    if sparse and wanted == {"weight"} and frequencies is None and g.__class__ is np.ndarray:
        values = (g / sizes if mode == "mean" else g)[bag]
        if per_sample_weights is not None:
            values = values * per_sample_weights[real][:, None]
        return {"weight": _of_rows(values, numbers, weight.shape, -1)}
    inputs = {"weight": weight, "per_sample_weights": per_sample_weights}
    result = recomputed(_bagged, g, wanted, inputs, numbers, real, bag, count, sizes, mode, best)
    if frequencies is not None and "weight" in result:
        result["weight"] = result["weight"] / frequencies
    return result


_BAG_BACK = {"weight": "EmbeddingBagBackwardBackward0", "per_sample_weights": UNDERIVED}


@op(joint=_bag_rule, method=False, function=False, node="EmbeddingBagBackward0", back=_BAG_BACK)
def embedding_bag(
    weight,
    input,
    offsets,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights=None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
):
    """Sum, mean or maximum of the rows of `weight` in each bag.

    A bag holds `input` from one of `offsets` up to the next.
    """
    _check_dtype(input, "embedding_bag", offsets)
    input = input if input.dtype.kind == "i" else input.astype(np.int64)
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    outside = np.flatnonzero((input < 0) | (input >= weight.shape[0]))
    if outside.size:
        raise RuntimeError(
            f"Index {outside[0]} of input takes value {input[outside[0]]} which is not in the valid range "
            f"[0, {weight.shape[0]})"
        )
    if offsets.size and offsets[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, "
            f"got {offsets[0]}"
        )
    if offsets.size and offsets[-1] > len(input):
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {len(input)} but got offsets[-1] of {offsets[-1]}"
        )
    if include_last_offset and not offsets.size:
        raise RuntimeError("include_last_offset: number of offset should be at least 1")
    starts = offsets[:-1] if include_last_offset else offsets
    count = len(starts)
    bag = np.searchsorted(starts, np.arange(len(input)), side="right") - 1
    real = input != padding_idx if padding_idx >= 0 else np.ones(len(input), bool)
    if include_last_offset:
        real[offsets[-1] :] = False  # what the last bag ends before is in none
    real = np.nonzero(real)[0]
    numbers, bag = input[real], bag[real]
    sizes = np.maximum(np.bincount(bag, minlength=count), 1).astype(weight.dtype)[:, None]
    best = _best(weight, numbers, bag, count) if mode == "max" else None
    frequencies = None
    if scale_grad_by_freq:
        counted = np.bincount(numbers, minlength=weight.shape[0])
        frequencies = np.maximum(counted, 1).astype(weight.dtype)[:, None]
    result = _bagged(weight, per_sample_weights, numbers, real, bag, count, sizes, mode, best)
    return keep(
        result.astype(weight.dtype), numbers=numbers, real=real, bag=bag, count=count, sizes=sizes, best=best,
        frequencies=frequencies,
    )  # fmt: skip


def _best(weight, numbers, bag, count):
    """Return the row that holds the maximum for each bag and column, and the column.

    A third array is 0 where the bag is empty.
    """
    rows = np.zeros((count, weight.shape[1]), np.int64)
    full = np.zeros((count, 1), weight.dtype)
    for number in range(count):
        members = numbers[bag == number]
        if members.size:
            rows[number] = members[np.argmax(weight[members], axis=0)]
            full[number] = 1
    return rows, np.broadcast_to(np.arange(weight.shape[1]), rows.shape), full


@op(batching="one hot", method=False, function=False)
def one_hot(input, num_classes: int = -1):
    """Vectors of zeros with a 1 at each number: (*) -> (*, num_classes)."""
    if input.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not input.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return np.zeros((*input.shape, num_classes), np.int64)
    if np.min(input) < 0:
        raise RuntimeError("Class values must be non-negative.")
    count = int(np.max(input)) + 1 if num_classes == -1 else num_classes
    if np.max(input) >= count:
        raise RuntimeError("Class values must be smaller than num_classes.")
    result = np.zeros((input.size, count), np.int64)
    result[np.arange(input.size), input.reshape(-1)] = 1
    return result.reshape(*input.shape, count)
