"""Formulas of elementwise ops as calls of C functions, with few temporary arrays.

`lambda g, other: g * other.conj()` is `operator.mul`, which CPython calls sooner than a function written in Python.

`lambda g, result: g * (1 - result * result)` is three ufuncs, the second and third of which write over what the one
before has made.

A formula is called once with a stand-in for each array, which records the operators and the ufuncs it meets.
A formula that uses anything but the dtype is left as it is.  All bits stay the same.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dyncore.tensors.numpy_direct import clip

_BINARY = ("add", "sub", "mul", "truediv", "lt", "le", "gt", "ge", "eq", "ne")


class StandIn:
    """Stands for a real array, and for the result of one step on such arrays: (function, operands)."""

    def __init__(self, dtype: np.dtype[Any], step: tuple[Any, tuple[Any, ...]] | None = None) -> None:
        self.dtype = dtype
        self.step = step

    def conj(self) -> StandIn:
        return self

    def __neg__(self) -> StandIn:
        return StandIn(self.dtype, (operator.neg, (self,)))

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, **more: Any) -> StandIn:
        if method != "__call__" or more:
            raise TypeError
        return StandIn(self.dtype, (ufunc, given))

    def __bool__(self) -> bool:
        raise TypeError

    __hash__ = None  # type: ignore[assignment]


_UFUNCS = {
    operator.add: np.add, operator.sub: np.subtract, operator.mul: np.multiply, operator.truediv: np.true_divide,
    operator.neg: np.negative,
}  # fmt: skip


def _noting(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, other: StandIn(self.dtype, (function, (self, other)))


for _name in _BINARY:
    setattr(StandIn, f"__{_name}__", _noting(getattr(operator, _name)))


def single_step(function: Any, dtype: np.dtype[Any], count: int) -> Any:
    """Return the C function that `function` calls with `count` arrays of this dtype; None if it returns the first.

    Before one array there may be a constant one, as for relu.  Else `function` itself.
    """
    given = tuple(StandIn(dtype) for _ in range(count))
    try:
        found = function(*given)
    except Exception:
        return function
    if found is given[0]:
        return None
    if found.__class__ is StandIn and found.step is not None:
        step, operands = found.step
        if len(operands) == count and all(one is two for one, two in zip(operands, given, strict=True)):
            return step
        if count == 1 and len(operands) == 2 and operands[0].__class__ is np.ndarray and operands[1] is given[0]:
            return partial(step, operands[0])
        if step is clip and operands[0] is given[0]:
            return _limiting(*(np.array(each, dtype) for each in operands[1:]))
    return function


def _limiting(low: Any, high: Any) -> Callable[[Any], Any]:
    return lambda array: clip(array, low, high)


def in_one_array(function: Any, dtype: np.dtype[Any], count: int) -> Any:
    """Return `function` of `count` arrays of one shape, with later steps written over the results of earlier ones.

    Itself where it has one step, uses a step's result twice, or does anything that is no ufunc.
    """
    try:
        return _in_one_array(function, dtype, count)
    except Exception:
        return function


def _in_one_array(function: Any, dtype: np.dtype[Any], count: int) -> Any:
    given = tuple(StandIn(dtype) for _ in range(count))
    known = {id(each): f"a{number}" for number, each in enumerate(given)}
    lines: list[str] = []
    names: dict[str, Any] = {}
    result = _write(function(*given), known, lines, names)
    if len(lines) < 2:
        return function
    called = ", ".join(known[id(each)] for each in given)
    # An array without dimensions makes scalars, which nothing can be written over.
    text = [f"def formula({called}):", "    try:", *(f"        {line}" for line in lines), f"        return {result}"]
    text += ["    except TypeError:", f"        return function({called})"]
    exec(compile("\n".join(text), "<dyncore formula>", "exec"), names)
    sample = [np.linspace(0.1, 0.9, 5, dtype=dtype) for _ in given]
    made = names["formula"](*sample)  # a NameError where the steps are no such steps: `function` is not there yet
    if made.dtype is not dtype or not np.array_equal(made, function(*sample)):
        return function
    names["function"] = function
    return names["formula"]


def _write(step: Any, known: dict[int, str], lines: list[str], names: dict[str, Any]) -> str:
    """Return the name of a step's result, after the lines that compute it.  Raise TypeError where there are none."""
    if id(step) in known:
        if not known[id(step)]:
            raise TypeError("used twice")
        return known[id(step)]
    if step.__class__ is np.ndarray:
        name = f"c{len(names)}"
        names[name] = step
        return name
    function, operands = step.step
    ufunc = _UFUNCS.get(function, function)
    if ufunc is np.multiply and operands[0] is operands[1]:
        ufunc, operands = np.square, operands[:1]  # the same bits, sooner
    if not isinstance(ufunc, np.ufunc):
        raise TypeError
    given = [_write(each, known, lines, names) for each in operands]
    known[id(step)] = ""
    temporary = next((name for name in given if name[0] == "t"), None)
    made = temporary or f"t{len(lines)}"
    name = f"f{len(names)}"
    names[name] = ufunc
    lines.append(f"{made} = {name}({', '.join(given if temporary is None else [*given, temporary])})")
    return made
