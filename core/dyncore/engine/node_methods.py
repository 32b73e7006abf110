"""Methods of nodes: hooks, metadata, calls by hand, accumulation at a leaf."""

from __future__ import annotations

import weakref
from typing import Any

from dyncore.graph.node import AccumulateGrad, Node, extra
from dyncore.tensors.tensor import Tensor

# What PyTorch's nodes have: `dir` says nothing of the rest, which is for the engine.
_LISTED = (
    *("_input_metadata", "_register_hook_dict", "_sequence_nr", "_set_sequence_nr", "metadata", "name"),
    *("next_functions", "register_hook", "register_prehook", "requires_grad"),
)


class NodeMethods(Node):
    """Methods and attributes of every node; `bind_nodes` sets them."""

    __slots__ = ()

    @property
    def _input_metadata(self) -> list[Any]:
        """Shape, dtype and device of each output, so of each gradient this node takes."""
        from .metadata import input_metadata

        return input_metadata(self)

    def _sequence_nr(self) -> int:
        from .sequence import number

        return number(self)

    def _set_sequence_nr(self, sequence_nr: int) -> None:
        """Make backward run this node, once it is ready, before smaller numbers."""
        from .sequence import set_number

        set_number(self, sequence_nr)

    def _register_hook_dict(self, tensor: Tensor) -> None:
        """Call the hooks that were assigned to `tensor`; those it registered are kept here from the start."""
        if tensor._meta is not None and tensor._meta.hooks is not None:
            from .hooks import listen

            listen(tensor, tensor._meta.hooks)

    def __call__(self, *grads: Any, **named: Any) -> Any:
        """Return the gradients of this node's inputs for the gradients of its outputs, as Tensors."""
        if named:
            raise TypeError("keyword arguments are not supported")
        from .direct import call_node

        return call_node(self, grads)

    def register_hook(self, fn: Any) -> Any:
        """Call `fn(grad_inputs, grad_outputs)` after this node ran; what it returns replaces `grad_inputs`."""
        from .hooks import Handle

        _ = self.next_functions  # parts a `linear` into PyTorch's two nodes, whose gradients `fn` is given
        return Handle(extra(self).post, fn)

    def register_prehook(self, fn: Any) -> Any:
        """Call `fn(grad_outputs)` before this node runs; what it returns replaces `grad_outputs`."""
        from .hooks import Handle

        return Handle(extra(self).pre, fn)

    def __dir__(self) -> list[str]:
        from dyncore.dispatch.saved.attributes import seen_names

        inherited = {name for name in object.__dir__(self) if name.startswith("__")}
        return sorted({*inherited, *_LISTED, *seen_names(self)})


class LeafMethods(AccumulateGrad):
    """Methods and attributes of `AccumulateGrad`; `bind_nodes` sets them."""

    __slots__ = ()

    @property
    def variable(self) -> Tensor:
        """The leaf tensor."""
        found = self.ref()
        if found is None:
            from dyncore.tensors.tensor import wrap

            found = wrap(self.memory, self)
            self.ref = weakref.ref(found)
        return found

    def run(self, grad: Any, keep: bool) -> Any:
        from .accumulation import accumulate

        accumulate(self, grad, False, False)
        return None

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        from .accumulation import accumulate

        accumulate(self, grad, False, True)
        return None


_OF_CLASS = frozenset(("__slots__", "__module__", "__doc__"))


def bind_nodes() -> None:
    """Set the methods on the classes of the graph."""
    for source, target in ((NodeMethods, Node), (LeafMethods, AccumulateGrad)):
        for name, value in vars(source).items():
            if name not in _OF_CLASS:
                setattr(target, name, value)
