"""The probes of tests: comparisons, truth values, `and` and `or`.

What a test asks of the script's objects is asked in the script's own frame, exactly once (`instrument/asked.py`); a
probe gets the answer with the operands.  Only the truth of what a comparison gave, if that is no bool, is asked here.
Builtins are bound here once: a script may replace `bool` or `type`, the recorder must not notice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncli.load.seen import PLAIN, Seen, describe, type_name

Probe = Callable[..., Any]
#: How more is told of a truth: with the value as it is, with what `not` makes of it, or as the outcome of a whole test.
AS_IT_IS, AS_BOOL, AS_WHOLE = range(3)
#: A point, one of these, and an outcome.
Told = tuple[int, int, bool]

#: Marks frames of this module as none of the user's, as the engine's are: an op's site is looked for further out.
__dyncore__ = True


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

    def failed(point: int | None, activation: int, left: Any, *more: Any) -> None:
        """Reports a test that raised in the script's frame.  more: the right side of a comparison, and the error."""
        kept.pop(activation, None)
        if point is None:
            return
        *right, error = more
        seen = describe(left)
        trace = seen.trace if type_(seen) is Seen and not right else None
        other = describe(right[0]) if right else None
        add((point, activation, seen, other, Verdict(False, trace, type_name(error))))

    def compared(point: int, activation: int, left: Any, right: Any, result: Any) -> bool:
        if type_(left) in plain and type_(right) in plain:
            add((point, activation, left, right, result))
            return result  # type: ignore[no-any-return]
        try:
            return settle(point, activation, left, right, result)
        except RecursionError:
            if result is True or result is False:  # the script has room for this, if the probe has none
                return result
            raise

    def compared_end(
        whole: int,
        when_true: bool | None,
        when_false: bool | None,
        point: int,
        activation: int,
        left: Any,
        right: Any,
        result: Any,
    ) -> bool:
        """Reports a comparison that is a part of a test, and the whole where it decides it: one call for both."""
        if type_(left) in plain and type_(right) in plain:
            ended = when_true if result else when_false
            if ended is None:
                add((point, activation, left, right, result))
            else:
                add((point, activation, left, right, result, whole, activation, ended))
            return result  # type: ignore[no-any-return]
        return end(whole, when_true, when_false, activation, settle(point, activation, left, right, result))

    def truth(point: int, activation: int, value: Any, outcome: bool) -> bool:
        if type_(value) in plain:
            add((point, activation, value, None, outcome))
            return outcome
        try:
            seen = describe(value)
            if type_(seen) is Seen and seen.trace is not None:
                add((point, activation, seen, None, Verdict(outcome, seen.trace)))
            else:
                add((point, activation, seen, None, outcome))
        except RecursionError:
            pass  # the script has room for this, if the probe has none
        return outcome

    def truth_end(
        whole: int,
        when_true: bool | None,
        when_false: bool | None,
        point: int,
        activation: int,
        value: Any,
        outcome: bool,
    ) -> bool:
        ended = when_true if outcome else when_false
        if type_(value) in plain and ended is not None:
            add((point, activation, value, None, outcome, whole, activation, ended))
            return outcome
        truth(point, activation, value, outcome)
        if ended is not None:
            add((whole, activation, ended))
        return outcome

    def truth_known(point: int, activation: int, value: Any, outcome: bool | None) -> bool:
        """Reports a truth; None as `outcome` if it was asked on the way already."""
        if outcome is not None:
            return truth(point, activation, value, outcome)
        outcome = known.pop(activation)
        add((point, activation, describe(value), None, outcome))
        return outcome

    def truth_known_end(
        whole: int,
        when_true: bool | None,
        when_false: bool | None,
        point: int,
        activation: int,
        value: Any,
        outcome: bool | None,
    ) -> bool:
        return end(whole, when_true, when_false, activation, truth_known(point, activation, value, outcome))

    def told(
        when_true: tuple[Told, ...],
        when_false: tuple[Told, ...],
        point: int | None,
        activation: int,
        value: Any,
        outcome: bool | None,
    ) -> bool:
        """Reports a truth that decides more: the conditional expression it stands in, and the whole test."""
        if point is not None:
            outcome = truth_known(point, activation, value, outcome)
        elif outcome is None:
            outcome = known.pop(activation)
        return also(when_true if outcome else when_false, activation, value, outcome)

    def told_compared(
        when_true: tuple[Told, ...],
        when_false: tuple[Told, ...],
        point: int,
        activation: int,
        left: Any,
        right: Any,
        result: Any,
    ) -> bool:
        outcome = compared(point, activation, left, right, result)
        return also(when_true if outcome else when_false, activation, result, outcome)

    def also(more: tuple[Told, ...], activation: int, value: Any, outcome: bool) -> bool:
        for point, how, said in more:
            if how == AS_WHOLE:
                add((point, activation, said))
            else:
                add((point, activation, describe(value) if how == AS_IT_IS else said, None, said))
        return outcome

    def not_known(_: None, activation: int, value: Any, outcome: bool | None) -> bool:
        return not (known.pop(activation) if outcome is None else outcome)

    def test(point: int, activation: int, value: Any) -> bool:
        outcome = True if value else False  # noqa: SIM210
        add((point, activation, outcome))
        return outcome

    def end(whole: int, when_true: bool | None, when_false: bool | None, activation: int, outcome: bool) -> bool:
        ended = when_true if outcome else when_false
        if ended is not None:
            add((whole, activation, ended))
        return outcome

    def link(point: int, activation: int, left: Any, right: Any, result: Any) -> bool:
        """A comparison of `a < b < c` but the last: its right side waits for the next if there is one."""
        outcome = compared(point, activation, left, right, result)
        if outcome:
            kept[activation] = right
        return outcome

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

        def stop(point: int, activation: int, value: Any, outcome: bool) -> bool:
            if type_(value) in plain:
                add((point, activation, value, None, outcome))
            else:
                truth(point, activation, value, outcome)
            if outcome is not on:
                return False
            kept[activation] = value
            return True

        def stop_known(point: int, activation: int, value: Any, outcome: bool | None) -> bool:
            if truth_known(point, activation, value, outcome) is not on:
                return False
            kept[activation] = value
            return True

        def stop_compared(point: int, activation: int, left: Any, right: Any, result: Any) -> bool:
            if compared(point, activation, left, right, result) is not on:
                return False
            kept[activation] = result
            return True

        return stop, stop_known, stop_compared

    stop_false, stop_false_known, stop_false_compared = stopping(False)
    stop_true, stop_true_known, stop_true_compared = stopping(True)
    return {
        "_dy_compared": compared,
        "_dy_compared_end": compared_end,
        "_dy_failed": failed,
        "_dy_truth": truth,
        "_dy_truth_end": truth_end,
        "_dy_truth_known": truth_known,
        "_dy_truth_known_end": truth_known_end,
        "_dy_is_known": known.__contains__,
        "_dy_not_known": not_known,
        "_dy_told": told,
        "_dy_told_compared": told_compared,
        "_dy_test": test,
        "_dy_end": end,
        "_dy_link": link,
        "_dy_keep": keep,
        "_dy_kept": kept.pop,
        "_dy_kept_false": take_false,
        "_dy_kept_true": take_true,
        "_dy_stop_false": stop_false,
        "_dy_stop_false_known": stop_false_known,
        "_dy_stop_false_compared": stop_false_compared,
        "_dy_stop_true": stop_true,
        "_dy_stop_true_known": stop_true_known,
        "_dy_stop_true_compared": stop_true_compared,
    }
