"""Memory seen with other shapes and strides, without NumPy's detours."""

from __future__ import annotations

from typing import Any

import numpy as np

__capture__ = "replayed"


def restrided(array: Any, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> Any:
    """Return a writable view of the memory of `array` with other shape and strides.

    Strides are in bytes, not negative.  Faster than `as_strided` if the array is contiguous.
    """
    if array.flags.c_contiguous and array.size and offset >= 0:
        try:
            return np.ndarray(shape, array.dtype, array, offset, strides)
        except (TypeError, ValueError):
            pass  # it reaches beyond this array into the rest of its memory
    if 0 in shape:
        return array.reshape(-1)[:0].reshape(shape)
    # Over the memory's owner, so that all views of it are known to be that: `as_strided` hides it.
    root = array
    while isinstance(root.base, np.ndarray):
        root = root.base
    if root.flags.forc:
        lines = root if root.flags.c_contiguous else root.T
        try:
            return np.ndarray(shape, array.dtype, lines, start_of(root, array) + offset, strides)
        except (TypeError, ValueError):
            pass
    if offset:
        interface = dict(array.__array_interface__)
        interface["data"] = interface["data"][0] + offset, False
        interface["shape"], interface["strides"] = shape, strides
        return np.asarray(_Memory(interface, array))
    return np.lib.stride_tricks.as_strided(array, shape, strides)


def keeping_order(array: Any) -> list[int] | None:
    """Return the order of dimensions in memory, outermost first; None for the usual one or an array with gaps."""
    if not isinstance(array, np.ndarray) or array.flags.c_contiguous:
        return None
    order = sorted(range(array.ndim), key=lambda axis: -array.strides[axis])
    return order if array.transpose(order).flags.c_contiguous else None


def dense_order(array: Any) -> list[int] | None:
    """Return the order in memory of what is made like an array: its own, even with gaps; None for the usual."""
    if array.ndim < 2 or array.flags.c_contiguous or 0 in array.strides:
        return None
    order = sorted(range(array.ndim), key=lambda axis: -array.strides[axis])
    return None if order == list(range(array.ndim)) else order


def in_order_of(array: Any, values: Any) -> Any:
    """Return a flat array of values in the shape of another array, and in the order of what is made like it."""
    order = dense_order(array)
    if order is None:
        return values.reshape(array.shape)
    return values.reshape([array.shape[axis] for axis in order]).transpose(np.argsort(order))


def laid_like(array: Any, made: Any) -> Any:
    """Return `made` in the memory order of another array of as many dimensions."""
    order = dense_order(array)
    return made if order is None else np.ascontiguousarray(made.transpose(order)).transpose(np.argsort(order))


_RANKS = {"torch.channels_last": 4, "torch.channels_last_3d": 5}


def inserted(shape: tuple[int, ...], strides: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides as PyTorch counts them: a dimension of size 1 steps over all that comes after it."""
    found: list[int] = []
    for size, stride in zip(shape[::-1], strides[::-1], strict=True):
        after = found[-1] * shape[len(shape) - len(found)] if found else 1
        found.append(after if size == 1 and not stride else stride)
    return tuple(found[::-1])


def in_format(array: Any, memory_format: Any) -> bool:
    """Return whether the elements lie in memory as `memory_format` says, C order if that is None."""
    rank = _RANKS.get(str(memory_format))
    if rank is None:
        return bool(array.flags.c_contiguous)
    return array.ndim == rank and bool(np.moveaxis(array, 1, -1).flags.c_contiguous)


def channels_last(array: Any) -> bool:
    """Return whether PyTorch takes images for channels-last ones: by their strides, where sizes are 1."""
    if array.ndim not in (4, 5) or not array.strides[1]:
        return False
    least = 0
    for axis in (1, *range(array.ndim - 1, 1, -1), 0):
        size, stride = array.shape[axis], array.strides[axis]
        if not size or stride < least or (not axis and least == array.strides[1]):
            return False
        least = stride * size
    return True


def with_channels(image: Any, made: Any) -> Any:
    """Return `made` of images, with channels last in memory if theirs are."""
    if image.ndim not in (4, 5) or image.strides[1] > image.strides[-1] or not channels_last(image):
        return made
    return np.moveaxis(np.moveaxis(made, 1, -1).copy("C"), -1, 1)


def usual(array: Any) -> Any:
    """Return the array as ops that do not keep the order of their operands leave it: C order, or the channels last."""
    if array.flags.c_contiguous or any(in_format(array, name) for name in _RANKS):
        return array
    return array.copy()


def suits(array: Any, memory_format: Any) -> bool:
    """Return whether a tensor asked for in `memory_format` may be this one: no copy is made only to close gaps."""
    if str(memory_format) in _RANKS:
        return in_format(array, memory_format)
    if str(memory_format) == "torch.preserve_format" or array.flags.c_contiguous:
        return True
    return not any(in_format(array, name) for name in _RANKS)


def laid_out(array: Any, memory_format: Any) -> Any:
    """Return a copy whose elements lie in memory as `memory_format` says; None keeps their order."""
    name = str(memory_format)
    if name not in _RANKS:
        return array.copy("C" if name == "torch.contiguous_format" else "K")
    if array.ndim != _RANKS[name]:
        raise RuntimeError(f"required rank {_RANKS[name]} tensor to use {name[6:]} format")
    return np.moveaxis(np.moveaxis(array, 1, -1).copy("C"), -1, 1)


class _Memory:
    """Lends an array's memory to another that begins elsewhere in it."""

    def __init__(self, interface: dict[str, Any], base: Any) -> None:
        self.__array_interface__ = interface
        self.base = base


def start_of(array: Any, part: Any) -> int:
    """Return how many bytes into `array` the view `part` begins."""
    if not part.size:
        return 0
    return int(part.__array_interface__["data"][0] - array.__array_interface__["data"][0])


def positions_of(shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> Any:
    """Return the positions in memory, in elements, of a strided view."""
    found = np.full((1,) * len(shape), offset, np.int64)
    for axis, (n, s) in enumerate(zip(shape, strides, strict=True)):
        found = found + (np.arange(n) * s).reshape((n,) + (1,) * (len(shape) - axis - 1))
    return found


def overlaps(positions: Any) -> Any:
    """Return how often each position occurs, as floats.

    None if all occur once.
    """
    count = np.bincount(positions.reshape(-1))[positions] if positions.size else positions
    return count.astype(np.float64) if count.max(initial=1) > 1 else None
