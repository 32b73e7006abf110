"""Paths of one model become one ONNX graph: decisions are `If`, arms meet where their state is equal, loops are `Loop`.

The paths run side by side, a `Cursor` each.  While they do the same, one node stands for all of them.
At a decision they part; an arm that no path took says `captured = False`.
Where a region ends in the same state of Python in all of its paths, what follows is the same function of the tensors:
the arms meet there, and what differs are the outputs of the `If`.  Iterations that begin in one state are one body.
Where states differ, paths stay apart: the graph is larger, and still right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dyncli.export.cursors import (
    Cursor,
    Operand,
    Summary,
    Target,
    agree,
    common,
    define,
    find,
    numpy_of,
    operands_in,
    pass_mark,
    pass_marks,
    renamed,
)
from dyncli.export.engine import values_in
from dyncli.export.loops import merge_loop
from dyncli.export.onnx_graph import BOOL, DOUBLE, INT64, Graph, Weights, element_type
from dyncli.export.ops import Mismatch, Refusal, convert
from dyncli.export.runs import Run

DEEPEST = 30  # nested arms: Protocol Buffers refuse more
_DIMENSIONS = frozenset(("dim", "keepdim", "dim0", "dim1", "dims", "start_dim", "end_dim", "alpha", "beta", "eps",
                         "padding_idx", "normalized_shape", "num_groups", "groups", "correction", "ord"))  # fmt: skip
_ENDS = {"begin": ("end",), "loop": ("exit",), "iteration": ("iteration", "exit")}  # marks that end a region
_COMPARE = {"<": "Less", "<=": "LessOrEqual", ">": "Greater", ">=": "GreaterOrEqual", "==": "Equal", "!=": "Equal"}


class _SizesDiffer(Mismatch):
    """Paths go on with a value in different shapes, and nothing they did before says in which: `values` have it."""

    def __init__(self, values: list[Any]) -> None:
        super().__init__("sizes that were read differ")
        self.values = values


class Merger:
    """Merges runs of one structure.

    merging: let arms and iterations meet.  symbolic: the lengths vary, those of `varying`, (input, dimension).
    depth: in how many nodes the graph stands.
    """

    def __init__(self, runs: list[Run], weights: Weights, parameters: dict[int, str], display: Callable[[str], str], *,
                 merging: bool, symbolic: bool, opset: int, varying: frozenset[tuple[str, int]],
                 depth: int = 0) -> None:  # fmt: skip
        self.weights = weights
        self.summary = Summary()
        self.opset = opset
        self._runs = runs
        self._parameters = parameters
        self.display = display
        self._merging = merging
        self.symbolic = symbolic
        self._varying = sorted(varying)
        self.depth = depth  # of nodes inside one another
        self._fixed: set[str] = set()  # names of values that are the same in every run
        self._arrays: dict[str, tuple[int, ...]] = {}  # shapes of arrays that are made in a run, by name

    def build(self, graph: Graph, names: list[str]) -> list[str]:
        """Add the nodes of all paths; return the names of the outputs, in this order, and of `captured`."""
        first = self._runs[0]
        values = [first.outputs[name] for name in names]
        for run in self._runs[1:]:
            for name, value in zip(names, values):
                other = run.outputs.get(name)
                if other is None or set(run.outputs) != set(names):
                    raise Refusal("returns other outputs for other inputs", "?")
                if other.dtype != value.dtype:
                    kinds = numpy_of(value), numpy_of(other)
                    raise Refusal("returns `{}` as {} for some inputs and as {} for others".format(name, *kinds), "?")
        types = [element_type(numpy_of(each)) for each in values]

        def end(inner: Graph, cursors: list[Cursor]) -> list[str]:
            made = [self.same(cursors, [c.run.outputs[name] for c in cursors]) for name in names]
            self.guard_arrays(inner, cursors, made)
            return [*made, self.captured(inner, cursors)]

        def lost(inner: Graph, label: str) -> list[str]:
            made = [self.lost(inner, self._runs, [run.outputs[name] for run in self._runs]) for name in names]
            return [*made, self.weights.constant(np.array(False))]

        cursors = [self._cursor(run) for run in self._runs]
        return self.run(graph, cursors, Target([*types, BOOL], end, lost))

    def _cursor(self, run: Run) -> Cursor:
        env = {}
        for each in run.path.inputs:
            if each.argument is not None:
                env[each.value.number] = run.names[each.argument]
            else:
                env[each.value.number] = self.weights.constant(
                    each.tensor._array, self._parameters.get(id(each.tensor))
                )
                self._fixed.add(env[each.value.number])
        for each in run.path.constants:
            env[each.value.number] = self.weights.constant(each.array)
            self._fixed.add(env[each.value.number])
            if each.array.ndim:
                self._arrays[env[each.value.number]] = each.array.shape
        return Cursor(run, run.path.nodes, 0, env)

    def lost(self, graph: Graph, runs: list[Run], values: list[Any]) -> str:
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

    # -- arguments

    @staticmethod
    def named(cursor: Cursor, value: Any) -> str:
        """Return the name of a value in the graph."""
        name = cursor.env.get(value.number)
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
            return tuple(self.meet(cursors, list(each)) for each in zip(*trees))
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

    # -- nodes

    def run(self, graph: Graph, cursors: list[Cursor], target: Target) -> list[str]:
        """Add what the cursors do from here to the end of their nodes."""
        while True:
            self._iterations(graph, cursors)
            for cursor in cursors:
                pass_marks(cursor)
            heads = [cursor.head for cursor in cursors]
            if all(each is None for each in heads):
                return target.end(graph, cursors)
            kinds = {type(each).__name__ for each in heads}
            if "Mark" in kinds:
                self._enter(graph, cursors, heads)
            elif len(kinds) > 1:
                site = next((each.site for each in heads if hasattr(each, "site")), None)
                raise Mismatch("paths go on differently without a decision", self._shown(site) if site else "")
            elif kinds == {"Decided"}:
                return self._decide(graph, cursors, heads, target)
            else:
                before = self._state(graph, cursors)
                try:
                    getattr(self, f"_{kinds.pop().lower()}")(graph, cursors, heads)
                except _SizesDiffer as error:
                    self._back_to(before, graph, cursors)
                    return self._parted_by_shape(graph, cursors, error.values, target)
                except Mismatch as error:
                    error.line = error.line or self._shown(heads[0].site)
                    raise
                for cursor in cursors:
                    cursor.pos += 1

    def _state(self, graph: Graph, cursors: list[Cursor]) -> Any:
        counts = self.summary.branches, self.summary.loops, self.weights.nodes
        return len(graph.nodes), counts, [each.captured for each in cursors]

    def _back_to(self, state: Any, graph: Graph, cursors: list[Cursor]) -> None:
        """Forget what was added since `_state`."""
        nodes, counts, captured = state
        del graph.nodes[nodes:]
        graph.required.clear()
        self.summary.branches, self.summary.loops, self.weights.nodes = counts
        for cursor, names in zip(cursors, captured):
            cursor.captured = names

    def _enter(self, graph: Graph, cursors: list[Cursor], heads: list[Any]) -> None:
        """Enter a region: as one where all paths do, else step over the mark."""
        marks = {(each.kind, each.key) for each in heads if type(each).__name__ == "Mark"}
        alike = self._merging and len(marks) == 1 and all(type(each).__name__ == "Mark" for each in heads)
        if alike and heads[0].kind == "loop" and self._attempt(merge_loop, graph, cursors, heads):
            return
        if alike and self._attempt(Merger._region, graph, cursors, heads):
            return
        for cursor, head in zip(cursors, heads):
            if type(head).__name__ == "Mark":
                cursor.pos += 1

    def _iterations(self, graph: Graph, cursors: list[Cursor]) -> None:
        """Let arms meet at the end of an iteration of a loop that is unrolled, as `continue` leads there."""
        heads: list[Any] = [cursor.head for cursor in cursors]
        if not self._merging or any(type(each).__name__ != "Mark" or each.kind != "iteration" for each in heads):
            return
        if len({each.key for each in heads}) > 1:
            return
        for cursor in cursors:
            pass_mark(cursor)
            cursor.pos -= 1  # a region begins at its mark
        while heads[0].kind == "iteration" and self._attempt(Merger._region, graph, cursors, heads):
            for cursor in cursors:
                cursor.pos -= 1
            heads = [cursor.head for cursor in cursors]
        for cursor in cursors:
            cursor.pos += 1

    def _attempt(self, merge: Callable[..., bool], graph: Graph, cursors: list[Cursor], heads: list[Any]) -> bool:
        """Merge what begins at these marks; return False, and leave nothing behind, where that is not possible."""
        before = self._state(graph, cursors)
        try:
            return merge(self, graph, cursors, heads)
        except Mismatch as error:
            self._back_to(before, graph, cursors)
            self.summary.apart.append(f"{self._shown(heads[0].site)}: {error}")
            return False

    def _shown(self, site: Any) -> str:
        return f"{self.display(site.file)}:{site.line}"

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
            raise _SizesDiffer(next(each for each in columns if len({value.shape for value in each}) > 1))
        if any(_kinds(each) != _kinds(first) for each in heads):
            raise Mismatch("results differ in rank or dtype without a decision")
        operands = operands_in(arguments)
        self.guard_arrays(graph, cursors, [each.name for each in operands])
        if self.symbolic and (first.op == "squeeze" or _holds_sizes(cursors[0], first)):
            self._guard_lengths(graph, cursors)
        made = self._converted(graph, cursors, heads, arguments, line)
        self._require(graph, cursors)
        if all(each.name in self._fixed for each in operands):
            self._fixed.update(made)
        for cursor, head in zip(cursors, heads):
            for value, name in zip(head.results, made):
                if value is not None:
                    cursor.env[value.number] = name

    @staticmethod
    def _require(graph: Graph, cursors: list[Cursor]) -> None:
        """Require what the last op needs to be right."""
        for cursor in cursors:
            cursor.captured = (*cursor.captured, *graph.required)
        graph.required.clear()

    def _converted(
        self, graph: Graph, cursors: list[Cursor], heads: list[Any], arguments: dict[str, Any], line: str
    ) -> list[str]:
        """Write a call as nodes; where sizes of operands vary, for every size, else for those which were seen."""
        first = heads[0]
        sized = [
            each
            for each in zip(*(values_in(dict(head.arguments)) for head in heads), strict=True)
            if any(_is_sized(cursor, value) for cursor, value in zip(cursors, each))
            or (self.symbolic and each[0].shape and self.same(cursors, list(each)) not in self._fixed)
        ]
        if not sized:
            return convert(graph, first, arguments, line, symbolic=self.symbolic, opset=self.opset)
        before = len(graph.nodes)
        by_data = any(_is_sized(cursor, value) for each in sized for cursor, value in zip(cursors, each))
        if not by_data or first.op != "squeeze" and not _holds_sizes(cursors[0], first):
            try:
                return convert(graph, first, arguments, line, symbolic=True, opset=self.opset)
            except Mismatch:
                del graph.nodes[before:]
                graph.required.clear()
        fitted = {self.same(cursors, list(values)): self._fitted(graph, cursors, list(values)) for values in sized}
        return convert(graph, first, renamed(arguments, fitted), line, symbolic=False, opset=self.opset)

    def _fitted(self, graph: Graph, cursors: list[Cursor], values: list[Any]) -> str:
        """Return the name of a value in the shape that it had in the runs, which must be its own to be captured."""
        name = self.same(cursors, values)
        self._guard_shape(graph, cursors, values)
        shape = values[0].shape
        wide = graph("Pad", name, np.array([*[0] * len(shape), *shape], np.int64))
        ends, axes = np.array(shape, np.int64), np.arange(len(shape), dtype=np.int64)
        return graph("Slice", wide, np.zeros_like(ends), ends, axes)

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
            for cursor in cursors:
                cursor.captured = (*cursor.captured, same)

    def _shaperead(self, graph: Graph, cursors: list[Cursor], heads: list[Any]) -> None:
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

    def _guard_shape(self, graph: Graph, cursors: list[Cursor], values: list[Any], dim: int | None = None) -> None:
        """Require the one shape, or size of a dimension, that a value had in all runs; else the paths part."""
        name = self.same(cursors, values)
        sizes = [tuple(each.shape)[slice(dim, None if dim is None else dim + 1)] for each in values]
        if len(set(sizes)) > 1:
            raise _SizesDiffer(values)
        held = _has_shape(graph, name, sizes[0], dim)
        for cursor in cursors:
            cursor.captured = (*cursor.captured, held)

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
            self._require(graph, cursors)
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
            places = convert(graph, call, arguments, line, symbolic=self.symbolic, opset=self.opset)[number]
        flat = np.array([-1], np.int64)
        spread = graph("Reshape", graph("Expand", cast, graph("Shape", places)), flat)
        written = graph("ScatterElements", graph("Reshape", base.name, flat), graph("Reshape", places, flat), spread)
        return graph("Reshape", written, shape)

    # -- decisions

    def _decide(self, graph: Graph, cursors: list[Cursor], heads: list[Any], target: Target) -> list[str]:
        """Part the paths by the outcome of their decision."""
        first = heads[0].decision
        if any((each.decision.how, each.decision.comparison) != (first.how, first.comparison) for each in heads):
            raise Mismatch("decisions differ")
        operands = [
            self.meet(cursors, [each.decision.operands[k] for each in heads]) for k in range(len(first.operands))
        ]
        graph.at(first.site, self.display(first.site.file))
        arms: dict[Any, list[Cursor]] = {}
        for cursor, head in zip(cursors, heads):
            arms.setdefault(head.outcome, []).append(cursor)
            cursor.pos += 1
        if len(arms) == 1 and all(each.name in self._fixed for each in operands):
            return self.run(graph, cursors, target)
        return self._parted(graph, first, operands, arms, target)

    @contextmanager
    def nested(self, line: str) -> Iterator[None]:
        """Add what stands inside one more node.  Raises Refusal where a file cannot hold that."""
        if self.depth >= DEEPEST:
            raise Refusal(f"has more than {DEEPEST} decisions inside one another", line)
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    def _parted(self, graph: Graph, decision: Any, operands: list[Operand], arms: Any, target: Target) -> list[str]:
        label = graph.line

        def arm(outcome: Any) -> tuple[Graph, list[str]]:
            inner = graph.inner()
            known = outcome in arms
            key = label, str(outcome)
            self.summary.arms[key] = known or self.summary.arms.get(key, False)
            return inner, self.run(inner, arms[outcome], target) if known else target.lost(inner, label)

        if decision.how == "bool" or decision.comparison is not None or decision.how == "equal":
            condition = self._condition(graph, decision, operands)
            self.summary.branches += 1
            with self.nested(label):
                return graph.branch(condition, arm(True), arm(False), target.types)
        if decision.how not in ("item", "float", "int", "index"):
            raise Refusal(f"takes values out with `{decision.how}`", label)

        if len(arms) > DEEPEST:
            raise Refusal(f"reads a number that had {len(arms)} values, each its own path", label)
        is_it = lambda inner, outcome: _is_number(inner, operands[0], outcome)
        return self._chain(graph, sorted(arms, key=repr), is_it, arm, target)

    def _chain(
        self, graph: Graph, outcomes: list[Any], condition: Callable[[Graph, Any], str],
        arm: Callable[[Any], tuple[Graph, list[str]]], target: Target,
    ) -> list[str]:  # fmt: skip
        """Add an `If` for each outcome inside the one before; none of them was never seen."""
        label = graph.line
        if not outcomes:
            return target.lost(graph, label)
        other = graph.inner()
        self.summary.branches += 1
        found = condition(graph, outcomes[0])
        with self.nested(label):
            rest = other, self._chain(other, outcomes[1:], condition, arm, target)
            return graph.branch(found, arm(outcomes[0]), rest, target.types)

    def _parted_by_shape(self, graph: Graph, cursors: list[Cursor], values: list[Any], target: Target) -> list[str]:
        """Part the paths by the shape of a value."""
        if not target.types:
            raise Mismatch("the loop's start decides something")
        name = self.same(cursors, values)
        arms: dict[Any, list[Cursor]] = {}
        for cursor, value in zip(cursors, values):
            arms.setdefault(tuple(value.shape), []).append(cursor)
        if len(arms) > DEEPEST:
            raise Refusal(f"reads a shape that differed in {len(arms)} ways, each its own path", graph.line)

        def arm(shape: Any) -> tuple[Graph, list[str]]:
            inner = graph.inner()
            self.summary.arms[graph.line, f"shape {list(shape)}"] = True
            return inner, self.run(inner, arms[shape], target)

        return self._chain(graph, sorted(arms), lambda inner, shape: _has_shape(inner, name, shape), arm, target)

    @staticmethod
    def _condition(graph: Graph, decision: Any, operands: list[Operand]) -> str:
        name = operands[0].name
        if decision.how == "equal":
            same = graph("Equal", name, operands[1].name)
            whole = graph("ReduceMin", graph("Cast", same, to=INT64), keepdims=0)
            return graph("Cast", whole, to=BOOL)
        if operands[0].rank:
            name = graph("Reshape", name, np.zeros(0, np.int64))
        if decision.comparison is None:
            return graph("Cast", name, to=BOOL) if operands[0].dtype != np.bool_ else name
        symbol, number = decision.comparison
        found = graph(_COMPARE[symbol], graph("Cast", name, to=DOUBLE), np.float64(number))
        return graph("Not", found) if symbol == "!=" else found

    # -- regions

    def _region(self, graph: Graph, cursors: list[Cursor], heads: list[Any]) -> bool:
        """Merge an `if`, a function, a loop or an iteration: True if its arms meet in one state."""
        found_places = [find(cursor, head, *_ENDS[head.kind]) for cursor, head in zip(cursors, heads)]
        places = [each for each in found_places if each is not None]
        if len(places) < len(cursors) or not any(
            type(node).__name__ == "Decided" for c, k in zip(cursors, places) for node in c.nodes[c.pos : k]
        ):
            return False
        ends = [cursor.nodes[place] for cursor, place in zip(cursors, places)]
        if len({each.kind for each in ends}) > 1 or not agree(ends):
            return False
        names = [name for name in ends[0].leaves if any(name in end.live for end in ends)]
        outside = {name: common(cursors, [end.leaves[name][0] for end in ends]) for name in names}
        varying = [name for name in names if outside[name] is None]
        values = {name: ends[0].leaves[name][0] for name in names}
        subs = [
            Cursor(c.run, c.nodes[:place], c.pos + 1, dict(c.env), (), end)
            for c, place, end in zip(cursors, places, ends)
        ]

        def end(inner: Graph, found: list[Cursor]) -> list[str]:
            made = [self.same(found, [c.end.leaves[name][0] for c in found]) for name in varying]
            self.guard_arrays(inner, found, made)
            return [*made, self.captured(inner, found)]

        def lost(inner: Graph, label: str) -> list[str]:
            runs = [cursor.run for cursor in cursors]
            zeros = [self.lost(inner, runs, [end.leaves[name][0] for end in ends]) for name in varying]
            return [*zeros, self.weights.constant(np.array(False))]

        types = [element_type(numpy_of(values[name])) for name in varying]
        made = self.run(graph, subs, Target([*types, BOOL], end, lost))
        for cursor, place, mark in zip(cursors, places, ends):
            cursor.pos = place + 1
            cursor.captured = (*cursor.captured, made[-1])
            known = {**{n: outside[n] for n in names}, **dict(zip(varying, made))}
            define(cursor, mark, known)
        return True


def _is_number(graph: Graph, operand: Operand, outcome: Any) -> str:
    """Return whether a value is the number that Python read."""
    name = graph("Reshape", operand.name, np.zeros(0, np.int64)) if operand.rank else operand.name
    if isinstance(outcome, (bool, int)):
        return graph("Equal", graph("Cast", name, to=INT64), np.int64(outcome))
    number = np.float64(outcome[1])
    double = graph("Cast", name, to=DOUBLE)
    if np.isnan(number):
        return graph("IsNaN", double)
    return graph("Equal", double, number)


def _has_shape(graph: Graph, name: str, shape: Any, dim: int | None = None) -> str:
    """Return whether a value has this shape, of its rank, or this size of one dimension."""
    found = graph("Shape", name) if dim is None else graph("Gather", graph("Shape", name), np.array([dim]))
    same = graph("Equal", found, np.array(shape, np.int64))
    return graph("Cast", graph("ReduceMin", graph("Cast", same, to=INT64), keepdims=0), to=BOOL)


def _sized_by_data(cursor: Cursor) -> dict[str, Any]:
    """Return the values so far whose size data decide, by name."""
    sized = cursor.run.path.data_sized
    return {cursor.env[number]: each for number, each in sized.items() if number in cursor.env}


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
