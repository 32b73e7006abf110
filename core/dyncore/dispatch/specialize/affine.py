"""The entry of `linear` on one vector or a matrix of rows, whose gradients have their operands' shapes by construction.

As for other products (`specialize/products.py`), nothing but the operands is kept for backward.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter as now
from typing import TYPE_CHECKING, Any

import numpy as np

from dyncore.dtypes.dtypes import F32, F64
from dyncore.graph import versions
from dyncore.graph.forms import known_shape_of
from dyncore.graph.modes import GRAD, NO_GRAD, current, nondefault_modes
from dyncore.graph.node import FREED, AccumulateGrad, Node, ranks
from dyncore.graph.swift import BinaryNode
from dyncore.tensors.tensor import Tensor

from .. import entries as dispatch
from ..broadcast import fit_tensor
from ..formulas.constants import real
from ..general import check_savable
from ..higher_order import as_saved
from ..nodes import binary_derivatives, node_class, ready
from ..outer import MOST_ROWS, Outer, dense
from ..registry import TABLE, Op
from .structured_nodes import Ranked

__capture__ = "replayed"

__dyncore__ = True

new = object.__new__
getframe = sys._getframe


class Affine(Node):
    """input @ weight.T + bias.  e0, e1, e2: their edges.  s0, s1: the input and the weight, where they are needed."""

    __slots__ = ("e0", "e1", "e2", "s0", "s1", "known_shape")
    quiet = True
    expand = True  # whether the node still knows its weight itself
    e0: Any
    e1: Any
    e2: Any
    s0: Any
    s1: Any

    def edges(self) -> tuple[Any, ...]:
        return (self.e0, self.e1, self.e2)

    @property
    def to(self) -> tuple[Any, ...]:
        return self.edges()

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """Pairs (node, output number) that gradients flow to, with PyTorch's transpose of the weight between."""
        if self.expand and self.title in ("AddmmBackward0", "MmBackward0"):
            from .expanded import expand

            expand(self)
        return super().next_functions

    def saved(self) -> dict[str, Any]:
        return {"weight": self.s1, "input": self.s0}

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        return [(edge, g) for edge, g in zip(self.to, self.each(grad, keep), strict=True) if edge is not None]

    if TYPE_CHECKING:  # written for each op

        def each(self, grad: Any, keep: bool) -> list[Any]: ...

    def store(self, name: str, value: Any) -> None:
        if name == "input":
            self.s0 = value
        else:
            self.s1 = value

    def release(self) -> None:
        self.s0 = self.s1 = FREED


class Unbiased(Affine):
    """The same without a bias."""

    __slots__ = ()
    e2 = None

    def edges(self) -> tuple[Any, ...]:
        return (self.e0, self.e1)


def product_of(op: Op) -> Callable[..., Any]:
    """What computes `linear` of a vector or of rows: called with operands and a frame, which is the user's or above it.

    It gives the array and the node, or None for it where nothing is recorded; None for both if it does not take this.
    """
    add = np.add
    biased: list[Any] = [None, None, None]  # the node classes by the number of dimensions
    bare: list[Any] = [None, None, None]

    def made(ndim: int, bias: bool) -> Any:
        found = (biased if bias else bare)[ndim] = affine_node(op, ndim, bias)
        return found

    def product(input: Any, weight: Any, bias: Any, frame: Any) -> Any:
        mode = current() if nondefault_modes else GRAD
        if mode is not GRAD and mode is not NO_GRAD:
            return None
        try:
            a, w, e0, e1 = input._array, weight._array, input._edge, weight._edge
            ndim, dtype = a.ndim, a.dtype
        except AttributeError:  # not two Tensors
            return None
        if not 0 < ndim < 3 or w.ndim != 2 or dtype is not w.dtype or (dtype is not F32 and dtype is not F64):
            return None
        if bias is None:
            b = e2 = None
        elif not isinstance(bias, Tensor):
            return None
        else:
            b, e2 = bias._array, bias._edge
            if b.ndim != 1 or b.dtype is not dtype or len(b) != len(w):
                return None
            if ndim == 1 and not (a.flags.c_contiguous and b.flags.c_contiguous):
                return None  # the node has another name
        # What the op's block does, whose questions are answered here already: 0.3 us of 2.4 (bench, nn.RNNCell).
        try:
            r = a.dot(w.T)
        except ValueError:
            return None  # the op says it in PyTorch's words
        if b is not None:
            row = r[0] if ndim == 2 and len(a) == 1 else r
            add(row, b, row)
        if mode is not GRAD or (e0 is None and e1 is None and e2 is None):
            return r, None
        if b is None:
            node = (bare[ndim] or made(ndim, False))()
        else:
            node = (biased[ndim] or made(ndim, True))()
            node.e2 = e2
        node.e0 = e0
        node.e1 = e1
        node.known_shape = known_shape_of(r) if dtype is F32 else None
        if e1 is None:
            node.s0 = None
            if weight._meta is not None:
                check_savable(weight)
        else:
            node.s0 = a
        if e0 is None:
            node.s1 = None
            if e1 is not None and input._meta is not None:
                check_savable(input)
        else:
            node.s1 = w
        node.rank = next(ranks)
        while "__dyncore__" in frame.f_globals:
            frame = frame.f_back
        node.code = frame.f_code
        node.lasti = frame.f_lasti
        node.extra = None
        return r, node

    return product


