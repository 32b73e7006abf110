"""The recorded graph: one node per operation that backward may need, made of slots and nothing else.

A tensor's `_edge` leads to the node that made it, to its `AccumulateGrad` when it is a leaf that requires grad, or to
an `Output` when its node has several outputs. `rank` counts down, so the newest node has the smallest: backward pops
nodes newest first and never needs a sort or a recursion. `code` and `lasti` are the line that made the node.
`_saved_*` are descriptors of each node class (`dispatch/saved`): a class with `__getattr__` would find its slots later.
"""

from __future__ import annotations

import weakref
from types import CodeType
from typing import TYPE_CHECKING, Any

from dyncore.errors.source import Place, place

from .edges import Partial, next_edges
from .known_shape import known_shape_of, product_shape
from .names import own_class, short, titled

ranks = iter(range(-1, -(1 << 62), -1))
next_rank = ranks.__next__


class Freed:
    """Stands where saved values were, once backward has used them."""

    def __repr__(self) -> str:
        return "<freed>"


FREED = Freed()


class Extra:
    """State of few nodes: hooks, metadata, retained gradients, anomaly tracebacks.

    tensor_pre: hooks of the tensors this node made, as (output number, hook).  retain: by output number, what keeps
    the gradient.  pre, post: the node's own hooks.  parent: under anomaly mode, the node whose backward made this one.
    cast: the dtype a leaf keeps its gradient in where that was set, None for any; False where it was not.
    tangents: in forward mode, the level and the tangents of what was saved.
    instead: while a view that this node wrote is differentiated, the node that now leads to the view: what was saved of
    the result is the view.
    reshaped: whether a leaf's data got another shape, so that gradients of what it was before may not fit.
    """

    __slots__ = (
        "pre", "tensor_pre", "retain", "post", "metadata", "parent", "traceback", "cast", "tangents", "instead",
        "reshaped",
    )  # fmt: skip

    def __init__(self) -> None:
        self.pre: dict[int, Any] = {}
        self.tensor_pre: dict[int, tuple[int, Any]] = {}
        self.retain: dict[int, Any] | None = None
        self.post: dict[int, Any] = {}
        self.metadata: dict[Any, Any] = {}
        self.parent: Any = None
        self.traceback: list[str] | None = None
        self.cast: Any = False
        self.tangents: tuple[Any, dict[tuple[str, int | None], Any]] | None = None
        self.instead: Any = None
        self.reshaped = False


# Shape and dtype of the only output of a node whose `grad_fn` or gradient edge was asked for.
noted_shapes: weakref.WeakKeyDictionary[Any, tuple[tuple[int, ...], Any]] = weakref.WeakKeyDictionary()


def note_shape(node: Any, array: Any) -> None:
    """Keep the shape and dtype of the only output of `node`."""
    noted_shapes[node] = array.shape, array.dtype


class Node:
    """A recorded operation. `name()`, `next_functions`, `metadata` and the hooks are PyTorch's."""

    __slots__ = ("rank", "code", "lasti", "extra", "__weakref__")

    rank: int
    code: CodeType
    lasti: int
    extra: Extra | None
    op: Any = None
    title = "Node"
    single = False
    outputs_known = False
    quiet = False  # whether it runs nothing but derivatives of ours on arrays, and no code of the user's
    known_shape: Any = None  # of the one result, see `known_shape.py`
    unseen = False  # whether it is of another class than its op's own yet
    row: Any = None  # (edge, number) where all of its gradient arrives, among that of others: of a row of a batch

    if TYPE_CHECKING:  # `_saved_*` are attributes of each class; `engine.node_methods` has the rest

        def __getattr__(self, name: str) -> Any: ...

        def __call__(self, *grads: Any, **named: Any) -> Any: ...

    def run(self, grad: Any, keep: bool) -> Any:
        """Return the gradients of this node's inputs, as arrays: one when `single`, else (edge, gradient) pairs."""
        raise NotImplementedError

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        """Return the same from Tensors, recorded, for `create_graph`."""
        raise NotImplementedError

    def edges(self) -> tuple[Any, ...]:
        """Return the edges to the inputs; None for an input that does not require grad."""
        return ()

    def saved(self) -> dict[str, Any]:
        """Return the values held for backward, raw, by PyTorch's names without `_saved_`."""
        return {}

    def release(self) -> None:
        """Drop what is held for backward."""

    def name(self) -> str:
        """Return the node's name in PyTorch, such as `MulBackward0`."""
        return self.title

    @property
    def place(self) -> Place:
        """The line that made this node."""
        return place(self.code, self.lasti)

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """Pairs (node, output number) that gradients flow to."""
        return tuple((None, 0) if e is None else (titled(e.node), e.index) for e in next_edges(self))

    @property
    def requires_grad(self) -> bool:
        return True

    @property
    def outputs(self) -> int:
        """Return the number of outputs, and so of gradients that the node takes."""
        return 1

    @property
    def node(self) -> Node:
        return self

    index = 0

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dictionary of the user's own."""
        return extra(self).metadata

    def store(self, name: str, value: Any) -> None:
        """Put `value` in the place of the one saved as `name`."""
        raise KeyError(name)

    def __repr__(self) -> str:
        return f"<{short(self.title)} object at {id(self):#x}>"


def extra(node: Any) -> Extra:
    """Return the node's `Extra`, made when first asked for."""
    if node.extra is None:
        own_class(node)
        node.extra = Extra()
    return node.extra


