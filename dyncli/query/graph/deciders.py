"""What decided besides the op behind a test: the guards of a `match`, and the op whose error a `try` caught."""

from __future__ import annotations

from collections.abc import Iterator

from dyncli.record.model import Decision, Op, Record, Site


def guards(record: Record) -> Iterator[tuple[int, int]]:
    """Yield (guard, match) for each guard that was asked, by the numbers of their decisions."""
    asked: dict[int, list[Decision]] = {}
    for decision in record.decisions:
        if decision.site.kind == "guard":
            asked.setdefault(decision.scope, []).append(decision)
        elif decision.site.kind == "match":
            for guard in asked.pop(decision.scope, ()):
                if _is_case_of(guard.site, decision.site):
                    yield guard.seq, decision.seq


def _is_case_of(guard: Site, match: Site) -> bool:
    last = max((lines[1] for lines in match.arm_lines if lines is not None), default=match.line)
    return guard.file == match.file and match.line < guard.line <= last


def caught(record: Record) -> Iterator[tuple[int, int]]:
    """Yield (op, decision) for each op that raised in a `try` that caught it."""
    raised = [op for op in record.ops if op.error is not None]
    if not raised:
        return
    handlers = [one for one in record.decisions if one.site.kind == "try" and one.exception is not None]
    for decision in handlers:
        found = next((op for op in raised if _ran_in(record, op, decision)), None)
        if found is not None:
            raised = raised[raised.index(found) + 1 :]
            yield found.seq, decision.seq


def _ran_in(record: Record, op: Op, decision: Decision) -> bool:
    """Return whether an op stands in the body of a `try`, or in what that called."""
    if op.scope == decision.scope or op.site.function == decision.site.function:
        handlers = [lines[0] for lines in decision.site.arm_lines if lines is not None]
        return op.site.file == decision.site.file and decision.site.line < op.site.line < min(handlers, default=0)
    at: int | None = op.scope
    while at is not None and at != decision.scope:
        at = record.scopes[at].parent
    return at is not None
