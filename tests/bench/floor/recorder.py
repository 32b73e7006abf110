"""What the least recorder adds to an op, beside what that of `dyncli run` adds.

    python -m tests.bench.floor.recorder

A record says of each op its name, when it began and ended, where it was called, shape, dtype and value of its result
and whose results it was given; of each node of a backward pass its gradient, and when it began and ended.
The least recorder puts just that into one flat list, around each op of the engine without features, and asks nothing:
all results are vectors here, whose bytes say the shape.
The same wrappers without these lines are what it is compared with, so that nothing else is counted.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter_ns as now
from typing import Any

from dyncli.trace.tape import Tape
from tests.bench.floor import namespace
from tests.bench.floor.engine import Tensor, Way
from tests.bench.tracing import chain, once, rnn

TURNS = 80
OPS = {"chain": 2_001, "rnn": 801}
getframe = sys._getframe
BINARY, UNARY = ("__add__", "__mul__", "__matmul__"), ("tanh", "sum")


def one(name: str, entry: Any, extend: Any) -> Any:
    """An op of one operand that writes its row, or only calls the op."""

    def noted(input: Any) -> Any:
        started = now()
        result = entry(input)
        ended = now()
        frame = getframe(1)
        array = result._array
        result._trace = rank = result._edge.rank
        extend((name, rank, input._trace, started, ended, frame.f_code, frame.f_lasti, array.dtype, array.tobytes()))
        return result

    return (lambda input: entry(input)) if extend is None else noted


def two(name: str, entry: Any, extend: Any) -> Any:
    """The same for two operands, of which the second may be a number."""

    def noted(input: Any, other: Any) -> Any:
        started = now()
        result = entry(input, other)
        ended = now()
        frame = getframe(1)
        array = result._array
        result._trace = rank = result._edge.rank
        second = other._trace if type(other) is Tensor else other
        where = frame.f_code, frame.f_lasti
        extend((name, rank, input._trace, second, started, ended, *where, array.dtype, array.tobytes()))
        return result

    return (lambda input, other: entry(input, other)) if extend is None else noted


def back(rule: Any, extend: Any) -> Any:
    """A derivative that writes its row."""

    def noted(grad: Any, saved: Any) -> Any:
        started = now()
        result = grad if rule is None else rule(grad, saved)
        extend((started, now(), grad.tobytes()))
        return result

    return (lambda grad, saved: grad if rule is None else rule(grad, saved)) if extend is None else noted


@contextmanager
def wrapped(extend: Any) -> Iterator[None]:
    """All ops and derivatives with wrappers around them, which write rows unless `extend` is None."""
    before = [(Tensor, name, getattr(Tensor, name)) for name in (*BINARY, *UNARY)]
    before += [(namespace, "tanh", namespace.tanh), *[(way, "rule", way.rule) for way in Way.every]]
    for owner, name, value in before:
        wrap = back if name == "rule" else two if name in BINARY else one
        setattr(owner, name, wrap(value, extend) if name == "rule" else wrap(name, value, extend))
    yield
    for owner, name, value in before:
        setattr(owner, name, value)


def bare(run: Callable[..., None], extend: Any) -> int:
    """Nanoseconds of a run on the engine without features."""
    with wrapped(extend):
        started = time.process_time_ns()
        run(torch=namespace)
        return time.process_time_ns() - started


def main() -> None:
    """Prints what each recorder adds to an op, and the ratio that the least of them would make of dyncore's time."""
    print(f"{'':8}{'an op alone':>12}{'recorded':>10}{'more':>8}{'the least':>11}{'ratio':>8}{'at least':>10}")
    for run in (chain, rnn):
        turns = [(bare(run, None), bare(run, [].extend), once(run, None), once(run, Tape)) for _ in range(TURNS)]
        silent, noted, alone, heard = (min(column) / OPS[run.__name__] for column in zip(*turns, strict=True))
        least = noted - silent
        print(
            f"{run.__name__:8}{alone:9.0f} ns{heard:7.0f} ns{heard - alone:5.0f} ns{least:8.0f} ns"
            f"{heard / alone:8.2f}{1 + least / alone:10.2f}"
        )


if __name__ == "__main__":
    main()
