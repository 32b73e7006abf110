"""The functions of unary and binary ops: `signature - mode - operands - known shape - kinds - compute - node - result`.

An op's rules say what its nodes save, so each case of the text is without questions.  A kind of operands is a dtype,
and whether they are scalars; each has its own forward and derivatives, which are looked up when the kind first comes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.dtypes.dtypes import F32, F64
from dyncore.dtypes.numbers import known_numbers, weak, weak_unless_bool
from dyncore.dtypes.supported import for_floats
from dyncore.graph.elementwise import Vjp

from ..formulas.ufuncs import prepared
from ..nodes import Derivatives, Kind, alone, binary_derivatives, crossed, unary_vjp
from ..registry import Op
from .cache import Names
from .fragments import (
    WORLD,
    Lines,
    binary_node,
    block,
    compute,
    finish_call,
    finish_node,
    indented,
    lines_of,
    mode,
    number_of,
    savable,
    text,
    unary_node,
)

KINDS: dict[str, Kind] = {
    "array32": (F32, False), "scalar32": (F32, True), "array64": (F64, False), "scalar64": (F64, True), "unlike": None,
}  # fmt: skip
COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
GLOBALS = "global caller_code, array32, scalar32, array64, scalar64, unlike"


def names_of(op: Op, general: Callable[..., Any]) -> Names:
    """Return the globals of the text of an elementwise op."""
    rules_of = _unary_rules if op.kind == "unary" else _binary_rules
    return {
        **WORLD, **dict.fromkeys(KINDS), "general": general, "rules_of": lambda name: rules_of(op, KINDS[name]),
        "weak": weak_unless_bool if op.name in ("sub", "rsub") else weak,
    }  # fmt: skip


def _unary_rules(op: Op, kind: Kind) -> tuple[Any, ...]:
    """Return what computes the op on one kind of operand: forward and derivative."""
    return forward_of(op, kind, 1), unary_vjp(op, kind) if op.differentiable else None


def _binary_rules(op: Op, kind: Kind) -> tuple[Any, ...]:
    """Return what computes the op on one kind of operands: forward, derivatives, numbers already made operands.

    For scalars also the derivatives beside a view of one element, if the second operand is saved.
    """
    forward, rules = forward_of(op, kind, 2), binary_derivatives(op, kind) if op.differentiable else None
    if rules is None or kind is None or not kind[1] or op.names[1] not in op.saved_names:
        return forward, rules, known_numbers(kind)
    return forward, rules, known_numbers(kind), beside_view(rules)


def forward_of(op: Op, kind: Kind, count: int) -> Any:
    """Return what computes an elementwise op of this kind of operands."""
    if kind is None:
        return op.forward
    return prepared(for_floats(op.forward), *kind, count, in_one=count == 1) or _same


def _same(input: Any, other: Any = None) -> Any:
    """Return the first operand as it is."""
    return input


def beside_view(rules: Derivatives) -> Derivatives:
    """Return the derivatives for a scalar and a view of one element, which the derivative by the first reads.

    NumPy takes far less time for two scalars than for one and an array (bench, scalars).
    """
    both = rules.both
    rule = both.first
    view = Vjp(both.node_class, rule and (lambda grad, other: rule(grad, other[()])), both.second)
    return Derivatives(view, rules.by_number, rules.second, rules.first, rules.broadcast)


def write(op: Op, operator: bool, listening: bool) -> str:
    """Write the function of an elementwise op; of an operator it takes no options."""
    return _unary(op, listening) if op.kind == "unary" else _binary(op, operator, listening)


def _needed(op: Op, body: Lines) -> Lines:
    """Leave out what only the choice of a node reads, if the op has none."""
    return body if op.differentiable else [line for line in body if line.split()[0] not in ("recorded", "shaped")]


KIND_OF = """
raw = type($array)
if raw is float32:
    if scalar32 is None: scalar32 = rules_of('scalar32')
    $targets$view = scalar32
    dtype = F32
elif raw is ndarray:
    dtype = $array.dtype
    if dtype is F32:
        if array32 is None: array32 = rules_of('array32')
        $targets = array32
    elif dtype is F64:
        if array64 is None: array64 = rules_of('array64')
        $targets = array64
    else:
        if unlike is None: unlike = rules_of('unlike')
        $targets = unlike
elif raw is float64:
    if scalar64 is None: scalar64 = rules_of('scalar64')
    $targets$view = scalar64
    dtype = F64
else:
    if unlike is None: unlike = rules_of('unlike')
    $targets = unlike
    dtype = $array.dtype
"""

# Unary ops.

UNARY_OPERAND = """
try:
    array, edge = input._array, input._edge
except AttributeError:
    return $general
