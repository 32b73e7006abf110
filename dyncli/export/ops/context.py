"""One call of an op while it is written as ONNX nodes, and the table that finds how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dyncli.export.onnx_graph import BOOL, INT64, Graph, Refusal, element_type

FLAT = np.array([-1], np.int64)


class Mismatch(Exception):
    """Paths do different things without a decision: they cannot be merged in this way.  line: where they do."""

    def __init__(self, reason: str, line: str = "") -> None:
        super().__init__(reason)
        self.line = line


class OpCall:
    """A call of an op: its arguments, its results, and the graph it is written into.

    symbolic: whether sizes may differ from those of the first path.
    """

    def __init__(
        self, graph: Graph, call: Any, arguments: dict[str, Any], line: str, *, symbolic: bool, opset: int
    ) -> None:
        self.graph = graph
        self.call = call
        self.arguments = arguments
        self.line = line
        self.symbolic = symbolic
        self.opset = opset
        self.results = [each for each in call.results if each is not None]

    @property
    def dtype(self) -> Any:
        """The dtype of the first result."""
        return numpy_dtype(self.results[0])

    @property
    def type(self) -> int:
        """The dtype of the first result, as ONNX's number."""
        return element_type(self.dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the first result.  Raises Mismatch where sizes vary."""
        self.static()
        return tuple(self.results[0].shape)

    def static(self) -> None:
        """Raise Mismatch if sizes vary."""
        if self.symbolic:
            raise Mismatch(f"`{self.call.op}` is written for fixed sizes")

    def require_size(self, operand: Any, axis: int) -> int:
        """Return the size of a dimension, the same in all paths; other inputs are captured only with this one."""
        size: int = operand.shape[axis]
        if self.symbolic:
            if any(each[axis] != size for each in operand.shapes):
                self.static()
            found = self("Gather", self.shape_of(operand.name), np.int64(axis))
            self.graph.required.append(self("Equal", found, np.int64(size)))
        return size

    def __call__(self, op: str, *inputs: Any, **options: Any) -> Any:
        """Add a node."""
        return self.graph(op, *inputs, **options)

    def __getitem__(self, name: str) -> Any:
        """Return an argument: an operand, a tuple, or a plain value."""
        return self.arguments.get(name)

    def has(self, name: str) -> bool:
        """Return whether an argument is a tensor."""
        return is_operand(self.arguments.get(name))

    def name(self, argument: str, dtype: Any = None) -> str:
        """Return the name of an argument in the graph; a number becomes a constant of `dtype`."""
        return self.named(self.arguments[argument], dtype)

    def named(self, value: Any, dtype: Any = None) -> str:
        """Return the name of an operand or a number, cast to `dtype` if that is given."""
        if not is_operand(value):
            return self.graph.weights.constant(np.asarray(value, dtype or self.dtype))
        if dtype is None or value.dtype == np.dtype(dtype):
            return value.name
        return self("Cast", value.name, to=element_type(dtype))

    def number(self, value: float) -> Any:
        """Return a constant of the dtype of the first result."""
        return np.asarray(value, self.dtype)

    def input(self, argument: str = "input") -> str:
        """Return an argument, cast to the dtype of the first result."""
        return self.name(argument, self.dtype)

    def shape_of(self, name: str) -> str:
        """Return the shape of a value, as int64."""
        return self("Shape", name)

    def reshaped(self, name: str) -> str:
        """Return a value in the shape of the first result."""
        return self("Reshape", name, np.array(self.shape, np.int64))

    def refuse(self, why: str) -> Any:
        """Raise Refusal for what this mapping cannot express."""
        raise Refusal(f"uses `{self.call.op}` {why}, which has no mapping to ONNX", self.line)


Rule = Callable[[OpCall], Any]
TABLE: dict[str, Rule] = {}


def maps(*names: str) -> Callable[[Rule], Rule]:
    """Let a function write these ops; it returns a name, or one for each result."""

    def put(rule: Rule) -> Rule:
        TABLE.update(dict.fromkeys(names, rule))
        return rule

    return put


def convert(graph: Graph, call: Any, arguments: dict[str, Any], line: str, *, symbolic: bool, opset: int) -> list[Any]:
    """Write a call as nodes; return the names of its results.  Raises Refusal for an op without a mapping."""
    rule = TABLE.get(call.op)
    if rule is None:
        raise Refusal(f"uses `{call.op}`, which has no mapping to ONNX", line)
    if any(numpy_dtype(each).kind == "c" for each in call.results if each is not None):
        raise Refusal(f"computes complex numbers (`{call.op}`)", line)
    made = rule(OpCall(graph, call, arguments, line, symbolic=symbolic, opset=opset))
    names = list(made) if isinstance(made, (list, tuple)) else [made]
    if len(names) < len(call.results):
        raise Refusal(f"uses `{call.op}` with results that have no mapping to ONNX", line)
    return names


def is_operand(value: Any) -> bool:
    """Return whether an argument is a tensor."""
    return hasattr(value, "value") and hasattr(value, "name")


def numpy_dtype(value: Any) -> Any:
    """Return the dtype of a value of a path, as NumPy's."""
    return np.dtype(str(value.dtype).rpartition(".")[2])


def positions_by_dimension(x: OpCall, tensor: Any) -> list[str]:
    """Find the positions of elements that are not zero, a vector for each dimension."""
    found = x("NonZero", tensor.name)
    return [x("Gather", found, np.int64(dim), axis=0) for dim in range(tensor.rank)]


def axes(dim: Any, rank: int) -> list[int] | None:
    """Return dimensions as a list of numbers from 0; None for all.

    >>> axes(-1, 1), axes((0, -1), 3), axes(-1, 0), axes((), 2)
    ([0], [0, 2], [0], None)
    """
    if dim is None or dim == () or dim == []:
        return None
    return [int(each) % max(rank, 1) for each in (dim if isinstance(dim, (tuple, list)) else (dim,))]


def ints(values: Any) -> Any:
    """Return numbers as an int64 array."""
    return np.array([int(each) for each in values], np.int64)


def sizes(value: Any) -> tuple[Any, ...]:
    """Return what may be given as `*size` or as one tuple, as a tuple."""
    while isinstance(value, (tuple, list)) and len(value) == 1 and isinstance(value[0], (tuple, list)):
        value = value[0]
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


__all__ = [
    "BOOL",
    "FLAT",
    "INT64",
    "Mismatch",
    "OpCall",
    "Refusal",
    "axes",
    "convert",
    "ints",
    "is_operand",
    "maps",
    "sizes",
]
