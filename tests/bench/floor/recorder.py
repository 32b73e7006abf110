"""What the least recorder adds to an op, beside what that of a whole record adds (`dyncli graph`, `--json`).

    python -m tests.bench.floor.recorder

A record says of each op its name, when it began and ended, where it was called, shape and value of its result and
whose results it was given; of each node of a backward pass its gradient, and when it ended.
The least recorder puts just that into one flat list, around each op of the engine without features, and asks nothing:
all results are vectors of one size here, whose elements go to one buffer if they are few.
The line, which an engine notes whoever listens, is a constant.
The same wrappers without these lines are what it is compared with, so that nothing else is counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from time import perf_counter as now
from typing import Any

from dyncli.recorder.request import Request
from tests.bench.floor import namespace
from tests.bench.floor.engine import Tensor, Way
from tests.bench.tracing import chain, once, rnn

TURNS = 80
OPS = {"chain": 2_001, "rnn": 801}
CODE, LASTI = chain.__code__, 1_000  # of the line, which is known without a recorder
BINARY, UNARY = ("__add__", "__mul__", "__matmul__"), ("tanh", "sum")


def one(name: str, entry: Any, rows: Any, write: Any) -> Any:
    """An op of one operand that writes its row, or only calls the op."""

    def noted(input: Any) -> Any:
        nonlocal rows
        started = now()
        result = entry(input)
        ended = now()
        result._trace = rank = result._edge.rank
        rows += (input._trace, rank, LASTI, started, ended, 0, name, None, 3, CODE)
        if write is not None:
            write(result._array)
        return result

    return (lambda input: entry(input)) if rows is None else noted


def two(name: str, entry: Any, rows: Any, write: Any) -> Any:
    """The same for two operands, of which the second may be a number."""

    def noted(input: Any, other: Any) -> Any:
        nonlocal rows
        started = now()
        result = entry(input, other)
        ended = now()
        result._trace = rank = result._edge.rank
        second = other._trace if type(other) is Tensor else other
        rows += (input._trace, rank, LASTI, started, ended, 0, name, second, 3, CODE)
        if write is not None:
            write(result._array)
        return result

    return (lambda input, other: entry(input, other)) if rows is None else noted


def back(rule: Any, rows: Any, write: Any) -> Any:
    """A derivative that writes its row."""

    def noted(grad: Any, saved: Any) -> Any:
        nonlocal rows
        result = grad if rule is None else rule(grad, saved)
        rows += (1, 3, now())
        if write is not None and grad is not result:  # what is handed on is noted once
            write(grad)
        return result

    return (lambda grad, saved: grad if rule is None else rule(grad, saved)) if rows is None else noted


@contextmanager
def wrapped(rows: Any, write: Any) -> Iterator[None]:
    """All ops and derivatives with wrappers around them, which write rows unless `rows` is None."""
    before = [(Tensor, name, getattr(Tensor, name)) for name in (*BINARY, *UNARY)]
    before += [(namespace, "tanh", namespace.tanh), *[(way, "rule", way.rule) for way in Way.every]]
    for owner, name, value in before:
        wrap = two if name in BINARY else one
        setattr(owner, name, back(value, rows, write) if name == "rule" else wrap(name, value, rows, write))
    yield
    for owner, name, value in before:
        setattr(owner, name, value)


def bare(run: Callable[..., None], rows: Any) -> int:
    """Nanoseconds of a run on the engine without features, and of letting go of the rows."""
    with wrapped(rows, BytesIO().write if run is chain else None):
        started = time.process_time_ns()
        run(torch=namespace)
        if rows is not None:
            rows.clear()
        return time.process_time_ns() - started


def main() -> None:
    """Prints what each recorder adds to an op, and the ratio that the least of them would make of dyncore's time."""
    print(f"{'':8}{'an op alone':>12}{'recorded':>10}{'more':>8}{'the least':>11}{'ratio':>8}{'at least':>10}")
    for run in (chain, rnn):
        turns = [(bare(run, None), bare(run, []), once(run, None), once(run, Request(""))) for _ in range(TURNS)]
        silent, noted, alone, heard = (min(column) / OPS[run.__name__] for column in zip(*turns, strict=True))
        least = noted - silent
        print(
            f"{run.__name__:8}{alone:9.0f} ns{heard:7.0f} ns{heard - alone:5.0f} ns{least:8.0f} ns"
            f"{heard / alone:8.2f}{1 + least / alone:10.2f}"
        )


if __name__ == "__main__":
    main()
