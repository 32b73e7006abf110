"""Fragments that the texts of all families share: mode, computation, node, row of a recording, result."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from dyncore.dtypes.dtypes import F32, F64, as_float
from dyncore.errors.source import calling, users
from dyncore.graph import events
from dyncore.graph.elementwise import BinaryNode, UnaryNode
from dyncore.graph.modes import GRAD, NO_GRAD, current, nondefault_modes
from dyncore.graph.node import ranks
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor

from ..general import check_savable, failed
from ..registry import ABSENT

Lines = list[str]

WORLD: dict[str, Any] = {
    "events": events, "new": object.__new__, "getframe": sys._getframe, "calling": calling, "users": users,
    "caller_code": None, "Tensor": Tensor, "Parameter": Parameter, "ABSENT": ABSENT, "UnaryNode": UnaryNode,
    "BinaryNode": BinaryNode, "ndarray": np.ndarray, "float32": np.float32, "float64": np.float64, "F32": F32,
    "F64": F64, "as_float": as_float,
    "GRAD": GRAD, "NO_GRAD": NO_GRAD, "current": current, "nondefault_modes": nondefault_modes,
    "failed": failed, "check_savable": check_savable, "ranks": ranks,
}  # fmt: skip


def lines_of(fragment: str, **names: str) -> Lines:
    """Return the lines of a fragment, with `$name` replaced by the expressions given."""
    from string import Template

    return Template(fragment.strip("\n")).substitute(names).split("\n")


def indented(*parts: Lines) -> Lines:
    """Return the lines of all parts, one level deeper."""
    return [f"    {line}" for part in parts for line in part]


def block(head: str, *parts: Lines) -> Lines:
    """Return a compound statement: its head, and the parts one level deeper."""
    return [head, *indented(*parts)]


MODE = """
recorded = True
if nondefault_modes:
    mode = current()
    if mode is not GRAD:
        if mode is not NO_GRAD: return $general
        recorded = False
"""


def mode(general: str) -> Lines:
    """Set `recorded`; leave to the general path under any mode but the default and `no_grad`."""
    return lines_of(MODE, general=general)


START_CLOCK = "started = 0 if clock is None or events.listener is None else clock()"

COMPUTE = """
try:
    r = forward($arrays)
except Exception as error:
    return failed(op, $operands, {}, error)
result = new(Tensor)
result._array = r
result._meta = None
"""


def compute(arrays: str, operands: list[str], listening: bool) -> Lines:
    """Compute the array `r` and wrap it in the tensor `result`."""
    start = [START_CLOCK] if listening else []
    return [*start, *lines_of(COMPUTE, arrays=arrays, operands=tuple_of(operands))]


def tuple_of(names: list[str]) -> str:
    """Return the expression of a tuple."""
    return f"({', '.join(names)}{',' * (len(names) == 1)})"


FRAME = """
node.rank = next(ranks)
frame = getframe(1)
"""

LINE = """
code = frame.f_code
if code is not caller_code:
    if id(frame.f_globals) not in users: frame, code = calling(frame)
    caller_code = code
node.code = code
node.lasti = frame.f_lasti
"""

PLACE = FRAME + LINE.lstrip()

COPY_PLACE = """
$to.code, $to.lasti = node.code, node.lasti
"""


def finish_node(operands: list[str], listening: bool, dtype: str = "", second: Lines | None = None) -> Lines:
    """Give the node its rank and the caller's line, record a row for a listener, return the result."""
    caller = [*lines_of(PLACE), "result._edge = node"]
    if not listening:
        return [*caller, "return result"]
    return [
        *caller,
        "if events.listener is None: return result",
        *block("if rows is not None and has_row:", record_row(operands, dtype, second or [])),
        *finish_call(operands, listening),
    ]


def finish_call(operands: list[str], listening: bool) -> Lines:
    """Tell a listener of the call as a whole, return the result."""
    if not listening:
        return ["return result"]
    given = ", ".join((*operands, "None")[:2])
    return [f"if events.listener is not None: report(op, {given}, result, started)", "return result"]


NUMBER_OF = """
try:
    $name = $operand._trace
    if $name >= oldest: $name = source($operand)
except AttributeError:
    $name = source($operand)
"""

ADD_ROW = """
table += (number, rank, node.lasti, started, ended, len(beside), op, second, value, code)
if rank < due: pack()
return result
"""

VALUE_OF_KNOWN_SHAPE = """
if clock is None:
    value = None
elif len(known_shape) == 1 and (size := known_shape[0]) <= most:
    table += (number, rank, node.lasti, started, ended, len(beside), op, second, size, code)
    write(r)
    if rank < due: pack()
    return result
else:
    value = r if r.size <= most else known_shape if bare is F32 else look(r, $operands)
"""

VALUE = """
if clock is None:
    value = None if $dtype is F32 or $dtype is F64 else (r.shape, r.dtype)
elif (size := r.size) > most:
    value = r.shape if $dtype is bare else look(r, $operands)
elif $dtype is strings and r.ndim == 1:
    table += (number, rank, node.lasti, started, ended, len(beside), op, second, size, code)
    write(r)
    if rank < due: pack()
    return result
else:
    value = r
"""


def number_of(name: str, operand: str) -> Lines:
    """Set `name` to the number by which a recording knows an operand."""
    return lines_of(NUMBER_OF, name=name, operand=operand)


def record_row(operands: list[str], dtype: str, second: Lines) -> Lines:
    """Write the row of a call with a node, as `events.Listener.op` describes it.

    dtype: the expression of the result's dtype; "" for a known shape, which implies float32.
    second: sets `second` for the other operand.
    """
    given = tuple_of(operands)
    value = lines_of(VALUE, dtype=dtype, operands=given) if dtype else lines_of(VALUE_OF_KNOWN_SHAPE, operands=given)
    return [
        "table = rows",
        "ended = 0 if clock is None else clock()",
        "result._trace = rank = node.rank",
        *number_of("number", operands[0]),
        *(second or ["second = None"]),
        *value,
        *lines_of(ADD_ROW),
    ]


def unary_node(rules: str, edge: str, saved: object, shape: str) -> Lines:
    """Make the node of one input, with one saved value or None."""
    return [
        "node = UnaryNode()",
        f"node.vjp = {rules}",
        f"node.e0 = {edge}",
        f"node.s0 = {saved}",
        f"node.known_shape = {shape}",
    ]


def binary_node(rules: str, saved: str, shape: str) -> Lines:
    """Make the node of two inputs of one shape, or of a product."""
    return [
        "node = BinaryNode()",
        f"node.vjp = {rules}",
        "node.e0, node.e1 = e0, e1",
        f"node.s0, node.s1 = {saved}",
        f"node.known_shape = {shape}",
    ]


def savable(operand: str) -> str:
    """Refuse an inference tensor that is saved and has no edge of its own."""
    return f"if {operand}._meta is not None: check_savable({operand})"


def text(*parts: Lines) -> str:
    """Join the lines of a whole text."""
    return "\n".join(line for part in parts for line in part)
