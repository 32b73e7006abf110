"""The probes of tests: comparisons, truth values, `and` and `or`, and the form of an operand in the log.

A probe compares, or asks for a truth, exactly once.  Where that may run code of the script, or of a library that warns,
it happens in a frame that stands where the test does: callers, warnings and tracebacks are those of the script alone.
Builtins are bound here once: a script may replace `bool` or `type`, the recorder must not notice.

The log keeps the value of an operand as it is now, never the object.  Objects of the user's are not touched: only the
exact type is looked at, never an attribute.  What is not plain is described by a reader registered for its type, by its
length if it is a builtin container, or by the name of its type.
"""

from __future__ import annotations

import ast
import operator
import sys
from collections.abc import Callable
from itertools import islice
from types import CodeType, FrameType, FunctionType
from typing import Any

PLAIN = frozenset({int, float, bool, str, type(None)})
SHORT = 8

_type, _all, _tuple = type, all, tuple
name_of = type.__dict__["__name__"].__get__  # a metaclass may define `__name__` otherwise
_bases_of = type.__dict__["__mro__"].__get__
SIZED: dict[type, Callable[[Any], int]] = {
    kind: kind.__len__ for kind in (list, tuple, dict, set, frozenset, bytes, bytearray, range)
}
#: Types whose truth and comparisons run no code of the script's and warn of nothing; whoever records adds to them.
QUIET: set[type] = {int, float, bool, str, type(None)}


class RecordedOperand:
    """An operand as the log keeps it; trace: the number of the tensor that it was, or None."""

    __slots__ = ("trace", "value")

    def __init__(self, value: Any, trace: int | None = None) -> None:
        self.value = value
        self.trace = trace


#: Stands for an operand near the recursion limit, where no reader can be called.
UNREAD = RecordedOperand({"type": "object"})
#: Gives the value of an object of a type, and the number of its tensor or None.
Reader = Callable[[Any], tuple[Any, int | None]]

#: The readers by exact type; whoever records sets them (`probes.recording(log, readers)`).
known_readers: dict[type, Reader] = {}


def describe(value: Any) -> Any:
    """Return `value` itself if it is plain, else a `RecordedOperand`."""
    kind = _type(value)
    if kind in PLAIN or kind is RecordedOperand:
        return value
    reader = known_readers.get(kind) or _inherited(kind)
    if reader is not None:
        return RecordedOperand(*reader(value))
    size = SIZED.get(kind)
    if size is None:
        return RecordedOperand({"type": name_of(kind)})
    count = size(value)
    if kind is _tuple and count <= SHORT and _all([_type(item) in PLAIN for item in value]):
        return RecordedOperand((*value,))  # a copy: nothing of the user's is kept
    return RecordedOperand({"type": name_of(kind), "len": count})


def _inherited(kind: type) -> Reader | None:
    """Return the reader of the nearest base class that has one; None if none has."""
    for base in _bases_of(kind)[1:-1]:
        if base in known_readers:
            return known_readers[base]
    return None


def type_name(value: object) -> str:
    """Return the name of a value's type, without running a method of the user's."""
    return str(name_of(_type(value)))


Probe = Callable[..., Any]

#: Marks frames of this module as none of the user's, as the engine's are: an op's site is looked for further out.
__dyncore__ = True


def _within(left: Any, right: Any) -> bool:
    return left in right


def _not_within(left: Any, right: Any) -> bool:
    return left not in right


#: The comparison operators by their source.
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
    "is": operator.is_, "is not": operator.is_not, "in": _within, "not in": _not_within,
}  # fmt: skip
_MEMBERSHIP = ("in", "not in")
#: The first variable of code that stands in for a test of the script's.
_STAND_IN = "@left"
#: Frames between the script's and that of a `__bool__` or `__lt__` of its own.
_FRAMES_BETWEEN = 4


class Verdict:
    """The outcome of a test of which more is recorded.

    result: the number of the tensor whose truth was asked.  exception: the name of what was raised instead.
    forced: the outcome that was put in its place.
    """

    __slots__ = ("exception", "forced", "outcome", "result")

    def __init__(self, outcome: bool, result: int | None = None, exception: str | None = None) -> None:
        self.outcome = outcome
        self.result = result
        self.exception = exception
        self.forced: bool | None = None


class Changed:
    """The subject of a forced loop or `match`, as the log has it.

    forced: whether it really was.
    """

    __slots__ = ("forced", "value")

    def __init__(self, value: Any, forced: bool) -> None:
        self.value = value
        self.forced = forced


