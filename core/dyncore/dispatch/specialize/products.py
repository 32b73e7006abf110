"""The functions of products of matrices and vectors: `signature - mode - operands - kinds - compute - node - result`.

Their gradients have their operands' shapes by construction, so a node keeps the operands alone and fits nothing.
Operands of other dtypes, or whose numbers of dimensions the op's block does not name in `flat`, take the general path.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.graph.elementwise import Vjp
from dyncore.graph.node import AccumulateGrad

from ..nodes import Derivatives, OwnBinaryNode, OwnUnaryNode, node_class
from ..outer import Outer, dense
from ..registry import ABSENT, TABLE, Op
from .cache import Names, structured
from .fragments import (
    START_CLOCK,
    WORLD,
    Lines,
    binary_node,
    block,
    finish_call,
    finish_node,
    lines_of,
    mode,
    number_of,
    savable,
    text,
    unary_node,
)

PAIR = ["input", "other"]
FIRST = 128  # more than the dimensions an array can have: a key is `FIRST * first.ndim + second.ndim`
OF_VECTOR = FIRST * 2 + 1  # a matrix times a vector
FOR_LEAF = FIRST * FIRST


def names_of(op: Op, general: Callable[..., Any]) -> Names:
    """Return the globals of the text; what it does not take is structured."""
    general = structured(op, general)
    known_rules: dict[int, Derivatives | None] = {}
    nodes = {FIRST * first + second: name for (first, second), name in (op.flat or {}).items()}

    def rules_of(key: int) -> Derivatives | None:
        name = nodes.get(key % FOR_LEAF)
        if key not in known_rules:
            known_rules[key] = None if name is None else derivatives_of(TABLE[name], key >= FOR_LEAF)
        return known_rules[key]

    def general_of(*operands: Any, **more: Any) -> Any:
        return general(*[each for each in operands if each is not ABSENT], **more)

    return {
        **WORLD, "AccumulateGrad": AccumulateGrad, "general": general, "general_of": general_of,
        "known_rules": known_rules, "rules_of": rules_of, "of_vector": None,
    }  # fmt: skip


OPERANDS = """
try:
    a, b, e0, e1 = input._array, other._array, input._edge, other._edge
except AttributeError:
    return $general
leaf = type(e0) is AccumulateGrad
if leaf and e1 is not None and (known_shape := e0.product) is not None and (
    (vector := e1.known_shape) is not None and len(vector) == 1 and of_vector is not None
):
    dtype, rules = F32, of_vector
else:
    dtype = a.dtype
    if dtype is not F32 and dtype is not F64 or dtype is not b.dtype: return general(input, other)
    key = $first * a.ndim + b.ndim
    if leaf: key += $for_leaf
    rules = known_rules.get(key) or rules_of(key)
    if rules is None: return general(input, other)
    if key == $of_vector: of_vector = rules
    known_shape = e0.product if leaf and b.ndim == 1 else None
"""

COMPUTE = """
try:
    r = a.dot(b)
except Exception:
    return general(input, other)
result = new(Tensor)
result._array = r
result._meta = None
"""


def write(op: Op, operator: bool, listening: bool) -> str:
    """Write the function of a product; of an operator it takes no options."""
    general = "general(input, other)" if operator else "general_of(input, other)"
    head = "def entry(input, other):" if operator else "def entry(input=ABSENT, other=ABSENT, *beyond, **more):"
    return text(
        block(
            head,
            ["global caller_code, of_vector"],
            [] if operator else ["if more or beyond: return general_of(input, other, *beyond, **more)"],
            mode(general),
            lines_of(
                OPERANDS, general=general, of_vector=str(FOR_LEAF + OF_VECTOR), for_leaf=str(FOR_LEAF), first=str(FIRST)
            ),
            ["has_row = True", START_CLOCK] if listening else [],
            lines_of(COMPUTE),
            _nodes(listening),
            ["result._edge = None"],
            finish_call(PAIR, listening),
        )
    )


def _nodes(listening: bool) -> Lines:
    """Make the node of each case of operands."""
    return block(
        "if recorded and (e0 is not None or e1 is not None):",
        block("if e1 is None:", unary_node("rules.first", "e0", "b", "known_shape"), [savable("other")]),
        block("elif e0 is None:", unary_node("rules.second", "e1", "a", "None"), [savable("input")]),
        block("else:", binary_node("rules.both", "a, b", "known_shape")),
        finish_node(PAIR, listening, "dtype", number_of("second", "other")),
    )


def derivatives_of(op: Op, for_leaf: bool) -> Derivatives:
    """Return the derivatives of a product; a sum of outer products goes to a first operand that is a leaf alone."""
    found: tuple[Derivatives, Derivatives] | None = op.nodes.get("product")
    if found is None:
        first, second = op.names
        rules = [_bare(op.rules[name]) for name in op.names]
        facts: dict[str, Any] = {"outputs_known": False, "reals": True}
        left = node_class(op, OwnUnaryNode, own=second, **facts)
        right = Vjp(node_class(op, OwnUnaryNode, own=first, side=1, **facts), rules[1])
        both = node_class(op, OwnBinaryNode, **facts)
        matrix, pairs = (
            Derivatives(Vjp(both, rule, rules[1]), Vjp(left, rule), right, Vjp(left, rule), None)
            for rule in (_dense(rules[0]), rules[0])
        )
        found = op.nodes["product"] = matrix, pairs
    return found[for_leaf]


def _bare(rule: Any) -> Any:
    """Return `Outer` itself for a derivative that only makes one of its two arrays."""
    left, right = np.ones(2), np.ones(3)
    try:
        made = rule(left, right)
    except Exception:
        return rule  # of matrices
    return Outer if made.__class__ is Outer and made.left is left and made.right is right else rule


def _dense(rule: Any) -> Callable[[Any, Any], Any]:
    return lambda grad, value: dense(rule(grad, value))
