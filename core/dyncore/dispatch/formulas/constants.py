"""Formulas for arrays of one real dtype: numbers as arrays, and no conjugates.

`lambda g, result: g * (1 - result * result).conj()` is right for every dtype. For float32 it is run as
`g * (ONE - result * result)` with a 0-d float32 array for ONE, or a NumPy scalar where the operands are scalars: half
the time for few floats (tests/bench, chain and scalars). The results are the same to the bit: NumPy makes the same
array of the number each time, and a real number is its own conjugate.

The formula stays where it is written; its code object is taken, with other constants and jumps over
the calls of `conj`. Code that is not understood is left as it is.
"""

from __future__ import annotations

import dis
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

import numpy as np

_PLAIN = frozenset(("RESUME", "NOP", "CACHE", "PRECALL", "COPY_FREE_VARS", "KW_NAMES"))
_LOADS = frozenset(("LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF", "PUSH_NULL", "LOAD_FAST_LOAD_FAST", "LOAD_FAST_CHECK"))
_ATTRIBUTES = frozenset(("LOAD_ATTR", "LOAD_METHOD"))
_OPERATORS = frozenset(("BINARY_OP", "COMPARE_OP"))
_ENDS = frozenset(("RETURN_VALUE", "RETURN_CONST", "RAISE_VARARGS"))


def elementwise(function: Any, dtype: np.dtype[Any], scalar: bool) -> Callable[..., Any]:
    """Return the formula of an elementwise op, all of whose parameters are arrays, for this dtype."""
    if not isinstance(function, FunctionType):
        return function  # type: ignore[no-any-return]
    code = function.__code__
    if any(type(each) in (int, float) for each in code.co_consts):
        constants = list(code.co_consts)
        for place in operands(code):
            made = np.array(constants[place], dtype)
            made.flags.writeable = False
            constants[place] = made[()] if scalar else made
        code = code.replace(co_consts=tuple(constants))
    return _with(function, unconjugated(code))


def real(function: Any) -> Callable[..., Any]:
    """Return the formula of any op, for arrays that are all real."""
    return _with(function, unconjugated(function.__code__)) if isinstance(function, FunctionType) else function


def _with(function: Any, code: CodeType) -> Callable[..., Any]:
    if code is function.__code__:
        return function  # type: ignore[no-any-return]
    name, defaults, closure = function.__name__, function.__defaults__, function.__closure__
    made = FunctionType(code, function.__globals__, name, defaults, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    if function.__dict__:  # `recorded`, the formula for Tensors
        made.__dict__.update({key: real(value) for key, value in function.__dict__.items()})
    return made


def unconjugated(code: CodeType) -> CodeType:
    """Return the code with a jump over each call of `conj`, whose operand stays on the stack as the result."""
    if "conj" not in code.co_names:
        return code
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("PRECALL", "CACHE")]
    text = bytearray(code.co_code)
    for step, call, after in zip(steps, steps[1:], steps[2:], strict=False):
        if step.opname in _ATTRIBUTES and step.argval == "conj" and call.opname == "CALL" and call.arg == 0:
            length = (after.offset - step.offset) // 2 - 1
            text[step.offset : step.offset + 2] = bytes((dis.opmap["JUMP_FORWARD"], length))
            text[step.offset + 2 : after.offset] = bytes((dis.opmap["NOP"], 0)) * length
    return code.replace(co_code=bytes(text))


def operands(code: CodeType) -> set[int]:
    """Return the places in `co_consts` of numbers that are only operands beside arrays, of operators and ufuncs.

    The stack is followed through code without jumps; where it cannot be, nothing is found. An exponent stays as it is,
    since NumPy squares for `x ** 2`.
    """
    found: set[int] = set()
    refused: set[int] = set()
    stack: list[Any] = []
    parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    def used(values: list[Any], fits: bool) -> Any:
        """Record the constants among `values`; what is computed from them is an array if one of them is."""
        array = any(value is ARRAY for value in values)
        (found if fits and array else refused).update(value for value in values if type(value) is int)
        return ARRAY if array else None

    for step in dis.get_instructions(code):
        name, argument = step.opname, step.arg or 0
        if name in _PLAIN:
            continue
        if name == "LOAD_CONST":
            stack.append(argument if type(step.argval) in (int, float) else None)
        elif name in _LOADS:
            names = step.argval if isinstance(step.argval, tuple) else (step.argval,)
            stack += [None] * (dis.stack_effect(step.opcode, step.arg) - len(names))
            stack += [ARRAY if each in parameters else each if name == "LOAD_GLOBAL" else None for each in names]
        elif name in _ATTRIBUTES and stack:
            owner = stack.pop()
            kept = used([owner], False) if step.argval == "conj" else None
            made = f"np.{step.argval}" if owner == "np" else kept
            stack += [made] * (dis.stack_effect(step.opcode, step.arg) + 1)
        elif name in _OPERATORS and len(stack) > 1:
            pair = [stack.pop(), stack.pop()]
            stack.append(used(pair, "**" not in step.argrepr))
        elif name == "UNARY_NEGATIVE" and stack:
            stack.append(used([stack.pop()], False))
        elif name == "CALL" and len(stack) > argument + 1:
            given = stack[len(stack) - argument :]
            callee = stack[len(stack) - argument - 2 : len(stack) - argument]
            del stack[len(stack) - argument - 2 :]
            result = used(given, any(_is_ufunc(each) for each in callee))
            stack.append(ARRAY if ARRAY in callee else result)
        elif name in ("POP_TOP", "STORE_FAST") or name.startswith("POP_JUMP"):
            used([stack.pop()] if stack else [], False)
            if name.startswith("POP_JUMP") and stack:
                return set()
        elif name in _ENDS:
            used([*stack, argument] if name == "RETURN_CONST" else stack, False)
            stack = []
        else:
            return set()
    return found - refused


ARRAY = "array"


def _is_ufunc(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("np.") and isinstance(getattr(np, value[3:], None), np.ufunc)
