"""One node of all paths becomes nodes of the graph: ops, writes, reads of shapes, and what must hold for them.

Where an op or Python used a size that inputs decide, the op is written for every size, or an input is captured only if
it has the sizes of the runs.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any

import numpy as np

from dyncli.export.cursors import Cursor, Operand, numpy_of, operands_in, renamed, unchanged
from dyncli.export.engine import values_in
from dyncli.export.onnx_graph import BOOL, INT64, Graph, Weights, element_type
from dyncli.export.ops import Mismatch, Refusal, convert
from dyncli.export.runs import Run

_DIMENSIONS = frozenset(("dim", "keepdim", "dim0", "dim1", "dims", "start_dim", "end_dim", "alpha", "beta", "eps",
                         "padding_idx", "normalized_shape", "num_groups", "groups", "correction", "ord"))  # fmt: skip


class SizesDiffer(Mismatch):
    """Paths go on with a value in different shapes, and nothing they did before says in which: `values` have it."""

    def __init__(self, values: list[Any]) -> None:
        super().__init__("sizes that were read differ")
        self.values = values


class Nodes:
    """Adds nodes of paths to graphs, and names their values.

    parameters: names by the identity of a tensor.  symbolic: the lengths vary, those of `varying`, (input, dimension).
    """

    def __init__(self, weights: Weights, parameters: dict[int, str], display: Callable[[str], str], *, symbolic: bool,
                 opset: int, varying: frozenset[tuple[str, int]]) -> None:  # fmt: skip
        self.weights = weights
        self.display = display
        self.symbolic = symbolic
        self.fixed: set[str] = set()  # names of values that are the same in every run
        self._parameters = parameters
        self._opset = opset
        self._varying = sorted(varying)
        self._arrays: dict[str, tuple[int, ...]] = {}  # shapes of arrays that are made in a run, by name

    def shown(self, site: Any) -> str:
        """Return a line of the script as it is shown."""
        return f"{self.display(site.file)}:{site.line}"

    def add(self, graph: Graph, cursors: list[Cursor], heads: list[Any]) -> None:
        """Add the next node of all cursors, which is of one class."""
        add = {"Call": self._call, "ShapeRead": self._read, "Write": self._write}[type(heads[0]).__name__]
        add(graph, cursors, heads)

    def cursor(self, run: Run) -> Cursor:
        env = {}
        for each in run.path.inputs:
            if each.argument is not None:
                env[each.value.number] = run.names[each.argument]
            else:
                env[each.value.number] = self.weights.constant(
                    each.tensor._array, self._parameters.get(id(each.tensor))
                )
                self.fixed.add(env[each.value.number])
        for each in run.path.constants:
            env[each.value.number] = self.weights.constant(each.array)
            self.fixed.add(env[each.value.number])
            if each.array.ndim:
                self._arrays[env[each.value.number]] = each.array.shape
        given = {each.value.number for each in run.path.inputs if each.argument is not None}
        copies = [*takewhile(lambda node: _copies(node, given), run.path.nodes)]  # made for the model to write into
        env.update((node.results[0].number, env[node.arguments["input"].number]) for node in copies)
        return Cursor(run, run.path.nodes, len(copies), env)

    @staticmethod
    def named(cursor: Cursor, value: Any) -> str:
        """Return the name of a value in the graph."""
        name = cursor.env.get(unchanged(cursor, value, cursor.env))
        if name is None:
            raise Mismatch("a value of one arm or iteration is used where it is not known")
        return name

    def same(self, cursors: list[Cursor], values: list[Any]) -> str:
        """Return the one name that these values have."""
        found = {self.named(cursor, value) for cursor, value in zip(cursors, values)}
        if len(found) > 1:
            raise Mismatch("values differ without a decision")
        return found.pop()

    def meet(self, cursors: list[Cursor], trees: list[Any]) -> Any:
        """Return the tree that all paths have, with operands for values."""
        first = trees[0]
        if hasattr(first, "number") and hasattr(first, "dtype"):
            if not all(hasattr(each, "number") for each in trees):
                raise Mismatch("operands differ")
            return Operand(self.same(cursors, trees), first, frozenset(tuple(each.shape) for each in trees))
        if any(type(each) is not type(first) for each in trees):
            raise Mismatch("options differ")
        if isinstance(first, (list, tuple)):
            if any(len(each) != len(first) for each in trees):
                raise Mismatch("numbers of operands differ")
            parts = [self.meet(cursors, list(each)) for each in zip(*trees)]
            return parts if isinstance(first, list) else tuple(parts)  # `x[[0, 1]]` is not `x[0, 1]`
        if isinstance(first, slice):
            parts = [(each.start, each.stop, each.step) for each in trees]
            return slice(*self.meet(cursors, parts))
        if any(repr(each) != repr(first) for each in trees):
            raise Mismatch(f"a number differs without a decision: {first!r} and others")
        return first

    def captured(self, graph: Graph, cursors: list[Cursor], start: str | None = None) -> str:
        """Return the name of a boolean: `start`, and all that must hold for these cursors."""
        name = start
        for each in dict.fromkeys(cursors[0].captured):
            name = each if name is None else graph("And", name, each)
        return self.weights.constant(np.array(True)) if name is None else name

    def unseen(self, graph: Graph, runs: list[Run], values: list[Any]) -> str:
        """Return a value for paths that were never seen which the ops behind it take.

        values: those of the runs that did not go there.  Whole numbers, which may be sizes, are those of these runs, as
        far as a length decides them; all else is zeros in the shape of these runs.
        """
        dtype = numpy_of(values[0])
        if dtype == np.int64 and not values[0].shape:
            numbers = [int(run.path.arrays[value.number]) for run, value in zip(runs, values)]
            return graph("Reshape", self._size(graph, runs, numbers), np.zeros(0, np.int64))
        sizes = [self._size(graph, runs, list(each)) for each in zip(*(value.shape for value in values))]
        if not any(isinstance(each, str) for each in sizes):
            return self.weights.constant(np.zeros(values[0].shape, dtype))
        return graph("Expand", np.zeros((), dtype), graph("Concat", *sizes, axis=0))

    def _size(self, graph: Graph, runs: list[Run], sizes: list[int]) -> Any:
        """Return the size of a dimension that had these sizes: linear in one of the lengths that vary, or fixed."""
        for name, dim in self._varying if self.symbolic else ():
            points = sorted({(run.case.arrays[name].shape[dim], size) for run, size in zip(runs, sizes)})
            (length, size), (longest, last) = points[0], points[-1]
            factor = (last - size) // (longest - length) if longest > length else int(size == length)
            rest = size - factor * length
            if factor and all(size == factor * length + rest for length, size in points):
                held = graph("Gather", graph("Shape", name), np.array([dim]))
                return graph("Add", graph("Mul", held, np.array([factor])), np.array([rest]))
        return np.array([sizes[0]])

    def _call(self, graph: Graph, cursors: list[Cursor], heads: list[Any]) -> None:
        first = heads[0]
        graph.at(first.site, self.display(first.site.file))
        line = graph.line
        if any(each.random for each in heads):
            raise Refusal(f"draws random numbers (`{first.op}`)", line)
        if any(each.op != first.op for each in heads):
            raise Mismatch("ops differ without a decision")
        arguments = {name: self.meet(cursors, [each.arguments[name] for each in heads]) for name in first.arguments}
        if any(len(each.results) != len(first.results) for each in heads):
            columns = [list(each) for each in zip(*(values_in(dict(head.arguments)) for head in heads))]
            raise SizesDiffer(next(each for each in columns if len({value.shape for value in each}) > 1))
        if any(_kinds(each) != _kinds(first) for each in heads):
            raise Mismatch("results differ in rank or dtype without a decision")
        operands = operands_in(arguments)
        self.guard_arrays(graph, cursors, [each.name for each in operands])
        if self.symbolic and (first.op == "squeeze" or _holds_sizes(cursors[0], first)):
            self._guard_lengths(graph, cursors)
        made = self._converted(graph, cursors, heads, arguments, line)
        _require(cursors, *graph.taken())
        if all(each.name in self.fixed for each in operands):
            self.fixed.update(made)
        for cursor, head in zip(cursors, heads):
            for value, name in zip(head.results, made):
                if value is not None:
                    cursor.env[value.number] = name

    def _converted(
        self, graph: Graph, cursors: list[Cursor], heads: list[Any], arguments: dict[str, Any], line: str
    ) -> list[str]:
        """Write a call as nodes; where sizes of operands vary, for every size, else for those which were seen."""
        first = heads[0]
        sized = [
            each
            for each in zip(*(values_in(dict(head.arguments)) for head in heads), strict=True)
            if any(_is_sized(cursor, value) for cursor, value in zip(cursors, each))
            or (self.symbolic and each[0].shape and self.same(cursors, list(each)) not in self.fixed)
        ]
        if not sized:
            return convert(graph, first, arguments, line, symbolic=self.symbolic, opset=self._opset)
        before = len(graph.nodes)
        by_data = any(_is_sized(cursor, value) for each in sized for cursor, value in zip(cursors, each))
        if not by_data or first.op != "squeeze" and not _holds_sizes(cursors[0], first):
            try:
                return convert(graph, first, arguments, line, symbolic=True, opset=self._opset)
            except Mismatch:
                del graph.nodes[before:]
                graph.required.clear()
        fitted = {self.same(cursors, list(values)): self._fitted(graph, cursors, list(values)) for values in sized}
        return convert(graph, first, renamed(arguments, fitted), line, symbolic=False, opset=self._opset)

    def _fitted(self, graph: Graph, cursors: list[Cursor], values: list[Any]) -> str:
        """Return the name of a value in the shape that it had in the runs, which must be its own to be captured."""
        name = self.same(cursors, values)
        self._guard_shape(graph, cursors, values)
        shape = values[0].shape
        wide = graph("Pad", name, np.array([*[0] * len(shape), *shape], np.int64))
        ends, axes = np.array(shape, np.int64), np.arange(len(shape), dtype=np.int64)
        return graph("Slice", wide, np.zeros_like(ends), ends, axes)

    def _read(self, graph: Graph, cursors: list[Cursor], heads: list[Any]) -> None:
        """Where lengths vary, a shape that Python has read must be the one that it read."""
        first = heads[0]
        varies = self.symbolic or any(_is_sized(c, each.value) for c, each in zip(cursors, heads))
        if not varies or first.how == "ndim":
            return
        if any(each.how != first.how for each in heads):
            raise Mismatch("reads of shapes differ without a decision")
        if first.value.shape and not any(each.value.number in _outside(c) for c, each in zip(cursors, heads)):
            dim = int(first.how[6:-1]) if first.how.startswith("shape[") else None
            self._guard_shape(graph, cursors, [each.value for each in heads], dim)

    def _write(self, graph: Graph, cursors: list[Cursor], heads: list[Any]) -> None:
        """Make the version of a tensor that a write in place leaves."""
        first = heads[0]
        graph.at(first.site, self.display(first.site.file))
        line = graph.line
        base = self.meet(cursors, [each.base for each in heads])
        source = self.meet(cursors, [each.source for each in heads])
        if any(len(each.path) != len(first.path) for each in heads):
            raise Mismatch("writes differ without a decision")
        self.guard_arrays(graph, cursors, [base.name, source.name])
        for each in ("base", "source") if first.path else ():
            values = [getattr(head, each) for head in heads]
            if any(_is_sized(cursor, value) for cursor, value in zip(cursors, values)):
                self._guard_shape(graph, cursors, values)
        cast = graph("Cast", source.name, to=element_type(base.dtype))
        if not first.path:
            made = graph("Expand", cast, graph("Shape", base.name))
        else:
            made = self._scattered(graph, cursors, heads, base, cast, line)
            _require(cursors, *graph.taken())
        for cursor, head in zip(cursors, heads):
            cursor.env[head.result.number] = made

    def _scattered(
        self, graph: Graph, cursors: list[Cursor], heads: list[Any], base: Operand, cast: str, line: str
    ) -> str:
        """Return `base` with the elements of `cast` where the views of a write look at: the views of its positions."""
        shape = graph("Shape", base.name)
        count = graph("Size", base.name)
        places = graph("Reshape", graph("Range", np.int64(0), count, np.int64(1)), shape)
        for step, call in enumerate(heads[0].path):
            calls = [each.path[step] for each in heads]
            if any(each.op != call.op for each in calls):
                raise Mismatch("writes differ without a decision")
            viewed = next(name for name, each in call.arguments.items() if each == call.aliases)
            arguments = {
                name: Operand(places, call.aliases, frozenset(tuple(each.aliases.shape) for each in calls))
                if name == viewed
                else self.meet(cursors, [each.arguments[name] for each in calls])
                for name in call.arguments
            }
            following = heads[0].path[step + 1].aliases if step + 1 < len(heads[0].path) else heads[0].target
            number = next((k for k, each in enumerate(call.results) if each == following), 0)
            places = convert(graph, call, arguments, line, symbolic=self.symbolic, opset=self._opset)[number]
        flat = np.array([-1], np.int64)
        spread = graph("Reshape", graph("Expand", cast, graph("Shape", places)), flat)
        written = graph("ScatterElements", graph("Reshape", base.name, flat), graph("Reshape", places, flat), spread)
        return graph("Reshape", written, shape)

    def guard_arrays(self, graph: Graph, cursors: list[Cursor], names: list[str]) -> None:
        """Require the sizes of the runs that one of these names may have, an array that the runs made in some size."""
        sizes = {size for name in names for size in self._arrays.get(name, ())}
        if self.symbolic and sizes:
            self._guard_lengths(graph, cursors)
        values = [_sized_by_data(cursor) for cursor in cursors] if sizes else [{}]
        for name, value in values[0].items():
            if not sizes.isdisjoint(value.shape):
                if any(name not in each for each in values):
                    raise Mismatch("sizes that data decide differ")
                self._guard_sizes(graph, cursors, [each[name] for each in values], sizes)

    def _guard_sizes(self, graph: Graph, cursors: list[Cursor], values: list[Any], sizes: set[int]) -> None:
        """Require the dimensions of one of these sizes; a size that differs is not that of an array they all have."""
        for dim, size in enumerate(values[0].shape):
            if size in sizes and all(each.shape[dim : dim + 1] == (size,) for each in values):
                self._guard_shape(graph, cursors, values, dim)

    def _guard_lengths(self, graph: Graph, cursors: list[Cursor]) -> None:
        """Require the lengths of the runs if these have the same lengths: numbers may be computed of them unseen."""
        sizes = {tuple(c.run.case.arrays[name].shape[dim] for name, dim in self._varying) for c in cursors}
        if len(sizes) > 1:
            return
        for (name, dim), size in zip(self._varying, sizes.pop()):
            same = graph("Equal", graph("Gather", graph("Shape", name), np.int64(dim)), np.int64(size))
            _require(cursors, same)

    def _guard_shape(self, graph: Graph, cursors: list[Cursor], values: list[Any], dim: int | None = None) -> None:
        """Require the one shape, or size of a dimension, that a value had in all runs; else the paths part."""
        name = self.same(cursors, values)
        sizes = [tuple(each.shape)[slice(dim, None if dim is None else dim + 1)] for each in values]
        if len(set(sizes)) > 1:
            raise SizesDiffer(values)
        _require(cursors, has_shape(graph, name, sizes[0], dim))


def _require(cursors: list[Cursor], *names: str) -> None:
    """Let inputs be captured only where these booleans hold, too."""
    for cursor in cursors:
        cursor.captured = (*cursor.captured, *names)


def has_shape(graph: Graph, name: str, shape: Any, dim: int | None = None) -> str:
    """Return whether a value has this shape, of its rank, or this size of one dimension."""
    found = graph("Shape", name) if dim is None else graph("Gather", graph("Shape", name), np.array([dim]))
    same = graph("Equal", found, np.array(shape, np.int64))
    return graph("Cast", graph("ReduceMin", graph("Cast", same, to=INT64), keepdims=0), to=BOOL)


def _sized_by_data(cursor: Cursor) -> dict[str, Any]:
    """Return the values so far whose size data decide, by name."""
    sized = cursor.run.path.data_sized
    return {cursor.env[number]: each for number, each in sized.items() if number in cursor.env}


def _copies(node: Any, given: set[int]) -> bool:
    """Return whether a node copies an input of the model."""
    return getattr(node, "op", "") == "clone" and node.arguments["input"].number in given


def _outside(cursor: Cursor) -> set[int]:
    return {each.value.number for each in cursor.run.path.inputs if each.argument is None}


def _is_sized(cursor: Cursor, value: Any) -> bool:
    """Return whether data decide the shape of a value."""
    return value.number in cursor.run.path.data_sized


def _kinds(call: Any) -> list[Any]:
    return [None if each is None else (len(each.shape), each.dtype) for each in call.results]


def _holds_sizes(cursor: Cursor, call: Any) -> bool:
    """Return whether an op has numbers among its arguments that the engine may have computed of sizes."""
    if not any(each is not None and each.number in cursor.run.path.indirect for each in call.results):
        return False
    return any(_holds_number(each) for name, each in call.arguments.items() if name not in _DIMENSIONS)


def _holds_number(tree: Any) -> bool:
    if isinstance(tree, (list, tuple)):
        return any(map(_holds_number, tree))
    if isinstance(tree, slice):
        return _holds_number((tree.start, tree.stop, tree.step))
    return type(tree) in (int, float)