class Tests:
    """The state that the probes of tests of one log share, and the general path of each.

    operands: by call id, the one that an `and`, an `or` or a chain goes on with.  known: its truth, if that was asked.
    """

    __slots__ = ("_codes", "add", "known", "operands")

    def __init__(self, log: list[Any]) -> None:
        self.add = log.extend
        self.operands: dict[int, Any] = {}
        self.known: dict[int, bool] = {}
        self._codes: dict[tuple[int, bool], CodeType] = {}

    def compare(self, point: int, call: int, left: Any, right: Any, how: str) -> tuple[Any, bool]:
        """Compare two operands of any kind; return the result and its truth, and report the test."""
        result: Any
        try:
            if how == "is":
                result = left is right
            elif how == "is not":
                result = left is not right
            elif type(left) in QUIET and (type(right) in QUIET or (type(right) in SIZED and how in _MEMBERSHIP)):
                result = OPERATORS[how](left, right)
            else:
                result = self._in_place(point, f"left {how} right", left, right)
        except BaseException as error:
            self._failed(point, call, left, (right,), error)
            raise
        try:
            if result is True or result is False:
                self.add((point, call, describe(left), describe(right), result))
                return result, result
            return result, self._settle(point, call, left, right, result)
        except RecursionError:
            if result is True or result is False:  # the script has room for this, if the probe has none
                return result, result
            raise

    def value(self, point: int, call: int, left: Any, right: Any, how: str) -> Any:
        """Compare two operands of any kind; return the result, and report it if it is one truth."""
        if type(left) in QUIET and type(right) in QUIET:
            result = OPERATORS[how](left, right)
        else:
            result = self._in_place(point, f"left {how} right", left, right)
        try:
            seen = describe(result)
            outcome, trace = (seen.value, seen.trace) if type(seen) is RecordedOperand else (seen, None)
            if outcome is True or outcome is False:
                recorded = outcome if trace is None else Verdict(outcome, trace)
                self.add((point, call, describe(left), describe(right), recorded))
        except RecursionError:
            pass  # the script has room for this, if the probe has none
        return result

    def _settle(self, point: int, call: int, left: Any, right: Any, result: Any) -> bool:
        left, right = describe(left), describe(right)
        source = describe(result)
        trace = source.trace if type(source) is RecordedOperand else None
        try:
            outcome = self._asked(point, result)
        except BaseException as error:
            self.add((point, call, left, right, Verdict(False, trace, type_name(error))))
            self.operands.pop(call, None)
            raise
        self.add((point, call, left, right, outcome if trace is None else Verdict(outcome, trace)))
        return outcome

    def truth(self, point: int, call: int, value: Any) -> bool:
        """Ask for the truth of a value of any kind, and report it."""
        try:
            outcome = self._asked(point, value)
        except BaseException as error:
            self._failed(point, call, value, (), error)
            raise
        self.report(point, call, value, outcome)
        return outcome

    def report(self, point: int, call: int, value: Any, outcome: bool) -> None:
        """Report a truth."""
        try:
            seen = describe(value)
            traced = type(seen) is RecordedOperand and seen.trace is not None
            self.add((point, call, seen, None, Verdict(outcome, seen.trace) if traced else outcome))
        except RecursionError:
            pass  # the script has room for this, if the probe has none

    def plain_failed(self, point: int, call: int, left: Any, right: Any, error: BaseException) -> None:
        """Report a comparison of plain values that raised."""
        self._failed(point, call, left, (right,), error)

    def _failed(self, point: int, call: int, left: Any, others: tuple[Any, ...], error: BaseException) -> None:
        self.operands.pop(call, None)
        try:
            seen, *more = map(describe, (left, *others))
        except RecursionError:
            return
        trace = seen.trace if type(seen) is RecordedOperand and not more else None
        self.add((point, call, seen, more[0] if more else None, Verdict(False, trace, type_name(error))))

    def _asked(self, point: int, value: Any) -> bool:
        if type(value) in QUIET or type(value) in SIZED:
            return True if value else False  # noqa: SIM210  20 ns less than bool()
        outcome: bool = self._in_place(point, "not not left", value)
        return outcome

    def _in_place(self, point: int, source: str, *operands: Any) -> Any:
        """Evaluate what may run code of the script in a frame that stands where the script's does."""
        frame = sys._getframe(2)
        while "__dyncore__" in frame.f_globals and frame.f_back is not None:
            frame = frame.f_back
        key = point, len(operands) > 1
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = _stand_in(source, frame)
        limit = _getrecursionlimit()
        _setrecursionlimit(limit + _FRAMES_BETWEEN)
        try:
            return FunctionType(code, frame.f_globals)(*operands)
        finally:
            _setrecursionlimit(limit)


def is_stand_in(code: CodeType) -> bool:
    """Return whether code stands in for a test of the script's."""
    return code.co_varnames[:1] == (_STAND_IN,)


_getrecursionlimit, _setrecursionlimit = sys.getrecursionlimit, sys.setrecursionlimit


