"""Steps and the tree of paths as the text of a Python function: one line a step, no loop and no lookup.

A straight line beats a loop over tuples by a few percent and reads like the NumPy program it is: `plan.text` shows it.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.tensors.numpy_direct import putmask

from ..steps import Decision, Slot, Step, mark, slots_in
from ..tree import Branch, Path
from .buffers import Buffers, looked_at, writable, writer_of

_SYMBOLS = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.floordiv: "//",
    operator.mod: "%", operator.pow: "**", operator.matmul: "@", operator.and_: "&", operator.or_: "|",
    operator.xor: "^", operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "==",
    operator.ne: "!=",
}  # fmt: skip
_COMPARING = frozenset((np.greater, np.greater_equal, np.less, np.less_equal, np.equal, np.not_equal))
_PREFIX = {operator.neg: "-", operator.invert: "~"}
_WEAK = frozenset((np.add, np.subtract, np.multiply, np.true_divide, np.maximum, np.minimum))
_serials = itertools.count()


class Changed(Exception):
    """A shape that depends on values is not the recorded one."""


def equal(first: Any, second: Any) -> bool:
    """Return what `torch.equal` answers."""
    return bool(first.shape == second.shape and np.equal(first, second).all())


class Text:
    """The lines of a function and the names its globals give to functions and constants."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: dict[str, Any] = {"Changed": Changed, "equal": equal, "__name__": "dyncore.capture.plan",
                                      "__dyncore__": True, "inf": math.inf, "nan": math.nan}  # fmt: skip
        self._known: dict[Any, str] = {}

    def name(self, value: Any, prefix: str = "k") -> str:
        """Return the global that holds `value`."""
        small = isinstance(value, (np.ndarray, np.generic)) and value.size < 16
        key = mark(value) if small else id(value)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = f"{prefix}{len(self._known)}"
            self.names[found] = value
        return found

    def function(self, head: str) -> Any:
        """Compile the function whose first line is `head`."""
        source = "\n".join([head, *self.lines])
        exec(compile(source, f"<dyncore compiled {next(_serials)}>", "exec"), self.names)
        made = self.names["run"]
        made.text = source
        return made


