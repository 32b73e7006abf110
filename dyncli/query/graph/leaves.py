"""Leaves: where each tensor that no op made stands in the drawing, alone, with those alike, or told of in words."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from dyncli.query.graph.frames import Frame
from dyncli.query.graph.model import Key
from dyncli.record.model import TensorSummary

if TYPE_CHECKING:
    from dyncli.query.graph.slots import Slots

MOST_FAN_OUT = 3
MOST_ALIKE = 4
#: Of more parameters than this that only something drawn shut reads, the fold says what came back to all of them.
MOST_OUTSIDE = 3
_DIGITS = re.compile(r"\d+")


class Leaves:
    """Gives the leaves of a record slots among those of its ops.

    readers: for each tensor that no op made the slots that read it, in order.
    """

    def __init__(self, drawn: Slots) -> None:
        self.drawn, self.record, self.slots, self.frames = drawn, drawn.record, drawn.slots, drawn.frames.frames
        self.slot_of: dict[int, int] = {}
        self._repeated: dict[tuple[int, int], int] = {}
        self._reasons = {g.tensor: g.reason for backward in self.record.backwards for g in backward.gradients}
        self.readers: dict[int, dict[int, None]] = {}
        for op in self.record.ops:
            for number in op.inputs:
                if self.record.tensors[number].op is None:
                    self.readers.setdefault(number, {})[drawn.op_slot[op.seq]] = None

    def placed(self) -> dict[int, int]:
        """Give each leaf a slot, and return them; with the same readers and names but for a number they share one."""
        stems: dict[tuple[object, ...], set[str]] = defaultdict(set)
        for tensor in self.record.tensors:
            name = tensor.name or ""
            stems[self._likeness(tensor)].add(_DIGITS.sub("#", name) if tensor.id in self.readers else name)
        given = {item.tensor for item in (*self.record.inputs, *self.record.outputs)}
        graded = {gradient.tensor for backward in self.record.backwards for gradient in backward.gradients}
        inside = self._inside_folds()
        for tensor in self.record.tensors:
            if tensor.op is not None or tensor.role in ("gradient", "written"):
                continue
            readers = tuple(self.readers.get(tensor.id, ()))
            if tensor.id in inside:
                self.slots[inside[tensor.id]].tensors.append(tensor.id)
                for reader in readers:
                    if reader != inside[tensor.id]:
                        self.slots[reader].written.append(tensor.id)
                continue
            if not readers and tensor.id not in given and tensor.id not in graded:
                continue
            kind = tensor.role if tensor.role in ("input", "parameter") else "constant"
            keys = tuple(self.slots[reader].key for reader in readers)
            name = self._stem(tensor, readers, len(stems[self._likeness(tensor)]))
            alone = name != "" and name == tensor.name
            key: Key = ("leaf", kind, name) if alone else ("leaf", kind, name, keys or self._likeness(tensor))
            home = self._home(kind, readers)
            first = min((self.slots[reader].time for reader in readers), default=0.0)
            slot = self.drawn.slot(key, kind, home, None, -1.0 if home.parent is None else first - 0.25)
            slot.tensors.append(tensor.id)
            self.slot_of[tensor.id] = slot.number
        self._in_order_of_use()
        return self.slot_of

    def start(self, number: int, target: int) -> int | None:
        """Return the slot an edge from a leaf starts at: the leaf's own, or a small repeat.

        It is repeated where too many read it, and a parameter in each module but the first that reads it.
        """
        own = self.slot_of.get(number)
        readers = self.readers[number]
        if own is None or target == next(iter(readers)):
            return own
        slot = self.slots[own]
        elsewhere = slot.kind == "parameter" and self._module(self.slots[target].frame).number != slot.frame
        if len(readers) <= MOST_FAN_OUT and not elsewhere:
            return own
        if self.drawn.compact:
            self.slots[target].written.append(number)
            return None
        if (own, target) not in self._repeated:
            reader = self.slots[target]
            key = (*self.slots[own].key[:3], "at", reader.key)
            self._repeated[own, target] = self.drawn.added(key, "leaf", reader.frame, None, reader.time - 0.25).number
        told = self.slots[self._repeated[own, target]].tensors
        if number not in told:
            told.append(number)
        return self._repeated[own, target]

    def _in_order_of_use(self) -> None:
        """Have leaves that are drawn as one stand as the ops come to them, as the words of those ops do."""
        several = [slot.tensors for slot in self.slots if len(slot.tensors) > 1]
        if several:
            ops = self.record.ops
            used = {number: op.seq for op in reversed(ops) for number in op.inputs}
            for tensors in several:
                tensors.sort(key=lambda number: used.get(number, len(ops)))

    def _inside_folds(self) -> dict[int, int]:
        """Return the parameters that are not drawn, and the slot that tells of each.

        Those of plain modules, of the first that reads them, and many that only folds read.
        """
        read: dict[int, list[int]] = {}
        found: dict[int, int] = {}
        for tensor in self.record.tensors:
            readers = tuple(self.readers.get(tensor.id, ()))
            if tensor.role != "parameter" or not readers:
                continue
            kinds = [self.slots[reader].kind for reader in readers]
            if "module" in kinds:
                found[tensor.id] = readers[kinds.index("module")]
            elif set(kinds) == {"fold"}:
                read.setdefault(readers[0], []).append(tensor.id)
        most = 0 if self.drawn.compact else MOST_OUTSIDE
        return found | {number: slot for slot, numbers in read.items() if len(numbers) > most for number in numbers}

    def _likeness(self, tensor: TensorSummary) -> tuple[object, ...]:
        readers = tuple(self.readers.get(tensor.id, ()))
        if not readers:
            return (tensor.role, self._reasons.get(tensor.id))
        return (tensor.role, tensor.dtype, len(tensor.shape), readers)

    def _stem(self, tensor: TensorSummary, readers: tuple[int, ...], stems: int) -> str:
        """Return a leaf's name where it stands alone; less of it where ops that ran several times read many alike."""
        name = tensor.name or ""
        if not readers:
            return "*" if stems > MOST_ALIKE else name
        slots, frames = self.slots, self.frames
        if not any(len(slots[reader].ops) > 1 or frames[slots[reader].frame].in_loop for reader in readers):
            return name
        return "*" if stems > MOST_ALIKE else _DIGITS.sub("#", name)

    def _home(self, kind: str, readers: tuple[int, ...]) -> Frame:
        """Return the frame of a leaf: the module that reads a parameter first, otherwise outside everything."""
        homes = dict.fromkeys(self.slots[reader].frame for reader in readers)
        if kind == "input" or not homes or (kind != "parameter" and len(homes) != 1):
            return self.frames[0]
        return self._module(next(iter(homes)))

    def _module(self, number: int) -> Frame:
        """Return the module frame that a frame stands in, or the outermost."""
        frame = self.frames[number]
        while frame.kind not in ("root", "module") and frame.parent is not None:
            frame = self.frames[frame.parent]
        return frame
