"""The limit on an evaluation beside the point."""

from __future__ import annotations

import gc
import sys
import weakref
from time import process_time
from typing import Any

import pytest

from dyncli.gradchecking.evaluation_limit import AGAIN_SECONDS, TIMES, EvaluationTooLong, Guard
from dyncli.recorder.engine import grad_mode


def spin(seconds: float) -> None:
    end = process_time() + seconds
    while process_time() < end:
        pass


class Slow:
    """An object whose finalizer takes 0.4 s."""

    def __del__(self) -> None:
        spin(0.4)


def limited(evaluation: Any, seconds: float = 0.1) -> None:
    guard = Guard([])
    guard.seconds = seconds
    with guard.watching():
        guard.begin()
        try:
            evaluation()
        finally:
            guard.end()


def test_limit_ends_an_evaluation_that_goes_on() -> None:
    with pytest.raises(EvaluationTooLong):
        limited(lambda: spin(2.0))


@pytest.mark.whole
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_limit_in_a_finalizer_is_raised_after_it() -> None:
    """An error that is raised in a finalizer is printed and dropped, and the evaluation would go on."""

    def evaluation() -> None:
        Slow()
        spin(2.0)

    started = process_time()
    with pytest.raises(EvaluationTooLong):
        limited(evaluation)
    assert 0.4 <= process_time() - started < 1.5
    gc.collect()


@pytest.mark.whole
@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_limit_in_the_callback_of_a_weak_dictionary_is_raised_after_it() -> None:
    class Key:
        def __eq__(self, other: object) -> bool:
            return self is other

        def __hash__(self) -> int:
            return 1

    class Value:
        def __del__(self) -> None:
            pass

    table: weakref.WeakKeyDictionary[Key, Value] = weakref.WeakKeyDictionary()

    def evaluation() -> None:
        end = process_time() + 5.0
        while process_time() < end:
            key = Key()
            table[key] = Value()
            del key

    for _ in range(5):
        with pytest.raises(EvaluationTooLong):
            limited(evaluation, 0.06)


def test_limit_is_short_once_an_evaluation_ran_away() -> None:
    """Others do as well; but each may take fifty times what the point itself took."""
    for point, expected in ((0.0, AGAIN_SECONDS), (0.004, TIMES * 0.004)):
        guard = Guard([])
        guard.took(point)
        guard.until = 0.0
        with pytest.raises(EvaluationTooLong):
            guard._look(0, sys._getframe())
        assert expected == guard.seconds
        assert guard.until == float("inf")


def test_grad_mode_is_restored_where_a_limit_struck_in_the_end_of_no_grad() -> None:
    """All later evaluations would be cut off from their inputs."""
    limited(lambda: grad_mode.no_grad().__enter__())
    assert grad_mode.is_grad_enabled()