def entry_of(op: Op, usual: Callable[..., Any]) -> Callable[..., Any]:
    """The entry of `linear`; what `product_of` does not take goes to `usual`."""
    product = product_of(op)

    def entry(input: Any, weight: Any, bias: Any = None, **more: Any) -> Any:
        if more:
            return usual(input, weight, bias, **more)
        listener = dispatch.listener
        started = 0 if listener is None else now()
        found = product(input, weight, bias, getframe(1))
        if found is None:
            return usual(input, weight, bias)
        result = new(Tensor)
        result._array, result._edge = found
        result._meta = None
        if listener is not None:
            given = (input, weight) if bias is None else (input, weight, bias)
            listener.op(op, given, {}, result, started, now())
        return result

    return entry


def sum_of(op: Op, plus: Op) -> Callable[..., Any]:
    """linear(x, w, b) + linear(h, u, c), as a recurrent cell's `forward` has it.

    The nodes are those of three ops; two tensors and two looks for the user's line are spared: 8.9 to 7.65 us (bench,
    nn.RNNCell).
    """
    product, add = product_of(op), np.add
    way32, way64 = (binary_derivatives(plus, (dtype, False)).both for dtype in (F32, F64))

    def both(x: Any, w: Any, b: Any, h: Any, u: Any, c: Any) -> Any:
        if dispatch.listener is not None:
            return op.entry(x, w, b) + op.entry(h, u, c)
        frame: Any = getframe(2)  # the cell's `forward` was called by it
        while "__dyncore__" in frame.f_globals:
            frame = frame.f_back
        found, other = product(x, w, b, frame), product(h, u, c, frame)
        if found is None or other is None:
            return op.entry(x, w, b) + op.entry(h, u, c)
        (r, first), (s, second) = found, other
        if (first is None) is not (second is None) or r.dtype is not s.dtype or r.shape != s.shape:
            return op.entry(x, w, b) + op.entry(h, u, c)
        result = new(Tensor)
        result._array = add(r, s, r)
        result._meta = None
        result._edge = None
        if first is not None:
            result._edge = node = BinaryNode()
            node.known_shape = None
            node.vjp = way32 if r.dtype is F32 else way64
            node.e0 = first
            node.e1 = second
            node.s0 = node.s1 = None
            node.rank = next(ranks)
            node.code = frame.f_code
            node.lasti = frame.f_lasti
        return result

    return both


def affine_node(op: Op, ndim: int, bias: bool) -> Any:
    """The node class for inputs of so many dimensions, with or without a bias."""
    names = op.tensor_names if bias else op.tensor_names[:2]
    key = "affine", ndim, bias
    if key not in op.nodes:
        assert op.choose_title is not None
        methods = {
            "run": _run(op, ndim),
            "each": _each(op, ndim, bias),
            "title": op.choose_title((1,) * ndim, Ranked(1) if bias else None, True),
            "targets": tuple((name, None) for name in names),
        }
        op.nodes[key] = node_class(op, Affine if bias else Unbiased, (), methods)
    return op.nodes[key]


def _run(op: Op, ndim: int) -> Callable[..., Any]:
    """What the rules of the op's block do with one vector or a few rows: 1.5 to 1.0 us (bench, nn.RNNCell)."""
    weights, biases = real(op.rules["weight"]), real(op.rules["bias"])

    def run(self: Any, grad: Any, keep: bool) -> Any:
        s0, s1 = self.s0, self.s1
        if s0 is FREED or versions.newest < self.rank:
            s0, s1 = ready(self, s0), self.s1
        if not keep:
            self.s0 = self.s1 = FREED
        e0, e1, e2 = self.e0, self.e1, self.e2
        rows = 1 if ndim == 1 else len(grad)
        g0 = g1 = g2 = None
        if e0 is not None:
            g0 = grad.dot(s1)
        if e1 is not None:
            g1 = Outer(grad, s0) if rows <= MOST_ROWS else weights(grad, s0)
            if e1.__class__ is not AccumulateGrad:
                g1 = dense(g1)
        if e2 is not None:
            g2 = grad if ndim == 1 else grad[0] if rows == 1 else biases(grad)
        return (e0, g0), (e1, g1), (e2, g2)

    return run


def _each(op: Op, ndim: int, bias: bool) -> Callable[..., Any]:
    def each(self: Any, grad: Any, keep: bool) -> list[Any]:
        """The gradients of the operands as Tensors, None where none is wanted."""
        s0, s1 = ready(self, self.s0), self.s1
        e0, e1 = self.to[:2]
        weight = None if e0 is None else as_saved(self, "weight", s1, e1)
        input = None if e1 is None else as_saved(self, "input", s0, e0)
        if not keep:
            self.release()
        if ndim == 1:
            grad, input = _row(grad, bias), _row(input, bias)
        rules = op.real_tensor_rules
        back = None if e0 is None else rules["input"](grad, weight)
        if back is not None and ndim == 1:
            back = (
                TABLE["view"].entry(back, grad.shape[1:] if weight is None else weight.shape[1:])
                if bias
                else TABLE["squeeze"].entry(back, 0)
            )
        found = [back, None if e1 is None else rules["weight"](grad, input)]
        if bias:
            found.append(None if self.e2 is None else fit_tensor(rules["bias"](grad), grad.shape[1:], grad.dtype.numpy))
        return found

    return each


def _row(vector: Any, bias: bool) -> Any:
    """A vector as a row: PyTorch views it as one where there is a bias, and adds a dimension else."""
    if vector is None:
        return None
    return TABLE["reshape"].entry(vector, (1, -1)) if bias else TABLE["unsqueeze"].entry(vector, 0)
