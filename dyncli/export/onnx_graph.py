"""ONNX graphs being built: nodes with names and source lines, constants shared by what they hold."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import numpy as np
from onnx import TensorProto, helper, numpy_helper

BOOL = TensorProto.BOOL
INT64 = TensorProto.INT64
DOUBLE = TensorProto.DOUBLE
LARGEST_TENSOR = 2**31 - 2**16  # bytes; Protocol Buffers end at 2 GB


class Refusal(Exception):
    """Model that cannot be exported: the reason, and the line of the script."""

    def __init__(self, reason: str, line: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def element_type(dtype: Any) -> int:
    """Return ONNX's number for a dtype of NumPy."""
    return int(helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))


class Weights:
    """Initializers of a model, shared by all its graphs, and fresh names."""

    def __init__(self) -> None:
        self.tensors: list[Any] = []
        self.nodes = 0
        self._names: dict[Any, str] = {}
        self._taken: set[str] = set()

    def fresh(self, base: str) -> str:
        """Return a name that no other value has."""
        name, number = base, 1
        while name in self._taken:
            number += 1
            name = f"{base}_{number}"
        self._taken.add(name)
        return name

    def constant(self, array: Any, name: str | None = None) -> str:
        """Return the name of an initializer that holds `array`."""
        array = np.asarray(array)
        array = np.ascontiguousarray(array).reshape(array.shape)
        key = array.dtype.str, array.shape, blake2b(array.tobytes()).digest()
        if key not in self._names:
            if array.nbytes >= LARGEST_TENSOR:
                raise Refusal(f"has an array of {array.nbytes:,} bytes, and ONNX holds less than 2 GB of each", "?")
            self._names[key] = self.fresh(name or "constant")
            self.tensors.append(numpy_helper.from_array(array, self._names[key]))
        return self._names[key]


class Graph:
    """One graph or arm being built.  place: the line of the script that its next nodes stand for."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.required: list[str] = []  # booleans that must hold for the last op to be written right
        self.place = ""
        self.source = ""

    @property
    def line(self) -> str:
        """The place with its text, as errors show it."""
        return f"{self.place}: `{self.source}`"

    def taken(self) -> list[str]:
        """Return what is required, and require it no more."""
        names, self.required = self.required, []
        return names

    def inner(self) -> Graph:
        """Return an empty graph for an arm or a body."""
        made = Graph(self.weights)
        made.place, made.source = self.place, self.source
        return made

    def at(self, site: Any, shown: str) -> None:
        """Let the next nodes stand for a line."""
        self.place, self.source = f"{shown}:{site.line}", site.source

    def __call__(self, op: str, *inputs: Any, outputs: int = 1, **attributes: Any) -> Any:
        """Add a node and return the name of its output, or a list of names; arrays among its inputs are constants."""
        names = [each if isinstance(each, str) else self.weights.constant(each) for each in inputs]
        made = [self.weights.fresh(op.lower()) for _ in range(outputs)]
        label = self.weights.fresh(f"{op} {self.place}".strip())
        doc = f"{self.place}: {self.source}" if self.place else ""
        self.weights.nodes += 1
        self.nodes.append(helper.make_node(op, names, made, name=label, doc_string=doc, **attributes))
        return made[0] if outputs == 1 else made

    def sealed(self, name: str, outputs: list[str], types: list[int], inputs: list[Any] | None = None) -> Any:
        """Return the graph as an arm or a body; its outputs are nodes of its own."""
        own = [self("Identity", each) for each in outputs]
        infos = [helper.make_tensor_value_info(each, kind, None) for each, kind in zip(own, types)]
        return helper.make_graph(self.nodes, name, inputs or [], infos)

    def branch(
        self, condition: str, then: tuple[Graph, list[str]], other: tuple[Graph, list[str]], types: list[int]
    ) -> list[str]:
        """Add an `If` and return the names of its outputs."""
        arms = [graph.sealed(name, names, types) for name, (graph, names) in (("then", then), ("else", other))]
        found = self("If", condition, outputs=len(types), then_branch=arms[0], else_branch=arms[1])
        return found if isinstance(found, list) else [found]
