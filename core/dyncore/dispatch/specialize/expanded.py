"""`linear` as the two nodes PyTorch has for it, a product and the transpose of the weight, once somebody looks.

A node of `linear` knows its weight itself, which is half the work.  Who asks what lies behind it is shown
`AddmmBackward0(bias, input, TBackward0(weight))`; from then on the node is of a class that is that.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from dyncore.graph.running import running
from dyncore.graph.swift import OwnUnaryNode

from ..registry import TABLE


class TBackward0(OwnUnaryNode):
    """The transpose of a weight, between it and the product it went into."""

    __slots__ = ()
    title = "TBackward0"

    def saved(self) -> dict[str, Any]:
        return {}

    def release(self) -> None:
        pass

    def run(self, grad: Any, keep: bool) -> Any:
        return grad.T

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        return TABLE["t"].entry(grad)


def expand(node: Any) -> Any:
    """The node of `linear` over rows, from now on as PyTorch has it; during a backward as it is."""
    if running.get() is None:
        weight = node.e1
        node.__class__ = _expanded(node.__class__)
        if weight is not None:
            between = node.e1 = TBackward0()
            between.e0 = weight
            between.s0 = between.extra = None
            between.rank = node.rank + 0.5  # older than the product, newer than what it was made of
            between.code, between.lasti = node.code, node.lasti
    return node


@cache
def _expanded(kind: Any) -> Any:
    biased = len(kind.targets) == 3

    def edges(self: Any) -> tuple[Any, ...]:
        return (self.e2, self.e0, self.e1) if biased else (self.e0, self.e1)

    def to(self: Any) -> tuple[Any, ...]:
        """The edges of what was given, in the order of the parameters."""
        weight = None if self.e1 is None else self.e1.e0
        return (self.e0, weight, self.e2) if biased else (self.e0, weight)

    def run(self: Any, grad: Any, keep: bool) -> Any:
        first, (between, weight), *bias = kind.run(self, grad, keep)
        return *bias[: len(kind.targets) - 2], first, (between, None if weight is None else weight.T)

    def run_tensors(self: Any, grad: Any, keep: bool) -> Any:
        found = dict(zip(kind.targets, kind.each(self, grad, keep), strict=True))
        between = found["weight", None]
        found["weight", None] = None if between is None else TABLE["t"].entry(between)
        order = [name for name in ("bias", "input", "weight") if (name, None) in found]
        return [(edge, found[name, None]) for edge, name in zip(edges(self), order, strict=True)]

    methods = {"edges": edges, "to": property(to), "run": run, "run_tensors": run_tensors, "expand": False}
    return type(kind.__name__, (kind,), {"__slots__": (), "__module__": "dyncore", **methods})