class Scope:
    """Names in a straight line of text: slots loaded so far.

    outside: the text of the array at a position.
    """

    def __init__(
        self, text: Text, buffers: Buffers, loaded: set[int] | None = None, outside: Callable[[int], str] | None = None
    ) -> None:
        self.text = text
        self.buffers = buffers
        self.outside = outside or "E[{}]".format
        self.loaded: set[int] = set() if loaded is None else set(loaded)
        self.places: dict[int, int] = {}
        self.indent = "    "
        self.local: dict[int, str] = {}

    def branch(self) -> Scope:
        made = Scope(self.text, self.buffers, self.loaded, self.outside)
        made.places = dict(self.places)
        made.indent = self.indent + " "
        return made

    def put(self, line: str) -> None:
        self.text.lines.append(self.indent + line)

    def slot(self, slot: Slot) -> str:
        """Return the name of a slot, loaded first if it comes from outside."""
        number = slot.number
        if number in self.local:
            return self.local[number]
        if slot.kind == "constant" and not slot.fresh:
            return self.text.name(slot.value)
        place = self.places.get(number)
        if place is not None:
            return f"b{place}"
        if number not in self.loaded and slot.kind != "made":
            self.loaded.add(number)
            if slot.kind == "constant":
                self.put(f"v{number} = {self.text.name(slot.value)}.copy()")
            else:
                self.put(f"v{number} = {self.outside(slot.place)}")
        return f"v{number}"

    def expression(self, tree: Any) -> str:
        """Return the text of an argument."""
        kind = tree.__class__
        if kind is Slot:
            return self.slot(tree)
        if kind in (int, bool, str, type(None)) or (kind is float and math.isfinite(tree)):
            return repr(tree)
        if not slots_in(tree):
            return self.text.name(tree)
        if kind is tuple:
            return "(" + "".join(f"{self.expression(each)}, " for each in tree) + ")"
        if kind is list:
            return "[" + ", ".join(map(self.expression, tree)) + "]"
        if kind is dict:
            return "{" + ", ".join(f"{key!r}: {self.expression(each)}" for key, each in tree.items()) + "}"
        if kind is slice:
            return f"slice({self.expression(tree.start)}, {self.expression(tree.stop)}, {self.expression(tree.step)})"
        raise AssertionError(f"a step cannot take a {kind.__name__}")

    def step(self, step: Any) -> None:
        """Write one step."""
        if step.kind == "blocks":
            self._blocks(step)
            return
        if step.kind == "join":
            for place, slot in step.copies:
                self.put(f"b{place}[...] = {self.slot(slot)}")
            self.places[step.outs.number] = self.buffers.of[id(step)]
            return
        if step.kind == "write":
            target, source = map(self.slot, step.args)
            self.put(f"{target}[...] = {source}")
            return
        place = self.buffers.of.get(id(step))
        outs = step.outs
        if place is None and self._steady_view(step):
            return
        into = None if place is None else f"b{place}"
        if into is None and outs.__class__ is Slot and step.kind != "call" and writable(step):
            outlet = self.buffers.outlet(outs)
            into = None if outlet is None else f"{self.text.name(outlet, 'f')}()"
        if place is not None and step.kind == "call":
            self._chosen(step, f"b{place}")
            self.places[outs.number] = place
            return
        if into is not None and step.kind == "fill":
            self._filled(step, into, place)
            return
        text = self.call(step, into)
        if place is not None:
            self.places[outs.number] = place
            self.put(text)
            return
        if outs is None:
            self.put(text)
            return
        if outs.__class__ is Slot:
            self._name(outs)
            self.put(f"v{outs.number} = {text}")
            self._check(step, outs)
            return
        self.put(f"t = {text}")
        for key, value in step.plain.items():
            self.put(f"if t[1][{key!r}] != {self.expression(value)}: raise Changed")
        self._unpack(step, "t", outs)

    def _chosen(self, step: Step, into: str) -> None:
        """Write the result of a function to an existing array (tests/bench, early exit)."""
        if step.function is not np.where:
            shown = "".join(f"{self.slot(each)}, " for each in step.args if each.__class__ is Slot)
            scratch = self.buffers.scratch.get(id(step))
            shown += into if scratch is None else f"{into}, b{scratch}"
            self.put(f"{self.text.name(writer_of(step), 'f')}({shown})")
            return
        mask, first, second = map(self.expression, step.args)
        if second.isdigit():
            self.put(f"{into}.fill({second})")
            if step.args[1].__class__ is Slot:
                self.put(f"{self.text.name(putmask, 'f')}({into}, {mask}, {first})")
                return
        else:
            self.put(f"{into}[...] = {second}")
        self.put(f"{self.text.name(np.copyto, 'f')}({into}, {first}, where={mask})")

    def _filled(self, step: Step, into: str, place: int | None) -> None:
        """Write one number to every element; faster than a ufunc."""
        (number,) = map(self.expression, step.args)
        if place is not None:
            self.places[step.outs.number] = place
        else:
            self._name(step.outs)
            self.put(f"v{step.outs.number} = {into}")
            into = f"v{step.outs.number}"
        self.put(f"{into}.fill({number})")

    def _blocks(self, step: Any) -> None:
        """Write steps that are done block by block."""
        flat: dict[int, str] = {}
        for slot in step.results:
            place = step.places.get(slot.number)
            if place is not None:
                self.places[slot.number] = place
            else:
                self._name(slot)
                outlet = self.buffers.outlet(slot)
                self.put(f"v{slot.number} = {self.text.name(outlet, 'f')}()")
        for slot in [*step.inputs, *step.results]:
            name = self.slot(slot)
            if len(slot.shape) > 1:
                self.put(f"r{slot.number} = {name}.reshape(-1)")
                name = f"r{slot.number}"
            flat[slot.number] = name
        scratch = sorted({place for number, place in step.places.items() if number not in flat})
        self.put(f"for s, n in {self.text.name(step.spans)}:")
        inner = Scope(self.text, self.buffers, self.loaded, self.outside)
        inner.places, inner.indent = self.places, self.indent + " "
        for number, name in flat.items():
            inner.put(f"x{number} = {name}[s]")
        for place in scratch:
            inner.put(f"y{place} = b{place} if n is None else b{place}[n]")
        for each in step.steps:
            inner.local = {number: f"x{number}" for number in flat}
            inner.local.update({number: f"y{place}" for number, place in step.places.items() if number not in flat})
            into = inner.local[each.outs.number]
            inner.put(inner.call(each, into))

    def _steady_view(self, step: Step) -> bool:
        """Return whether the step only views a buffer; then that view is made once, with the buffer."""
        place = self.places.get(looked_at(step))
        if place is None:
            return False
        self.places[step.outs.number] = self.buffers.view(place, step)
        return True

    def _unpack(self, step: Step, name: str, outs: Any) -> None:
        parts = outs.items() if isinstance(outs, dict) else enumerate(outs)
        for key, each in list(parts):
            if each.__class__ is Slot:
                self._name(each)
                self.put(f"v{each.number} = {name}[{key!r}]")
                self._check(step, each)
            elif each is not None:
                self.put(f"{name}_ = {name}[{key!r}]")
                self._unpack(step, f"{name}_", each)

    def _name(self, slot: Slot) -> None:
        self.places.pop(slot.number, None)
        self.loaded.add(slot.number)

    def _check(self, step: Step, slot: Slot) -> None:
        if step.checked and (slot.shape or not slot.scalar):
            self.put(f"if v{slot.number}.shape != {slot.shape!r}: raise Changed")

    def call(self, step: Step, into: str | None) -> str:
        function, args = step.function, step.args
        if step.kind == "attribute":
            return f"{self.slot(args[0])}.{function}"
        if step.kind == "operator":
            shown = [self.expression(each) for each in args]
            if function in _PREFIX:
                return f"{_PREFIX[function]}{shown[0]}"
            if function in _SYMBOLS:
                return f"{shown[0]} {_SYMBOLS[function]} {shown[1]}"
            return f"{self.text.name(function, 'f')}({', '.join(shown)})"
        if step.kind == "call" and function is operator.getitem:
            return f"{self.slot(args[0])}[{self.expression(args[1])}]"
        if step.kind == "ufunc":
            args = tuple(_strong(each, step) for each in args)
        shown = [self.expression(each) for each in args]
        shown += [f"{key}={self.expression(each)}" for key, each in step.kwargs.items()]
        if into is not None:
            # np.maximum and np.minimum warn when the place is not named.
            shown.append(f"out={into}" if function in (np.maximum, np.minimum) else into)
        if step.kind == "method":
            return f"{shown[0]}.{function}({', '.join(shown[1:])})"
        return f"{self.text.name(function, 'f')}({', '.join(shown)})"


