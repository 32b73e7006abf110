"""The tree of paths as text: steps, tests of what was decided, and what is done at the end of each path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..program import Decision
from ..tree import Branch, Path
from .buffers import Buffers
from .writing import Scope, Text

_HOW = {
    "__bool__": "bool({})", "item": "{number}", "__float__": "float({number})", "__int__": "int({number})",
    "__index__": "int({number})", "__complex__": "complex({number})", "tolist": "{}.tolist()",
    "equal": "equal({}, {})", "allclose": "bool({}.all())",
}  # fmt: skip
_NUMBERS = {"f": "float({})", "i": "int({})", "u": "int({})", "b": "bool({})"}


def forward_function(root: Branch, buffers: Buffers) -> Any:
    """`run(E, W)` of a tree: E the arrays from outside, W a workspace.

    Gives (path number, outputs, saved) or (-1, number of the decision, the value nobody has seen there).
    """
    text = Text()
    branched(Scope(text, buffers), root, _returned, None)
    text.lines.insert(0, buffers.unpacked("W"))
    return text.function("def run(E, W):")


def branched(
    scope: Scope, branch: Branch, ended: Callable[[Scope, Path], None], missed: list[str] | None, depth: int = 0
) -> None:
    """Writes a branch and all below it; the largest child goes on at the same indentation, so nesting stays shallow.

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
    """The text of what left for Python.  `float(x)` of a scalar takes 0.03 us, its `item()` 0.35: bench, early exit."""
    how, _, compared = decision.how.partition(" ")
    slot = decision.slots[0]
    plain = slot.scalar and slot.dtype.itemsize <= 8
    number = (_NUMBERS.get(slot.dtype.kind) if plain else None) or "{}.item()"
    return f"{_HOW[how].format(*names, number=number.format(names[0]))} {compared}".rstrip()


def _asked(outcome: bool, value: str) -> str:
    """The test that a value is true, or is not."""
    if value.startswith("bool(") and value.endswith(")") and value.count(")") == 1:
        value = value[5:-1]
    return value if outcome else f"not {value}" if value.isidentifier() else f"not ({value})"


def _is(outcome: Any) -> str:
    """The test that the value `d` has this outcome."""
    if outcome.__class__ is bool:
        return f"d is {outcome}"
    if outcome.__class__ is int:
        return f"d == {outcome}"
    kind, shown = outcome
    if kind == "float" and shown not in ("nan", "inf", "-inf", "0.0", "-0.0"):
        return f"d == {shown}"
    return f"repr(d) == {shown!r}"


def _returned(scope: Scope, path: Path) -> None:
    """The end of a path in `run(E, W)`; settles which of what backward wants is handed over, and what lies ready."""
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
    """The text of the values that a path hands over to its nodes."""
    slots = {saved.number: path.alias.get(saved.number, saved) for saved in path.saved}
    return f"({''.join(f'{scope.slot(slots[number])}, ' for number in path.kept)})"


def decision_text(decision: Decision) -> str:
    """`bool(...)` as a user reads it."""
    how, _, compared = decision.how.partition(" ")
    shown = {"__bool__": "bool()", "item": ".item()", "tolist": ".tolist()"}.get(how, how.strip("_") + "()")
    return f"{shown} {compared}".rstrip()
