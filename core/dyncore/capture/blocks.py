"""An op's block as steps: looked into where that gives the same bits, else one step by itself."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.registry import Kept, Op

from .program import Program, Refused, Slot, Step, same_bits, slots_in
from .symbols import Symbol, Tracer, Untraceable, root_of
from .values import ARRAYS, PLAIN, plain_tree

_UNLIKE: Any = object()


class Blocks:
    """Puts what ops compute into a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.tracer = Tracer(program)

    def traced(self, op: Op, slots: Any, named: Any, found: Any) -> Any:
        """(results, extras) as slots from the steps inside the op's block, or None if it cannot be looked into."""
        start = self.program.here()
        try:
            result = self.tracer.call(op.forward, tuple(slots), named)
        except Untraceable:
            return None
        extras: dict[str, Any] = {}
        wanted: dict[str, Any] = {}
        if found.__class__ is Kept:
            found, wanted = found
            if not isinstance(result, tuple) or type(result) is not Kept:
                self.program.back_to(start)
                return None
            result, extras = result
        several = isinstance(found, (tuple, list))
        pairs = list(zip(result, found, strict=True)) if several else [(result, found)]
        made: list[Any] = []
        for symbol, value in [*pairs, *[(extras.get(key), value) for key, value in wanted.items()]]:
            slot = self._result(symbol, value)
            if slot is _UNLIKE:
                self.program.back_to(start)
                return None
            made.append(slot)
        for slot in slots_in(made[: len(pairs)]):
            if slot.root.kind == "constant":
                slot.root.fresh = True
        return made[: len(pairs)], dict(zip(wanted, made[len(pairs) :], strict=True))

    def _result(self, symbol: Any, value: Any) -> Any:
        """The slot of one result; `_UNLIKE` if its bits are not those of the ordinary run."""
        if type(symbol) is Symbol:
            if not same_bits(symbol.value, value):
                return _UNLIKE
            symbol.slot.value = value if symbol.slot.kind == "made" else symbol.slot.value
            return symbol.slot
        if isinstance(value, ARRAYS):
            return self.program.slot(value, "constant") if same_bits(symbol, value) else _UNLIKE
        return value if value is None or type(value) in PLAIN and symbol == value else _UNLIKE

    def opaque(self, op: Op, slots: Any, named: Any, found: Any) -> Any:
        """(results, extras) of a block that is one step by itself."""
        result, extras = found if found.__class__ is Kept else (found, {})
        args = (tuple(slots), named)
        several = isinstance(result, (tuple, list))
        made: list[Any] = []
        for value in result if several else (result,):
            made.append(None if value is None else self.program.slot(value, "made", root_of(value, args)))
        kept: dict[str, Any] = {}
        for key, value in extras.items():
            if isinstance(value, ARRAYS):
                kept[key] = self.program.slot(value, "made", root_of(value, args))
            elif plain_tree(value):
                kept[key] = value
            else:
                raise Refused(f"uses `{op.name}`, which keeps a {type(value).__name__} for backward")
        outs: Any = tuple(made) if several else made[0]
        step = Step("call", op.forward, tuple(slots), named, outs, checked=True)
        if found.__class__ is Kept:
            step.outs = (outs, {key: slot for key, slot in kept.items() if type(slot) is Slot})
            step.plain = {key: value for key, value in kept.items() if type(value) is not Slot}
        self.program.steps.append(step)
        return made, kept
