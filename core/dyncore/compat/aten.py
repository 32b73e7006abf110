"""`torch.ops.aten`: the ops by the names PyTorch's own library has for them.

`torch.ops.aten.mm(a, b)` and `torch.ops.aten.mm.default(a, b)` are `torch.mm(a, b)`: an op is one function here,
whatever overload is named.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.graph.versions import owner
from dyncore.tensors.strides import restrided
from dyncore.tensors.tensor import Tensor, storage, wrap

__capture__ = "replayed"


class Packet:
    """An op of aten, of which every overload is the same function."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.__name__ = name
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __getattr__(self, name: str) -> Overload:
        if name.startswith("_"):
            raise AttributeError(name)
        made = self.__dict__[name] = Overload(self, name)
        return made

    def __str__(self) -> str:
        return f"aten.{self.__name__}"

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='aten.{self.__name__}')>"


class Overload:
    """One overload of an op: the op itself."""

    def __init__(self, packet: Packet, name: str) -> None:
        self.overloadpacket = packet
        self._name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.overloadpacket(*args, **kwargs)

    def __str__(self) -> str:
        return f"{self.overloadpacket}.{self._name}"

    def __repr__(self) -> str:
        return f"<OpOverload(op='aten.{self.overloadpacket.__name__}', overload='{self._name}')>"


class Aten:
    """The namespace `torch.ops.aten`."""

    __name__ = "torch.ops.aten"

    def __getattr__(self, name: str) -> Packet:
        function = _OWN.get(name) or _found(name)
        if function is None:
            raise AttributeError(f"'_OpNamespace' 'aten' object has no attribute '{name}'")
        made = self.__dict__[name] = Packet(name, function)
        return made

    def __repr__(self) -> str:
        return "<module 'torch.ops.aten'>"


def _found(name: str) -> Any:
    import dyncore

    op = TABLE.get(name)
    if op is not None and not op.private:
        return op.entry
    for place in (dyncore, Tensor, dyncore.nn.functional, dyncore.linalg, dyncore.special):
        found = place.__dict__.get(name) or getattr(place, name, None)
        if callable(found):
            return found
    return None


def convolution_backward(
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor,
    bias_sizes: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
    output_mask: Any,
) -> tuple[Any, ...]:
    """Return the gradients of a convolution by its input, weight and bias; None for those that are masked out."""
    from dyncore.autograd import grad
    from dyncore.graph.modes import current, enable_grad
    from dyncore.nn import functional

    rank = len(input.shape) - 2
    name = f"conv_transpose{rank}d" if transposed else f"conv{rank}d"
    more = {"output_padding": tuple(output_padding)} if transposed else {}
    recorded = current().grad and any(each.requires_grad for each in (grad_output, input, weight))
    with enable_grad():
        given = [
            each.view_as(each) if each.requires_grad else each.detach().requires_grad_() for each in (input, weight)
        ]
        given = [_same_tangent(made, each) for made, each in zip(given, (input, weight), strict=True)]
        out = getattr(functional, name)(
            *given, None, tuple(stride), tuple(padding), dilation=tuple(dilation), groups=groups, **more
        )
        wanted = [each for each, mask in zip(given, output_mask, strict=False) if mask]
        found = iter(grad([out], wanted, [grad_output], create_graph=recorded) if wanted else ())
    grads = [next(found) if mask else None for mask in output_mask[:2]]
    bias = grad_output.sum((0, *range(2, len(grad_output.shape)))) if output_mask[2] else None
    return *grads, bias


def _same_tangent(made: Tensor, given: Tensor) -> Tensor:
    from dyncore.autograd.forward_ad import give, tangent_of

    tangent = tangent_of(given)
    if tangent is not None and tangent_of(made) is None:
        give(made, tangent)
    return made


def _new_zeros_with_same_feature_meta(self: Tensor, other: Tensor, *, self_num_batch_dims: int = 0) -> Tensor:
    """Return zeros that lie in memory as `other`, once for each element of the first dimensions of `self`."""
    array = storage(other)
    root = owner(array)
    lead = self.shape[:self_num_batch_dims]
    count = int(np.prod(lead, dtype=np.int64))
    offset = array.__array_interface__["data"][0] - root.__array_interface__["data"][0] if array.size else 0
    memory = np.zeros(root.size * count, root.dtype).view(array.dtype)
    steps = [root.nbytes * int(np.prod(lead[place + 1 :], dtype=np.int64)) for place in range(len(lead))]
    return wrap(restrided(memory, (*lead, *array.shape), (*steps, *array.strides), offset), None)


def max_pool2d_with_indices_backward(*args: Any, **kwargs: Any) -> Any:
    """Return the gradient of `max_pool2d`, from the places of its maxima."""
    from dyncore.compat.segments import max_pool2d_with_indices_backward

    return max_pool2d_with_indices_backward(*args, **kwargs)


_OWN: dict[str, Callable[..., Any]] = {
    "max_pool2d_with_indices_backward": max_pool2d_with_indices_backward,
    "convolution_backward": convolution_backward,
    "_new_zeros_with_same_feature_meta": _new_zeros_with_same_feature_meta,
}
