"""A lazy tensor: one row of a group of equal ops that run together, later."""

from __future__ import annotations

from typing import Any

from dyncore.dtypes import dtypes
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor, cpu

from .rows import Value, row_of


class Lazy(Tensor):
    """A tensor whose value is not computed yet.

    It has no slots of its own: `value` lies in the slot of `_array`. Whoever reads `_array`, `_edge` or `_meta`, as
    all of the engine does that has no rule for batches, waits for the value; from then on it is a plain Tensor.
    """

    __slots__ = ()

    value = Tensor.__dict__["_array"]

    @property
    def _array(self) -> Any:
        force(self)
        return self._array

    @_array.setter
    def _array(self, array: Any) -> None:
        force(self)
        self._array = array

    @property
    def _edge(self) -> Any:
        force(self)
        return self._edge

    @_edge.setter
    def _edge(self, edge: Any) -> None:
        force(self)
        self._edge = edge

    @property
    def _meta(self) -> Any:
        force(self)
        return self._meta

    @_meta.setter
    def _meta(self, meta: Any) -> None:
        force(self)
        self._meta = meta

    # -- known before the value is

    @property
    def shape(self) -> Size:
        return Size(self.value.home.shape)

    def size(self, dim: int | None = None) -> Any:
        if dim is None:
            return Size(self.value.home.shape)
        try:
            return self.value.home.shape[dim]
        except (IndexError, TypeError):
            return Tensor.size(self, dim)

    @property
    def ndim(self) -> int:
        return len(self.value.home.shape)

    def dim(self) -> int:
        return len(self.value.home.shape)

    ndimension = dim

    def numel(self) -> int:
        return Size(self.value.home.shape).numel()

    nelement = numel

    def __len__(self) -> int:
        shape = self.value.home.shape
        if not shape:
            raise TypeError("len() of a 0-d tensor")
        return int(shape[0])

    @property
    def dtype(self) -> dtypes.dtype:
        return dtypes.of(self.value.home.dtype)

    @property
    def device(self) -> Any:
        return cpu

    def is_floating_point(self) -> bool:
        return bool(self.value.home.dtype.kind == "f")

    @property
    def requires_grad(self) -> bool:
        return bool(self.value.home.requires_grad)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        force(self)
        self.requires_grad = value

    # -- numbers, which need the value and no tensor

    def item(self) -> Any:
        home = self.value.home
        return number(self.value) if not home.shape else Tensor.item(self)

    def __bool__(self) -> bool:
        return bool(number(self.value)) if not self.value.home.shape else Tensor.__bool__(self)

    def __float__(self) -> float:
        return float(number(self.value)) if not self.value.home.shape else Tensor.__float__(self)

    def __int__(self) -> int:
        return int(number(self.value)) if not self.value.home.shape else Tensor.__int__(self)

    # -- what a group cannot do for one row

    def backward(
        self, gradient: Any = None, retain_graph: Any = None, create_graph: bool = False, inputs: Any = None
    ) -> None:
        """Raise RuntimeError: the examples share their graph."""
        self.value.home.scheduler.refuse(
            "backward() inside batched(): the examples of a batch share one graph. Return the loss, and call backward "
            "on the sum of the losses after the call."
        )

    def register_hook(self, hook: Any) -> Any:
        unused(self, "register_hook()")
        force(self)
        return self.register_hook(hook)

    def retain_grad(self) -> None:
        unused(self, "retain_grad()")
        force(self)
        self.retain_grad()


def unused(tensor: Lazy, what: str) -> None:
    """Raise RuntimeError if an op was given the tensor, whose share of the gradient a hook would miss."""
    value = tensor.value
    home = value.home
    pending = (each for group in home.scheduler.live for column in group.columns for each in column)
    if home.used if home.tensor is not None else any(each is value for each in pending):
        home.scheduler.refuse(
            f"{what} inside batched() on a tensor that an op was given already: call it right after the tensor is made."
        )


def settled(value: Value) -> Any:
    """Wait until the value is computed; return the group it lies in.  Raises what computing it raised."""
    if value.home.tensor is None:
        value.home.scheduler.wait(value)
    errors = value.home.scheduler.errors
    if errors and value in errors:
        raise errors[value]
    return value.home


def number(value: Value) -> Any:
    """Return a 0-d value as a Python number."""
    home = settled(value)
    if home.numbers is None:
        home.numbers = home.tensor._array.tolist()
    return home.numbers[value.row]


def force(tensor: Any) -> None:
    """Wait for the value, and make the lazy tensor an ordinary one with memory of its own."""
    value = tensor.value
    home = settled(value)
    array, edge = row_of(home, value.row)
    if home.viewed:
        home.scheduler.aliased[id(array)] = array
    tensor.__class__ = Tensor
    tensor._array, tensor._edge, tensor._meta = array, edge, None