"""


def _unary(op: Op, listening: bool) -> str:
    general = "general(input, x, a, x1, out)"
    body = [
        GLOBALS,
        f"if out is not None or x is not None: return {general}",
        *mode(general),
        *lines_of(UNARY_OPERAND, general=general),
        *(["has_row = True"] if listening else []),
        *(_unary_of_known_shape(op, listening) if op.differentiable else []),
        *lines_of(KIND_OF, array="array", targets="forward, rules", view=""),
        *(["if dtype is not F32 and dtype is not F64: array = as_float(array)"] if op.floats else []),
        *compute("array", ["input"], listening),
    ]
    if op.differentiable:
        node = [*_unary_node(op, "edge.known_shape"), *finish_node(["input"], listening, "dtype")]
        body += block("if recorded and edge is not None:", node)
    body += ["result._edge = None", *finish_call(["input"], listening)]
    return text(block("def entry(input=ABSENT, x=None, a=None, x1=None, out=None):", _needed(op, body)))


def _unary_of_known_shape(op: Op, listening: bool) -> Lines:
    """Run on float32 of a known shape: nothing is asked of the array."""
    return block(
        "if edge is not None and recorded and (known_shape := edge.known_shape) is not None and array32 is not None:",
        ["forward, rules = array32"],
        compute("array", ["input"], listening),
        _unary_node(op, "known_shape"),
        finish_node(["input"], listening),
    )


def _unary_node(op: Op, shape: str) -> Lines:
    saved = "array" if "input" in op.saved_names else "r" if "result" in op.saved_names else None
    return unary_node("rules", "edge", saved, shape)


# Binary ops.

SIGNATURE = """
def entry(input=ABSENT, other=ABSENT, x2=None, x1=None, alpha=None, rounding_mode=None, out=None):
    if x2 is not None or alpha is not None or rounding_mode is not None or out is not None:
        return general(input, other, x2, x1, alpha, rounding_mode, out)
"""

OPERANDS = """
kind = type(other)
try:
    a, e0 = input._array, input._edge
    if kind is Tensor or kind is Parameter: b, e1 = other._array, other._edge
    elif kind is float or kind is int: e1 = None
    elif isinstance(other, Tensor): kind, b, e1 = Tensor, other._array, other._edge
    else: b = e1 = None
except AttributeError:
    return general(input, other)
"""

OPERANDS_WITHOUT_EDGES = """
kind = type(other)
try:
    a = input._array
    if kind is float or kind is int: pass
    elif kind is Tensor or kind is Parameter: b = other._array
    elif isinstance(other, Tensor): kind, b = Tensor, other._array
except AttributeError:
    return general(input, other)
"""

SECOND_OPERAND = """
if kind is float or kind is int:
    try:
        b = numbers[$key]
    except KeyError:
        b = weak(other, a)
        if b is None: return general(input, other)
    shaped = False
elif kind is Tensor or kind is Parameter:
    if type(b) is not raw:
        if dtype is not b.dtype: return general(input, other)
        if (raw is float32 or raw is float64) and not b.ndim: $view
    elif raw is ndarray and dtype is not b.dtype: return general(input, other)
    shaped = True
else:
    b = weak(other, a)
    if b is None: return general(input, other)
    shaped = False
