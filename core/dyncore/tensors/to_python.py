"""Ways out of the world of tensors: a value becomes a Python number, list or array, and whoever listens hears of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy import float32, float64

from dyncore.graph import events
from dyncore.graph.capture_marks import ENGINE, capture_as
from dyncore.graph.modes import current

from .meta_array import MetaArray
from .metadata import storage

__capture__ = "replayed"


class Escapes:
    """Methods of Tensor that convert to Python values."""

    __slots__ = ()

    _array: Any
    _edge: Any

    if TYPE_CHECKING:  # operators are bound from the table of ops

        def __add__(self, other: Any) -> Any: ...
        def __sub__(self, other: Any) -> Any: ...
        def __mul__(self, other: Any) -> Any: ...
        def __truediv__(self, other: Any) -> Any: ...
        def __pow__(self, other: Any) -> Any: ...
        def __matmul__(self, other: Any) -> Any: ...
        def __neg__(self) -> Any: ...
        def __getitem__(self, index: Any) -> Any: ...

        # Bound from the modules that do it, so that no call imports them.
        def detach(self: Self) -> Self: ...
        def backward(
            self, gradient: Any = None, retain_graph: Any = None, create_graph: bool = False, inputs: Any = None
        ) -> None: ...

    def item(self) -> Any:
        """Return the only element as a Python number.  Raises RuntimeError for more or fewer than one."""
        array = self._array
        kind = array.__class__
        if kind is float32 or kind is float64:
            value = float(array)  # sooner than a scalar's `item` (tests/bench, early exit)
        elif kind is np.ndarray and array.size != 1:
            raise RuntimeError(f"a Tensor with {array.size} elements cannot be converted to Scalar")
        else:
            value = array.item()
        if events.tapes:
            _escaped(self, "item", value)
        elif (listener := events.listener) is not None:
            listener.escape(self, "item", value)
        return value

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python numbers."""
        value = self._array.tolist()
        _escaped(self, "tolist", value)
        return value

    @capture_as(ENGINE)
    def numpy(self, *, force: bool = False) -> np.ndarray[Any, Any]:
        """Return the elements as a NumPy array that shares memory.  Raises RuntimeError if the tensor requires grad."""
        if self._edge is not None and not force and current().grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        from .lazy_conj import bits

        array = storage(self)
        if array.__class__ is MetaArray:
            raise TypeError(
                "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory "
                "first."
            )
        conj, neg = bits(self)
        if conj or neg:
            if not force:
                bit, way = ("conjugate", "conj") if conj else ("negative", "neg")
                raise RuntimeError(
                    f"Can't call numpy() on Tensor that has {bit} bit set. Use tensor.resolve_{way}().numpy() instead."
                )
            array = array.copy()
        _escaped(self, "numpy", array)
        return array

    @capture_as(ENGINE)
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __bool__(self) -> bool:
        array = self._array
        if array.__class__ is np.ndarray and array.size != 1:
            if array.size == 0:
                raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        value = bool(array)
        if events.tapes or events.listener is not None:
            _escaped(self, "__bool__", value)
        return value

    def __float__(self) -> float:
        array = self._array
        kind = array.__class__
        # A scalar as in `item`.
        value = float(array if kind is float32 or kind is float64 else self._number("double"))
        if events.tapes or events.listener is not None:
            _escaped(self, "__float__", value)
        return value

    def __int__(self) -> int:
        value = int(self._number("int64_t"))
        _escaped(self, "__int__", value)
        return value

    def __complex__(self) -> complex:
        value = complex(self._number())
        _escaped(self, "__complex__", value)
        return value

    def __index__(self) -> int:
        if self._array.dtype.kind not in "iub" or self._array.size != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        value = int(self._array.item())
        _escaped(self, "__index__", value)
        return value

    def _number(self, kind: str = "") -> Any:
        """Return the one element; its real part for a `kind` of real numbers."""
        if self._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        value = self._array.item()
        if not kind or not isinstance(value, complex):
            return value
        if value.imag:
            raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
        return value.real

    def __contains__(self, element: Any) -> bool:
        if not isinstance(element, (Escapes, int, float, bool, complex)):
            raise RuntimeError(
                f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}."
            )
        value = bool(np.equal(self._array, element._array if isinstance(element, Escapes) else element).any())
        _escaped(self, "__contains__", value, element)
        return value

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        value = int(self._array.shape[0])
        _escaped(self, "__len__", value)
        return value

    def __iter__(self) -> Any:
        if self._array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        _escaped(self, "__len__", int(self._array.shape[0]))
        return iter(self.unbind(0))  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return id(self)

    def __reversed__(self) -> Any:
        return self if self._array.ndim == 0 else self.flip(0)  # type: ignore[attr-defined]

    @capture_as(ENGINE)
    def __format__(self, spec: str) -> str:
        if self._array.ndim == 0 and type(self).__name__ == "Tensor" and self._array.__class__ is not MetaArray:
            return self.item().__format__(spec)
        return object.__format__(self, spec)


def _escaped(tensor: Any, how: str, value: Any, *others: Any) -> None:
    if events.tapes:
        tape = current().tape
        if tape is not None:
            tape.escape(tensor, how, value, *others)
    if events.listener is not None:
        events.listener.escape(tensor, how, value)
