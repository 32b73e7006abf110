"""Formulas of elementwise ops prepared for arrays of one real dtype.

`lambda g, other: g * other.conj()` becomes `operator.mul`, which CPython calls sooner than a function in Python.
`lambda g, result: g * (1 - result * result)` becomes `g * (c0 - result * result)`, where c0 is an array of the dtype,
or a scalar where the operands are: half the time for few floats (tests/bench, chain and scalars).  For many floats it
becomes three ufuncs, the second and third of which write over what the one before has made.

A formula is called once with a stand-in for each array, which records the operators and the ufuncs it meets.  A formula
that does anything else is left as it is.  All bits stay the same: NumPy makes the same array of a number each time, and
a real number is its own conjugate.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

_SYMBOLS = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.pow: "**",
    operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!=",
}  # fmt: skip
_UFUNCS = {
    operator.add: np.add, operator.sub: np.subtract, operator.mul: np.multiply, operator.truediv: np.true_divide,
    operator.neg: np.negative,
}  # fmt: skip


class StandIn:
    """Stands for real arrays, or scalars, of one dtype.

    step: the function and the operands whose result it stands for; None for an argument of the formula.
    """

    def __init__(self, dtype: np.dtype[Any], scalar: bool, step: Any = None) -> None:
        self.dtype, self.scalar, self.step = dtype, scalar, step

    def made(self, function: Any, *operands: Any) -> StandIn:
        """Return what stands for the result of `function`, with numbers among its operands as arrays.

        An exponent stays as it is, since NumPy squares for `x ** 2`.
        """
        if function is not operator.pow and function is not np.power:
            numbers = (int, float, self.dtype.type)
            operands = tuple([self.array(each) if type(each) in numbers else each for each in operands])
        return StandIn(self.dtype, self.scalar, (function, operands))

    def array(self, number: float) -> Any:
        """Return a number as an array without dimensions, or as a scalar."""
        array = np.array(number, self.dtype)
        array.flags.writeable = False
        return array[()] if self.scalar else array

    def conj(self) -> StandIn:
        return self

    def __neg__(self) -> StandIn:
        return self.made(operator.neg, self)

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, **more: Any) -> StandIn:
        if method != "__call__" or more:
            raise TypeError
        return self.made(ufunc, *given)

    def __bool__(self) -> bool:
        raise TypeError

    __hash__ = None  # type: ignore[assignment]


def _define(function: Callable[..., Any]) -> None:
    """Let stand-ins record a binary operator, with an array or a number on either side."""
    name = function.__name__
    setattr(StandIn, f"__{name}__", lambda self, other: self.made(function, self, other))
    if name in ("add", "sub", "mul", "truediv", "pow"):
        setattr(StandIn, f"__r{name}__", lambda self, other: self.made(function, other, self))


for _function in _SYMBOLS:
    _define(_function)


def prepared(function: Any, dtype: np.dtype[Any], scalar: bool, count: int, in_one: bool = False) -> Any:
    """Return `function` for `count` arrays of one dtype, or scalars of it; None if it returns the first.

    in_one: whether later steps may be written over the results of earlier ones.
    """
    given = tuple(StandIn(dtype, scalar) for _ in range(count))
    try:
        found = function(*given)
        if found is given[0]:
            return None
        step, operands = found.step
        if len(operands) == count and all(one is two for one, two in zip(operands, given, strict=True)):
            return step
        if count == 1 and len(operands) == 2 and operands[1] is given[0] and isinstance(step, np.ufunc):
            return partial(step, operands[0])  # as of relu
        written = _Text(given)
        made = written.function([f"return {written.expression(found, Counter(_uses(found)))}"])
    except Exception:
        return function
    if not in_one or scalar:
        return made
    try:
        return _in_one_array(made, found, given)
    except TypeError:
        return made


def _uses(result: StandIn) -> list[int]:
    """Return the id of a step for each time that its result is used."""
    seen, found, waiting = set[int](), list[int](), [result]
    while waiting:
        step = waiting.pop()
        found.append(id(step))
        if id(step) not in seen and step.step is not None:
            seen.add(id(step))
            waiting += [each for each in step.step[1] if isinstance(each, StandIn)]
    return found


class _Text:
    """The text of a formula, and the names that it refers to."""

    def __init__(self, given: tuple[StandIn, ...]) -> None:
        self.variables = {id(each): f"a{number}" for number, each in enumerate(given)}
        self.parameters = ", ".join(self.variables.values())
        self.names: dict[str, Any] = {}
        self.lines: list[str] = []

    def function(self, lines: list[str]) -> Any:
        """Compile the function of these lines, after those written before."""
        text = "\n    ".join([f"def formula({self.parameters}):", *self.lines, *lines])
        exec(compile(text, "<dyncore formula>", "exec"), self.names)
        return self.names["formula"]

    def name_of(self, value: Any) -> str:
        """Return a name of a function or an array."""
        name = f"n{len(self.names)}"
        self.names[name] = value
        return name

    def expression(self, step: Any, uses: Counter[int]) -> str:
        """Return the expression of a step's result, which has a variable if it is used twice."""
        if id(step) in self.variables:
            return self.variables[id(step)]
        if not isinstance(step, StandIn):
            return self.name_of(step)
        function, operands = step.step
        given = [self.expression(each, uses) for each in operands]
        if function is operator.neg:
            made = f"(-{given[0]})"
        elif function in _SYMBOLS:
            made = f"({f' {_SYMBOLS[function]} '.join(given)})"
        else:
            made = f"{self.name_of(function)}({', '.join(given)})"
        if uses[id(step)] < 2:
            return made
        variable = self.variables[id(step)] = f"t{len(self.lines)}"
        self.lines.append(f"{variable} = {made}")
        return variable

    def write_over(self, step: Any) -> str:
        """Write the ufunc that makes a step's result, in the memory of an operand that is no argument.

        Return the result's variable.  Raise TypeError where a step is no ufunc, or is used twice.
        """
        if id(step) in self.variables:
            if not self.variables[id(step)]:
                raise TypeError("used twice")
            return self.variables[id(step)]
        if not isinstance(step, StandIn):
            return self.name_of(step)
        function, operands = step.step
        ufunc = _UFUNCS.get(function, function)
        if ufunc is np.multiply and operands[0] is operands[1]:
            ufunc, operands = np.square, operands[:1]  # the same bits, sooner
        if not isinstance(ufunc, np.ufunc):
            raise TypeError("no ufunc")
        given = [self.write_over(each) for each in operands]
        self.variables[id(step)] = ""
        memory = next((name for name in given if name[0] == "t"), None)
        result = memory or f"t{len(self.lines)}"
        self.lines.append(f"{result} = {self.name_of(ufunc)}({', '.join([*given, memory] if memory else given)})")
        return result


def _in_one_array(function: Any, found: StandIn, given: tuple[StandIn, ...]) -> Any:
    """Return `function` with later steps written over the results of earlier ones; itself if it has one step."""
    text = _Text(given)
    result = text.write_over(found)
    if len(text.lines) < 2:
        return function
    # An array without dimensions makes scalars, which nothing can be written over.
    text.lines = ["try:", *(f"    {line}" for line in text.lines), f"    return {result}", "except TypeError:"]
    text.names["function"] = function
    made = text.function([f"    return function({text.parameters})"])
    sample = [np.linspace(0.1, 0.9, 5, dtype=found.dtype) for _ in given]
    expected, actual = function(*sample), made(*sample)
    return made if actual.dtype is expected.dtype and np.array_equal(actual, expected) else function
