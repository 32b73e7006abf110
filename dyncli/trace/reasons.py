"""Why a leaf has no gradient, read off the record: unused, only asked about, cut on the way, or not on the path."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from dyncli.record.model import Decision, Op, Site, Source, TensorSummary

if TYPE_CHECKING:
    from dyncli.trace.chosen import Chosen
    from dyncli.trace.events.enclosing_calls import FunctionCall
    from dyncli.trace.left import Left
    from dyncli.trace.spans import Span


class Reasons:
    """Explains a gradient that is None, by the number of its tensor.

    through_data: (op, tensor) of each op that read no more than the tensor's values.
    unrecorded: the spans of ops that ran under `no_grad`.
    functions: calls of functions of the user's own, whose backward leads around their ops, by the last of these.
    """

    def __init__(
        self,
        tensors: list[TensorSummary],
        ops: tuple[Op, ...],
        decisions: tuple[Decision, ...],
        outputs: set[int],
        sources: tuple[Source, ...],
        through_data: Collection[tuple[int, int]] = (),
        functions: Mapping[int, FunctionCall] | None = None,
        unrecorded: Iterable[Span] = (),
    ) -> None:
        self._tensors = tensors
        self._ops = ops
        self._decisions, self._sources = decisions, sources
        self._outputs = outputs
        self._through_data, self._functions = through_data, functions or {}
        self._inside = {seq for one in self._functions.values() for seq in range(one.first, one.last + 1)}
        self._unrecorded = {seq for first, end in unrecorded for seq in range(first, end)}
        self._lines = {source.file: source.text.splitlines() for source in sources}
        self._users: dict[int, list[Op]] = {}
        for op in ops:
            for number in op.inputs:
                self._users.setdefault(number, []).append(op)
        self._made: dict[int, list[int]] = {}
        for tensor in tensors:
            if tensor.op is not None:
                self._made.setdefault(tensor.op, []).append(tensor.id)

    def __call__(self, number: int, raised: bool = False) -> str:
        """Return why no gradient came back to a tensor; raised: the backward was ended by an exception."""
        tensor = self._tensors[number]
        if not tensor.dtype.startswith(("float", "complex")):
            return f"integers have no gradient ({tensor.dtype})"
        if not self._users.get(number):
            name = tensor.name or ""
            return self._not_taken(tensor) or self._left.why(name) or self._chosen.why(name) or "unused"
        cut, deciding, led_on, whole, own = self._follow(number)
        if cut is not None:
            how = "under no_grad" if cut.seq in self._unrecorded else "detached"
            return f"{how} at line {cut.site.line}: `{cut.site.text}`"
        if raised and led_on:
            return "backward raised before it came here"
        if own is not None:
            return f"the backward of `{own.title.removesuffix('Backward')}` gave None"
        where = self._not_taken(tensor)
        if deciding is not None:
            return where or f"only decided line {deciding.site.line}: `{deciding.site.text}`"
        if whole is not None and not led_on:
            return where or f"line {whole.site.line} made whole numbers of it: `{whole.site.text}`"
        return where or "the output does not depend on it"

    @cached_property
    def _left(self) -> Left:
        from dyncli.trace.left import Left  # for runs that left something alone

        return Left(self._decisions, self._sources)

    @cached_property
    def _chosen(self) -> Chosen:
        from dyncli.trace.chosen import Chosen

        used: dict[str, list[Site]] = {}
        for number, ops in self._users.items():
            used.setdefault(self._tensors[number].name or "", []).extend(op.site for op in ops)
        ran = [*(op.site for op in self._ops), *(decision.site for decision in self._decisions)]
        return Chosen(self._left.pages, used, ran)

    def _follow(self, number: int) -> tuple[Op | None, Decision | None, bool, Op | None, FunctionCall | None]:
        """The op that cut the way from here to an output, a decision that depends on it, and whether it led on.

        That is to an output without a cut.  Then an op that made whole numbers, such as `argmax`, of what it led to,
        and last the first function of the user's own on a way that led on.
        """
        by_predicate = {op: d for d in self._decisions for op in d.producers}
        seen = {number}
        pending: list[tuple[int, Op | None, FunctionCall | None]] = [(number, None, None)]
        deciding, led_on, whole, through = None, False, None, None
        while pending:
            current, cut, own = pending.pop()
            if current in self._outputs:
                if cut is not None:
                    return cut, deciding, led_on, whole, None
                led_on, through = True, through or own
            for op in self._users.get(current, ()):
                deciding = deciding or by_predicate.get(op.seq)
                lets_go = op.grad_fn is None and op.phase == "forward" and op.seq not in self._inside
                here = cut or (op if lets_go or (op.seq, current) in self._through_data else None)
                made = self._made.get(op.seq, ())
                if whole is None and lets_go and made and self._tensors[made[0]].dtype.startswith(("int", "uint")):
                    whole = op
                for output in made:
                    if output not in seen:
                        seen.add(output)
                        pending.append((output, here, own or self._functions.get(op.seq)))
        return None, deciding, led_on, whole, through

    def _not_taken(self, tensor: TensorSummary) -> str | None:
        """The decision whose arm left, and never taken elsewhere, names this tensor in its source."""
        name = (tensor.name or "").partition(".")[0]
        if not name.isidentifier():
            return None
        taken = {(decision.site.id, decision.arm) for decision in self._decisions}
        word = re.compile(rf"\b{re.escape(name)}\b")
        for decision in self._decisions:
            lines = self._lines.get(decision.site.file)
            for arm, span in zip(decision.site.arms, decision.site.arm_lines, strict=False):
                if (decision.site.id, arm) in taken or span is None or lines is None:
                    continue
                if any(word.search(line) for line in lines[span[0] - 1 : span[1]]):
                    return f"not on the path taken: decided at line {decision.site.line}"
        return None
