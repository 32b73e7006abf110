"""The listener on a model that is evaluated for a check: it records the decisions hidden in its ops.

A `Watch` without a `base` keeps them; one with a `base`, the decisions of the point itself, says which was the first
to differ (`flip`), and how fast each margin moves.  With `pin` it writes the base's decisions into the results, so
that every element stays on the piece it was on.
"""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking.evaluation_limit import EvaluationTooLong
from dyncli.gradchecking.module_sites import users_instruction
from dyncli.gradchecking.piecewise_ops import COMPARISONS, DISCRETE, PIECES, Piece, Values
from dyncli.recorder.engine import Listener, Tensor

_getframe = sys._getframe


class Hidden(NamedTuple):
    """One decision of an op.  at: the length of the script's decision log then."""

    name: str
    key: Any
    margin: Any
    at: int
    code: CodeType
    lasti: int


class OffPath(Exception):
    """A pinned evaluation came to an op that the point itself did not come to, or one that cannot be pinned."""


class Watch(Listener):
    """The listener of one evaluation.

    log: the script's decision log.  most: EvaluationTooLong is raised after so many ops.
    """

    def __init__(
        self,
        log: list[Any],
        base: list[Hidden] | None = None,
        *,
        margins: bool = False,
        pin: bool = False,
        keep_keys: bool = False,
        most: int = sys.maxsize,
    ) -> None:
        self.log = log
        self.base = base
        self.margins = margins
        self.pin = pin
        self.hidden: list[Hidden] = []
        self.ops = 0
        self.most = most
        self.count = 0
        self.flip: int | None = None
        self.flip_margin: float | None = None
        self.moved: list[tuple[int, Any]] = []
        self.keys: list[bytes] | None = [] if keep_keys else None

    def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        self.ops += 1
        if self.ops > self.most:
            raise EvaluationTooLong
        piece = PIECES.get(op.name)
        array = getattr(result, "_array", None)
        if array is not None:
            if piece is None:
                if array.dtype.kind in "fc":
                    return
                self._discrete(op, args, kwargs, result, array)
                return
            other = kwargs.get("other", args[1] if len(args) > 1 else None)
            if op.name in ("max", "min") and isinstance(other, Tensor):
                piece = PIECES["maximum" if op.name == "max" else "minimum"]
                kwargs = {**kwargs, "other": other}
                args = args[:1]
            self._piece(op, piece, args, kwargs, result, array)
        elif isinstance(result, (tuple, list)):
            for each in result:
                if isinstance(each, Tensor) and each._array.dtype.kind in "biu":
                    self._discrete(op, args, kwargs, result, each._array)
                    return
            if piece is not None and isinstance(result[0], Tensor):
                self._piece(op, piece._replace(pinned=None), args, kwargs, result[0], result[0]._array)

    # -- one decision

    def _piece(self, op: Any, piece: Piece, args: Any, kwargs: Any, result: Tensor, array: Any) -> None:
        values = given(op, args, kwargs)
        if "_inplace" in kwargs:
            values["input"] = before(result, values["input"])
        try:
            key = piece.key(values, array)
            wanted = self.margins or self.base is None
            margin = piece.margin(values, array) if piece.margin is not None and wanted else None
        except (TypeError, ValueError, KeyError, IndexError):  # arguments of an unforeseen kind: nothing is known
            return
        number = self.count
        self._note(op.name, key, margin)
        if self.pin:
            kept = self._expected(number, op.name, key)
            if piece.pinned is None:
                if not _same(key, kept.key):
                    raise OffPath
                return
            write(result, piece.pinned(values, array, kept.key), "_inplace" in kwargs)

    def _discrete(self, op: Any, args: Any, kwargs: Any, result: Any, array: Any) -> None:
        find = DISCRETE.get(op.name)
        margin = None
        if find is not None and (self.margins or self.base is None):
            try:
                margin = find(given(op, args, kwargs), array)
            except (TypeError, ValueError, KeyError, IndexError):
                margin = None
        number = self.count
        self._note(op.name, np.array(array) if self.base is None else array, margin)
        if self.pin:
            kept = self._expected(number, op.name, array)
            if not _same(array, kept.key):
                _follow(op, args, kwargs, result, kept.key)

    def _expected(self, number: int, name: str, key: Any) -> Hidden:
        assert self.base is not None
        if (
            number >= len(self.base)
            or self.base[number].name != name
            or np.shape(self.base[number].key) != np.shape(key)
        ):
            raise OffPath
        return self.base[number]

    def _note(self, name: str, key: Any, margin: Any) -> None:
        base = self.base
        if self.keys is not None:
            self.keys.append(np.asarray(key).tobytes())
        if base is None:
            self.hidden.append(Hidden(name, key, margin, len(self.log), *users_instruction(_getframe(3))))
            self.count += 1
            return
        number = self.count
        self.count += 1
        if self.flip is not None:
            return
        if number >= len(base) or base[number].name != name or not _same(base[number].key, key):
            self.flip = min(number, len(base) - 1)
            self.flip_margin = _least(base[self.flip], key)
        elif (
            margin is not None and base[number].margin is not None and np.shape(margin) == np.shape(base[number].margin)
        ):
            self.moved.append((number, margin))

    def ended(self) -> None:
        """Record that decisions of the point were not come to."""
        if self.base is not None and self.flip is None and self.count < len(self.base):
            self.flip = self.count


