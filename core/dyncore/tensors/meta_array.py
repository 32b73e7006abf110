"""The place of an array in a tensor of the meta device: a shape and a dtype, without elements.

Ops know nothing of it. Whatever an op asks of it beyond its shape raises, and the general path computes
shapes and dtypes of the results instead (`dispatch/meta.py`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

__capture__ = "refused"


def no_elements(sentence: str = "Cannot copy out of meta tensor; no data!") -> NotImplementedError:
    """Return the error for reading elements of a meta tensor."""
    error = NotImplementedError(sentence)
    error.add_note("hint: `module.to_empty(device='cpu')` or `load_state_dict(..., assign=True)` gives it elements")
    return error


class MetaArray:
    """A shape and a dtype. Writing into it does nothing; reading raises NotImplementedError."""

    __slots__ = ("shape", "dtype", "__weakref__")

    base = None

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """Those of an array in C order."""
        steps = [self.dtype.itemsize]
        for size in reversed(self.shape[1:]):
            steps.append(steps[-1] * max(size, 1))
        return tuple(reversed(steps)) if self.shape else ()

    @property
    def flags(self) -> Any:
        return _IN_ORDER

    def astype(self, dtype: Any, *_: Any, **__: Any) -> MetaArray:
        return MetaArray(self.shape, dtype)

    def view(self) -> MetaArray:
        return self

    def copy(self, order: str = "C") -> MetaArray:
        return MetaArray(self.shape, self.dtype)

    def item(self) -> Any:
        if self.size != 1:
            raise RuntimeError(f"a Tensor with {self.size} elements cannot be converted to Scalar")
        raise RuntimeError("Tensor.item() cannot be called on meta tensors")

    def __bool__(self) -> bool:
        if self.size > 1:
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        return bool(self.item())

    def __len__(self) -> int:
        return self.shape[0]

    def __setitem__(self, index: Any, value: Any) -> None:
        """Write nothing."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise no_elements()

    __array_ufunc__ = __array_function__ = __getitem__ = __iter__ = __eq__ = __ne__ = __array__
    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise no_elements()

    def __reduce__(self) -> Any:
        return MetaArray, (self.shape, self.dtype.str)


_IN_ORDER = np.empty(0).flags
