"""The probes of tests: comparisons, truth values, `and` and `or`; each asks a truth value exactly once.

Builtins are bound here once: a script may replace `bool` or `type`, the recorder must not notice.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from dyncli.load.seen import PLAIN, SIZED, Seen, describe, type_name

Probe = Callable[..., Any]

#: Marks frames of this module as none of the user's, as the engine's are: an op's site is looked for further out.
__dyncore__ = True
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}
_NAMES = {
    "_dy_lt": "<", "_dy_le": "<=", "_dy_gt": ">", "_dy_ge": ">=", "_dy_eq": "==", "_dy_ne": "!=",
    "_dy_is": "is", "_dy_is_not": "is not", "_dy_in": "in", "_dy_not_in": "not in",
}  # fmt: skip


class Verdict:
    """The outcome of a test of which more is to be told.

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
    """What a loop goes over, or a `match` looks at, as the log has it, where something was forced.

    forced: whether it really was.
    """

    __slots__ = ("forced", "value")

    def __init__(self, value: Any, forced: bool) -> None:
        self.value = value
        self.forced = forced


def probes(log: list[Any]) -> dict[str, Probe]:
    """The probes of tests; each asks a truth value exactly once."""
    add = log.extend
    type_, plain = type, PLAIN
    kept: dict[int, Any] = {}
    known: dict[int, bool] = {}

    def settle(point: int, activation: int, left: Any, right: Any, result: Any) -> bool:
        """Reports a test whose operands or result are not plain, and gives its truth."""
        left = describe(left)
        right = describe(right)
        if result is True or result is False:
            add((point, activation, left, right, result))
            return result
        source = describe(result)
        trace = source.trace if type_(source) is Seen else None
        try:
            outcome = True if result else False  # noqa: SIM210  20 ns less than bool()
        except BaseException as error:
            add((point, activation, left, right, Verdict(False, trace, type_name(error))))
            kept.pop(activation, None)
            raise
        add((point, activation, left, right, outcome if trace is None else Verdict(outcome, trace)))
        return outcome

    def failed(point: int, activation: int, left: Any, right: Any, error: BaseException) -> None:
        add((point, activation, describe(left), describe(right), Verdict(False, None, type_name(error))))
        kept.pop(activation, None)

    def comparison(compare: Callable[[Any, Any], Any]) -> Probe:
        def probe(point: int, activation: int, left: Any, right: Any) -> bool:
            try:
                result = compare(left, right)
            except BaseException as error:
                failed(point, activation, left, right, error)
                raise
            if type_(left) in plain and type_(right) in plain:
                add((point, activation, left, right, result))
                return result  # type: ignore[no-any-return]
            try:
                return settle(point, activation, left, right, result)
            except RecursionError:
                if result is True or result is False:  # the script has room for this, if the probe has none
                    return result
                raise

        return probe

    def ending_comparison(compare: Callable[[Any, Any], Any]) -> Probe:
        """A comparison that is a part of a test, and reports the whole where it decides it: one call for both."""

        def probe(
            point: int,
            activation: int,
            whole: int,
            when_true: bool | None,
            when_false: bool | None,
            left: Any,
            right: Any,
        ) -> bool:
            try:
                result = compare(left, right)
            except BaseException as error:
                failed(point, activation, left, right, error)
                raise
            if type_(left) in plain and type_(right) in plain:
                ended = when_true if result else when_false
                if ended is None:
                    add((point, activation, left, right, result))
                else:
                    add((point, activation, left, right, result, whole, activation, ended))
                return result  # type: ignore[no-any-return]
            return end(whole, activation, when_true, when_false, settle(point, activation, left, right, result))

        return probe

    def ending_truth(
        point: int, activation: int, whole: int, when_true: bool | None, when_false: bool | None, value: Any
    ) -> bool:
        if type_(value) in plain:
            outcome = True if value else False  # noqa: SIM210
            ended = when_true if outcome else when_false
            if ended is None:
                add((point, activation, value, None, outcome))
            else:
                add((point, activation, value, None, outcome, whole, activation, ended))
            return outcome
        return end(whole, activation, when_true, when_false, settle(point, activation, value, None, value))

    def truth(point: int, activation: int, value: Any) -> bool:
        if type_(value) in plain:
            outcome = True if value else False  # noqa: SIM210
            add((point, activation, value, None, outcome))
            return outcome
        try:
            return settle(point, activation, value, None, value)
        except RecursionError:
            if type_(value) in SIZED:
                return True if value else False  # noqa: SIM210
            raise

    def truth_known(point: int, activation: int, value: Any) -> bool:
        if activation not in known:
            return truth(point, activation, value)
        outcome = known.pop(activation)
        add((point, activation, describe(value), None, outcome))
        return outcome

    def ending_truth_known(
        point: int, activation: int, whole: int, when_true: bool | None, when_false: bool | None, value: Any
    ) -> bool:
        return end(whole, activation, when_true, when_false, truth_known(point, activation, value))

    def not_known(activation: int, value: Any) -> bool:
        return not (known.pop(activation) if activation in known else value)

    def test(point: int, activation: int, value: Any) -> bool:
        outcome = True if value else False  # noqa: SIM210
        add((point, activation, outcome))
        return outcome

    def end(point: int, activation: int, when_true: bool | None, when_false: bool | None, outcome: bool) -> bool:
        whole = when_true if outcome else when_false
        if whole is not None:
            add((point, activation, whole))
        return outcome

    def link(point: int, activation: int, symbol: str, left: Any, right: Any) -> bool:
        """A comparison of `a < b < c` but the last: its right side waits for the next if there is one."""
        outcome = compared[symbol](point, activation, left, right)
        if outcome:
            kept[activation] = right
        return outcome  # type: ignore[no-any-return]

    # `and`, `or` as values: the operand that decides waits at its activation for one step

    def keep(activation: int, value: Any) -> Any:
        kept[activation] = value
        return value

    def take_false(activation: int) -> Any:
        known[activation] = False
        return kept.pop(activation)

    def take_true(activation: int) -> Any:
        known[activation] = True
        return kept.pop(activation)

    def stopping(on: bool) -> tuple[Probe, Probe, Probe]:
        """The tests that stop when an operand is `on`: of a value, of one whose truth may be known, of a comparison."""

        def stop(point: int, activation: int, value: Any) -> bool:
            if type_(value) in plain:
                outcome = True if value else False  # noqa: SIM210
                add((point, activation, value, None, outcome))
            else:
                try:
                    outcome = settle(point, activation, value, None, value)
                except RecursionError:
                    if type_(value) not in SIZED:
                        raise
                    outcome = True if value else False  # noqa: SIM210
            if outcome is not on:
                return False
            kept[activation] = value
            return True

        def stop_known(point: int, activation: int, value: Any) -> bool:
            if activation not in known:
                return stop(point, activation, value)
            outcome = known.pop(activation)
            add((point, activation, describe(value), None, outcome))
            if outcome is not on:
                return False
            kept[activation] = value
            return True

        def stop_compare(point: int, activation: int, symbol: str, left: Any, right: Any) -> bool:
            try:
                result = COMPARE[symbol](left, right)
            except BaseException as error:
                failed(point, activation, left, right, error)
                raise
            try:
                outcome = settle(point, activation, left, right, result)
            except RecursionError:
                if result is not True and result is not False:
                    raise
                outcome = result
            if outcome is not on:
                return False
            kept[activation] = result
            return True

        return stop, stop_known, stop_compare

    stop_false, stop_false_known, stop_false_compare = stopping(False)
    stop_true, stop_true_known, stop_true_compare = stopping(True)
    compared = {symbol: comparison(COMPARE[symbol]) for symbol in COMPARE}
    return {
        **{name: compared[symbol] for name, symbol in _NAMES.items()},
        **{f"{name}_end": ending_comparison(COMPARE[symbol]) for name, symbol in _NAMES.items()},
        "_dy_truth": truth,
        "_dy_truth_end": ending_truth,
        "_dy_truth_known": truth_known,
        "_dy_truth_known_end": ending_truth_known,
        "_dy_not_known": not_known,
        "_dy_test": test,
        "_dy_end": end,
        "_dy_link": link,
        "_dy_keep": keep,
        "_dy_kept": kept.pop,
        "_dy_kept_false": take_false,
        "_dy_kept_true": take_true,
        "_dy_stop_false": stop_false,
        "_dy_stop_false_known": stop_false_known,
        "_dy_stop_false_compare": stop_false_compare,
        "_dy_stop_true": stop_true,
        "_dy_stop_true_known": stop_true_known,
        "_dy_stop_true_compare": stop_true_compare,
    }