def _stand_in(source: str, frame: FrameType) -> CodeType:
    """Compile an expression of `left` and `right` as if it stood at what `frame` does."""
    code = frame.f_code
    line, end_line, col, end_col = next(islice(code.co_positions(), frame.f_lasti // 2, None))
    names = "left, right" if "right" in source else "left"
    tree = ast.parse(f"lambda {names}: {source}", mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.arg = f"@{node.arg}"
        elif isinstance(node, ast.Name):
            node.id = f"@{node.id}"
        if isinstance(node, ast.Lambda | ast.arg):  # where the function begins
            node.lineno = node.end_lineno = code.co_firstlineno
        elif isinstance(node, ast.expr):
            node.lineno, node.col_offset = line or frame.f_lineno, col or 0
            node.end_lineno, node.end_col_offset = end_line or node.lineno, end_col or 0
    made = next(each for each in compile(tree, code.co_filename, "eval").co_consts if isinstance(each, CodeType))
    assert made.co_varnames[0] == _STAND_IN
    return made.replace(co_name=code.co_name, co_qualname=code.co_qualname)


def probes(log: list[Any]) -> dict[str, Probe]:
    """Return the probes of tests; each asks a truth value exactly once."""
    tests = Tests(log)
    return {
        **_comparisons(tests),
        **_parts_of_tests(tests),
        **_truths(tests),
        **_wholes(tests),
        **_waiting(tests),
        **_stopping(tests, "@stop_false", on=False),
        **_stopping(tests, "@stop_true", on=True),
    }


def _comparisons(tests: Tests) -> dict[str, Probe]:
    add, general, failed, operands = tests.add, tests.compare, tests.plain_failed, tests.operands
    type_, plain, operators = type, PLAIN, OPERATORS

    def compared(point: int, call: int, left: Any, right: Any, how: str) -> bool:
        if type_(left) in plain and type_(right) in plain:
            try:
                if how == "<":
                    result = left < right
                elif how == ">":
                    result = left > right
                elif how == "==":
                    result = left == right
                else:
                    result = operators[how](left, right)
            except BaseException as error:
                failed(point, call, left, right, error)
                raise
            add((point, call, left, right, result))
            return result
        return general(point, call, left, right, how)[1]

    def link(point: int, call: int, left: Any, right: Any, how: str) -> bool:
        """Compare in `a < b < c`, but the last: the right side waits for the next if there is one."""
        outcome = compared(point, call, left, right, how)
        if outcome:
            operands[call] = right
        return outcome

    def valued(point: int, call: int, left: Any, right: Any, how: str) -> Any:
        """Compare for a value that is kept: its truth is not asked here."""
        if type_(left) in plain and type_(right) in plain:
            result = operators[how](left, right)
            add((point, call, left, right, result))
            return result
        return tests.value(point, call, left, right, how)

    return {"@compared": compared, "@link": link, "@valued": valued}


def _parts_of_tests(tests: Tests) -> dict[str, Probe]:
    add, general, failed = tests.add, tests.compare, tests.plain_failed
    type_, plain, operators = type, PLAIN, OPERATORS

    def compared_end(
        whole: int,
        when_true: bool | None,
        when_false: bool | None,
        point: int,
        call: int,
        left: Any,
        right: Any,
        how: str,
    ) -> bool:
        """Report a comparison that is a part of a test, and the whole where it decides it: one call for both."""
        if type_(left) in plain and type_(right) in plain:
            try:
                if how == "<":
                    result = left < right
                elif how == ">":
                    result = left > right
                elif how == "==":
                    result = left == right
                else:
                    result = operators[how](left, right)
            except BaseException as error:
                failed(point, call, left, right, error)
                raise
            ended = when_true if result else when_false
            if ended is None:
                add((point, call, left, right, result))
            else:
                add((point, call, left, right, result, whole, call, ended))
            return result
        outcome = general(point, call, left, right, how)[1]
        ended = when_true if outcome else when_false
        if ended is not None:
            add((whole, call, ended))
        return outcome

    return {"@compared_end": compared_end}


def _truths(tests: Tests) -> dict[str, Probe]:
    add, general, known, report = tests.add, tests.truth, tests.known, tests.report
    type_, plain, sized = type, PLAIN, SIZED

    def truth(point: int, call: int, value: Any) -> bool:
        if type_(value) in plain:
            outcome = not not value  # noqa: SIM208  the quickest
            add((point, call, value, None, outcome))
            return outcome
        if type_(value) in sized:
            outcome = not not value  # noqa: SIM208  the quickest
            try:  # noqa: SIM105  a context manager takes as long as all the rest
                add((point, call, describe(value), None, outcome))
            except RecursionError:
                pass  # the script has room for this, if the recorder has none
            return outcome
        return general(point, call, value)

    def truth_end(
        whole: int, when_true: bool | None, when_false: bool | None, point: int, call: int, value: Any
    ) -> bool:
        """Report a truth that is a part of a test, and the whole where it decides it: one call for both."""
        if type_(value) in plain:
            outcome = not not value  # noqa: SIM208  the quickest
            ended = when_true if outcome else when_false
            if ended is None:
                add((point, call, value, None, outcome))
            else:
                add((point, call, value, None, outcome, whole, call, ended))
            return outcome
        outcome = truth(point, call, value)
        ended = when_true if outcome else when_false
        if ended is not None:
            add((whole, call, ended))
        return outcome

    def truth_known(point: int, call: int, value: Any) -> bool:
        """Report a truth that may have been asked on the way already."""
        outcome = known.pop(call, None)
        if outcome is None:
            return truth(point, call, value)
        report(point, call, value, outcome)
        return outcome

    def truth_known_end(
        whole: int, when_true: bool | None, when_false: bool | None, point: int, call: int, value: Any
    ) -> bool:
        outcome = truth_known(point, call, value)
        ended = when_true if outcome else when_false
        if ended is not None:
            add((whole, call, ended))
        return outcome

    return {
        "@truth": truth,
        "@truth_end": truth_end,
        "@truth_known": truth_known,
        "@truth_known_end": truth_known_end,
    }


def _wholes(tests: Tests) -> dict[str, Probe]:
    add = tests.add

    def test(point: int, call: int, outcome: bool) -> bool:
        outcome = True if outcome else False  # noqa: SIM210  a constant stands for itself
        add((point, call, outcome))
        return outcome

    def end(whole: int, when_true: bool | None, when_false: bool | None, call: int, outcome: bool) -> bool:
        ended = when_true if outcome else when_false
        if ended is not None:
            add((whole, call, ended))
        return outcome

    return {"@test": test, "@end": end}


def _waiting(tests: Tests) -> dict[str, Probe]:
    """Build the probes of `and`, `or` as values: the deciding operand is stored under its call id for one step."""
    operands, known = tests.operands, tests.known

    def store(call: int, value: Any) -> Any:
        operands[call] = value
        return value

    def take_false(call: int) -> Any:
        known[call] = False
        return operands.pop(call)

    def take_true(call: int) -> Any:
        known[call] = True
        return operands.pop(call)

    def truth_or_value(call: int, value: Any) -> Any:
        """Return the truth of a value if it was asked on the way already, else the value."""
        outcome = known.pop(call, None)
        return value if outcome is None else outcome

    return {"@store_operand": store, "@take_operand": operands.pop, "@take_false_operand": take_false,
            "@take_true_operand": take_true, "@truth_or_value": truth_or_value}  # fmt: skip


def _stopping(tests: Tests, name: str, *, on: bool) -> dict[str, Probe]:
    """Build the probes of operands that end an `and` (on=False) or an `or` (on=True) early.

    They are for a value, for a value whose truth may be known already, and for a comparison.
    """
    add, general, failed = tests.add, tests.compare, tests.plain_failed
    ask, operands, known, report = tests.truth, tests.operands, tests.known, tests.report
    type_, plain, operators = type, PLAIN, OPERATORS

    def stop(point: int, call: int, value: Any) -> bool:
        if type_(value) in plain:
            outcome = not not value  # noqa: SIM208  the quickest
            add((point, call, value, None, outcome))
        else:
            outcome = ask(point, call, value)
        if outcome is not on:
            return False
        operands[call] = value
        return True

    def stop_known(point: int, call: int, value: Any) -> bool:
        outcome = known.pop(call, None)
        if outcome is None:
            return stop(point, call, value)
        report(point, call, value, outcome)
        if outcome is not on:
            return False
        operands[call] = value
        return True

    def stop_compared(point: int, call: int, left: Any, right: Any, how: str) -> bool:
        if type_(left) in plain and type_(right) in plain:
            try:
                result = outcome = operators[how](left, right)
            except BaseException as error:
                failed(point, call, left, right, error)
                raise
            add((point, call, left, right, result))
        else:
            result, outcome = general(point, call, left, right, how)
        if outcome is not on:
            return False
        operands[call] = result
        return True

    def stop_link(point: int, call: int, left: Any, right: Any, how: str) -> bool:
        """Compare in a chain that is used as a value: the result waits, or the right side for the next."""
        result, outcome = general(point, call, left, right, how)
        operands[call] = right if outcome else result
        return not outcome

    found: dict[str, Probe] = {name: stop, f"{name}_known": stop_known, f"{name}_compared": stop_compared}
    return found if on else {**found, "@stop_link": stop_link}
