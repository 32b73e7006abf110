"""The report of `dyncli trace` as JSON, with every number whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from dyncli.analysis.costs import Cost, costs, in_order, total
from dyncli.analysis.first_bad import Bad, first_bad, unseen
from dyncli.analysis.memory import Held, memory
from dyncli.analysis.values import labels, stats_of
from dyncli.records.codec import value_out
from dyncli.records.model import Op, Record, Site
from dyncli.render.reports.trace import TraceOptions

FORMAT = "dyncli-trace"


def render(records: Sequence[Record], options: Sequence[TraceOptions]) -> str:
    """Return one object, or for several runs a list of them; nothing is cut by `most`."""
    documents = [document(record, each) for record, each in zip(records, options, strict=True)]
    whole = documents[0] if len(documents) == 1 else documents
    return json.dumps(whole, indent=1, allow_nan=False) + "\n"


def document(record: Record, options: TraceOptions) -> dict[str, Any]:
    """Return the costs of one run: by groups if `by` is given, else op by op."""
    names = labels(record)
    used = memory(record)
    if options.by is None:
        rows = {"ops": [_op(record, op, names) for op in in_order(record, options.order)]}
    else:
        rows = {"groups": [_cost(row) for row in costs(record, options.by, options.order)]}
    return {
        "format": FORMAT,
        "model": record.model,
        "entry": record.entry,
        "case": record.case,
        "status": record.status,
        "error": None if record.failure is None else record.failure.message,
        "by": options.by,
        "sort": options.order,
        "elapsed_ns": record.elapsed_ns,
        "total": _cost(total(record)),
        "most_held_bytes": used.most_saved,
        "first_bad": [_bad(record, bad, names) for bad in first_bad(record, options.huge, options.tiny)],
        "not_looked_at": unseen(record),
        "peak": {
            "bytes": used.peak.size_bytes,
            "op": used.peak.op,
            "backward": used.peak.backward,
            "how": "simulated from when each tensor is last needed",
            "held": [_held(record, held, names) for held in used.held],
        },
        **rows,
        **({} if options.batched is None else {"batched": [each._asdict() for each in options.batched]}),
    }


def _place(site: Site) -> dict[str, Any]:
    return {"file": site.file, "line": site.line, "col": site.col, "source": site.text}


def _cost(row: Cost) -> dict[str, Any]:
    return {
        "label": row.label,
        "file": row.site.file if row.site is not None else None,
        "line": row.site.line if row.site is not None else None,
        "first_op": row.first,
        "ops": row.ops,
        "backward_ops": row.nodes,
        "forward_ns": row.forward_ns,
        "backward_ns": row.backward_ns,
        "held_bytes": row.saved_bytes,
    }


def _op(record: Record, op: Op, names: Sequence[str]) -> dict[str, Any]:
    return {
        "op": op.seq,
        "name": op.name,
        "args": op.args,
        "site": _place(op.site),
        "inputs": [_tensor(record, number, names) for number in op.inputs],
        "outputs": [_tensor(record, number, names) for number in op.outputs],
        "under": op.under,
        "arm": None if op.under is None else record.decisions[op.under].arm,
        "phase": op.phase,
        "started_ns": op.started_ns,
        "forward_ns": op.elapsed_ns,
        "backward_ns": op.backward_ns,
        "held_bytes": op.saved_bytes,
        "held": [names[number] for number in op.saved],
        "error": op.error,
    }


def _tensor(record: Record, number: int, names: Sequence[str]) -> dict[str, Any]:
    tensor = record.tensors[number]
    return {"name": names[number], "shape": list(tensor.shape), "dtype": tensor.dtype}


def _value(record: Record, number: int, names: Sequence[str]) -> dict[str, Any]:
    tensor = record.tensors[number]
    values = None if tensor.values is None else [value_out(value) for value in tensor.values[:100]]
    stats = stats_of(tensor)
    return _tensor(record, number, names) | {
        "values": values,
        "nan": None if stats is None else stats.nan,
        "inf": None if stats is None else stats.inf,
        "norm": None if stats is None else value_out(stats.norm),
        "made_by": tensor.op,
    }


def _bad(record: Record, bad: Bad, names: Sequence[str]) -> dict[str, Any]:
    op = None if bad.op is None else record.ops[bad.op]
    return {
        "kind": bad.kind,
        "of": "gradient" if bad.is_gradient else "value",
        "backward": bad.backward,
        "op": bad.op,
        "name": None if op is None else op.name,
        "site": None if op is None else _place(op.site),
        "under": None if op is None else op.under,
        "tensor": names[bad.tensor],
        "read_by": bad.read_by,
        "value": _value(record, bad.shown, names),
        "made_of": [_value(record, number, names) for number in dict.fromkeys(bad.made_of)],
        "began_in": None if bad.began_in is None else _value(record, bad.began_in, names),
    }


def _held(record: Record, held: Held, names: Sequence[str]) -> dict[str, Any]:
    site = None if held.op is None else record.ops[held.op].site
    return {
        "bytes": held.size_bytes,
        "why": held.why,
        "tensor": None if held.tensor is None else names[held.tensor],
        "op": held.op,
        "line": None if site is None else site.line,
        "file": None if site is None else site.file,
    }
