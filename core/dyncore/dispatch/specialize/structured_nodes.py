"""Node classes of the ops in `hot`, one for each set of tensors that may be given, with `run` written for it.

For `linear(input, weight)`, whose rules want (g, weight) and (g, input), the source is

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

which takes half as long as the general loop over targets, edges and rules (tests/bench, RNN by hand).
A node with one input is `single`, so that backward needs neither pairs nor a heap for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.graph import versions
from dyncore.graph.node import FREED, AccumulateGrad
from dyncore.tensors.tensor import wrap

from ..broadcast import fit, fit_tensor
from ..formulas.constants import real
from ..general_nodes import Run
from ..higher_order import with_zero_gradients, wrap_saved
from ..outer import Outer
from ..registry import Op, is_gradient
from ..saved.saved import check_unchanged, saved_values, second_time

__dyncore__ = True

# Saved names that no derivative asked for needs, by op, targets, and which of these have no edge: `saved` is called for
# each op of a recording that keeps something, and took 3 us (of `max` recorded).
_HIDDEN: dict[Any, tuple[str, ...]] = {}


def _unwanted(op: Op, targets: Any, absent: tuple[bool, ...]) -> tuple[str, ...]:
    """Return the saved names that only derivatives for absent edges need."""
    rules, wanted = op.rule_arguments, set[str]()
    for (name, _), left_out in zip(targets, absent, strict=True):
        if not left_out:
            wanted.update(rules["joint"] if "joint" in rules else rules.get(name, ()))
    return tuple(name for name in op.saved_names if name not in wanted)


class Ranked:
    """Stands for an array in the choice of a title that asks for nothing but its number of dimensions."""

    __slots__ = ("ndim",)

    def __init__(self, ndim: int) -> None:
        self.ndim = ndim


class Hot(Run):
    """fits: shape and dtype of each input, flat.

    label: the title, or what its chooser is to be called with, for an array its number of dimensions.
    """

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
        if label.__class__ is str:
            return label
        arrays = self.op.tensor_names
        known: dict[str, Any] = {
            n: Ranked(v) if n in arrays and v is not None else v
            for n, v in zip(self.op.choose_title.__code__.co_varnames, label, strict=False)
        }
        if "wanted" in known:
            known["wanted"] = {n for (n, _), edge in zip(self.targets, self.to, strict=True) if edge is not None}
        return self.op.choose_title(**known)  # type: ignore[no-any-return]

    @property
    def title(self) -> str:  # type: ignore[override]
        return self.name()


class HotSingle(Hot):
    """Node with one input, whose edge is `e0`, shape `size` and dtype `kind`."""

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


def hot_node(op: Op, names: tuple[str, ...], of_reals: bool) -> Any:
    """Return the node class for gradients of the parameters `names`; with `of_reals`, for real operands."""
    key = "hot", names, of_reals
    if key not in op.nodes:
        op.nodes[key] = _made(op, names, of_reals)
    return op.nodes[key]


def conjugates(op: Op) -> bool:
    """Return True if the op's rules are others for real operands."""
    return any(real(rule) is not rule for rule in op.rules.values())


def _made(op: Op, names: tuple[str, ...], of_reals: bool) -> Any:
    world = {**_WORLD, "op": op}
    for number, name in enumerate(names):
        world[f"rule{number}"] = real(op.rules[name]) if of_reals else op.rules[name]
    exec(compile(_source(op, names), f"<dyncore {op.name} backward>", "exec"), world)
    exec(compile(_source_of_tensors(op, names, of_reals), f"<dyncore {op.name} backward>", "exec"), world)
    namespace = {
        "__slots__": (), "__module__": "dyncore", "op": op, "run": world["run"], "reals": of_reals,
        "run_tensors": world["run_tensors"],
        "targets": tuple((name, None) for name in names), **saved_values(op),
    }  # fmt: skip
    return with_zero_gradients(op, type(op.default_title, (HotSingle if len(names) == 1 else Hot,), namespace))


def _source(op: Op, names: tuple[str, ...]) -> str:
    lines = ["def run(self, grad, keep):"]
    saved = op.saved_names
    if saved:
        lines.append("    values = self.values")
    if op.frees:
        lines += [
            "    if values is FREED: raise second_time(self)",
            "    if versions.newest < self.rank: values = self._ready()",
            "    if not keep: self.values = FREED",
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


def _source_of_tensors(op: Op, names: tuple[str, ...], of_reals: bool) -> str:
    """Write `run_tensors`, for `create_graph`: saved values become Tensors with their history."""
    lines = ["def run_tensors(self, grad, keep):"]
    saved = op.saved_names
    if saved:
        lines.append("    values = self.values")
    if op.frees:
        lines += [
            "    if values is FREED: raise second_time(self)",
            "    if versions.newest < self.rank: values = self._ready()",
            "    if not keep: self.values = FREED",
        ]
    if saved:
        lines.append(f"    {', '.join(f'v_{name}' for name in saved)}, = values")
    numbers = range(len(names))
    lines += ["    e0 = self.e0", "    s0, t0 = self.fits"] if len(names) == 1 else [
        f"    {', '.join(f'e{k}' for k in numbers)} = self.to",
        f"    {', '.join(f's{k}, t{k}' for k in numbers)} = self.fits",
    ]  # fmt: skip
    for name in saved:
        edge = "self" if name == "result" else f"e{names.index(name)}" if name in names else "None"
        lines += [
            f"    if v_{name}.__class__ is ndarray and self.extra is None: v_{name} = wrap(v_{name}, {edge})",
            f"    elif v_{name}.__class__ not in PLAIN: v_{name} = wrap_saved(self, {name!r}, v_{name})",
        ]
    lines.append(f"    rules = op.{'real_' if of_reals else ''}tensor_rules")
    for k, name in enumerate(names):
        wanted = ["grad" if is_gradient(each) else f"v_{each}" for each in op.rule_arguments[name]]
        lines += [
            f"    g{k} = None if e{k} is None else rules[{name!r}]({', '.join(wanted)})",
            f"    if g{k} is not None and (g{k}._array.shape != s{k} or g{k}._array.dtype is not t{k}):",
            f"        g{k} = fit_tensor(g{k}, s{k}, t{k})",
        ]
    single = len(names) == 1
    lines.append("    return g0" if single else f"    return {', '.join(f'(e{k}, g{k})' for k in numbers)}")
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


_WORLD: dict[str, Any] = {
    "FREED": FREED, "versions": versions, "check_unchanged": check_unchanged, "second_time": second_time, "fit": fit,
    "settled": settled, "Outer": Outer, "AccumulateGrad": AccumulateGrad, "ndarray": np.ndarray,
    "__name__": __name__, "__dyncore__": True, "wrap": wrap, "wrap_saved": wrap_saved,
    "fit_tensor": fit_tensor, "PLAIN": frozenset((int, float, bool, str, type(None), tuple, np.dtype)),
}  # fmt: skip
