"""A lazy tensor: one row of a group of equal ops that run together, later."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.dtypes import dtypes
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor, cpu

from .rows import Table, row_of


def _computed(name: str) -> Any:
    """Return a method that is the ordinary tensor's."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        force(self)
        return getattr(self, name)(*args, **kwargs)

    return method


class Lazy(Tensor):
    """A tensor whose value is not computed yet.

    It has no slots of its own: row `row` of the group `home` lies in those of `_array` and `_edge`. Whoever reads
    these or `_meta`, as all of the engine does that has no rule for batches, waits for the value; from then on it is a
    plain Tensor.
    """

    __slots__ = ()

    is_meta = False
    home = Tensor.__dict__["_array"]
    row = Tensor.__dict__["_edge"]

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
        return Size(self.home.shape)

    def size(self, dim: int | None = None) -> Any:
        if dim is None:
            return Size(self.home.shape)
        try:
            return self.home.shape[dim]
        except (IndexError, TypeError):
            return Tensor.size(self, dim)

    def _alike(self) -> Any:
        return np.empty(self.home.shape, self.home.dtype)

    @property
    def ndim(self) -> int:
        return len(self.home.shape)

    def dim(self) -> int:
        return len(self.home.shape)

    ndimension = dim

    def numel(self) -> int:
        return Size(self.home.shape).numel()

    nelement = numel

    def __len__(self) -> int:
        shape = self.home.shape
        if not shape:
            raise TypeError("len() of a 0-d tensor")
        return int(shape[0])

    @property
    def dtype(self) -> dtypes.dtype:
        return dtypes.of(self.home.dtype)

    @property
    def device(self) -> Any:
        return cpu

    def is_floating_point(self) -> bool:
        return bool(self.home.dtype.kind == "f")

    @property
    def requires_grad(self) -> bool:
        return bool(self.home.requires_grad)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        force(self)
        self.requires_grad = value

    def detach(self) -> Any:
        made = TABLE["detach"].entry(self)
        return made if made.__class__ is Lazy else Tensor.detach(self)

    # -- numbers, which need the value and no tensor

    def item(self) -> Any:
        return Tensor.item(self) if self.home.shape else number(self)

    def __bool__(self) -> bool:
        return Tensor.__bool__(self) if self.home.shape else bool(number(self))

    def __float__(self) -> float:
        return Tensor.__float__(self) if self.home.shape else float(number(self))

    def __int__(self) -> int:
        return Tensor.__int__(self) if self.home.shape else int(number(self))

    # -- what asks for the class, or for slots

    __repr__, __reduce_ex__, as_subclass = _computed("__repr__"), _computed("__reduce_ex__"), _computed("as_subclass")

    # -- what a group cannot do for one row

    def backward(
        self, gradient: Any = None, retain_graph: Any = None, create_graph: bool = False, inputs: Any = None
    ) -> None:
        """Raise RuntimeError: the examples share their graph."""
        self.home.scheduler.refuse(
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
    home, row = tensor.home, tensor.row
    if home.numbers is None:
        return  # all of its gradient arrives where its group's does
    scheduler = home.scheduler
    pending = [part for group in scheduler.live for part in group.parts]
    is_open = home.whole is None or any(each is home for each in scheduler.table.values())
    if any(part.has(home, row) for part in pending) if is_open else home.used:
        scheduler.refuse(
            f"{what} inside batched() on a tensor that an op was given already: call it right after the tensor is made."
        )


def settled(tensor: Any) -> tuple[Any, int]:
    """Wait until the value is computed; return where it lies, and its row there.  Raises what computing it raised."""
    home = tensor.home
    if home.whole is None:
        home.scheduler.wait(home)
    whole, row = home.whole, tensor.row
    row = row + home.offset if home.numbers is None else home.numbers[row]
    if row in whole.errors:
        raise whole.errors[row]
    return whole, row


def number(tensor: Any) -> Any:
    """Return a 0-d lazy tensor as a Python number."""
    whole, row = settled(tensor)
    if whole.numbers is None:
        if whole.__class__ is Table:
            return whole.tensor._array[row].item()
        whole.numbers = whole.tensor._array.tolist()
    return whole.numbers[row]


def force(tensor: Any) -> None:
    """Wait for the value, and make the lazy tensor an ordinary one with memory of its own."""
    viewed, scheduler = tensor.home.viewed, tensor.home.scheduler
    whole, row = settled(tensor)
    array, edge = row_of(whole, row)
    if edge is not None and tensor.home.used and whole.__class__ is not Table:
        edge.row = whole.tensor._edge, row  # gradients of ops that were given the row do not pass this edge
    if viewed:
        scheduler.aliased[id(array)] = array
    tensor.__class__ = Tensor
    tensor._array, tensor._edge, tensor._meta = array, edge, None
