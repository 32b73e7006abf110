"""`grad_fn._raw_saved_*`: a saved tensor with the hooks that pack and unpack it."""

from __future__ import annotations

from typing import Any

from dyncore.graph.node import FREED
from dyncore.tensors.tensor import wrap

from .changed import ARRAYS
from .hooks import Packed, pack_one, pack_part
from .shown import as_saved, places


class SavedTensor:
    """One saved value of a node, on which pack and unpack hooks can be registered; `grad_fn._raw_saved_*`."""

    _held: Any
    _node: Any
    _name: str | None
    _place: int | None = None  # of a tensor among several that are saved under one name

    def __init__(self, *given: Any) -> None:
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    def register_hooks(self, pack_hook: Any = None, unpack_hook: Any = None) -> None:
        """Pack the value now; `unpack_hook` restores it when backward needs it."""
        if not callable(pack_hook) or not callable(unpack_hook):
            raise TypeError("register_hooks(): incompatible function arguments, expected two callables")
        if self._node is None:
            if self._held is None:
                raise RuntimeError(_NONE)
            if self._held.packed is not None:
                raise RuntimeError(_TWICE)
            self._held.pack(pack_hook, unpack_hook)
            return
        value = self._value()
        if value is FREED:
            raise RuntimeError(_FREED)
        if isinstance(value, Packed):
            raise RuntimeError(_TWICE)
        if not isinstance(value, ARRAYS):
            raise RuntimeError(_NONE)
        if self._place is None:
            pack_one(self._node, self._name or "", value, pack_hook, unpack_hook)
        else:
            pack_part(self._node, self._name or "", self._place, pack_hook, unpack_hook)

    def unpack(self) -> Any:
        """Return the saved tensor."""
        if self._node is None:
            return None if self._held is None else self._held.unpack()
        value = self._value()
        return as_saved(self._node, self._name or "", value.unpack() if isinstance(value, Packed) else value)

    @property
    def data(self) -> Any:
        """Result of the pack hook, the saved tensor, or values of the node's own result."""
        value = self._value()
        if isinstance(value, Packed):
            return value.value
        if self._held is not None:
            return self.unpack() if self._held.number is None else wrap(self._held.array, None)
        return wrap(value, None) if (self._name or "").startswith("result") else self.unpack()

    @property
    def unpack_hook(self) -> Any:
        """The hook that undoes the packing, or None."""
        value = self._value()
        return value.unpack_hook if isinstance(value, Packed) else None

    def _value(self) -> Any:
        if self._node is None:
            return None if self._held is None else self._held.packed
        value = self._node.saved()[self._name]
        return value if self._place is None or value is FREED else value[self._place]


SavedTensor.__module__ = "torch._C._autograd"


def saved_tensor(held: Any, node: Any = None, name: str | None = None) -> SavedTensor:
    """Return a SavedTensor of a value that a custom function holds, or of the one `node` saved as `name`."""
    made: SavedTensor = object.__new__(SavedTensor)
    made._held, made._node, made._name = held, node, name
    return made


def saved_indices(node: Any) -> tuple[SavedTensor, ...]:
    """Return `_raw_saved_indices` of x[...]: one for each axis.

    Of None where the axis has no tensor.
    """
    saved = node.saved()
    made = []
    for place in places(node, saved):
        each = saved_tensor(None) if place is None else saved_tensor(None, node, "index")
        each._place = place if isinstance(saved["index"], tuple) else None
        made.append(each)
    return tuple(made)


_FREED = (
    "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are "
    "freed when you "
    "call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a "
    "second time or if "
    "you need to access saved variables after calling backward."
)
_NONE = "Calling register_hooks on a saved tensor with value None is forbidden"
_TWICE = (
    "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is "
    "allowed at a time."
)