def _strong(value: Any, step: Step) -> Any:
    """Return a number as the 0-d array it becomes anyway."""
    out = step.outs
    if out.scalar:
        return value
    if value.__class__ is Slot:
        if value.kind == "constant" and value.scalar and not value.fresh:
            return np.asarray(value.value)
        return value
    if value.__class__ in (int, float):
        if step.function in _COMPARING:  # NumPy compares in the array's dtype
            kinds = {slot.dtype for slot in slots_in(step.args) if not slot.scalar}
            return np.array(value, kinds.pop()) if len(kinds) == 1 and min(kinds).kind == "f" else value
        if out.dtype.kind == "f" and step.function in _WEAK:
            return np.array(value, out.dtype)
    return value


_HOW = {
    "__bool__": "bool({})", "item": "{number}", "__float__": "float({number})", "__int__": "int({number})",
    "__index__": "int({number})", "__complex__": "complex({number})", "tolist": "{}.tolist()",
    "equal": "equal({}, {})", "allclose": "bool({}.all())",
}  # fmt: skip
_NUMBERS = {"f": "float({})", "i": "int({})", "u": "int({})", "b": "bool({})"}


def forward_function(root: Branch, buffers: Buffers) -> Any:
    """Return `run(E, W)` of a tree: E the arrays from outside, W a workspace.

    It returns (path number, outputs, saved) or (-1, number of the decision, the new value there).
    """
    text = Text()
    branched(Scope(text, buffers), root, _returned, None)
    text.lines.insert(0, buffers.unpacked("W"))
    return text.function("def run(E, W):")


