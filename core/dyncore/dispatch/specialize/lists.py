"""The functions of ops that take a list of tensors (cat, stack) or give one (split, chunk, unbind).

Both are joined from the same parts as all others: `signature - mode - operands - compute - node - result`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.graph.known_shape import MOST, KnownShape, known_shape_of
from dyncore.graph.node import Output
from dyncore.tensors.tensor import storage
from dyncore.tensors.views import note_views

from ..broadcast import fit
from ..general_nodes import Run
from ..higher_order import with_zero_gradients
from ..registry import ABSENT, Op, joins
from ..saved.attributes import saved_values
from .cache import Names
from .fragments import PLACE, WORLD, Lines, block, indented, lines_of, text
from .structured_nodes import StructuredUnaryNode


def names_of(op: Op, general: Callable[..., Any]) -> Names:
    """Return the globals of the text of such an op."""
    return {**(_joining_names(op) if joins(op) else _splitting_names(op)), "general": general}


def write(op: Op, operator: bool, listening: bool) -> str:
    """Write the function of such an op."""
    return text(
        lines_of(JOINING) if joins(op) else lines_of(SPLITTING, before_dim=str(len(op.names) - 2)),
        indented(
            [START] if listening else [],
            lines_of(JOIN if joins(op) else SPLIT),
            _joined() if joins(op) else _pieces(op),
            [REPORT_JOINED if joins(op) else REPORT_PIECES] if listening else [],
            ["return result"],
        ),
    )


START = "started = 0 if events.listener is None else events.now()"
REPORT_JOINED = """if events.listener is not None:
        events.listener.op(op, *op.given((tensors, dim), {}), result, started, events.now())"""
REPORT_PIECES = """if events.listener is not None:
        told = args if args[-1] else args[:-1]
        events.listener.op(op, (input, *told), {}, result, started, events.now())"""
COMPUTED = [*lines_of(PLACE), "node.extra = None"]


class Joined(Run):
    """The node of tensors put together; what follows from their number and shapes is computed when asked for."""

    __slots__ = ("shapes", "kind", "dim")
    shapes: list[tuple[int, ...]]
    kind: np.dtype[Any]
    dim: int
    outs = ()

    @property
    def targets(self) -> tuple[tuple[str, int], ...]:  # type: ignore[override]
        return tuple([("tensors", number) for number in range(len(self.to))])

    @property
    def metas(self) -> tuple[Any, ...]:  # type: ignore[override]
        return tuple([(shape, self.kind) for shape in self.shapes])

    @property
    def values(self) -> tuple[Any, ...]:
        return (self.shapes, self.dim)


def _joining_names(op: Op) -> Names:
    rule = op.rules["tensors"]
    assert op.saved_names == ("tensors_shape", op.names[1]), op.name

    def run(self: Any, grad: Any, keep: bool) -> Any:
        kind = self.kind
        pairs = []
        for edge, part, shape in zip(self.to, rule(grad, self.shapes, self.dim), self.shapes, strict=True):
            if edge is not None:
                if part.dtype is not kind or part.shape != shape:
                    part = fit(part, shape, kind)
                pairs.append((edge, part))
        return pairs

    own = {"__slots__": (), "__module__": "dyncore", "op": op, "run": run}
    node_class = with_zero_gradients(op, type(op.default_title, (Joined,), {**own, **saved_values(op)}))
    return {**WORLD, "forward": op.forward, "node_class": node_class, "title": op.default_title,
            "default": op.defaults[op.names[1]]}  # fmt: skip


JOINING = """
def entry(tensors, dim=default, **more):
    global caller_code
    mode = current() if nondefault_modes else GRAD
    kind = tensors.__class__
    if kind is not list and kind is not tuple or more or not tensors or dim.__class__ is not int:
        return general(tensors, dim, **more)
    if mode is not GRAD and mode is not NO_GRAD: return general(tensors, dim)
    arrays, edges, dtype = [], [], None
    recorded = mixed = False
    for each in tensors:
        try:
            array, edge = each._array, each._edge
        except AttributeError:
            return general(tensors, dim)
        arrays.append(array)
        edges.append(edge)
        if edge is not None: recorded = True
        if array.dtype is not dtype:
            mixed = dtype is not None
            dtype = array.dtype
    if mixed: return general(tensors, dim)
"""
JOIN = """
try:
    r = forward(arrays, dim)
except Exception as error:
    return failed(op, (tensors, dim), {}, error)
result = new(Tensor)
result._array = r
result._meta = None
result._edge = None
"""


def _joined() -> Lines:
    """Make the node of tensors put together."""
    return block(
        "if recorded and mode is GRAD and (dtype is F32 or dtype is F64 or dtype.kind in 'fc'):",
        ["node = node_class()"],
        COMPUTED,
        lines_of("""
