"""A tape that also looks at every value and gradient on its way, so that the first bad one can be told.

A larger array is not kept: its norm is taken, one pass over the memory that was just written.  Only where that is not
an ordinary number are its elements looked at one by one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy import ndarray, vdot

from dyncli.record.model import Stats
from dyncli.trace.summary import statistics
from dyncli.trace.tape import SMALL, Tape
from dyncore.graph import AccumulateGrad
from dyncore.tensor import Tensor

Seen = Any  # the norm of an array, or its Stats


def seen(array: Any) -> Seen:
    """Return the norm of an array, or its statistics if the norm is no ordinary number; None if it holds no floats."""
    if array.dtype.kind != "f":
        return statistics(array) if array.dtype.kind == "c" else None
    if array.itemsize < 4:
        array = array.astype(np.float32)
    square = float(array.dot(array) if array.ndim == 1 else vdot(array, array))  # 1.5x on 64 elements, as timeit has it
    if not 0.0 < square < math.inf:  # all zero, not finite, or too small or large to be squared in its own precision
        wide = array.astype(np.float64)
        square = float(vdot(wide, wide))
    return math.sqrt(square) if square < math.inf else statistics(array)


def _measured(array: Any, args: Any) -> Any:
    if array.__class__ is not ndarray:
        return array
    return array.copy() if array.size <= SMALL else (array.shape, array.dtype, statistics(array))


class Watch(Tape):
    """A Tape that looks at every result, and at what each backward node got and handed on.

    Of the gradients handed on those are noted that may be bad: small ones, which are looked at later, and larger ones
    with NaN or Inf.
    """

    def look(self, array: Any, args: Any) -> Any:
        """Gives a copy of a small array, which may be written to; of a larger one, shape, dtype and what was seen."""
        if array.__class__ is not ndarray:
            return array
        if array.size <= SMALL:
            return array.copy()
        what = seen(array)
        if not what or isinstance(what, Stats):
            self._look_closer(args)
        return array.shape, array.dtype, what

    def _look_closer(self, args: Any) -> None:
        """Takes the statistics of what something bad was made of: whether it had zeros, and where it ended."""
        for value in args:
            if isinstance(value, Tensor) and value._array.__class__ is ndarray and value._array.size > SMALL:
                number = self.number(value)
                if number not in self.closer:
                    self.closer[number] = statistics(value._array)
            elif isinstance(value, (list, tuple)):
                self._look_closer(value)

    def __init__(self, log: list[Any], max_ops: int | None = None) -> None:
        super().__init__(log, max_ops)
        self.last: tuple[tuple[Any, Seen], ...] = ()

    def node(self, node: Any, grad: Any, started: int, ended: int, result: Any) -> None:
        """Notes the node with what it got and what it hands on."""
        got = grad if grad.__class__ is ndarray else getattr(grad, "_array", grad)
        if got.__class__ is ndarray and got.size > SMALL:
            got = next((what for array, what in self.last if array is got), None) or seen(got)
        elif not isinstance(got, (ndarray, np.generic)):
            got = None
        pieces: list[tuple[int, int, Any]] = []
        last: list[tuple[Any, Seen]] = []
        for edge, piece in ((node.e0, result),) if node.single else result or ():
            if edge is None or piece is None:
                continue
            array = piece if piece.__class__ is ndarray else getattr(piece, "_array", piece)
            if array.__class__ is ndarray and array.size > SMALL:
                what = seen(array)
                last.append((array, what))
                if isinstance(what, Stats):
                    pieces.append((edge.rank, edge.index, what))
            elif array.__class__ is ndarray:
                pieces.append((edge.rank, edge.index, array.copy() if edge.__class__ is AccumulateGrad else array))
            elif isinstance(array, np.generic):
                pieces.append((edge.rank, edge.index, array))
        self.last = tuple(last)
        self.open[-1].nodes.append((node.rank, got, started, ended, tuple(pieces)))

    def end_backward(self, leaves: Any) -> None:
        """Lets go of the last gradients."""
        self.last = ()
        super().end_backward(leaves)


class Measure(Tape):
    """A Tape that notes the statistics of all that its ops give, so that two runs can be compared op by op.

    The norm alone would not tell `x` from `-x`.
    """

    look = staticmethod(_measured)
