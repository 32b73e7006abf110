"""Counts of how often each statement was reached, from a record.

Decisions and calls say how often a block was entered; between them every statement of a block runs as often as the one
before it, less the `return`s, `break`s and `continue`s on the way.  Where an exception may have cut that short, only
what an op or a decision bears out is told: None is a count that cannot be known, 0 a statement that was certainly not
reached.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from dyncli.analysis.loading import in_view_of_source
from dyncli.records.model import Decision, Record

Count = int | None
Place = tuple[int, int]  # line, column
LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue)
SWALLOWED = (ast.Return, ast.Break, ast.Continue)
SWALLOWING = "suppress"
SILENT = (ast.Global, ast.Nonlocal)
TESTS = ("if", "elif", "while")


class Flow:
    """The counts of one file: `counts[line]` of the statement that begins there, `spans` its lines.

    A `def` counts its calls.
    """

    def __init__(self, record: Record, file: str, tree: ast.Module) -> None:
        self.counts: dict[int, Count] = {}
        self.spans: list[tuple[int, int, Count]] = []
        self._decisions: dict[tuple[str, Place], list[Decision]] = defaultdict(list)
        self._evidence: Counter[int] = Counter()
        self._at_load = record.entry != "__main__"
        self._left: Count = 0
        self._raised: Count = 0
        self._breaks: list[Count] = []
        self._module = True
        self._doubt = False
        self._calls = {(calls.line, calls.function): calls for calls in record.calls if calls.file == file}
        frames = record.failure.frames if record.failure is not None else ()
        self._stopped = Counter((frame.line, frame.function) for frame in frames if frame.file == file)
        self._function, self._prefix = "<module>", ""
        for decision in in_view_of_source(record):
            if decision.site.file == file:
                self._decisions[decision.site.kind, (decision.site.line, decision.site.col)].append(decision)
        self._count_ops(record, file)
        self._block(tree.body, 1)

    def _count_ops(self, record: Record, file: str) -> None:
        by_place: Counter[tuple[int, int, str]] = Counter(
            (op.site.line, op.site.col, op.site.text) for op in record.ops if op.site.file == file
        )
        for (line, _, _), times in by_place.items():
            self._evidence[line] = max(self._evidence[line], times)
        self._failed = Counter(op.site.line for op in record.ops if op.error is not None and op.site.file == file)

    # -- blocks

    def _block(self, statements: Sequence[ast.stmt], count: Count) -> Count:
        """Count the statements of a block and return how often its end was reached.

        count: how often it was entered.
        """
        for place, statement in enumerate(statements):
            if (self._doubt or count is None) and place and count != 0:
                count = self._borne_out(statements[place:], count)
            after = self._statement(statement, count)
            if after is None and not self._doubt and not _leaves(statement):
                after = count
            count = after
        return count

    def _borne_out(self, statements: Sequence[ast.stmt], most: Count) -> Count:
        """Return the count of the first of the statements.

        An exception may have come before it.
        """
        own = self._seen(statements[0])
        if own is not None:
            return own
        later = [seen for statement in statements[1:] if (seen := self._seen(statement)) is not None]
        return most if later and later[0] == most else None

    def _seen(self, statement: ast.stmt) -> Count:
        """Return how often ops or decisions show that a statement began.

        None if they do not show it.
        """
        match statement:
            case ast.If() | ast.While():
                return len(self._of(TESTS, statement.test)) or None
            case ast.For() | ast.AsyncFor():
                return len(self._of(("for",), statement)) or None
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Try() | ast.With():
                return None
        return max((self._evidence[line] for line in _lines(statement)), default=0) or None

    def _note(self, statement: ast.stmt, count: Count, last: int | None = None) -> None:
        if statement.lineno in self.counts:  # `if x: return y` on one line
            return
        if not _is_text(statement) and not isinstance(statement, SILENT):
            self.counts[statement.lineno] = count
        end = last if last is not None else _lines(statement)[-1]
        self.spans.append((statement.lineno, max(end, statement.lineno), count))

    def _statement(self, statement: ast.stmt, count: Count) -> Count:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._define(statement, count)
                return count
            case ast.ClassDef():
                self._note(statement, count, statement.body[0].lineno - 1)
                outer, self._prefix = self._prefix, f"{self._prefix}{statement.name}."
                after = self._block(statement.body, count)
                self._prefix = outer
                return after
            case ast.If():
                return self._if(statement, count)
            case ast.While():
                return self._while(statement, count)
            case ast.For() | ast.AsyncFor():
                return self._for(statement, count)
            case ast.Try() | ast.TryStar():
                return self._try(statement, count)
            case ast.With() | ast.AsyncWith():
                return self._with(statement, count)
            case ast.Match():
                return self._match(statement, count)
        self._note(statement, count)
        if isinstance(statement, LEAVING):
            self._leave(statement, count)
            return 0
        return self._past(statement, count)

    def _leave(self, statement: ast.stmt, count: Count) -> None:
        if isinstance(statement, ast.Raise):
            self._raised = _sum((self._raised, count))
            return
        self._left = _sum((self._left, count))
        if isinstance(statement, ast.Break) and self._breaks:
            self._breaks[-1] = _sum((self._breaks[-1], count))

    def _past(self, statement: ast.stmt, count: Count) -> Count:
        """Return how often a statement was completed.

        Not if an op of it raised, or the run ended in a call of it.
        """
        ended = sum(self._stopped[line, self._function] for line in _lines(statement))
        failed = sum(self._failed[line] for line in _lines(statement))
        return None if count is None else max(count - max(ended, failed), 0)

    # -- what has a body

    def _define(self, statement: ast.FunctionDef | ast.AsyncFunctionDef, count: Count) -> None:
        name = self._prefix + statement.name
        calls = self._calls.get((statement.lineno, name))
        body = statement.body
        started = 0 if calls is None else calls.times or None
        if calls is None and all(isinstance(each, ast.Pass) or _is_text(each) for each in body):
            started = None  # such a body reports nothing
        kept = self._left, self._breaks, self._module, self._doubt, self._function, self._prefix
        self._left, self._breaks, self._module = 0, [], False
        ended = sum(times for (_, function), times in self._stopped.items() if function == name)
        unfinished = calls is not None and calls.times - calls.returned > ended
        yields = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(statement))
        self._doubt = unfinished or yields
        self._function, self._prefix = name, f"{name}.<locals>."
        self._note(statement, started if count else count, body[0].lineno - 1)
        self._block(body, started)
        self._left, self._breaks, self._module, self._doubt, self._function, self._prefix = kept

    def _of(self, kinds: Iterable[str], node: ast.expr | ast.stmt) -> list[Decision]:
        place = node.lineno, node.col_offset
        return next((found for kind in kinds if (found := self._decisions.get((kind, place)))), [])

    def _known(self, count: Count, decided: Sequence[Decision]) -> bool:
        """Return True if the decisions of a test are all that were made.

        That is not so for code that ran while the script was loaded.
        """
        return bool(decided) or count == 0 or not (self._module and self._at_load)

    def _if(self, statement: ast.If, count: Count) -> Count:
        decided = self._of(TESTS, statement.test)
        self._note(statement, len(decided) if decided else count, statement.body[0].lineno - 1)
        if not self._known(count, decided) or (not decided and count != 0):
            then = other = None if count != 0 else 0
        else:
            then, other = _arm(decided, "then"), _arm(decided, "else")
            self._raised = _sum((self._raised, _arm(decided, "raise")))
        return _sum((self._block(statement.body, then), self._block(statement.orelse, other)))

    def _while(self, statement: ast.While, count: Count) -> Count:
        decided = self._of(TESTS, statement.test)
        known = bool(decided) or count == 0
        self._note(statement, len(decided) if decided else count, statement.body[0].lineno - 1)
        self._breaks.append(0)
        self._block(statement.body, _arm(decided, "body") if known else None)
        ends = _arm(decided, "exit") if known else 0 if _is_true(statement.test) else None
        after = self._block(statement.orelse, ends)
        return _sum((after, self._breaks.pop()))

    def _for(self, statement: ast.For | ast.AsyncFor, count: Count) -> Count:
        decided = self._of(("for",), statement)
        known = bool(decided) or count == 0
        self._note(statement, len(decided) if decided else count, statement.body[0].lineno - 1)
        self._breaks.append(0)
        self._block(statement.body, sum(decision.trips or 0 for decision in decided) if known else None)
        self._breaks.pop()
        exhausted = sum(decision.exit == "exhausted" for decision in decided) if known else None
        broken = sum(decision.exit == "break" for decision in decided) if known else None
        self._raised = _sum((self._raised, sum(decision.exit in ("raise", "stopped") for decision in decided)))
        return _sum((self._block(statement.orelse, exhausted), broken))

    def _with(self, statement: ast.With | ast.AsyncWith, count: Count) -> Count:
        self._note(statement, count, statement.body[0].lineno - 1)
        outer, before = self._doubt, self._raised
        self._doubt = outer or any(SWALLOWING in ast.unparse(item.context_expr) for item in statement.items)
        after = self._block(statement.body, count)
        self._doubt = outer
        return after if self._raised == before and not self._failures(statement.body) else None  # it may swallow them

    def _try(self, statement: ast.Try | ast.TryStar, count: Count) -> Count:
        self._note(statement, count, statement.body[0].lineno - 1)
        here = self._of(("try",), statement)
        # Of a group several handlers may take a part; in one scope a `try` is come to once.
        caught = len({decision.scope for decision in here}) if isinstance(statement, ast.TryStar) else len(here)
        fell = self._tried(statement.body, count, caught)
        ends = [self._block(statement.orelse, fell)]
        known = not (self._module and self._at_load)
        for place, handler in enumerate(statement.handlers):
            taken = sum(decision.outcome == place for decision in here) if known else None
            self.counts[handler.lineno] = taken
            self.spans.append((handler.lineno, handler.body[0].lineno - 1, taken))
            ends.append(self._block(handler.body, taken))
        self._block(statement.finalbody, count)
        return _sum(ends)

    def _tried(self, body: Sequence[ast.stmt], count: Count, caught: int) -> Count:
        """Count the body of a `try` and return how often its end was reached.

        caught: how many exceptions were caught.
        """
        counts, spans, left, raised = dict(self.counts), len(self.spans), self._left, self._raised
        fell = self._block(body, count)
        raises = None if self._raised is None or raised is None else self._raised - raised
        if not caught:
            return fell
        if raises is None or raises + self._failures(body) != caught:  # something raised that left no trace
            self.counts, self.spans[spans:], self._left, self._raised = counts, [], left, raised
            outer, self._doubt = self._doubt, True
            self._block(body, count)
            self._doubt = outer
        gone = None if self._left is None or left is None else self._left - left
        if count is None or gone is None:
            return None
        return max(count - max(caught, raises or 0) - gone, 0)

    def _failures(self, body: Sequence[ast.stmt]) -> int:
        """Return how many ops raised in a block."""
        return sum(self._failed[line] for line in range(body[0].lineno, _lines(body[-1])[-1] + 1))

    def _match(self, statement: ast.Match, count: Count) -> Count:
        found = self._of(("match",), statement.subject)
        known = bool(found) or count == 0
        self._note(statement, len(found) if found else count, statement.cases[0].pattern.lineno - 1)
        ends: list[Count] = []
        for place, case in enumerate(statement.cases):
            taken = sum(decision.outcome == place for decision in found) if known else None
            self.spans.append((case.pattern.lineno, case.body[0].lineno - 1, taken))
            self.counts[case.pattern.lineno] = taken
            ends.append(self._block(case.body, taken))
        ends.append(_arm(found, "no match") if known else None)
        return _sum(ends)


def _arm(decided: Iterable[Decision], arm: str) -> int:
    return sum(decision.arm == arm for decision in decided)


def _sum(counts: Iterable[Count]) -> Count:
    total = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _lines(statement: ast.stmt) -> range:
    return range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)


def _leaves(statement: ast.stmt) -> bool:
    """Return True if a statement may end its block early.

    An exception that leaves a `with` may be swallowed there.
    """
    kinds = LEAVING if not isinstance(statement, ast.With | ast.AsyncWith) else SWALLOWED
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, kinds):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
    return False


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)
