"""From a list of samples to a batch: tensors stacked, numbers made tensors, containers gone into."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dyncore.creation.factory import tensor
from dyncore.creation.interop import as_tensor
from dyncore.dispatch.registry import TABLE
from dyncore.dtypes.dtypes import float64
from dyncore.graph import events
from dyncore.graph.modes import GRAD, NO_GRAD, current
from dyncore.tensors.tensor import Tensor, wrap

#: Kinds of NumPy arrays that make no tensor, and the sentence for what makes no batch.
np_str_obj_array_pattern = re.compile(r"[SaUO]")
default_collate_err_msg_format = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)


def default_collate(batch: Any) -> Any:
    """Return one batch of a list of samples that are all of one kind.

    Tensors and arrays are stacked, numbers become a tensor, dicts and tuples are collated entry by entry.
    Raises TypeError for what it does not know, RuntimeError for samples of different lengths.
    """
    first = batch[0]
    kind = type(first)
    if isinstance(first, Tensor):
        return TABLE["stack"].entry(list(batch), 0)
    if isinstance(first, np.ndarray):
        return default_collate([as_tensor(each) for each in batch])
    if isinstance(first, float):
        return tensor(batch, dtype=float64)
    if isinstance(first, (int, np.generic)):
        return as_tensor(np.array(batch)) if isinstance(first, np.generic) else tensor(batch)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return kind({key: default_collate([each[key] for each in batch]) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return kind(*(default_collate(entries) for entries in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        if any(len(each) != len(first) for each in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(entries) for entries in zip(*batch, strict=True)]
    raise TypeError(f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {kind}")


def at_once(tensors: tuple[Any, ...], indices: Any) -> list[Any] | None:
    """Return the `default_collate` of items of a `TensorDataset`, picked in one go.

    None where the result may differ (tests/bench, calls: DataLoader).
    """
    mode = current()
    if (mode is not GRAD and mode is not NO_GRAD) or events.listener is not None or type(indices) is not list:
        return None
    count = tensors[0]._array.shape[0] if tensors else 0
    if not indices or not all(type(index) is int and 0 <= index < count for index in indices):
        return None
    for each in tensors:
        meta = each._meta
        if type(each) is not Tensor or each._edge is not None or each._array.ndim == 0:
            return None
        if meta is not None and (meta.inference or meta.untracked or meta.tangent is not None):
            return None
    places = np.array(indices)
    return [wrap(np.ascontiguousarray(each._array[places]), None) for each in tensors]


def default_convert(data: Any) -> Any:
    """Return arrays in `data` turned into tensors, also inside dicts, tuples and lists; everything else as it is."""
    if isinstance(data, (Tensor, str, bytes)):
        return data
    if isinstance(data, (np.ndarray, np.generic)):
        return as_tensor(np.asarray(data))
    if isinstance(data, Mapping):
        return type(data)({key: default_convert(value) for key, value in data.items()})  # type: ignore[call-arg]
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*(default_convert(each) for each in data))
    if isinstance(data, tuple):
        return [default_convert(each) for each in data]
    if isinstance(data, Sequence):
        return [default_convert(each) for each in data]
    return data