"""
PAIR = ["input", "other"]


def _binary(op: Op, operator: bool, listening: bool) -> str:
    saved = op.names[1] in op.saved_names
    view = "b, view, rules = b[()], b, beside_view" if saved else "b = b[()]"
    # Zeros are known by type: 0, 0.0 and -0.0 would be one key.  A comparison does not see the sign of a zero.
    key = "other or kind" if op.name in COMPARISONS else "other if kind is float else other or int"
    body = [
        GLOBALS,
        *mode("general(input, other)"),
        *(_binary_operands(op, key, listening) if op.differentiable else lines_of(OPERANDS_WITHOUT_EDGES)),
        *lines_of(KIND_OF, array="a", targets="forward, rules, numbers", view=", beside_view" if saved else ""),
        *(["view = None"] if saved else []),
        *(["if dtype.kind in 'iu' and dtype.itemsize < 8: return general(input, other)"] if op.floats else []),
        *lines_of(SECOND_OPERAND, key=key, view=view),
        *(["if dtype is not F32 and dtype is not F64: a, b = as_float(a), as_float(b)"] if op.floats else []),
        *compute("a, b", PAIR, listening),
        *(["if view is not None: b = view"] if saved else []),
        *(_binary_nodes(op, listening) if op.differentiable else []),
        "result._edge = None",
        *finish_call(PAIR, listening),
    ]
    head = ["def entry(input, other):"] if operator else lines_of(SIGNATURE)
    return text(head, indented(_needed(op, body)))


def _binary_operands(op: Op, key: str, listening: bool) -> Lines:
    """Read the operands of an op that is recorded."""
    return [
        *lines_of(OPERANDS),
        *(["has_row = kind is float or kind is int or e1 is not None or b is not None"] if listening else []),
        *(_binary_of_known_shape(op, key, listening) if _keeps_shape(op) else []),
    ]


def _binary_of_known_shape(op: Op, key: str, listening: bool) -> Lines:
    """Run on two operands of float32 of one known shape, or one and a number: nothing is asked of the arrays."""

    def run(case: str) -> Lines:
        second = _second(case == "by_number", case == "both")
        return [
            *compute("a, b", PAIR, listening),
            *_node(op, case, "known_shape"),
            *finish_node(PAIR, listening, second=second),
        ]

    return block(
        "if e0 is not None and recorded and (known_shape := e0.known_shape) is not None and array32 is not None:",
        ["forward, rules, numbers = array32"],
        block("if e1 is not None:", block("if e1.known_shape is known_shape:", run("both"))),
        block(
            "elif kind is float or kind is int:",
            ["try:", f"    b = numbers[{key}]", "except KeyError:", "    pass"],
            block("else:", run("by_number")),
        ),
    )


def _binary_nodes(op: Op, listening: bool) -> Lines:
    """Make the node of each case of operands."""
    return block(
        "if recorded and (e0 is not None or e1 is not None):",
        block("if not shaped:", _node(op, "by_number", "e0.known_shape")),
        block("elif (raw is ndarray or type(b) is ndarray) and a.shape != b.shape:", _node(op, "broadcast", "None")),
        block("elif e1 is None:", _node(op, "first", "e0.known_shape")),
        block("elif e0 is None:", _node(op, "second", "e1.known_shape")),
        block("else:", _node(op, "both", "e0.known_shape or e1.known_shape")),
        finish_node(PAIR, listening, "dtype", _second(True, True)),
    )


def _second(number: bool, tensor: bool) -> Lines:
    """Set `second` to what a row says of the other operand: a float, an integer in a tuple, or a tensor's number."""
    if not number:
        return number_of("second", "other")
    lines = ["if kind is float: second = other"]
    if not tensor:
        return [*lines, "else: second = (other,)"]
    return [*lines, "elif kind is int: second = (other,)", *block("else:", number_of("second", "other"))]


def _keeps_shape(op: Op) -> bool:
    """Return True if the result has the known shape of the operands.

    And there is a node that can hold it.
    """
    return crossed(op) or alone(op, op.names[0])


def _node(op: Op, case: str, shape: str) -> Lines:
    """Make the node of one case of operands: both, by_number, first, second, broadcast."""
    if case == "both":
        return _node_of_both(op, shape)
    if case == "broadcast":
        return _node_of_broadcast(op)
    return _node_of_one(op, case, shape)


def _wanted(op: Op) -> dict[str, tuple[str, ...]]:
    """Return the operands that the derivative by each operand needs."""
    return {name: op.rule_arguments.get(name, ())[1:] for name in op.names}


def _node_of_both(op: Op, shape: str) -> Lines:
    first, second = op.names
    wanted = {each for names in _wanted(op).values() for each in names}
    saved = f"{'a' if first in wanted else None}, {'b' if second in wanted else None}"
    if crossed(op):
        return binary_node("rules.both", saved, shape)
    made = ["node = rules.both.node_class()", "node.extra = None"]
    return [*made, "node.e0, node.e1 = e0, e1", f"node.s0, node.s1 = {saved}"]


def _node_of_broadcast(op: Op) -> Lines:
    lines = ["node = rules.broadcast()", "node.extra = None", "node.shapes = a.shape, b.shape",
             "node.e0, node.e1 = e0, e1"]  # fmt: skip
    edges = dict(zip(op.names, ("e0", "e1"), strict=True))
    for slot, array, operand, name in zip(("s0", "s1"), "ab", PAIR, op.names, strict=True):
        users = [f"{edges[each]} is not None" for each in op.names if name in _wanted(op)[each]]
        if not users:
            lines.append(f"node.{slot} = None")
            continue
        lines.append(f"node.{slot} = {array} if {' or '.join(users)} else None")
        lines += block(f"if {edges[name]} is None:", [savable(operand)])
    return lines


def _node_of_one(op: Op, case: str, shape: str) -> Lines:
    """Make the node of the one operand that requires grad; the other is a number or a constant tensor."""
    place = 1 if case == "second" else 0
    name, other = op.names[place], op.names[1 - place]
    wanted = _wanted(op)
    if alone(op, name):
        arrays = dict(zip(op.names, "ab", strict=True))
        saved = arrays[wanted[name][0]] if wanted[name] else None
        lines = unary_node(f"rules.{case}", f"e{place}", saved, shape if _keeps_shape(op) else "None")
    else:
        lines = [
            f"node = rules.{case}.node_class()",
            "node.extra = None",
            f"node.e0 = e{place}",
            "node.s0, node.s1 = a, b",
        ]
    if case != "by_number" and any(other in each for each in wanted.values()):
        lines.append(savable(PAIR[1 - place]))
    return lines