def edge_of(node: Any, name: str, number: int | None) -> Any:
    """Return where the gradient of the input `name` goes, of a list its element `number`; None for nowhere."""
    if hasattr(node, "targets"):
        for target, edge in zip(node.targets, node.to, strict=True):
            if target == (name, number):
                return edge
        return None
    for parameter, edge in zip(node.op.tensor_names, node.edges(), strict=False):
        if parameter == name:
            return edge
    return None


class AccumulateGrad(Node):
    """Node at the end of a gradient: the leaf's `grad`.

    The leaf holds this node, the node the leaf's memory; one that only the graph still knows is made again.
    """

    __slots__ = ("grad", "ref", "post_accumulate", "memory", "known_shape", "product")
    __module__ = "builtins"  # as PyTorch's classes of nodes are printed

    title = "AccumulateGrad"
    single = True
    e0 = None

    def __init__(self, variable: Any, grad: Any = None) -> None:
        self.rank = next_rank()
        self.extra = None
        self.grad = grad
        self.ref = weakref.ref(variable)
        self.memory = variable._array
        self.known_shape = known_shape_of(variable._array)
        self.product = product_shape(self.known_shape)  # with a vector
        self.post_accumulate: dict[int, Any] | None = None

    def renewed(self, variable: Any) -> AccumulateGrad:
        """Another node for the same leaf, with this one's gradient and hooks."""
        made = AccumulateGrad(variable, self.grad)
        made.extra, made.post_accumulate = self.extra, self.post_accumulate
        return made

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    @property
    def place(self) -> Place:
        return Place("<leaf>", 0, None, None, None, "")


class Output(Node):
    """Output number `index` of a node with several; it hands its gradient on as a `Partial`."""

    __slots__ = ("parent", "number", "known_shape")

    single = quiet = True

    def __init__(self, parent: Node, number: int) -> None:
        self.rank = next_rank()
        self.extra = None
        self.parent = parent
        self.number = number
        self.known_shape = None

    @property
    def e0(self) -> Node:
        return self.parent

    @property
    def node(self) -> Node:
        return self.parent

    @property
    def index(self) -> int:  # type: ignore[override]
        return self.number

    def edges(self) -> tuple[Any, ...]:
        return (self.parent,)

    def run(self, grad: Any, keep: bool) -> Partial:
        return Partial({self.number: grad})

    run_tensors = run

    @property
    def title(self) -> str:  # type: ignore[override]
        return self.parent.title

    def name(self) -> str:
        return self.parent.name()


_PLAIN = frozenset((int, float, bool, str, slice, type(None), type(...)))


class GeneralNode(Node):
    """A node of any op. One entry per differentiable input in `targets`, `to` and `metas`.

    targets: (parameter, index in a list of tensors or None).  metas: (shape, dtype) of each input, which
    its gradient is fitted to.  values: what is saved, in the order of `op.saved_names`.  outs: (shape, dtype)
    of each output.
    """

    __slots__ = ("targets", "to", "metas", "values", "outs", "label")
    targets: tuple[tuple[str, int | None], ...]
    to: tuple[Any, ...]
    metas: tuple[Any, ...]
    values: Any
    outs: tuple[Any, ...]
    label: str

    def edges(self) -> tuple[Any, ...]:
        return self.to

    def saved(self) -> dict[str, Any]:
        if self.values is FREED:
            return dict.fromkeys(self.op.saved_names, FREED)
        return dict(zip(self.op.saved_names, self.values, strict=True))

    def store(self, name: str, value: Any) -> None:
        self.values = tuple(
            value if own == name else held for own, held in zip(self.op.saved_names, self.values, strict=True)
        )

    @property
    def outputs(self) -> int:
        return len(self.outs) or 1

    @property
    def outputs_known(self) -> bool:  # type: ignore[override]
        return bool(self.outs)

    def release(self) -> None:
        if self.values is not FREED and self.holds(self.values):
            self.values = FREED

    def holds(self, values: Any) -> bool:
        """Return True if a tensor is among the saved values, so that they are freed."""
        if self.op.name == "__getitem__":
            return self.name() == "IndexBackward0"
        for value in values:
            kind = value.__class__
            if kind is tuple or kind is list:
                for each in value:
                    inner = each.__class__
                    if inner not in _PLAIN and (inner is list or hasattr(each, "dtype")):
                        return True
            elif kind not in _PLAIN and (hasattr(value, "dtype") or hasattr(value, "unpack_hook")):
                return True
        return False

    def name(self) -> str:
        return self.label

    @property
    def title(self) -> str:  # type: ignore[override]
        return self.label


# The edge of a leaf whose gradients are lost.  A view made under no_grad of what requires grad requires it too, but in
# PyTorch no gradient arrives at it, nor at its base.  All such views share this edge, until one is given hooks or asked
# for as an input.
DISCARD: AccumulateGrad = object.__new__(AccumulateGrad)
DISCARD.rank = 0
DISCARD.extra = DISCARD.grad = DISCARD.memory = DISCARD.known_shape = DISCARD.product = None
DISCARD.post_accumulate = {}  # sends the walk on its slower way, where gradients for it are dropped
DISCARD.ref = lambda: None  # type: ignore[assignment]


def own_edge(tensor: Any) -> Any:
    """Return the edge of a tensor, which one whose gradients are lost is given now."""
    if tensor._edge is DISCARD:
        tensor._edge = AccumulateGrad(tensor)
    return tensor._edge
