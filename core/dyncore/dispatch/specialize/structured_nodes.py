"""The node classes of structured ops, one for each set of tensors that may be given, with `run` written for it.

For an op whose rules want (g, weight) and (g, input) the text is

    def run(self, grad, keep):
        values = self.values
        if values is FREED: raise second_time(self)
        if versions.newest < self.rank: values = self._ready()
        if not keep: self.values = FREED
        v_input, v_weight = values
        e0, e1 = self.to
        s0, t0, s1, t1 = self.fits
        ...
        return (e0, g0), (e1, g1)

A node with one input is `single`, so that backward needs neither pairs nor a heap for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.graph import versions
from dyncore.graph.node import FREED, AccumulateGrad

from ..broadcast import fit
from ..general_nodes import Run
from ..higher_order import with_zero_gradients
from ..outer import Outer
from ..registry import Op, is_gradient
from ..saved.attributes import saved_values
from ..saved.changed import check_unchanged, second_time

# Saved names that no derivative asked for needs, by op, targets, and which of these have no edge: a recording asks for
# them at each op that keeps something.
_HIDDEN: dict[Any, tuple[str, ...]] = {}


def _unwanted(op: Op, targets: Any, absent: tuple[bool, ...]) -> tuple[str, ...]:
    """Return the saved names that only derivatives for absent edges need."""
    rules, wanted = op.rule_arguments, set[str]()
    for (name, _), left_out in zip(targets, absent, strict=True):
        if not left_out:
            wanted.update(rules.get(name, ()))
    return tuple(name for name in op.saved_names if name not in wanted)


class StructuredNode(Run):
    """A node of an op of any signature.  fits: shape and dtype of each input, flat."""

    __slots__ = ("e0", "fits")
    outs = ()
    e0: Any
    fits: tuple[Any, ...]

    def saved(self) -> dict[str, Any]:
        """Return the values by name, None for those that no derivative asked for needs."""
        found = super().saved()
        absent = tuple([edge is None for edge in self.to])
        key = self.op, self.targets, absent
        hidden = _HIDDEN.get(key)
        if hidden is None:
            hidden = _HIDDEN[key] = _unwanted(self.op, self.targets, absent)
        if hidden:
            found |= {name: None for name in hidden if found[name] is not FREED}
        return found

    @property
    def metas(self) -> Any:  # type: ignore[override]
        return tuple(zip(self.fits[::2], self.fits[1::2], strict=True))

    def name(self) -> str:
        label: Any = self.label
        return label if label.__class__ is str else self.op.choose_title(*label)

    @property
    def title(self) -> str:  # type: ignore[override]
        return self.name()


class StructuredUnaryNode(StructuredNode):
    """A node with one input, whose edge is `e0`, shape `size` and dtype `kind`."""

    __slots__ = ("size", "kind")
    single = True
    size: tuple[int, ...]
    kind: np.dtype[Any]

    @property
    def fits(self) -> Any:  # type: ignore[override]
        return self.size, self.kind

    @property
    def to(self) -> Any:  # type: ignore[override]
        return (self.e0,)

    def edges(self) -> tuple[Any, ...]:
        return (self.e0,)

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        ((_, gradient),) = Run.run_tensors(self, grad, keep)
        return gradient


def settled(grad: Any, edge: Any, shape: Any, dtype: Any) -> Any:
    """Bring to shape and dtype what a rule gave that is no array: None, a scalar, or a sum of outer products."""
    if grad is None:
        return grad
    if grad.__class__ is Outer:
        grad = grad.dense()
    return grad if grad.shape == shape and grad.dtype is dtype else fit(grad, shape, dtype)


def structured_node(op: Op, names: tuple[str, ...]) -> Any:
    """Return the node class for gradients of the parameters `names`, made once."""
    key = "structured", names
    if key not in op.nodes:
        world = {**_WORLD, **{f"rule{number}": op.rules[name] for number, name in enumerate(names)}}
        exec(compile(_source(op, names), f"<dyncore {op.name} backward>", "exec"), world)
        namespace = {
            "__slots__": (), "__module__": "dyncore", "op": op, "run": world["run"],
            "targets": tuple((name, None) for name in names), **saved_values(op),
        }  # fmt: skip
        base = StructuredNode if len(names) > 1 else StructuredUnaryNode
        op.nodes[key] = with_zero_gradients(op, type(op.default_title, (base,), namespace))
    return op.nodes[key]


def _source(op: Op, names: tuple[str, ...]) -> str:
    lines = ["def run(self, grad, keep):"]
    saved = op.saved_names
    if saved:
        lines.append("    values = self.values")
    loose = [name for name in saved if op.forward.__annotations__.get(name) in (object, "object")]  # may hold tensors
    if op.frees or loose:
        given = [f"values[{saved.index(name)}]" for name in loose]
        asked = " or ".join(f"({each}.__class__ not in BASIC and may_hold({each}))" for each in given)
        freed = "not keep" if op.frees else f"not keep and ({asked}) and self.holds(values)"
        lines += [
            "    if values is FREED: raise second_time(self)",
            "    if versions.newest < self.rank: values = self._ready()",
            f"    if {freed}: self.values = FREED",
        ]
    if saved:
        lines.append(f"    {', '.join(f'v_{name}' for name in saved)}, = values")
    if len(names) == 1:
        lines += [*_gradient(op, names[0], 0, "self.e0", "self.size", "self.kind", "    "), "    return g0"]
        return "\n".join(lines)
    numbers = range(len(names))
    lines += [
        f"    {', '.join(f'e{k}' for k in numbers)} = self.to",
        f"    {', '.join(f's{k}, t{k}' for k in numbers)} = self.fits",
    ]
    for k, name in enumerate(names):
        lines += [f"    if e{k} is None: g{k} = None", "    else:"]
        lines += _gradient(op, name, k, f"e{k}", f"s{k}", f"t{k}", "        ")
    lines.append(f"    return {', '.join(f'(e{k}, g{k})' for k in numbers)}")
    return "\n".join(lines)


def _gradient(op: Op, name: str, number: int, edge: str, shape: str, dtype: str, indent: str) -> list[str]:
    """Return the lines that compute one gradient and bring it to its input's shape and dtype."""
    wanted = ["grad" if is_gradient(each) else f"v_{each}" for each in op.rule_arguments[name]]
    g = f"g{number}"
    return [
        f"{indent}{g} = rule{number}({', '.join(wanted)})",
        f"{indent}if {g}.__class__ is ndarray:",
        f"{indent}    if {g}.shape != {shape} or {g}.dtype is not {dtype}: {g} = fit({g}, {shape}, {dtype})",
        f"{indent}elif {g}.__class__ is not Outer or {edge}.__class__ is not AccumulateGrad:",
        f"{indent}    {g} = settled({g}, {edge}, {shape}, {dtype})",
    ]


_BASIC = frozenset((int, float, slice, type(None), type(...)))  # in an index, of no tensor


def _may_hold(value: Any) -> bool:
    """Return whether there may be a tensor in an index, as which PyTorch takes lists, True and False."""
    return value.__class__ is not tuple or any(each.__class__ not in _BASIC for each in value)


_WORLD: dict[str, Any] = {
    "FREED": FREED, "BASIC": _BASIC, "may_hold": _may_hold, "versions": versions, "check_unchanged": check_unchanged,
    "second_time": second_time, "fit": fit, "settled": settled, "Outer": Outer, "AccumulateGrad": AccumulateGrad,
    "ndarray": np.ndarray, "__name__": __name__, "__dyncore__": True,
}  # fmt: skip