def branched(
    scope: Scope, branch: Branch, ended: Callable[[Scope, Path], None], missed: list[str] | None, depth: int = 0
) -> None:
    """Write a branch and all below it; the largest child goes on at the same indentation, so nesting stays shallow.

    ended: writes the end of a path.  missed: the lines for a value that nobody has seen; without them it is returned.
    """
    while True:
        for step in branch.steps:
            scope.step(step)
        if branch.end is not None:
            ended(scope, branch.end)
            return
        decision = branch.decision
        assert decision is not None
        value = _value(decision, list(map(scope.slot, decision.slots)))
        children = sorted(branch.children.items(), key=lambda pair: pair[1].size())
        plain = missed is not None and all(each.__class__ is bool for each in branch.children)
        if not plain:
            scope.put(f"d = {value}")
        for outcome, child in children[:-1]:
            scope.put(f"if {_asked(outcome, value) if plain else _is(outcome)}:")
            branched(scope.branch(), child, ended, missed, depth + 1)
        outcome, branch = children[-1]
        if not plain or len(children) < 2:
            test = _asked(not outcome, value) if plain else f"not ({_is(outcome)})"
            scope.put(f"if {test}: {'; '.join(missed) if missed is not None else f'return -1, {depth}, d'}")
        depth += 1


def _value(decision: Decision, names: list[str]) -> str:
    """Return the text of what left for Python; `float(x)` is faster than `x.item()` (bench, early exit)."""
    how, _, compared = decision.how.partition(" ")
    slot = decision.slots[0]
    plain = slot.scalar and slot.dtype.itemsize <= 8
    number = (_NUMBERS.get(slot.dtype.kind) if plain else None) or "{}.item()"
    return f"{_HOW[how].format(*names, number=number.format(names[0]))} {compared}".rstrip()


def _asked(outcome: bool, value: str) -> str:
    """Return the test that a value is true, or is not."""
    if value.startswith("bool(") and value.endswith(")") and value.count(")") == 1:
        value = value[5:-1]
    return value if outcome else f"not {value}" if value.isidentifier() else f"not ({value})"


def _is(outcome: Any) -> str:
    """Return the test that the value `d` has this outcome."""
    if outcome.__class__ is bool:
        return f"d is {outcome}"
    if outcome.__class__ is int:
        return f"d == {outcome}"
    kind, shown = outcome
    if kind == "float" and shown not in ("nan", "inf", "-inf", "0.0", "-0.0"):
        return f"d == {shown}"
    return f"repr(d) == {shown!r}"


def _returned(scope: Scope, path: Path) -> None:
    """Write the end of a path in `run(E, W)`; settle which saved values are handed over and which lie ready."""
    outs = "".join(f"{scope.slot(each.slot)}, " for each in path.outputs)
    returned = {each.slot.root.number for each in path.outputs}
    for saved in path.saved:
        number, slot = saved.number, path.alias.get(saved.number, saved)
        place = scope.places.get(slot.number)
        if place is not None:
            path.places[number] = place
            path.holds = True
            continue
        if slot.root.kind == "external":
            path.watched.append((f"input{slot.root.place}_{number}", len(path.kept)))
        elif slot.root.number in returned:
            path.watched.append((f"result{len(path.kept)}", len(path.kept)))
        path.kept.append(number)
        path.holds = path.holds or slot.root.number in scope.places
    for segment in path.segments:
        segment.watched = [pair for pair in path.watched if path.kept[pair[1]] in segment.wants]
    scope.put(f"return {path.number}, ({outs}), {kept(scope, path)}")


def kept(scope: Scope, path: Path) -> str:
    """Return the text of the values that a path hands over to its nodes."""
    slots = {saved.number: path.alias.get(saved.number, saved) for saved in path.saved}
    return f"({''.join(f'{scope.slot(slots[number])}, ' for number in path.kept)})"


def decision_text(decision: Decision) -> str:
    """Return `bool(...)` as a user reads it."""
    how, _, compared = decision.how.partition(" ")
    shown = {"__bool__": "bool()", "item": ".item()", "tolist": ".tolist()"}.get(how, how.strip("_") + "()")
    return f"{shown} {compared}".rstrip()
