"""The functions of `linear`, and of the sum of two of them in a recurrent cell, from one fragment.

As for other products, gradients have their operands' shapes by construction, so a node keeps the operands alone.
Operands of other dtypes or numbers of dimensions take the general path.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any

import numpy as np

from dyncore.dtypes.dtypes import F32, F64
from dyncore.graph.known_shape import known_shape_of

from ..linear_nodes import linear_node
from ..nodes import binary_derivatives
from ..registry import ABSENT, Op
from .cache import Names, Specialized, structured
from .fragments import (
    COPY_PLACE,
    FRAME,
    LINE,
    PLACE,
    WORLD,
    Lines,
    binary_node,
    block,
    lines_of,
    mode,
    savable,
    text,
    tuple_of,
)

# The number k tells the names of the first product in a text from those of the second.
PRODUCT = """
try:
    a$k, w$k, edge$k, edge_w$k = $input._array, $weight._array, $input._edge, $weight._edge
except AttributeError:
    return $general
ndim$k, dtype$k = a$k.ndim, a$k.dtype
if not 0 < ndim$k < 3 or w$k.ndim != 2 or dtype$k is not w$k.dtype or (dtype$k is not F32 and dtype$k is not F64):
    return $general
if $bias is None:
    b$k = edge_b$k = None
elif not isinstance($bias, Tensor):
    return $general
else:
    b$k, edge_b$k = $bias._array, $bias._edge
    if b$k.ndim != 1 or b$k.dtype is not dtype$k or len(b$k) != len(w$k): return $general
    if ndim$k == 1 and not (a$k.flags.c_contiguous and b$k.flags.c_contiguous): return $general
try:
    r$k = a$k.dot(w$k.T)
except Exception:
    return $general
if b$k is not None:
    row = r$k[0] if ndim$k == 2 and len(a$k) == 1 else r$k
    add(row, b$k, row)
"""

NODE = """
if b$k is None:
    node$k = unbiased[ndim$k]()
else:
    node$k = biased[ndim$k]()
    node$k.e2 = edge_b$k
node$k.e0 = edge$k
node$k.e1 = edge_w$k
node$k.s0 = None if edge_w$k is None else a$k
node$k.s1 = None if edge$k is None else w$k
node$k.known_shape = known_shape_of(r$k)
node$k.extra = None
"""

RESULT = """
result = new(Tensor)
result._array = r
result._meta = None
result._edge = None
"""


def names_of(op: Op, general: Callable[..., Any]) -> Names:
    """Return the globals of the texts; what they do not take is structured."""
    general = structured(op, general)
    return {
        **WORLD, "add": np.add, "known_shape_of": known_shape_of, "general": general,
        "general_of": lambda *given, **more: general(*takewhile(lambda each: each is not ABSENT, given), **more),
        "unbiased": (None, linear_node(op, 1, False), linear_node(op, 2, False)),
        "biased": (None, linear_node(op, 1, True), linear_node(op, 2, True)),
    }  # fmt: skip


def _product(operands: list[str], k: str, general: str) -> Lines:
    """Compute the array of one product."""
    return lines_of(PRODUCT, **dict(zip(("input", "weight", "bias"), operands, strict=True)), k=k, general=general)


def _is_recorded(k: str) -> str:
    return f"edge{k} is not None or edge_w{k} is not None or edge_b{k} is not None"


def _node(operands: list[str], k: str) -> Lines:
    """Make the node of one product, without its line."""
    input, weight, _ = operands
    return [
        *lines_of(NODE, k=k),
        *block(f"if edge_w{k} is None:", [savable(weight)]),
        *block(f"elif edge{k} is None:", [savable(input)]),
    ]


def write(op: Op, operator: bool, listening: bool) -> str:
    """Write the function of `linear`."""
    operands = list(op.tensor_names)
    input, weight, bias = operands
    general = f"general_of({', '.join(operands)})"
    report = f"events.listener.op(op, ({input}, {weight}) if {bias} is None else {tuple_of(operands)}, {{}}, result, "
    return text(
        block(
            f"def entry({input}=ABSENT, {weight}=ABSENT, {bias}=None, *beyond, **more):",
            ["global caller_code"],
            [f"if more or beyond: return general_of({', '.join(operands)}, *beyond, **more)"],
            mode(general),
            ["started = 0 if events.listener is None else events.now()"] if listening else [],
            _product(operands, "", general),
            lines_of(RESULT),
            block(
                f"if recorded and ({_is_recorded('')}):",
                _node(operands, ""),
                lines_of(FRAME),
                ['if "__dyncore__" in frame.f_globals: frame = frame.f_back  # mostly of `Linear.__call__`'],
                lines_of(LINE),
                ["result._edge = node"],
            ),
            [f"if events.listener is not None: {report}started, events.now())"] if listening else [],
            ["return result"],
        )
    )


def sum_of(op: Op, plus: Op) -> Callable[..., Any]:
    """Return the function of linear(x, w, b) + linear(h, u, c), as a recurrent cell has it.

    Its nodes are those of three ops, without a tensor for each product.
    """

    def general(x: Any, w: Any, b: Any, h: Any, u: Any, c: Any) -> Any:
        return op.entry(x, w, b) + op.entry(h, u, c)

    def bind() -> Names:
        rules = {f"rules{dtype.itemsize}": binary_derivatives(plus, (dtype, False)).both for dtype in (F32, F64)}
        return {**names_of(op, general), "general": general, **rules}

    return Specialized(op, general, lambda listening: None if listening else _sum(), bind).function


def _sum() -> str:
    """Write the function of a sum of two products."""
    operands = ["x", "w", "b", "h", "u", "c"]
    general = f"general({', '.join(operands)})"
    first, second = operands[:3], operands[3:]
    return text(
        block(
            f"def entry({', '.join(operands)}):",
            ["global caller_code"],
            mode(general),
            _product(first, "1", general),
            _product(second, "2", general),
            [f"lone = ({_is_recorded('1')}) is not ({_is_recorded('2')})"],
            [f"if lone or dtype1 is not dtype2 or r1.shape != r2.shape: return {general}"],
            ["r = add(r1, r2, r1)"],
            lines_of(RESULT),
            block(
                f"if recorded and ({_is_recorded('1')}):",
                _node(first, "1"),
                _node(second, "2"),
                ["node1.rank, node2.rank = next(ranks), next(ranks)", "e0, e1 = node1, node2"],
                binary_node("rules4 if dtype1 is F32 else rules8", "None, None", "None"),
                lines_of(PLACE),
                lines_of(COPY_PLACE, to="node1"),
                lines_of(COPY_PLACE, to="node2"),
                ["result._edge = node"],
            ),
            ["return result"],
        )
    )
