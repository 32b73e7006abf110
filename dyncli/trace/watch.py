"""A tape that also looks at every value and gradient on its way, so that the first bad one can be told.

A larger array is not kept: its norm is taken, one pass over the memory that was just written.  Only where that is not
an ordinary number are its elements looked at one by one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import ndarray

from dyncli.trace.summary import statistics
from dyncli.trace.tape import SMALL, Tape
from dyncore.tensor import Tensor

Seen = Any  # a small array, the norm of a larger one, or its Stats


class Watch(Tape):
    """A Tape that notes `seen`, by op, and `pieces`: what each backward node handed on, and to which node."""

    def __init__(self, log: list[Any], max_ops: int | None = None) -> None:
        super().__init__(log, max_ops)
        self.seen: dict[int, list[Seen]] = {}
        self.op = _watching(self, self.op, seen)  # type: ignore[method-assign]

    def looked(self, seq: int) -> list[Seen]:
        """What was seen of the outputs of op `seq`."""
        return self.seen.get(seq, [])

    def node(self, node: Any, grad: Any, started: int, ended: int, result: Any) -> None:
        """Notes the node with what it got and what it hands on."""
        pairs = ((node.e0, result),) if node.single else result or ()
        pieces = tuple(
            (edge.rank, edge.index, seen(getattr(piece, "_array", piece)))
            for edge, piece in pairs
            if edge is not None and piece is not None
        )
        got = seen(getattr(grad, "_array", grad))
        self.open[-1].nodes.append((node.rank, got, started, ended, pieces))


class Measure(Tape):
    """A Tape that notes the statistics of all that its ops give, so that two runs can be compared op by op.

    The norm alone would not tell `x` from `-x`.
    """

    def __init__(self, log: list[Any], max_ops: int | None = None) -> None:
        super().__init__(log, max_ops)
        self.seen: dict[int, list[Seen]] = {}
        self.op = _watching(self, self.op, _measured)  # type: ignore[method-assign]

    def looked(self, seq: int) -> list[Seen]:
        """What was seen of the outputs of op `seq`."""
        return self.seen.get(seq, [])


def _measured(array: Any) -> Seen:
    if array.__class__ is not ndarray:
        return array if isinstance(array, np.generic) else None
    return array.copy() if array.size <= SMALL else statistics(array)


def _watching(tape: Watch | Measure, heard: Any, look: Any) -> Any:
    """What runs after every op: looks at its result, then notes the op."""
    ops, seen_by_op = tape.ops, tape.seen

    def op(op: Any, args: Any, kwargs: Any, result: Any, started: int, ended: int) -> None:
        if result.__class__ is Tensor or isinstance(result, Tensor):
            seen_by_op[len(ops)] = [look(result._array)]
        elif result.__class__ is list or isinstance(result, tuple):
            seen_by_op[len(ops)] = [look(each._array) for each in result if isinstance(each, Tensor)]
        heard(op, args, kwargs, result, started, ended)

    return op


def seen(array: Any) -> Seen:
    """Return a copy of a small array, the norm of a larger one, or its statistics if the norm is no ordinary number.

    None of what is no array of numbers with a point.
    """
    if array.__class__ is not ndarray:
        return array if isinstance(array, np.generic) else None
    if array.size <= SMALL:
        return array.copy()
    if array.dtype.kind != "f":
        return statistics(array) if array.dtype.kind == "c" else None
    flat = array.ravel(order="K")
    if array.itemsize < 4:
        flat = flat.astype(np.float32)
    square = float(np.dot(flat, flat))
    if 0.0 < square < math.inf:
        return math.sqrt(square)
    return statistics(array) if square or flat.any() else 0.0
