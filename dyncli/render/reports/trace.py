"""The tables of `dyncli trace`: what went bad first, what every op or group of ops cost, what filled the memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from dyncli.analysis.batched_groups import BatchedGroup
from dyncli.analysis.costs import Cost, costs, in_order, total
from dyncli.analysis.first_bad import HUGE, TINY, Bad, first_bad, unseen
from dyncli.analysis.gradients import ends_of_zeros, shown_backwards
from dyncli.analysis.memory import Held, Memory, memory
from dyncli.analysis.ops import OpRow, op_rows
from dyncli.analysis.values import (
    bytes_text,
    counted,
    labels,
    shape_text,
    short_place,
    site_place,
    site_text,
    tensor_text,
    time_text,
)
from dyncli.records.model import Op, Record
from dyncli.records.text import one_line, printable
from dyncli.render.reports.run import failure, heading, note
from dyncli.render.reports.tables import WIDE, RuledTable, Section, plain_text, title

PARTS = ("bad", "costs", "memory")
MOST = 40
MOST_HELD = 8
ROOM, FEWEST = 36, 8  # lines that a table has on a screen where nothing is bad, and rows that are always shown
NARROW = 80  # columns of an ordinary screen
FEW_OPS = 24  # of a run whose ops are shown one by one; those of a longer one are gathered by line
LONG_NS, BUSY = 200_000_000, 0.7  # of a run with so much work, the share of its time below which that is shown
MOST_LINES = 20  # of groups
WHY = {
    "input": "an input", "parameter": "a parameter", "buffer": "a buffer", "constant": "a constant",
    "output": "an output", "value": "read again later", "backward": "held for backward",
}  # fmt: skip


class TraceOptions(NamedTuple):
    """by: how to gather the ops, or None for each by itself.  sort: time, bytes, count or order.

    most: rows shown of a table, None for MOST_LINES of groups and, of single ops, those that fit on a screen.
    huge, tiny: how much larger or smaller than what went in counts as bad.
    show: only these of `bad`, `costs`, `memory`.  ops: each op by itself, however many there are.
    batched: the groups of the run's batches, None where nobody asked.
    """

    by: str | None = None
    sort: str | None = None
    most: int | None = None
    huge: float = HUGE
    tiny: float = TINY
    show: tuple[str, ...] = ()
    ops: bool = False
    batched: Sequence[BatchedGroup] | None = None

    def for_run(self, record: Record) -> TraceOptions:
        """Return the options with what follows from the length of a run: a long one is shown by line."""
        if self.by is not None or self.ops or self.sort is not None or len(record.ops) <= FEW_OPS:
            return self
        return self._replace(by="line")

    @property
    def rows(self) -> int:
        """Return how many rows of a table are shown."""
        return self.most or (MOST_LINES if self.by else MOST)

    @property
    def order(self) -> str:
        """The order asked for, else the slowest first of groups and the order of the run of single ops."""
        return self.sort or ("time" if self.by else "order")


DEFAULT = TraceOptions()


def render(record: Record, options: TraceOptions = DEFAULT) -> Group:
    """Return the report of one run."""
    used = memory(record)
    shown = options.show or PARTS
    parts: list[RenderableType] = [heading(record)]
    if "costs" in shown:
        parts.append(_summary(record, used))
    stopped: list[RenderableType] = [] if record.status == "ok" else [Text(), failure(record)]
    room = ROOM - sum(plain_text(part, NARROW).count("\n") for part in stopped)
    if "bad" in shown:
        bad = _first_bad(record, options)
        parts += [Text(), bad]
        room -= plain_text(bad, NARROW).count("\n") - 1
    if record.ops and "costs" in shown:
        shape = options.for_run(record)
        parts += [Text(), CostTable(record, shape, room) if shape.by else OpCostTable(record, shape, room)]
        if shape.by and total(record).saved_bytes > 2 * used.most_saved:
            at_once = f"never more than {bytes_text(used.most_saved)} at once"
            parts.append(Text(f"held: of all calls, {at_once}", style="dim"))
        if shape.by != options.by:
            parts.append(Text("`--ops` shows each op by itself, `--by module` those of each module", style="dim"))
    if record.ops and "memory" in shown:
        parts += [Text(), MemoryTable(record, used)]
    if options.batched is not None:
        parts += [Text(), BatchedTable(options.batched, options.rows)]
    return Group(*parts, *stopped)


def _summary(record: Record, used: Memory) -> Text:
    whole = total(record)
    waited = LONG_NS < record.processor_ns < BUSY * record.elapsed_ns  # as on a machine that others use: so did ops
    on_processor = f" ({time_text(record.processor_ns)} on a processor)" if waited else ""
    outside = record.elapsed_ns - whole.forward_ns - whole.backward_ns
    words = [
        *([f"run {time_text(record.elapsed_ns)}{on_processor}"] if record.elapsed_ns else []),
        f"forward {time_text(whole.forward_ns)}",
        f"backward {time_text(whole.backward_ns)}" if whole.nodes else "no backward",
        *(
            [f"outside ops {time_text(outside)} (Python, recording)"]
            if record.processor_ns > LONG_NS and 2 * outside > record.elapsed_ns
            else []
        ),
        f"up to {bytes_text(used.most_saved)} held for backward",
        f"peak {bytes_text(used.peak.size_bytes)}",
    ]
    return Text(" · ".join(words), "dim")


def _first_bad(record: Record, options: TraceOptions) -> Group:
    found = first_bad(record, options.huge, options.tiny)
    missing = unseen(record)
    lines: list[Text] = []
    if missing:
        lines.append(
            note(
                f"{counted(missing, 'result')} not looked at: too large to keep; a run of `dyncli trace` looks at each"
            )
        )
    if not found:
        nothing = "No NaN, Inf, overflow, exploded or vanished value or gradient"
        lines.append(Text(nothing + (" among those known" if missing else ""), "green"))
    else:
        lines.append(title("First bad", "forward before backward"))
        names = labels(record)
        lines += [_bad(record, bad, names) for bad in found]
    for backward in shown_backwards(record)[-1:]:
        lines += map(note, ends_of_zeros(record, backward))
    return Group(*lines)


def _bad(record: Record, bad: Bad, names: Sequence[str]) -> Text:
    """Return what went bad, where, and the values it was made of."""
    what = "gradient of " + names[bad.tensor] if bad.is_gradient else names[bad.tensor]
    text = Text(bad.kind, "bold red").append("  ")
    added_up = len(bad.made_of) > 1 and all(record.tensors[each].role == "gradient" for each in bad.made_of)
    if bad.op is None and bad.read_by is None:
        text.append(f"written into {what} after the last op", "default not bold")
    elif bad.op is None and bad.read_by is not None and bad.shown != bad.tensor:
        reader = record.ops[bad.read_by]
        text.append(f"written into {what} before {_op_words(reader)}", "default not bold")
        text.append(f"  {site_place(reader.site, record.model)}: ", "dim not bold")
        text.append(one_line(reader.site.text, 80), "default not bold")
    elif bad.op is None:
        text.append(f"came in with {what}", "default not bold")
    else:
        op = record.ops[bad.op]
        where = "gradients added up, the last from " if added_up else "backward of " if bad.is_gradient else ""
        text.append(f"{where}{_op_words(op)}", "default")
        text.append(f"  {site_place(op.site, record.model)}: ", "dim not bold")
        text.append(one_line(op.site.text, 80), "default not bold")
        if op.under is not None:
            decision = record.decisions[op.under]
            place = site_place(decision.site, record.model)
            text.append(f"  under {place} {one_line(decision.arm, 20)}", "dim not bold")
    text.append(f"\n  {'gradient of ' if bad.is_gradient else ''}", "default not bold")
    text.append(f"{names[bad.tensor]} = {_values(record, bad.shown)}", "default not bold")
    for number in dict.fromkeys(bad.made_of):
        tensor = record.tensors[number]
        got = tensor.role == "gradient"
        made = _made(record, number)
        name = "a gradient that came" if added_up else "the gradient it got" if got else names[number]
        text.append(f"\n  from {name} = {_values(record, number)}", "default not bold").append(made, "dim not bold")
    if bad.began_in is not None:
        text.append(f"\n  the Inf began in {names[bad.began_in]} = {_values(record, bad.began_in)}", "default not bold")
        readers = (op for op in record.ops if bad.began_in in op.inputs)
        read = (f"  (read by {_op_words(op)}, {site_place(op.site, record.model)})" for op in readers)
        text.append(_made(record, bad.began_in) or next(read, ""), "dim not bold")
    return text


def _made(record: Record, number: int) -> str:
    """Return in brackets the op that made a tensor, if one did."""
    tensor = record.tensors[number]
    maker = record.ops[tensor.op] if tensor.op is not None else None
    if tensor.role == "written":
        return "  (its value then)"
    return "" if maker is None else f"  ({_op_words(maker)}, {site_place(maker.site, record.model)})"


def _op_words(op: Op) -> str:
    return f"{one_line(op.name, 40)} #{op.seq}"


def _values(record: Record, number: int) -> str:
    tensor = record.tensors[number]
    text = tensor_text(tensor, whole=16) or "not recorded"
    return f"{text}  {printable(tensor.dtype)} {shape_text(tensor.shape)}" if tensor.shape else text


def _fitting(table: Callable[[int], RuledTable], most: int, width: int, room: int) -> RuledTable:
    """Return a table of as many rows as fit into the lines there are, at most so many.  table: builds that of some."""
    made = table(most)
    while most > FEWEST and (lines := plain_text(made, width).count("\n")) > room:
        most = max(FEWEST, min(most - 1, most * room // lines))
        made = table(most)
    return made


class OpCostTable(Section):
    """Every op: its inputs and output, its place, its decision, its time forward and backward, the bytes it holds."""

    def __init__(self, record: Record, options: TraceOptions, room: int) -> None:
        self.room = room
        rows = op_rows(record)
        self.rows = [rows[op.seq] for op in in_order(record, options.order)]
        self.options = options
        self.record = record

    def blocks(self, width: int) -> Iterable[Text | RuledTable]:
        words = {"time": "slowest first", "bytes": "largest first"}.get(self.options.order, "")
        yield title("Ops", words)
        is_long = self.options.most is None and len(self.rows) > FEW_OPS
        most = self.options.rows
        made = partial(self._table, width)
        yield _fitting(made, most, width, self.room) if is_long else made(most)

    def _table(self, width: int, most: int) -> RuledTable:
        wide = width >= WIDE
        table = RuledTable()
        table.add_column("#", style="dim", justify="right", no_wrap=True)
        table.add_column("op ← inputs", overflow="fold")
        table.add_column("output", overflow="fold")
        table.add_column("under", style="dim", overflow="fold")
        table.add_column("line", style="dim", justify="right", no_wrap=True)
        if wide:
            longest = max(16, min(60, width - 92))
            table.add_column("source", style="dim", overflow="ellipsis", no_wrap=True, max_width=longest)
        for name in ("forward", "backward", "held"):
            table.add_column(name, justify="right", no_wrap=True)
        head, cut, tail = _cut(self.rows, most, self.options.order)
        for row in head:
            table.add_row(*_op_cells(row, wide))
        if cut:
            table.add_row("", Text(f"… {cut:,} more (--most N)", "dim"))
        for row in tail:
            table.add_row(*_op_cells(row, wide))
        return table


def _cut(rows: list[OpRow], most: int, order: str) -> tuple[list[OpRow], int, list[OpRow]]:
    """Return the first rows, how many are left out, and, in the order of the run, the last ones."""
    if len(rows) <= most:
        return rows, 0, []
    tail = most // 2 if order == "order" else 0
    head = most - tail
    return rows[:head], len(rows) - most, rows[len(rows) - tail :]


def _op_cells(row: OpRow, wide: bool) -> list[Text]:
    op = row.op
    name = Text().append(one_line(op.name, 40), "bold red" if op.error else "bold")
    if op.args:
        name.append(f" {one_line(op.args, 40)}")
    if row.inputs:
        name.append(f" ← {row.inputs}")
    output = Text(one_line(op.error, 120), "red") if op.error else Text(row.outputs)
    cells = [Text(str(op.seq)), name, output, Text(row.under), Text(row.line)]
    if wide:
        cells.append(Text(one_line(op.site.text, 60)))
    backward = "" if op.backward_ns is None else time_text(op.backward_ns)
    return [*cells, Text(time_text(op.elapsed_ns)), Text(backward), Text(_size(op.saved_bytes))]


class BatchedTable(Section):
    """Show what `torch.batched` computes together: a row for each op and the line at which its groups begin."""

    def __init__(self, groups: Sequence[BatchedGroup], most: int) -> None:
        self.groups, self.most = groups, most

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        if not self.groups:
            yield title("Batched groups", "none")
            yield Text("No call of `torch.batched` had examples to compute together", "dim")
            return
        runs = sum(each.runs if each.together else each.calls for each in self.groups)
        calls = sum(each.calls for each in self.groups)
        yield title("Batched groups", f"{counted(runs, 'op')} for {counted(calls, 'call')}")
        table = RuledTable()
        table.add_column("line", style="dim", justify="right", no_wrap=True)
        table.add_column("source", overflow="fold", ratio=1)
        table.add_column("op", no_wrap=True)
        for name in ("groups", "calls", "at once"):
            table.add_column(name, justify="right", no_wrap=True)
        for each in self.groups[: self.most]:
            at_once = f"{each.most:,}" if each.together else "one by one"
            cells = str(each.line), one_line(each.source, 120), each.op, f"{each.runs:,}", f"{each.calls:,}", at_once
            table.add_row(*map(Text, cells))
        if len(self.groups) > self.most:
            table.add_row("", Text(f"… {len(self.groups) - self.most:,} more (--most N)", "dim"))
        yield table


class CostTable(Section):
    """One row for each group of ops, and their sum."""

    def __init__(self, record: Record, options: TraceOptions, room: int) -> None:
        assert options.by is not None
        self.room = room
        self.record, self.options, self.by = record, options, options.by
        self.rows = costs(record, self.by, options.order)
        self.total = total(record)

    def blocks(self, width: int) -> Iterator[Text | RuledTable]:
        words = {"time": "slowest first", "bytes": "largest first", "count": "most ops first", "order": ""}
        yield title(f"By {self.by}", words[self.options.order])
        most = self.options.rows
        yield self._table(most) if self.options.most is not None else _fitting(self._table, most, width, self.room)

    def _table(self, most: int) -> RuledTable:
        table = RuledTable()
        if self.by in ("line", "decision"):
            table.add_column("line", style="dim", justify="right", no_wrap=True)
        cut: dict[str, Any] = {"overflow": "ellipsis", "no_wrap": True} if self.by == "line" else {"overflow": "fold"}
        table.add_column({"line": "source"}.get(self.by, self.by), ratio=1, **cut)
        for name in ("ops", "forward", "backward", "share", "held"):
            table.add_column(name, justify="right", no_wrap=True, style="dim" if name == "share" else "")
        for row in self.rows[:most]:
            table.add_row(*self._cells(row))
        rest = self.rows[most:]
        if rest:
            table.add_row(*self._cells(_sum(f"… {counted(len(rest), 'more group')} (--most N)", rest)), style="dim")
        table.add_section()
        table.add_row(*self._cells(self.total), style="bold")
        return table

    def _cells(self, row: Cost) -> list[Text]:
        share = f"{100 * row.time_ns / self.total.time_ns:.0f}%" if self.total.time_ns else ""
        backward = time_text(row.backward_ns) if row.nodes else ""
        forward = [f"{row.ops:,}", time_text(row.forward_ns)] if row.ops else ["", ""]
        cells = [Text(row.label), *map(Text, forward), Text(backward)]
        cells += [Text(share), Text(_size(row.saved_bytes))]
        if self.by in ("line", "decision"):
            cells.insert(0, Text(site_text(row.site, self.record) if row.site is not None else ""))
        return cells


def _sum(label: str, rows: Sequence[Cost]) -> Cost:
    return Cost(
        label,
        rows[0].first,
        None,
        sum(row.ops for row in rows),
        sum(row.nodes for row in rows),
        sum(row.forward_ns for row in rows),
        sum(row.backward_ns for row in rows),
        sum(row.saved_bytes for row in rows),
    )


def _size(amount: int) -> str:
    return bytes_text(amount) if amount else ""


class MemoryTable(Section):
    """The memory held at the peak of the run, gathered by its maker and reason."""

    def __init__(self, record: Record, used: Memory) -> None:
        self.record, self.memory = record, used
        self.names = labels(record)

    def blocks(self, width: int) -> Iterable[Text | RuledTable]:
        peak = self.memory.peak
        where = ""
        if peak.op is not None:
            op = self.record.ops[peak.op]
            during = "backward of " if peak.backward is not None else ""
            where = f" during {during}{_op_words(op)}, {site_place(op.site, self.record.model)}"
        peak_words = f"peak {bytes_text(peak.size_bytes)}{where}"
        yield title("Memory", f"{peak_words} · simulated: each is kept until last needed")
        table = RuledTable()
        table.add_column("bytes", justify="right", no_wrap=True)
        table.add_column("share", justify="right", style="dim", no_wrap=True)
        table.add_column("what", overflow="fold", ratio=1)
        table.add_column("why", style="dim", overflow="fold")
        groups = list(self._groups())
        groups.sort(key=lambda group: -group[1])
        for (what, why), size, count in groups[:MOST_HELD]:
            many = f" ×{count:,}" if count > 1 else ""
            share = f"{100 * size / peak.size_bytes:.0f}%"
            table.add_row(Text(bytes_text(size)), Text(share), Text(what + many), Text(why))
        if len(groups) > MOST_HELD:
            size = sum(group[1] for group in groups[MOST_HELD:])
            share = f"{100 * size / peak.size_bytes:.0f}%"
            table.add_row(Text(bytes_text(size)), Text(share), Text(f"… {len(groups) - MOST_HELD:,} more", "dim"))
        yield table

    def _groups(self) -> Iterator[tuple[tuple[str, str], int, int]]:
        """Yield ((what, why), bytes, how many tensors)."""
        found: dict[tuple[str, str], list[int]] = {}
        for held in self.memory.held:
            found.setdefault(self._words(held), []).append(held.size_bytes)
        for key, sizes in found.items():
            yield key, sum(sizes), len(sizes)

    def _words(self, held: Held) -> tuple[str, str]:
        if held.why == "returned" and held.tensor is not None:
            return f"gradient of {self.names[held.tensor]}", "from autograd.grad"
        if held.why == "gradient":
            if held.op is None and held.tensor is not None:
                return f"gradient of {self.names[held.tensor]}", "kept in .grad"
            op = self.record.ops[held.op or 0]
            place = short_place(op.site, self.record)
            return f"gradients of {one_line(op.name, 40)}, {place}", "on their way back"
        if held.op is None:
            tensor = self.record.tensors[held.tensor or 0]
            return f"{self.names[tensor.id]} {shape_text(tensor.shape)}", WHY.get(held.why, held.why)
        op = self.record.ops[held.op]
        what = "results" if held.tensor is not None else "inner values"
        name = self.record.tensors[held.tensor].name if held.tensor is not None else None
        words = f"{one_line(name, 40)}, " if name else f"{what} of "
        return f"{words}{one_line(op.name, 40)}, {short_place(op.site, self.record)}", WHY.get(held.why, held.why)
