"""The first decision at which two runs part, in the order in which things happened.

Both runs decide alike up to some test.  A `for` loop is decided step by step, though a record notes it once, where it
began: it parts where one run is given another item and the other is not, unless a test in an earlier step parted first.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from dyncli.query.diff.model import Parting
from dyncli.query.diff.sites import Keys
from dyncli.record.model import Decision, Record

Both = tuple[Decision, Decision]


def parting(a: Record, b: Record, keys: Keys) -> Parting | None:
    """Return where two runs part, or None where every decision agrees."""
    kept = [list(record.decisions) for record in (a, b)]
    first = [each for each in kept[0] if keys.is_shared(keys.a(each.site))]
    second = [each for each in kept[1] if keys.is_shared(keys.b(each.site))]
    common = _common(first, second, keys)
    next_a = first[common] if common < len(first) else None
    next_b = second[common] if common < len(second) else None
    agreed = list(zip(first[:common], second[:common]))
    loop = _parted_loop(a, b, agreed, next_a, next_b)
    if loop is not None:
        return Parting(loop[0].seq, loop[1].seq, "arm")
    if next_a is not None and next_b is not None and keys.a(next_a.site) == keys.b(next_b.site):
        return Parting(next_a.seq, next_b.seq, "arm" if next_a.phase == next_b.phase else "elsewhere")
    own_a = _own(kept[0], first, common, keys.a, keys)
    own_b = _own(kept[1], second, common, keys.b, keys)
    if next_a is not None or next_b is not None:
        return Parting(_seq(own_a or next_a), _seq(own_b or next_b), "elsewhere")
    return _only(kept, keys)


def _common(a: Sequence[Decision], b: Sequence[Decision], keys: Keys) -> int:
    """Return how many decisions from the start went the same way."""
    count = 0
    for x, y in zip(a, b):
        same = x.phase == y.phase and keys.a(x.site) == keys.b(y.site)
        if not same or ((x.trips is None or y.trips is None) and x.arm != y.arm):
            break
        count += 1
    return count


def _seq(decision: Decision | None) -> int | None:
    return None if decision is None else decision.seq


def _own(every: list[Decision], shared: list[Decision], common: int, key_of: object, keys: Keys) -> Decision | None:
    """Return the first decision after the common ones that only this version of the script has."""
    after = shared[common - 1].seq if common else -1
    before = shared[common].seq if common < len(shared) else len(every) + after + 1
    between = (each for each in every if after < each.seq < before)
    return next((each for each in between if not keys.is_shared(key_of(each.site))), None)  # type: ignore[operator]


def _only(kept: list[list[Decision]], keys: Keys) -> Parting | None:
    """Return the earliest decision that only one version of the script has."""
    places: list[tuple[int, int] | None] = []
    for decisions, key_of in zip(kept, (keys.a, keys.b)):
        alone = next((n for n, each in enumerate(decisions) if not keys.is_shared(key_of(each.site))), None)
        places.append(None if alone is None else (alone, decisions[alone].seq))
    first, second = places
    if first is None and second is None:
        return None
    earliest = min(place[0] for place in places if place is not None)
    chosen = [place[1] if place is not None and place[0] == earliest else None for place in places]
    return Parting(chosen[0], chosen[1], "alone")


# -- loops


def _parted_loop(
    a: Record, b: Record, agreed: list[Both], next_a: Decision | None, next_b: Decision | None
) -> Both | None:
    """Return the loop at whose end the runs parted before they came to `next_a` and `next_b`, if one did."""
    unequal = [(x, y) for x, y in agreed if x.trips is not None and x.trips != y.trips]
    if not unequal:
        return None
    nothing_else = next_a is None and next_b is None
    chains = _Chains(a), _Chains(b)
    found: Both | None = None
    for x, y in unequal:
        short, long = (0, 1) if (x.trips or 0) < (y.trips or 0) else (1, 0)
        loop, onward = (x, y), (next_a, next_b)
        if loop[short].exit != "exhausted" and not nothing_else:
            continue  # whoever left it early had a reason elsewhere
        if not chains[short].has_left(loop[short], onward[short]):
            continue
        step = chains[long].step(loop[long], onward[long])
        if step is not None and step < (loop[short].trips or 0):
            continue
        if found is not None and chains[short].step(found[short], loop[short]) is None:
            break  # it began after the one found had ended
        found = loop
    return found


class _Chains:
    """What stands around the decisions of one run."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self._generators: set[str] | None = None

    def step(self, loop: Decision, inner: Decision | None) -> int | None:
        """Return the step of `loop` in which `inner` was decided, or None if it was decided outside."""
        if inner is None:
            return None
        scope: int | None = inner.scope
        while scope is not None:
            here = self.record.scopes[scope]
            if here.kind == "iteration" and here.decision == loop.seq:
                return here.index
            scope = here.parent
        return None

    def has_left(self, loop: Decision, then: Decision | None) -> bool:
        """Whether `loop` was over when `then` was decided; one in a generator may be waiting."""
        if self.step(loop, then) is not None:
            return False
        if then is None or loop.site.function not in self._yielding():
            return True
        frame = self._frame(loop.scope)
        scope: int | None = then.scope
        while scope is not None:
            if scope == frame:
                return True
            scope = self.record.scopes[scope].parent
        return False

    def _frame(self, scope: int) -> int | None:
        place: int | None = scope
        while place is not None and self.record.scopes[place].kind != "call":
            place = self.record.scopes[place].parent
        return place

    def _yielding(self) -> set[str]:
        """Return the names of the generators in the scripts."""
        if self._generators is None:
            self._generators = set()
            for source in self.record.sources:
                self._generators |= _generators(source.text)
        return self._generators


def _generators(text: str) -> set[str]:
    found: set[str] = set()
    try:
        waiting: list[tuple[ast.AST, str, str]] = [(ast.parse(text), "", "")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    while waiting:
        node, prefix, function = waiting.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            found.add(function)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                name = prefix + child.name
                waiting.append((child, f"{name}.<locals>.", name))
            elif isinstance(child, ast.ClassDef):
                waiting.append((child, f"{prefix}{child.name}.", function))
            else:
                waiting.append((child, prefix, function))
    return found