def given(op: Any, args: Any, kwargs: Any) -> Values:
    """Map an op's parameters to its arguments, defaults included, tensors as arrays."""
    values = dict(op.defaults)
    for name, value in zip(op.names, args):
        values[name] = value._array if isinstance(value, Tensor) else value
    for name, value in kwargs.items():
        values[name] = value._array if isinstance(value, Tensor) else value
    return values


def before(result: Tensor, array: Any) -> Any:
    """Return what an op in place was given: what it saved for backward.

    Else what it left, which has the same sign mostly.
    """
    node = getattr(result._edge, "node", None)
    saved = node.saved() if node is not None else {}
    found = saved.get("input")
    return array if found is None or np.shape(found) != np.shape(array) else found


def write(result: Tensor, array: Any, inplace: bool) -> None:
    """Write other values into the result of an op, in place if the op was."""
    made = np.asarray(array, result._array.dtype)
    if inplace and isinstance(result._array, np.ndarray):
        result._array[...] = made
    else:
        result._array = made if made.ndim else made[()]


def _follow(op: Any, args: Any, kwargs: Any, result: Any, key: Any) -> None:
    """Set the indices of a result to those at the point, and its values to the elements they select."""
    if isinstance(result, Tensor):
        write(result, key, "_inplace" in kwargs)
        return
    values, indices = result[0], next(each for each in result if each._array.dtype.kind in "biu")
    known = given(op, args, kwargs)
    x = np.asarray(known["input"])
    dim = known.get("dim", -1)
    if op.name not in ("sort", "topk", "kthvalue", "median", "nanmedian", "mode", "max", "min", "cummax", "cummin"):
        raise OffPath
    indices._array = key
    if not isinstance(dim, int) or not x.ndim:
        write(values, x, False)
        return
    lost = np.ndim(key) < x.ndim
    found = np.take_along_axis(x, np.expand_dims(key, dim) if lost else np.asarray(key), dim)
    write(values, np.squeeze(found, dim) if lost else found, False)


def _least(kept: Hidden, key: Any) -> float | None:
    """Return the least margin among the elements whose piece differs from that at the point."""
    if kept.margin is None or not np.size(kept.margin):
        return None
    margins = np.abs(np.asarray(kept.margin, np.float64))
    if np.shape(key) == np.shape(kept.key) == margins.shape and np.any(key != kept.key):
        margins = margins[np.asarray(key != kept.key)]
    return float(margins.min())


def _same(one: Any, other: Any) -> bool:
    if type(one) is np.ndarray and type(other) is np.ndarray and one.shape == other.shape and (one == other).all():
        return True  # half the time of `array_equal`
    if np.shape(one) != np.shape(other):
        return False
    if np.ndim(one) == 0:
        return bool(one == other) or (one != one and other != other)
    if np.array_equal(one, other):
        return True
    return np.asarray(one).dtype.kind == "f" and np.array_equal(one, other, equal_nan=True)


def is_comparison(name: str) -> bool:
    """Return whether a hidden decision is a comparison written as such."""
    return name in COMPARISONS