node.label = title
node.to = tuple(edges)
node.shapes = [array.shape for array in arrays]
node.kind = dtype
node.dim = dim
result._edge = node
"""),
    )


class Apart(StructuredUnaryNode):
    """The node of views that take a tensor apart; what follows from the tensor's shape is computed when asked for.

    given: the op's other arguments.
    """

    __slots__ = ("given", "outputs")
    given: tuple[Any, ...]
    outputs: int

    @property
    def outs(self) -> tuple[Any, ...]:  # type: ignore[override]
        like = np.ndarray(self.size, self.kind, bytes(self.kind.itemsize), 0, (0,) * len(self.size))
        return tuple([(piece.shape, self.kind) for piece in self.op.forward(like, *self.given)])

    @property
    def values(self) -> tuple[Any, ...]:
        return (self.given[-1],)


def _splitting_names(op: Op) -> Names:
    name, rule = next(iter(op.rules.items()))
    assert op.saved_names == ("dim",) and op.names[-1] == "dim" and op.defaults == {"dim": 0}, op.name

    def run(self: Any, grad: Any, keep: bool) -> Any:
        given = grad.grads
        if len(given) == self.outputs:
            parts = [given[number] for number in range(len(given))]
        else:
            parts = [given[n] if n in given else np.zeros(*out) for n, out in enumerate(self.outs)]
        found = rule(parts, self.given[-1])
        return found if found.shape == self.size and found.dtype is self.kind else fit(found, self.size, self.kind)

    own = {"__slots__": (), "__module__": "dyncore", "op": op, "run": run, "targets": ((name, None),)}
    shapes: dict[Any, KnownShape] = {}  # by the known shape of what is cut, and the arguments
    return {
        **WORLD, "forward": op.forward, "title": op.default_title, "storage": storage, "Output": Output,
        "node_class": type(op.default_title, (Apart,), {**own, **saved_values(op)}), "note_views": note_views,
        "arguments_of": lambda args, dim, kwargs: _arguments(op, args, dim, kwargs), "shapes": shapes,
        "note_shape": lambda key, pieces: _note_form(shapes, key, pieces), "is_plain": _plain,
    }  # fmt: skip


def _arguments(op: Op, args: tuple[Any, ...], dim: Any, kwargs: Names) -> tuple[Any, ...] | None:
    """Return the arguments after the tensor in their order; None where any is missing or unknown."""
    count, known = len(op.names) - 1, dict(kwargs)
    if dim is not ABSENT:
        known["dim"] = dim
    for name in op.names[1 + len(args) :]:
        if name in known:
            args = (*args, known.pop(name))
        elif name == "dim":
            args = (*args, 0)
    if known or len(args) != count or not all(each.__class__ is int or _plain(each) for each in args):
        return None
    return args


SPLITTING = """
def entry(input=None, *args, dim=ABSENT, **kwargs):
    global caller_code
    mode = current() if nondefault_modes else GRAD
    if kwargs or len(args) != $before_dim:
        given = arguments_of(args, dim, kwargs)
    else:
        given = (*args, 0 if dim is ABSENT else dim)
        for each in given:
            if each.__class__ is not int and not is_plain(each): given = None
    if given is None or (mode is not GRAD and mode is not NO_GRAD) or not isinstance(input, Tensor) or input.is_sparse:
        if dim is not ABSENT: kwargs['dim'] = dim
        return general(input, *args, **kwargs)
    args = given
    array, edge = input._array, input._edge
    if type(array) is not ndarray: array = storage(input)
"""
SPLIT = """
try:
    pieces = forward(array, *args)
except Exception as error:
    return failed(op, (input, *args), {}, error)
tensors = []
"""


def _pieces(op: Op) -> Lines:
    """Wrap the views, and make their node and its outputs."""
    title = "title" if op.choose_title is None else "op.choose_title(args[0])"
    return [
        *lines_of(NOT_RECORDED),
        *block("else:", ["node = node_class()"], COMPUTED, lines_of(RECORDED, title=title)),
        "if tensors: note_views(tensors, input, mode)",
        "result = tuple(tensors)",
    ]


NOT_RECORDED = """
if edge is None or mode is not GRAD:
    for piece in pieces:
        tensor = new(Tensor)
        tensor._array = piece
        tensor._edge = tensor._meta = None
        tensors.append(tensor)
elif len(pieces) < 2:
    return general(input, *args)
"""
RECORDED = """
node.label = $title
node.e0 = edge
node.size = array.shape
node.kind = array.dtype
node.given = args if args[0].__class__ is int else (tuple(args[0]), *args[1:])
node.outputs = len(pieces)
known_shape = None
if edge.known_shape is not None and args[0].__class__ is int:
    try:
        known_shape = shapes[edge.known_shape, args]
    except KeyError:
        known_shape = note_shape((edge.known_shape, args), pieces)
for number, piece, rank in zip(range(len(pieces)), pieces, ranks):
    tensor = new(Tensor)
    tensor._array = piece
    tensor._meta = None
    tensor._edge = output = new(Output)
    output.rank = rank
    output.extra = None
    output.parent = node
    output.number = number
    output.known_shape = known_shape
    tensors.append(tensor)
"""


def _note_form(forms: dict[Any, KnownShape], key: Any, pieces: Any) -> KnownShape:
    """Return the known shape that all pieces of an array have in common, None if there is none; remember it."""
    if len(forms) >= MOST:
        forms.clear()
    found = {known_shape_of(piece) for piece in pieces}
    made = forms[key] = found.pop() if len(found) == 1 else None
    return made


def _plain(value: Any) -> bool:
    """Return True for a list of ints, in which no Tensor hides."""
    return isinstance(value, (list, tuple)) and all(each.__class__ is int for each in value)
