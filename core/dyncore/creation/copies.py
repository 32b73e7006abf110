"""Copies of tensors: `copy.deepcopy`, `copy.copy` and `pickle`."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from dyncore.graph.node import AccumulateGrad
from dyncore.graph.versions import owner
from dyncore.tensors.tensor import Tensor, storage


def deepcopy_tensor(tensor: Tensor, memo: dict[int, Any]) -> Tensor:
    """Copy a leaf and its elements; tensors that shared memory share it in the copy.

    Raises RuntimeError for a tensor with history, as PyTorch does.
    """
    if id(tensor) in memo:
        return memo[id(tensor)]
    if not tensor.is_leaf:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  "
            "If you were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, "
            "see https://github.com/pytorch/pytorch/pull/103001"
        )
    copied: Tensor = object.__new__(type(tensor))
    copied._array = _copied(tensor, memo)
    copied._edge = None
    copied._meta = None
    memo[id(tensor)] = copied
    if tensor._edge is not None:
        copied._edge = AccumulateGrad(copied, None)
    grad = tensor.grad
    if grad is not None:
        copied.grad = deepcopy_tensor(grad, memo) if grad.is_leaf else grad.detach().clone()
    if tensor.__dict__:
        copied.__dict__.update(copy.deepcopy(tensor.__dict__, memo))
    return copied


def _copied(tensor: Tensor, memo: dict[int, Any]) -> Any:
    """Copy the elements; a view is cut from one copy of its base's memory."""
    array = tensor._array
    if array.__class__ is not np.ndarray:
        return array
    root = owner(array)
    if not root.flags.forc:
        return array.copy(order="K")
    if id(root) not in memo:
        memo[id(root)] = root.copy(order="K")
        # The memo goes by id: what it names must live as long as it does.
        memo.setdefault(id(memo), []).append(root)
    copied = memo[id(root)]
    if root is array:
        return copied
    offset = array.__array_interface__["data"][0] - root.__array_interface__["data"][0]
    return np.ndarray(array.shape, array.dtype, copied, offset, array.strides)


def reduce_tensor(tensor: Tensor) -> Any:
    """Return the constructor and arguments of a copy without history."""
    state = dict(tensor.__dict__) or None
    return _rebuilt, (type(tensor), storage(tensor), tensor.requires_grad, state)


def _rebuilt(kind: type[Tensor], array: np.ndarray[Any, Any], requires_grad: bool, state: Any) -> Tensor:
    tensor: Tensor = object.__new__(kind)
    tensor._array = array if array.ndim else array[()]
    tensor._edge = None
    tensor._meta = None
    if requires_grad:
        tensor._edge = AccumulateGrad(tensor, None)
    if state:
        tensor.__dict__.update(state)
    return tensor
