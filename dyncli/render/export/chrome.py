"""A run as a Chrome trace: the JSON object format that Perfetto and chrome://tracing open.

Complete events (`X`) on a track forward and one backward, in microseconds; flow events (`s`, `f`) from an op to its
backward; a counter (`C`) of the memory.  A file is bounded: details go first, then successive ops are merged.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain

from dyncli.analysis.memory import memory
from dyncli.analysis.ops import op_rows
from dyncli.analysis.timeline import TRACKS, Slice, Timeline, node_slices, op_slices, scope_slices
from dyncli.analysis.values import counted
from dyncli.records.model import Record
from dyncli.records.text import one_line

MOST_BYTES = 19_000_000
LEAST_DETAIL = 300  # bytes of an op or node with all that is known of it
BYTES_A_MOMENT = 10_000  # of a file that is short of room there is one moment of the memory to so many: a hundredth
PROCESS = 1


#: Letters as they are: of a text without quotes in it Perfetto shows the escape that JSON has for an arrow or a theta.
_json = partial(json.dumps, ensure_ascii=False)


class _TooLarge(Exception):
    """The events so far fill the file."""


def render(record: Record, most_bytes: int = MOST_BYTES) -> Timeline:
    """Return the file, with what was left out to keep it under `most_bytes`."""
    forward, meanwhile = op_slices(record)
    passes, nodes = node_slices(record)
    ops = [*forward, *meanwhile]
    # A reader that goes by the file's order where two begin together must meet the outer one first.
    scopes = list(scope_slices(record, forward))[::-1]
    scopes.sort(key=lambda each: (each.start_ns, -each.end_ns))
    left_out = "shapes, sources, flows"
    held = _Memory(record, [*ops, *nodes])
    few = most_bytes // BYTES_A_MOMENT
    attempts: list[tuple[str | None, Callable[[], Iterable[str]]]] = [
        (None, lambda: chain(_slices([*scopes, *passes]), _detailed(record, [*ops, *nodes]), held.events())),
        (f"{left_out} and most of the memory were left out",
         lambda: chain(_slices([*scopes, *passes, *ops, *nodes]), held.events(few))),
        (f"{left_out}, calls, loops and most of the memory were left out",
         lambda: chain(_slices([*passes, *ops, *nodes]), held.events(few))),
    ]  # fmt: skip
    for note, events in attempts[(len(ops) + len(nodes)) * LEAST_DETAIL > most_bytes :]:
        with suppress(_TooLarge):
            return _file(record, events(), most_bytes, note)
    times = 2
    while True:
        merged = [*_merged(forward, times), *_merged(meanwhile, times), *_merged(passes, times), *_merged(nodes, times)]
        note = f"every {times} successive ops were merged into one slice"
        with suppress(_TooLarge):
            pieces = chain(_slices(merged), held.events(few))
            return _file(record, pieces, most_bytes if len(merged) > 4 else sys.maxsize, note)
        times *= 2


def _file(record: Record, events: Iterable[str], most_bytes: int, left_out: str | None) -> Timeline:
    """Return the whole file; raises _TooLarge."""
    note = f"{counted(len(record.ops), 'op')}: {left_out} to keep the timeline small" if left_out else None
    name = one_line(f"{record.model}:{record.entry}" if record.entry else record.model, 100)
    case = None if record.case is None else one_line(record.case, 100)
    about = {"model": name, "case": case, "status": record.status, "note": note}
    lines = [
        _json({"ph": "M", "name": "process_name", "pid": PROCESS, "tid": 0, "args": {"name": name}}),
        *(
            _json({"ph": "M", "name": "thread_name", "pid": PROCESS, "tid": track, "args": {"name": words}})
            for track, words in TRACKS.items()
        ),
    ]
    size = 1000 + sum(map(len, lines))
    for event in events:
        lines.append(event)
        size += (len(event) if event.isascii() else len(event.encode())) + 2
        if size > most_bytes:
            raise _TooLarge
    head = _json({"displayTimeUnit": "ns", "otherData": {k: v for k, v in about.items() if v is not None}})
    return Timeline(head[:-1] + ', "traceEvents": [\n' + ",\n".join(lines) + "\n]}\n", note)


def _slices(slices: Iterable[Slice]) -> Iterator[str]:
    """Yield each slice as a complete event."""
    names: dict[str, str] = {}
    for each in slices:
        name = names.get(each.name)
        if name is None:
            name = names[each.name] = _json(each.name)
        yield f"{_event(each, name)}}}"


def _microseconds(time_ns: int) -> str:
    """Return a time with all its nanoseconds, and a tenth of one: Perfetto cuts what a double lacks to the next off."""
    return f"{time_ns // 1000}.{time_ns % 1000:03}1"


def _event(each: Slice, name: str) -> str:
    """Return a complete event without its last brace."""
    start, length = each.start_ns, each.end_ns - each.start_ns
    return (
        f'{{"ph":"X","cat":"{each.kind if each.kind.isalpha() else "scope"}","name":{name},'
        f'"ts":{_microseconds(start)},"dur":{_microseconds(length)},'
        f'"pid":{PROCESS},"tid":{each.track}'
    )


def _detailed(record: Record, slices: Iterable[Slice]) -> Iterator[str]:
    """Yield each op and node with all that is known of it, and a flow from the op to its node."""
    rows = op_rows(record)
    places: dict[int, Slice] = {}
    for each in slices:
        assert each.op is not None
        row = rows[each.op]
        op = row.op
        args: dict[str, object] = {
            "op": op.seq,
            "line": f"{one_line(op.site.file, 80)}:{op.site.line}",
            "source": one_line(op.site.text, 120),
            "inputs": row.inputs,
            "output": row.outputs,
            "args": one_line(op.args, 80),
            "under": row.under,
            "held bytes": op.saved_bytes,
        }
        if op.error:
            args["error"] = one_line(op.error, 200)
        shown = {key: value for key, value in args.items() if value not in ("", 0) or key == "op"}
        yield f'{_event(each, _json(each.name))},"args":{_json(shown)}}}'
        if each.kind == "op":
            places[op.seq] = each
        elif op.seq in places:
            yield _flow("s", places[op.seq], op.seq, "")
            yield _flow("f", each, op.seq, ',"bp":"e"')
            del places[op.seq]


class _Memory:
    """The memory over the run, as a counter."""

    def __init__(self, record: Record, slices: Iterable[Slice]) -> None:
        self.record, self.slices = record, slices

    @cached_property
    def moments(self) -> list[tuple[int, int]]:
        """When each op and node began, and the bytes taken then."""
        clock = {(each.op, each.backward): each.start_ns for each in self.slices}
        return [
            (clock.get((moment.op, moment.backward), 0), moment.size_bytes) for moment in memory(self.record).moments
        ]

    def events(self, most: int | None = None) -> Iterator[str]:
        """Yield every moment, or the fullest of each of `most` stretches."""
        moments = self.moments if most != 0 else []
        width = max(1, -(-len(moments) // most)) if most else 1
        for place in range(0, len(moments), width):
            at, size = max(moments[place : place + width], key=lambda moment: moment[1])
            yield f'{{"ph":"C","name":"memory","ts":{_microseconds(at)},"pid":{PROCESS},"args":{{"bytes":{size}}}}}'


def _flow(phase: str, each: Slice, number: int, more: str) -> str:
    at = each.start_ns
    return (
        f'{{"ph":"{phase}","cat":"backward","name":"backward","id":{number},'
        f'"ts":{_microseconds(at)},"pid":{PROCESS},"tid":{each.track}{more}}}'
    )


def _merged(slices: list[Slice], times: int) -> Iterator[Slice]:
    """Yield one slice for each `times` successive ones."""
    for place in range(0, len(slices), times):
        some = slices[place : place + times]
        name = some[0].name if len(some) == 1 else f"{some[0].name} and {len(some) - 1} more"
        yield Slice(some[0].track, "merged", name, some[0].start_ns, some[-1].end_ns)
