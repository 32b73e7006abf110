"""A second back end over captured programs: an interpreter that knows the data model and nothing of the replay."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dyncore.capture.program import Block, Call, Decision, Program, Value, Write, changed
from dyncore.dispatch.registry import TABLE, Kept
from dyncore.dtypes import dtypes

Run = Callable[[str, dict[str, Any]], Any]
COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
               "!=": operator.ne}  # fmt: skip


def interpreted(program: Program, arrays: list[Any], run: Run) -> Any:
    """The result of a program for these arrays, with arrays for its tensors; LookupError where no call has gone."""
    values: dict[Value, Any] = {each.value: each.array for each in program.constants}
    for each in program.inputs:
        values[each.value] = each.tensor.detach().numpy() if each.argument is None else arrays[each.argument]
    block = program.body
    while True:
        for node in block.nodes:
            if isinstance(node, Call):
                called(node, values, run)
            elif isinstance(node, Write):
                written(node, values, run)
        if block.decision is None:
            return changed(block.result, values.__getitem__)
        block = following(block, outcome(block.decision, [values[each] for each in block.decision.operands]))


def called(node: Call, values: dict[Value, Any], run: Run) -> None:
    """Runs one call."""
    found = run(node.op, changed(node.arguments, values.__getitem__))
    results = found if isinstance(found, (tuple, list)) else (found,)
    values.update({value: each for value, each in zip(node.results, results, strict=True) if value is not None})


def written(node: Write, values: dict[Value, Any], run: Run) -> None:
    """Makes the new version of the tensor that owns the memory."""
    own = {**values, node.base: np.array(values[node.base])}
    for view in node.path:
        called(view, own, run)
    own[node.target][...] = values[node.source]
    values[node.result] = own[node.base]


def outcome(decision: Decision, arrays: list[Any]) -> Any:
    """What Python gets."""
    if decision.how in ("equal", "allclose"):
        return bool(np.array_equal(*arrays) if len(arrays) == 2 else arrays[0].all())
    if decision.how == "tolist":
        return np.asarray(arrays[0]).tolist()
    number = np.asarray(arrays[0]).item()
    if decision.comparison is not None:
        symbol, other = decision.comparison
        return COMPARISONS[symbol](number, other)
    kinds = {"bool": bool, "float": float, "int": int, "index": int, "complex": complex}
    return kinds.get(decision.how, lambda value: value)(number)


def following(block: Block, value: Any) -> Block:
    """The arm of an outcome."""
    arm = block.arm(value)
    if arm is None:
        raise LookupError(f"{block.decision} was never {value!r}")
    return arm


def own_block(name: str, arguments: Mapping[str, Any]) -> Any:
    """What the engine's block of an op gives for arrays; copies and casts have none."""
    if name in ("to", "clone") and arguments.keys() <= {"input", "dtype"}:
        return np.array(arguments["input"], arguments.get("dtype"))
    op = TABLE[name]
    given = dict(arguments)
    for parameter in op.names[: (2 if op.kind == "binary" else 1) if op.floats else 0]:
        given[parameter] = dtypes.as_float(given[parameter])
    args: list[Any] = []
    if op.variadic is not None:
        args = [*(given.pop(each) for each in op.names[: op.positional]), *given.pop(op.variadic)]
    found = op.forward(*args, **given)
    return found[0] if found.__class__ is Kept else found
