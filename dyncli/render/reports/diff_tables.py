"""The tables of a comparison: both runs' decisions, ops, outputs and gradients side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.cells import cell_len
from rich.console import JustifyMethod
from rich.text import Text

from dyncli.analysis.changes import Change
from dyncli.analysis.choices import op_text, picked_text
from dyncli.analysis.decisions import because, kind_and_text
from dyncli.analysis.diff import Diff, Flow, Pair, largest_difference
from dyncli.analysis.ops import steps_of
from dyncli.analysis.values import TensorRow, array_text, exact, number, shape_text, site_text, stats_of, value_text
from dyncli.records.model import Choice, Decision, Record, TensorSummary
from dyncli.records.text import one_line, printable
from dyncli.render.reports.tables import Lines, RuledTable, Section, title

DIGITS, MORE_DIGITS = 4, 9
WHOLE, MOST_WHOLE = 8, 64  # elements of a tensor that stands in the summary whole, and in the full tables
SIDES = ("A", "B")
STYLES = {"A": "bold blue", "B": "bold magenta"}
Row = tuple[Text, Text, Text, Text, Text]
BETWEEN = 2  # columns
MOST_FOLDED = 400  # rows of a table whose cells are folded


class CutTable(Section):
    """A table of one line for each row, cut to the width there is.

    right: the columns set to the right.  shared: those that share the room the others leave, which are cut.
    capped: those that may take up to a third of the room.  lines: that a row may have, of a table of few rows.
    """

    def __init__(
        self,
        heads: Sequence[str],
        rows: Sequence[Sequence[Text]],
        *,
        right: Sequence[int],
        shared: Sequence[int],
        capped: Sequence[int],
        lines: int = 1,
    ) -> None:
        self.heads, self.rows, self.right, self.shared, self.capped = heads, rows, right, shared, capped
        self.lines = lines

    def blocks(self, width: int) -> Iterator[RuledTable | Lines]:
        if self.lines > 1:
            yield self._folded()
            return
        yield Lines(self._lines(self._widths(width)))

    def _folded(self) -> RuledTable:
        table = RuledTable(most_lines=self.lines * len(self.rows))
        for n, head in enumerate(self.heads):
            justify: JustifyMethod = "right" if n in self.right else "left"
            is_whole = n not in self.shared and n not in self.capped
            style = "dim" if head == "line" else ""
            table.add_column(head, style=style, justify=justify, no_wrap=is_whole, overflow="fold")
        for row in self.rows:
            table.add_row(*row)
        return table

    def _lines(self, widths: Sequence[int]) -> Iterator[str]:
        plain = [list(self.heads), ["─" * width for width in widths]]
        for row in (*plain, *([cell.plain for cell in cells] for cells in self.rows)):
            words = [one_line(cell, width) for cell, width in zip(row, widths)]
            cells = [
                word.rjust(width) if n in self.right else word.ljust(width)
                for n, (word, width) in enumerate(zip(words, widths))
            ]
            yield (" " * BETWEEN).join(cells).rstrip()

    def _widths(self, room: int) -> list[int]:
        """Return how wide each column may be."""
        widths = [max([len(head), *(cell_len(row[n].plain) for row in self.rows)]) for n, head in enumerate(self.heads)]
        for n in self.capped:
            widths[n] = min(widths[n], room * 3 // 10)
        left = room - BETWEEN * (len(widths) - 1) - sum(w for n, w in enumerate(widths) if n not in self.shared)
        for count, n in enumerate(sorted(self.shared, key=lambda n: widths[n])):
            widths[n] = max(min(widths[n], left // (len(self.shared) - count)), 4)
            left -= widths[n]
        return widths


def sides(diff: Diff, pair: Pair) -> list[tuple[Record, int | None]]:
    """Return both records, each with its number of the pair."""
    return [(diff.a, pair.a), (diff.b, pair.b)]


def outcomes(both: Sequence[Decision | None]) -> list[list[Text]]:
    """Return the cells of both decisions: what decided, the arm taken, the margin, so exact that they differ."""
    cells = [_outcome(each, DIGITS) for each in both]
    same = len(cells) == 2 and cells[0] and cells[1] and cells[0][0] == cells[1][0]
    return [_outcome(each, MORE_DIGITS) for each in both] if same else cells


def _outcome(decision: Decision | None, digits: int) -> list[Text]:
    if decision is None:
        return []
    took = (decision.exit or "exhausted") if decision.trips is not None else decision.arm
    margin = "" if decision.margin is None else number(decision.margin)
    return [Text(because((decision,), digits=digits)), Text(printable(took)), Text(margin)]


def sortable(gap: float | None) -> tuple[bool, float]:
    """Convert a difference to a sort key: NaN last, no difference as 0."""
    return (False, 0.0) if gap is None else (gap != gap, 0.0 if gap != gap else gap)


def gap(diff: Diff, pair: Pair) -> float | None:
    """Return the largest difference between the first results of two ops; None unless both have one."""
    first, second = (_result(record, n) for record, n in sides(diff, pair))
    return largest_difference(first, second) if first is not None and second is not None else None


def _result(record: Record, op: int | None) -> TensorSummary | None:
    if op is None or not record.ops[op].outputs:
        return None
    return record.tensors[record.ops[op].outputs[0]]


def counts_only(diff: Diff, pair: Pair) -> bool:
    """Return whether two ops gave whole numbers."""
    results = [_result(record, n) for record, n in sides(diff, pair)]
    return all(result is not None and "int" in result.dtype for result in results)


def op_row(diff: Diff, pair: Pair, word: str = "", whole: bool = False) -> Row:
    """Return the cells of a pair of ops: lines, name, what each gave, by how much that differs."""
    op = next(record.ops[n] for record, n in sides(diff, pair) if n is not None)
    what = Text(f"{word}: " if word else "", "dim").append(one_line(op.name, 40), "not dim bold")
    cells = _told_apart(
        lambda exactly: [_op_cell(record, n, whole, exactly) for record, n in sides(diff, pair)],
        lambda cell: cell.plain.partition(" ")[2],
    )
    results = [_result(record, n) for record, n in sides(diff, pair)]
    return Text(_lines(diff, pair)), what, cells[0], cells[1], _gap_text(results[0], results[1], whole)


def _told_apart(
    cells: Callable[[bool], list[Text]], shown: Callable[[Text], str] = lambda cell: cell.plain
) -> list[Text]:
    """Return the cells of two runs in few digits, in all where these tell them apart.

    shown: what of a cell is compared.
    """
    few = cells(False)
    if shown(few[0]) != shown(few[1]):
        return few
    exact_cells = cells(True)
    return few if shown(exact_cells[0]) == shown(exact_cells[1]) else exact_cells


def _lines(diff: Diff, pair: Pair) -> str:
    """Return the line of an op, or both lines where they moved from one version of the script to the other."""
    places = [site_text(record.ops[n].site, record) for record, n in sides(diff, pair) if n is not None]
    return "→".join(dict.fromkeys(places))


def _op_cell(record: Record, number_: int | None, whole: bool, exactly: bool) -> Text:
    if number_ is None:
        return Text("—", "dim")
    op = record.ops[number_]
    if op.error is not None:
        return Text(one_line(op.error, 200), "red")
    tensors = [record.tensors[place] for place in op.outputs]
    return Text(f"#{op.seq} ", "dim").append(
        ", ".join(short(tensor, whole, exactly) for tensor in tensors), "not dim default"
    )


def _gap_text(a: TensorSummary | None, b: TensorSummary | None, whole: bool = False) -> Text:
    if a is None or b is None:
        return Text()
    if a.shape != b.shape:
        return Text("shape")
    by = largest_difference(a, b)
    if by:
        return Text(number(by, 6 if whole else 4))
    return Text("dtype" if a.dtype != b.dtype else "elements" if a.digest != b.digest else "")


def flow_row(diff: Diff, flow: Flow, word: str = "", whole: bool = False) -> Row:
    """Return the cells of a gradient that came back to an op: lines, op, what came back, by how much it differs."""
    op = diff.a.ops[flow.ops.a or 0]
    passes = max(len(diff.a.backwards), len(diff.b.backwards))
    what = Text(word, "dim").append(one_line(op.name, 40), "not dim bold")
    if passes > 1:
        what.append(f" · backward {flow.backward}", "not bold dim")
    a = None if flow.a is None else diff.a.tensors[flow.a]
    b = None if flow.b is None else diff.b.tensors[flow.b]
    cells = _told_apart(lambda exactly: [_flow_cell(each, whole, exactly) for each in (a, b)])
    numbers = [Text(f"#{number_} ", "dim") for number_ in flow.ops]
    cells = [head.append_text(cell) for head, cell in zip(numbers, cells)]
    return Text(_lines(diff, flow.ops)), what, cells[0], cells[1], _gap_text(a, b, whole)


def choice_row(diff: Diff, pair: Pair, word: str = "") -> Row:
    """Return the cells of a choice by index: lines, its source, what each run picked and how closely."""
    both = [None if n is None else record.choices[n] for record, n in sides(diff, pair)]
    ops = Pair(*(choice and choice.op for choice in both))
    site = next(record.ops[n].site for record, n in sides(diff, ops) if n is not None)
    what = Text(f"{word}: " if word else "", "dim").append(op_text(site), "not dim bold")
    cells = map(_choice_cell, (diff.a, diff.b), both)
    return Text(_lines(diff, ops)), what, *cells, Text()  # type: ignore[return-value]


def _choice_cell(record: Record, choice: Choice | None) -> Text:
    if choice is None:
        return Text("—", "dim")
    text = Text(picked_text(record, [choice]), "not dim default")
    return text if choice.margin is None else text.append(f" margin {number(choice.margin)}", "dim")


def _flow_cell(tensor: TensorSummary | None, whole: bool, exactly: bool) -> Text:
    return Text("none", "not dim default") if tensor is None else Text(short(tensor, whole, exactly), "not dim default")


def change_row(change: Change, word: str, whole: bool = False, cut: int = 200) -> Row:
    """Return the cells of an output or gradient: name, what each run has, by how much that differs.

    cut: letters of a plain value.
    """
    first, second = change.before, change.after
    a, b = first and first.tensor, second and second.tensor
    cells = _told_apart(lambda exactly: [_change_cell(row, whole, exactly, cut) for row in (first, second)])
    return Text(""), Text(word, "dim").append(change.name, "not dim bold"), cells[0], cells[1], _gap_text(a, b, whole)


def _change_cell(row: TensorRow | None, whole: bool, exactly: bool, cut: int) -> Text:
    if row is None:
        return Text("—", "dim")
    if row.tensor is not None:
        return Text(short(row.tensor, whole, exactly))
    if row.reason is not None:
        return Text("None", "bold").append(f"  {row.reason}", "not bold yellow")
    return Text(value_text(row.value, cut))


def short(tensor: TensorSummary, whole: bool = False, exactly: bool = False) -> str:
    """Return the values of a small tensor (`whole`: of one not so small too), shape, norm and mean of a larger one."""
    if tensor.values is not None and len(tensor.values) <= (MOST_WHOLE if whole else WHOLE):
        return array_text(tensor.values, tensor.shape, exactly)
    stats = stats_of(tensor)
    words = [shape_text(tensor.shape)]
    for name in ("norm", "mean"):
        value = getattr(stats, name, None)
        words += [] if value is None else [f"{name} {exact(value) if exactly else number(value)}"]
    words += [
        f"{getattr(stats, name)} {word}" for name, word in (("nan", "NaN"), ("inf", "Inf")) if getattr(stats, name, 0)
    ]
    return " ".join(words)


def everything(diff: Diff) -> Iterator[Text | RuledTable | CutTable]:
    """Yield the tables that `--full` shows, without those that are empty."""
    if diff.decisions:
        yield from (Text(), title("Decisions"), _decisions(diff))
    if diff.choices:
        rows = [choice_row(diff, pair)[:4] for pair in diff.choices]
        heads = ("line", "choice", "A", "B")
        yield from (Text(), title("Choices by index"), _sized(heads, rows, right=("line",), ratios={"A": 1, "B": 1}))
    if diff.ops:
        yield from (Text(), title("Ops"), _table(_stepped(diff), with_steps=True))
    if diff.outputs:
        yield from (Text(), title("Outputs"), _table([change_row(each, "", True)[1:] for each in diff.outputs]))
    if diff.gradients:
        yield from (Text(), title("Gradients"), _table([change_row(each, "", True)[1:] for each in diff.gradients]))
    if diff.flows:
        yield from (Text(), title("Gradients of ops, from the outputs back"), _table(_flowing(diff), with_steps=True))


def _table(rows: Sequence[Sequence[Text]], with_steps: bool = False) -> RuledTable | CutTable:
    heads = ["op" if with_steps else "name", "A", "B", "differs by"]
    if with_steps:
        stepped = any(row[1].plain for row in rows)
        heads = ["line", "step", *heads] if stepped else ["line", *heads]
        rows = rows if stepped else [[row[0], *row[2:]] for row in rows]
    return _sized(heads, rows, right=("line", "step", "differs by"), ratios={"A": 1, "B": 1})


def _sized(
    heads: Sequence[str], rows: Sequence[Sequence[Text]], right: Sequence[str], ratios: dict[str, int]
) -> RuledTable | CutTable:
    """Return a table that folds what is too wide; a long one is cut instead, which is 50 times as fast."""
    if len(rows) > MOST_FOLDED:
        places = range(len(heads))
        shared = [n for n in places if heads[n] in ratios]
        return CutTable(heads, rows, right=[n for n in places if heads[n] in right], shared=shared, capped=())
    table = RuledTable()
    for head in heads:
        ratio = ratios.get(head)
        justify: JustifyMethod = "right" if head in right else "left"
        style = "dim" if head in ("line", "step", "#") else "green" if head == "took" else ""
        width = 16 if head == "took" else None
        table.add_column(head, style=style, justify=justify, overflow="fold", ratio=ratio, max_width=width,
                         no_wrap=head in right)  # fmt: skip
    for row in rows:
        table.add_row(*row)
    return table


def _flowing(diff: Diff) -> list[list[Text]]:
    steps = steps_of(diff.a)
    rows = []
    for flow in diff.flows:
        line, *cells = flow_row(diff, flow, whole=True)
        step = ".".join(map(str, steps[diff.a.ops[flow.ops.a or 0].scope])) if diff.a.scopes else ""
        rows.append([line, Text(step), *cells])
    return rows


def _stepped(diff: Diff) -> list[list[Text]]:
    steps = {"a": steps_of(diff.a), "b": steps_of(diff.b)}
    rows = []
    for pair in diff.ops:
        line, *cells = op_row(diff, pair, whole=True)
        side, number_ = ("a", pair.a) if pair.a is not None else ("b", pair.b)
        record = diff.a if side == "a" else diff.b
        step = ".".join(map(str, steps[side][record.ops[number_ or 0].scope])) if record.scopes else ""
        rows.append([line, Text(step), *cells])
    return rows


def _decisions(diff: Diff) -> RuledTable | CutTable:
    pairs = [[None if n is None else record.decisions[n] for record, n in sides(diff, pair)] for pair in diff.decisions]
    stepped = any(each.iterations for both in pairs for each in both if each is not None)
    rows: list[list[Text]] = []
    for both in pairs:
        shown = False
        for side, record, decision, outcome in zip(SIDES, (diff.a, diff.b), both, outcomes(both)):
            head = _head(record, decision, stepped) if decision is not None and (diff.changed or not shown) else []
            shown = shown or decision is not None
            cells = [Text("—"), Text(), Text(), Text()] if decision is None else [Text(str(decision.seq)), *outcome]
            rows.append([*(head or [Text()] * (3 if stepped else 2)), Text(side, STYLES[side]), *cells])
    heads = ["line", *(["step"] if stepped else []), "test", "", "#", "because", "took", "margin"]
    return _sized(heads, rows, right=("line", "step", "#", "margin"), ratios={"test": 4, "because": 5})


def _head(record: Record, decision: Decision, stepped: bool) -> list[Text]:
    word, rest = kind_and_text(decision.site)
    step = [Text(".".join(str(index) for _, index in decision.iterations))] if stepped else []
    test = Text(f"{word} " if word else "", "bold").append(one_line(rest, 120), "not bold default")
    return [Text(site_text(decision.site, record)), *step, test]
