"""`grad_fn._saved_*` that PyTorch's nodes have under other names or forms.

A node saves what its derivative reads.  Where PyTorch's formula reads something else (sizes instead of an index, a
tuple instead of a number), the attribute is computed from the node's values on access.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.graph.node import AccumulateGrad, Node
from dyncore.tensors.tensor import Tensor, wrap

from ..higher_order import wrap_saved
from .hooks import Packed

Saved = dict[str, Any]
Shown = Callable[[Any, Saved], Any]
HIDDEN = object()  # what a node of this op does not show, although another of the same class does


def shown(op: str) -> dict[str, Shown]:
    """Return what nodes of the op `op` show, by PyTorch's names."""
    return _SHOWN.get(op, {})


def as_saved(node: Node, own: str, value: Any) -> Any:
    """Return what `node` saved as `own`, as PyTorch shows it: the tensors that were saved, where they still live."""
    if isinstance(value, list):
        return tuple(_original(each) for each in wrap_saved(node, own, value))
    made = wrap_saved(node, own, value)
    return made if own.startswith("result") else _original(made)


def _original(made: Any) -> Any:
    """Return the living tensor with the array and the edge of `made`, else `made`; other values as they are.

    Nodes hold arrays, not tensors, so the tensor is found by who refers to the array: slow, and only for who looks.
    """
    if not isinstance(made, Tensor):
        return made
    edge = made._edge
    if edge.__class__ is AccumulateGrad:
        leaf = edge.ref()
        return leaf if leaf is not None and leaf._array is made._array else made
    for each in gc.get_referrers(made._array):
        if isinstance(each, Tensor) and each is not made and each._array is made._array and each._edge is edge:
            return each
    return made


# Whole numbers that PyTorch shows without a sign, as their two's complement in 64 bits.
_UNSIGNED = frozenset(
    ("dim", "dim0", "dim1", "dim2", "dims", "index", "diagonal", "offset", "ignore_index", "padding_idx")
)


def unsigned(name: str, value: Any) -> Any:
    """Return a saved number as PyTorch shows it under `name`."""
    if name not in _UNSIGNED:
        return value
    if isinstance(value, tuple):
        return tuple(unsigned(name, each) for each in value)
    return value + 2**64 if isinstance(value, int) and value < 0 else value


def _size(parameter: str, axis: int) -> Shown:
    """Return the size of an input along `axis`."""
    return lambda node, saved: _shape(node, parameter)[axis]


def _shape(node: Any, parameter: str) -> tuple[int, ...]:
    for (name, _), (shape, _) in zip(node.targets, node.metas, strict=True):
        if name == parameter:
            return tuple(shape or ())
    return ()


def _pair(name: str) -> Shown:
    """Return a setting of two axes as a pair, also where one number was given."""
    return lambda node, saved: saved[name] if isinstance(saved[name], tuple) else (saved[name],) * 2


def _tuple(name: str) -> Shown:
    """Return an axis or some as a tuple; HIDDEN where all are reduced."""

    def found(node: Any, saved: Saved) -> Any:
        value = saved[name]
        return HIDDEN if value is None else tuple(value) if isinstance(value, (tuple, list)) else (value,)

    return found


def _sized(node: Any, saved: Saved) -> tuple[int, ...]:
    return tuple(saved["output_size"])


def _scale(axis: int, ranks: tuple[int, ...]) -> Shown:
    def found(node: Any, saved: Saved) -> Any:
        factors = saved["factors"]
        return factors[axis] if len(factors) in ranks else HIDDEN

    return found


def places(node: Any, saved: Saved) -> tuple[int | None, ...]:
    """For each axis of what x[...] was given, the position of its tensor in the index, None for an axis without one."""
    index = saved["index"]
    entries = index if isinstance(index, tuple) else (index,)
    kinds = [_kind(each) for each in entries]
    rest = len(saved["input_shape"]) - sum(count for _, count in kinds)
    found: list[int | None] = []
    for place, (each, (tensor, _)) in enumerate(zip(entries, kinds, strict=True)):
        if each is Ellipsis:
            found.extend([None] * rest)
        elif not isinstance(each, int):
            found.append(place if tensor else None)
    return tuple(found)


def _kind(entry: Any) -> tuple[bool, int]:
    """Return whether an entry of an index is a tensor, and how many axes it takes."""
    if isinstance(entry, Packed):
        entry = entry.unpack()
    if isinstance(entry, list):
        entry = np.asarray(entry)
    if hasattr(entry, "dtype"):
        return True, entry.ndim if entry.dtype.kind == "b" else 1
    return False, int(isinstance(entry, (int, slice)))


def _indices(node: Any, saved: Saved) -> Any:
    """Return the tensors of x[...] by axis."""
    if node.name() != "IndexBackward0":
        return HIDDEN
    index = saved["index"]
    entries = index if isinstance(index, tuple) else (index,)
    held = [None if place is None else entries[place] for place in places(node, saved)]
    arrays = [each.unpack() if isinstance(each, Packed) else each for each in held]
    arrays = [np.asarray(each) if isinstance(each, list) else each for each in arrays]
    return tuple(None if each is None else wrap(each, None) for each in arrays)


def _sliced(part: Callable[[slice, int], int]) -> Shown:
    """Part of the last slice of x[...]."""

    def found(node: Any, saved: Saved) -> Any:
        if node.name() != "SliceBackward0":
            return HIDDEN
        axis, each = _last_slice(saved)
        return part(each, saved["input_shape"][axis]) if axis >= 0 else HIDDEN

    return found


def _dim(node: Any, saved: Saved) -> Any:
    if node.name() == "SelectBackward0":
        return _selected(saved["index"])[0]
    return _last_slice(saved)[0] if node.name() == "SliceBackward0" else HIDDEN


