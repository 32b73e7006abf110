"""A comparison as JSON, for other programs: what differs, never what is the same.

    equal       whether nothing but the inputs differs: exit code 0
    rtol, atol  the tolerance
    a, b        each run: model, entry, case, seed, dtype, status, signature, how many ops and decisions, failure
    parting     null, or kind (`arm`: one test, two ways; `elsewhere`: one comes to a test and the other does not;
                `alone`: one script has a test more) and the decisions a and b, null where a run has none
    counts      of decisions, choices, ops, outputs, gradients and op_gradients: same, differ, only_a, only_b, unknown
                (values not kept)
    decisions   pairs {a, b} that went different ways, null where a run has none
    choices     pairs {a, b} of choices by index that picked otherwise, null where a run has none
    ops         pairs {a, b, differs_by} whose values differ, null where a run has none
    inputs, outputs, gradients   {name, a, b, differs_by}
    op_gradients   {backward, op, a, b, differs_by} of ops of both runs, from the outputs back: the pass, the ops'
                numbers {a, b}, and what came back to their results, null where nothing did

A number that is not finite is the string `NaN`, `Infinity` or `-Infinity`.
`differs_by` is the largest difference of two elements, of tensors too large to be kept the largest of their minimum,
maximum and mean; null where that does not tell them apart, or they do not compare.
"""

from __future__ import annotations

from typing import Any

from dyncli.analysis.changes import Change
from dyncli.analysis.decisions import because
from dyncli.analysis.diff import Diff, Flow, largest_difference
from dyncli.analysis.values import TensorRow, stats_of
from dyncli.records.codec import number_out, value_out
from dyncli.records.expanded import json_text
from dyncli.records.model import Choice, Decision, Op, Record, TensorSummary

SCHEMA = 1
OF_A_RUN = ("model", "entry", "case", "seed", "dtype", "status", "signature")


def render(diff: Diff) -> str:
    """Return the comparison as JSON text: ASCII, no NaN, a newline at the end."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "equal": diff.is_equal,
        "rtol": diff.tolerance.rtol,
        "atol": diff.tolerance.atol,
        "a": _run(diff.a),
        "b": _run(diff.b),
        "parting": _parting(diff),
        "counts": {name: counts._asdict() for name, counts in diff.counts.items()},
        "inputs": [_change(each) for each in diff.inputs],
        "decisions": [{"a": _decision(diff.a, pair.a), "b": _decision(diff.b, pair.b)} for pair in diff.decisions],
        "choices": [{"a": _choice(diff.a, pair.a), "b": _choice(diff.b, pair.b)} for pair in diff.choices],
        "ops": [_ops(diff, pair.a, pair.b) for pair in diff.ops],
        "outputs": [_change(each) for each in diff.outputs],
        "gradients": [_change(each) for each in diff.gradients],
        "op_gradients": [_flow(diff, each) for each in diff.flows],
    }
    return json_text(document, len(diff.ops))


def _run(record: Record) -> dict[str, Any]:
    failure = record.failure
    return {name: getattr(record, name) for name in OF_A_RUN} | {
        "ops": len(record.ops),
        "decisions": len(record.decisions),
        "failure": None
        if failure is None
        else {
            "type": failure.type,
            "message": failure.message,
            "file": failure.frames[-1].file if failure.frames else None,
            "line": failure.frames[-1].line if failure.frames else None,
        },
    }


def _parting(diff: Diff) -> dict[str, Any] | None:
    parting = diff.parting
    if parting is None:
        return None
    return {"kind": parting.kind, "a": _decision(diff.a, parting.a), "b": _decision(diff.b, parting.b)}


def _decision(record: Record, number: int | None) -> dict[str, Any] | None:
    if number is None:
        return None
    decision: Decision = record.decisions[number]
    site = decision.site
    return {
        "seq": decision.seq,
        "file": site.file,
        "line": site.line,
        "kind": site.kind,
        "text": site.text,
        "function": site.function,
        "arm": decision.arm,
        "outcome": decision.outcome,
        "trips": decision.trips,
        "exit": decision.exit,
        "iteration": decision.iteration,
        "iterations": [list(each) for each in decision.iterations],
        "call_path": list(decision.call_path),
        "recursion": decision.recursion,
        "margin": None if decision.margin is None else number_out(decision.margin),
        "because": because((decision,)),
    }


def _choice(record: Record, number: int | None) -> dict[str, Any] | None:
    if number is None:
        return None
    choice: Choice = record.choices[number]
    site = record.ops[choice.op].site
    return {
        "op": choice.op,
        "kind": choice.kind,
        "file": site.file,
        "line": site.line,
        "text": site.text,
        "of": choice.of,
        "counts": list(choice.counts),
        "picked": list(choice.picked),
        "margin": None if choice.margin is None else number_out(choice.margin),
    }


def _ops(diff: Diff, a: int | None, b: int | None) -> dict[str, Any]:
    first, second = (_result(record, number) for record, number in ((diff.a, a), (diff.b, b)))
    return {"a": _op(diff.a, a), "b": _op(diff.b, b), "differs_by": _gap(first, second)}


def _result(record: Record, number: int | None) -> TensorSummary | None:
    outputs = record.ops[number].outputs if number is not None else ()
    return record.tensors[outputs[0]] if outputs else None


def _op(record: Record, number: int | None) -> dict[str, Any] | None:
    if number is None:
        return None
    op: Op = record.ops[number]
    return {
        "seq": op.seq,
        "name": op.name,
        "args": op.args,
        "file": op.site.file,
        "line": op.site.line,
        "text": op.site.text,
        "error": op.error,
        "outputs": [_tensor(record.tensors[each]) for each in op.outputs],
    }


def _flow(diff: Diff, flow: Flow) -> dict[str, Any]:
    first = None if flow.a is None else diff.a.tensors[flow.a]
    second = None if flow.b is None else diff.b.tensors[flow.b]
    return {
        "backward": flow.backward,
        "op": flow.ops._asdict(),
        "a": None if first is None else _tensor(first),
        "b": None if second is None else _tensor(second),
        "differs_by": _gap(first, second),
    }


def _change(change: Change) -> dict[str, Any]:
    first, second = change.before, change.after
    by = _gap(first.tensor if first is not None else None, second.tensor if second is not None else None)
    return {"name": change.name, "a": _row(first), "b": _row(second), "differs_by": by}


def _row(row: TensorRow | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return _tensor(row.tensor) if row.tensor is not None else {"value": value_out(row.value), "reason": row.reason}


def _tensor(tensor: TensorSummary) -> dict[str, Any]:
    stats = stats_of(tensor)
    known = (
        {} if stats is None else {name: getattr(stats, name) for name in ("min", "max", "mean", "norm", "nan", "inf")}
    )
    return {
        "shape": list(tensor.shape),
        "dtype": tensor.dtype,
        "values": None if tensor.values is None else [value_out(value) for value in tensor.values],
        "stats": {name: value_out(value) for name, value in known.items()} or None,
        "digest": tensor.digest,
    }


def _gap(a: TensorSummary | None, b: TensorSummary | None) -> float | str | None:
    gap = largest_difference(a, b) if a is not None and b is not None else None
    return None if gap is None else number_out(gap)
