"""Runs become an ONNX model: one graph for all of them where that is possible, else one for each set of shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import helper

from dyncli.export.cursors import Summary
from dyncli.export.engine import NotRecorded
from dyncli.export.merge import DEEPEST, Merger
from dyncli.export.nodes import Nodes
from dyncli.export.onnx_graph import BOOL, Graph, Weights, element_type
from dyncli.export.ops import Mismatch, Refusal
from dyncli.export.runs import Case, Run, Subject, differing

IR_VERSION = 9
OPSETS = range(18, 23)
NOT_CAPTURED = "this input took a path that was not captured"


@dataclass(frozen=True, slots=True)
class Built:
    """A model and what it was made of.  varying: (input, dimension) of sizes that vary.  shapes: number of graphs."""

    model: Any
    runs: list[Run]
    outputs: list[str]
    summary: Summary
    nodes: int
    varying: frozenset[tuple[str, int]]
    shapes: int


def build(subject: Subject, *, opset: int, paths_only: bool, fail: bool, report: Callable[[str], None]) -> Built:
    """Return the model of all cases.  Raises Refusal and NotRecorded, each with a line."""
    try:
        return _merged(subject, opset=opset, paths_only=paths_only, fail=fail, report=report)
    except (Refusal, NotRecorded) as error:
        error.line = subject.definition() if error.line == "?" else error.line
        raise


def _merged(subject: Subject, *, opset: int, paths_only: bool, fail: bool, report: Callable[[str], None]) -> Built:
    """Return one graph for all cases, else one for each set of shapes, else one of whole paths."""
    cases = subject.cases
    for case in cases:
        name = differing(cases[0], case)
        if name is not None:
            raise Refusal(f"is given inputs of different structure, dtype or rank (`{name}`)", subject.definition())
    varying = _varying(cases)
    problem: Mismatch | Refusal | None = None
    lists = subject.tracer.lists
    for merging, symbolic, lists.enabled in _attempts(paths_only=paths_only, varies=bool(varying)):
        if merging and not lists.enabled and not lists.known:
            continue  # no list was held as rows
        lengths = [_lengths(case, varying) if symbolic else frozenset() for case in cases]
        try:
            runs = subject.runs(cases, lengths)
            return _built(subject, runs, varying, merging=merging, symbolic=symbolic, opset=opset, fail=fail)
        except Mismatch as error:
            problem = problem if isinstance(problem, Refusal) else error
            report(f"{'one graph for all lengths' if symbolic else 'merged arms and loops'}: not possible, {error}")
        except (Refusal, NotRecorded) as error:
            if lists.enabled and lists.known:
                continue
            if isinstance(error, NotRecorded) or not any(word in error.reason for word in ("inside one", "paths")):
                raise
            problem = problem if isinstance(problem, Refusal) else error
    if isinstance(problem, Refusal):
        raise problem
    raise Refusal(f"takes paths that cannot be told apart: {problem}", (problem and problem.line) or "?")


def _attempts(*, paths_only: bool, varies: bool) -> list[tuple[bool, bool, bool]]:
    """Return what is tried, the best first: (merging, symbolic, lists are held as rows)."""
    merged = [] if paths_only else [(True, symbolic, rows) for symbolic in (True, False) for rows in (True, False)]
    return [each for each in merged if varies or not each[1]] + [(False, False, False)]


def _varying(cases: tuple[Case, ...]) -> frozenset[tuple[str, int]]:
    found = set()
    for name, array in cases[0].arrays.items():
        for dim in range(array.ndim):
            if len({case.arrays[name].shape[dim] for case in cases}) > 1:
                found.add((name, dim))
    return frozenset(found)


def _lengths(case: Case, varying: frozenset[tuple[str, int]]) -> frozenset[int]:
    return frozenset(case.arrays[name].shape[dim] for name, dim in varying)


def _built(
    subject: Subject, runs: list[Run], varying: frozenset[tuple[str, int]], *, merging: bool, symbolic: bool,
    opset: int, fail: bool,
) -> Built:  # fmt: skip
    weights, outputs = Weights(), list(runs[0].outputs)
    for name in [*runs[0].names, *outputs, "captured"]:
        weights.fresh(name)
    graph = Graph(weights)
    groups: dict[Any, list[Run]] = {}
    for run in runs:
        key = () if symbolic else tuple(run.case.arrays[name].shape for name in run.case.arrays)
        groups.setdefault(key, []).append(run)
    if len(groups) > DEEPEST:
        raise Refusal(f"is given inputs of {len(groups)} shapes, each a graph of its own", subject.definition())
    summary = Summary()
    types = [element_type(runs[0].results[name].dtype) for name in outputs]

    def one(inner: Graph, group: list[Run], depth: int) -> list[str]:
        nodes = Nodes(
            weights, subject.parameters, subject.display, symbolic=symbolic, opset=opset, varying=varying
        )  # fmt: skip
        return Merger(group, nodes, summary, merging=merging, depth=depth).build(inner, outputs)

    def chain(inner: Graph, left: list[Any], depth: int) -> list[str]:
        if not left:
            shapes = [np.zeros(runs[0].results[name].shape, runs[0].results[name].dtype) for name in outputs]
            return [*map(weights.constant, shapes), weights.constant(np.array(False))]
        then, other = inner.inner(), inner.inner()
        condition = _has_shapes(inner, runs[0].case, varying, left[0][1][0])
        arms = (then, one(then, left[0][1], depth)), (other, chain(other, left[1:], depth + 1))
        return inner.branch(condition, *arms, [*types, BOOL])

    made = one(graph, runs, 0) if len(groups) == 1 else chain(graph, list(groups.items()), 1)
    _finish(graph, outputs, made, types, fail=fail)
    model = _model(runs, graph, outputs, types, varying, opset)
    return Built(model, runs, outputs, summary, weights.nodes, varying, len(groups))


def _has_shapes(graph: Graph, case: Case, varying: frozenset[tuple[str, int]], run: Run) -> str:
    found = None
    for name, dim in sorted(varying):
        size = graph("Gather", graph("Shape", name), np.int64(dim))
        same = graph("Equal", size, np.int64(run.case.arrays[name].shape[dim]))
        found = same if found is None else graph("And", found, same)
    return found or graph.weights.constant(np.array(True))


def _finish(graph: Graph, outputs: list[str], made: list[str], types: list[int], *, fail: bool) -> None:
    """Add the outputs: NaN where the path is not captured, or a node that fails there."""
    *values, captured = made
    graph.place = graph.source = ""
    for name, value, kind in zip(outputs, values, types):
        if fail:
            place = graph("Where", captured, np.int64(0), np.int64(1 << 40))
            several = graph("Unsqueeze", value, np.array([0], np.int64))
            graph.nodes.append(
                helper.make_node("Gather", [several, place], [name], name=f"{NOT_CAPTURED}: {name}", axis=0)
            )
            continue
        dtype = helper.tensor_dtype_to_np_dtype(kind)
        if dtype.kind == "f":
            value = graph("Where", captured, value, np.asarray(np.nan, dtype))
        graph.nodes.append(helper.make_node("Identity", [value], [name]))
    graph.nodes.append(helper.make_node("Identity", [captured], ["captured"]))


def _model(
    runs: list[Run], graph: Graph, outputs: list[str], types: list[int], varying: frozenset[tuple[str, int]], opset: int
) -> Any:
    case = runs[0].case
    inputs = []
    for name, array in case.arrays.items():
        dims = [f"{name}_{k}" if (name, k) in varying else n for k, n in enumerate(array.shape)]
        inputs.append(helper.make_tensor_value_info(name, element_type(array.dtype), dims))
    for name, value in case.numbers.items():
        kind = element_type(np.float64 if isinstance(value, float) else np.int64)
        inputs.append(helper.make_tensor_value_info(name, kind, []))
    found = []
    for name, kind in zip(outputs, types):
        shapes = [run.results[name].shape for run in runs]
        ranks = {len(each) for each in shapes}
        sizes: list[Any] | None = None
        if len(ranks) == 1:
            sizes = [n[0] if len(set(n)) == 1 and not varying else f"{name}_{k}" for k, n in enumerate(zip(*shapes))]
        found.append(helper.make_tensor_value_info(name, kind, sizes))
    found.append(helper.make_tensor_value_info("captured", BOOL, []))
    made = helper.make_graph(graph.nodes, "model", inputs, found)
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", opset)], producer_name="dyncli")
    model.graph.initializer.extend(graph.weights.tensors)  # last: what is copied as a whole must be below 2 GB
    model.ir_version = IR_VERSION
    return model