def _selected(index: Any) -> tuple[int, int]:
    """Return the axis and the place of the last integer of an index."""
    entries = index if isinstance(index, tuple) else (index,)
    axis = sum(1 for each in entries if each is not None and not isinstance(each, int))
    return axis, next((each for each in reversed(entries) if isinstance(each, int)), 0)


def _selected_index(node: Any, saved: Saved) -> Any:
    return _selected(saved["index"])[1] if node.name() == "SelectBackward0" else HIDDEN


def _last_slice(saved: Saved) -> tuple[int, slice]:
    index = saved["index"]
    entries = index if isinstance(index, tuple) else (index,)
    for axis in range(len(entries) - 1, -1, -1):
        if isinstance(entries[axis], slice) and entries[axis] != slice(None):
            return axis, entries[axis]
    return -1, slice(None)


def _number(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _bound(name: str) -> Shown:
    """Return a bound given as a number, as one; a tensor as it is."""
    return lambda node, saved: (
        _number(saved[name]) if node.name() == "ClampBackward1" else as_saved(node, name, saved[name])
    )


_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _reduction(node: Any, saved: Saved) -> int:
    return _REDUCTIONS[saved["reduction"]]


def _sizes(parameter: str) -> Shown:
    """Return the sizes of an input."""
    return lambda node, saved: _shape(node, parameter)


def _each(name: str) -> Shown:
    """Return a setting of each axis as a tuple, also where one number was given; of a stride that was not, nothing."""

    def found(node: Any, saved: Saved) -> tuple[Any, ...]:
        value = saved[name]
        if value is None:
            return ()
        return tuple(value) if isinstance(value, (tuple, list)) else (value,) * saved["rank"]

    return found


def _correction(node: Any, saved: Saved) -> Any:
    """Return what is taken from the count: as given; of an overload without it 1 or 0; HIDDEN without an axis."""
    if saved["correction"] is not None or saved["dim"] is None:
        return saved["correction"]
    return int(saved["unbiased"])


def _bias_sizes(node: Any, saved: Saved) -> tuple[int, ...]:
    return _shape(node, "bias") or (0,)


def _numel(node: Any, saved: Saved) -> int:
    found = 1
    for each in saved["input_shape"]:
        found *= each
    return found


_REDUCED: dict[str, Shown] = {"dim": _tuple("dim")}
_SPREAD: dict[str, Shown] = {
    "dim": lambda node, saved: None if saved["dim"] is None else _tuple("dim")(node, saved),
    "correction": _correction,
}
_LOSS: dict[str, Shown] = {"reduction": _reduction}
_UPSAMPLED: dict[str, Shown] = {
    "output_size": _sized,
    "scales": _scale(0, (1,)),
    "scales_d": _scale(0, (3,)),
    "scales_h": _scale(-2, (2, 3)),
    "scales_w": _scale(-1, (2, 3)),
}
_FOREACH: dict[str, Shown] = {
    "scalars": lambda node, saved: HIDDEN if node.name().endswith("0") else saved["scalars"],
    "scalar": lambda node, saved: saved["scalars"][0] if node.name().endswith("0") else HIDDEN,
}
_SHOWN: dict[str, dict[str, Shown]] = {
    "__getitem__": {
        "indices": _indices,
        "dim": _dim,
        "index": _selected_index,
        "start": _sliced(lambda each, size: each.indices(size)[0]),
        "end": _sliced(lambda each, size: 9223372036854775807 if each.stop is None else each.stop),
        "step": _sliced(lambda each, size: 1 if each.step is None else each.step),
    },
    "resample": _UPSAMPLED,
    "nearest": _UPSAMPLED,
    "convolution": {
        "bias_sym_sizes_opt": _bias_sizes,
        "output_padding": lambda node, saved: tuple(saved.get("output_padding") or (0,) * len(saved["stride"])),
    },
    "expand": {"self_sym_sizes": _sizes("input")},
    "max_windows": {name: _each(name) for name in ("kernel_size", "stride", "padding", "dilation")},
    "avg_windows": {name: _each(name) for name in ("kernel_size", "stride", "padding")},
    "binary_cross_entropy": {"reduction": _reduction},
    "binary_cross_entropy_with_logits": {"reduction": _reduction},
    "soft_margin_loss": {"reduction": _reduction},
    "multi_margin_loss": {"reduction": _reduction},
    "addbmm": {
        "batch1_sym_argsize_0": _size("batch1", 0),
        "batch1_sym_argsize_1": _size("batch1", 1),
        "batch2_sym_argsize_2": _size("batch2", 2),
    },
    "im2col": {
        **{name: _pair(name) for name in ("kernel_size", "dilation", "padding", "stride")},
        "self_sym_argsize_minus_2": _size("input", -2),
        "self_sym_argsize_minus_1": _size("input", -1),
    },
    "div": {"rounding_mode": lambda node, saved: None},
    "clamp": {name: _bound(name) for name in ("min", "max")},
    "threshold": {"threshold": lambda node, saved: _number(saved["threshold"])},
    "pdist": {"p": lambda node, saved: float(saved["p"])},
    "div_rounded": {"rounding_mode": lambda node, saved: saved["rounding_mode"]},
    "nll_loss": _LOSS,
    "mse_loss": _LOSS,
    "smooth_l1_loss": _LOSS,
    "huber_loss": _LOSS,
    "foreach_maximum": _FOREACH,
    "foreach_minimum": _FOREACH,
    "sum": _REDUCED,
    "mean": {**_REDUCED, "self_sym_numel": _numel},
    "amax": _REDUCED,
    "amin": _REDUCED,
    "logsumexp": _REDUCED,
    "std": _SPREAD,
    "var": _SPREAD,
    "var_mean": _SPREAD,
    "std_mean": _SPREAD,
}
