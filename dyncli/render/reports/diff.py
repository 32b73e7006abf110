"""The report of `dyncli diff`: one screen that says where two runs part and what differs most, or all of it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text

from dyncli.analysis.changes import Change
from dyncli.analysis.choices import op_text
from dyncli.analysis.decisions import kind_and_text
from dyncli.analysis.diff import Counts, Diff, Pair
from dyncli.analysis.diff.sites import edits
from dyncli.analysis.values import counted, place_text, seed_text, site_place, site_text, torch_text
from dyncli.records.model import Decision, Record
from dyncli.records.text import one_line, parse, printable
from dyncli.render.reports.diff_tables import (
    SIDES,
    STYLES,
    CutTable,
    Row,
    change_row,
    choice_row,
    counts_only,
    everything,
    flow_row,
    gap,
    op_row,
    outcomes,
    sides,
    sortable,
)
from dyncli.render.reports.run import STATUS
from dyncli.render.reports.tables import Section, calls_text

MOST_ROWS = 7  # of the summary's table
MOST_EDITS = 3  # lines that changed nothing


class DiffOptions(NamedTuple):
    """full: everything that differs, instead of a summary that fits a screen of 40 lines."""

    full: bool = False


SUMMARY = DiffOptions()


def render(diff: Diff, options: DiffOptions = SUMMARY) -> Group:
    """Return the report of a comparison."""
    parts: list[RenderableType] = [*heading(diff), Text()]
    if diff.is_equal:
        return Group(*parts, _nothing(diff), *_edited(diff, options.full), *_seeded(diff))
    parts += [*parted(diff), _Counts(diff)]
    parts += everything(diff) if options.full else _most(diff)
    return Group(*parts)


# -- what ran


def heading(diff: Diff) -> Iterator[Text]:
    """Yield the lines that say what ran."""
    names = [_name(record) for record in (diff.a, diff.b)]
    same = seed_text(diff.a.seed) if diff.a.seed == diff.b.seed else []
    same = [diff.a.dtype, *same] if diff.a.dtype == diff.b.dtype else same
    torches = [torch_text(record.versions) for record in (diff.a, diff.b)]
    same_torch = names[0] == names[1] and torches[0] == torches[1]
    same += torches[0] if same_torch else []
    if names[0] == names[1]:
        yield _line(Text(names[0], "bold").append("".join(f" · {printable(word)}" for word in same), "not bold dim"))
    for side, record, other in zip(SIDES, (diff.a, diff.b), (diff.b, diff.a)):
        words = [_name(record)] if names[0] != names[1] else []
        words += [f"case {one_line(record.case, 40)}"] if record.case and record.case != other.case else []
        words += seed_text(record.seed) if record.seed != other.seed else []
        words += [printable(record.dtype)] if record.dtype != other.dtype else []
        words += [_input(change, side) for change in diff.inputs]
        words += [counted(len(record.ops), "op"), counted(len(record.decisions), "decision")]
        words += [] if same_torch else map(printable, torch_text(record.versions))
        yield _line(Text(f"{side}  ", STYLES[side]).append(" · ".join(words), "not bold default"))
    if not diff.same_end:
        for side, record in zip(SIDES, (diff.a, diff.b)):
            yield _line(Text(f"{side}  ", STYLES[side]).append_text(_end(record)))


def _name(record: Record) -> str:
    return one_line(f"{record.model}:{record.entry}" if record.entry else record.model, 100)


def _input(change: Change, side: str) -> str:
    row = change.before if side == "A" else change.after
    if row is None:
        return f"no {change.name}"
    cell = change_row(change, "", cut=40)[2 if side == "A" else 3]
    return f"{change.name} = {cell.plain}"


def _end(record: Record) -> Text:
    if record.status == "ok":
        return Text("returned", "not bold default")
    failure = record.failure
    text = Text(STATUS.get(record.status, record.status), "bold red")
    if failure is not None:
        where = f" at {one_line(failure.frames[-1].file, 40)}:{failure.frames[-1].line}" if failure.frames else ""
        text.append(f"{where}: {one_line(failure.type, 40)}: {one_line(failure.message)}", "not bold default")
    return text


def _nothing(diff: Diff) -> Text:
    words = [_part(name, counts.same) for name, counts in diff.counts.items() if counts.same]
    text = Text("No difference", "bold green")
    text.append(": " + ", ".join(words) if words else "", "not bold default")
    text.append(_within(diff) + _unknown(diff.counts["ops"]), "not bold dim")
    return text


def _seeded(diff: Diff) -> Iterator[Text]:
    """Yield the line by which a script sets its own seed, so that two others changed nothing."""
    for source in diff.a.sources if diff.a.seed != diff.b.seed else ():
        called = {each.line for each in diff.a.calls if each.file == source.file}
        try:
            tree = parse(source.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for call in _seeding(tree, called):
            place = place_text(source.file, call.lineno, diff.a.model)
            yield Text(f"The script sets its own seed at {place}: `{one_line(ast.unparse(call), 60)}`")
            return


def _seeding(node: ast.AST, called: Collection[int]) -> Iterator[ast.Call]:
    """Yield the calls of `torch.manual_seed` in a script.  called: the lines of the functions that were called."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and child.lineno not in called:
            continue
        if isinstance(child, ast.Call) and ast.unparse(child.func) == "torch.manual_seed":
            yield child
        yield from _seeding(child, called)


def _edited(diff: Diff, full: bool) -> Iterator[Text]:
    """Yield the edited lines of scripts that ran alike all the same."""
    found = edits(diff.a, diff.b)
    if found:
        yield Text(
            f"{counted(len(found), 'line')} of code differ{'s' * (len(found) == 1)}, which changed nothing here:"
        )
    for edit in found if full else found[:MOST_EDITS]:
        ours = place_text(edit.file_a, edit.line_a, diff.a.model), edit.text_a
        theirs = place_text(edit.file_b, edit.line_b, diff.b.model), edit.text_b
        for side, (place, text) in zip(SIDES, (ours, theirs)):
            if text:
                yield Text(f"{side}  ", STYLES[side]).append(f"{place}: {one_line(text, 100)}", "not bold default")
    if not full and len(found) > MOST_EDITS:
        yield Text("`--full` shows all that differ", "dim")


def _part(name: str, count: int) -> str:
    if name == "op_gradients":
        return "1 gradient of an op" if count == 1 else f"{count:,} gradients of ops"
    return counted(count, name.removesuffix("s"))


def _within(diff: Diff) -> str:
    tolerance = diff.tolerance
    words = [f"{name} {value:g}" for name, value in (("rtol", tolerance.rtol), ("atol", tolerance.atol)) if value]
    return f" (within {', '.join(words)})" if words else ""


def _unknown(counts: Counts) -> str:
    return f"; the values of {counted(counts.unknown, 'op')} were not kept" if counts.unknown else ""


class _Counts(Section):
    """A count of differences, broken between parts only."""

    def __init__(self, diff: Diff) -> None:
        self.parts = list(_differing(diff)) or ["how they ended"]
        self.note = _within(diff) + _unknown(diff.counts["ops"])

    def blocks(self, width: int) -> Iterator[Text]:
        text = Text("Differ: ", "bold")
        used = cell_len(text.plain)
        for place, part in enumerate(self.parts):
            before = " · " if place else ""
            if place and used + len(before) + len(part) > width:
                before, used = "\n        ", 8 - len("\n        ")
            used += len(before) + len(part)
            text.append(before + part, "not bold default")
        yield text.append(self.note, "not bold dim")


def _differing(diff: Diff) -> Iterator[str]:
    for name, counts in diff.counts.items():
        parts = [_part(name, counts.differ)] if counts.differ else []
        for side, count in zip(SIDES, (counts.only_a, counts.only_b)):
            if count:
                parts.append(f"{f'{count:,}' if parts else _part(name, count)} only in {side}")
        if parts:
            yield ", ".join(parts)


# -- where they part


def parted(diff: Diff) -> Iterator[Text | CutTable]:
    """Yield the decisions at which two runs part, or a line that they do not."""
    parting = diff.parting
    if parting is None:
        decided = diff.counts["decisions"]
        alike = "They decide alike" if diff.choices else "They take the same path"
        words = alike if not decided.unequal else "They decide alike, but in other calls"
        text = Text(words, "bold").append(f": {counted(decided.same, 'decision')}", "not bold default")
        yield text.append_text(_picked(diff)) if diff.choices else text
        yield Text()
        return
    chosen = [None if n is None else record.decisions[n] for record, n in sides(diff, Pair(parting.a, parting.b))]
    yield _words(diff, parting.kind, chosen)
    yield _decided(diff, chosen, parting.kind)
    yield Text()


def _picked(diff: Diff) -> Text:
    """Return where two runs that decide alike pick other elements first."""
    pair = diff.choices[0]
    record, n = next((record, n) for record, n in sides(diff, pair) if n is not None)
    site = record.ops[record.choices[n].op].site
    text = Text(" · ").append("they pick otherwise", "bold").append(" at ")
    return text.append(f"{site_place(site, record.model)}: ", "bold").append(op_text(site))


def _words(diff: Diff, kind: str, chosen: Sequence[Decision | None]) -> Text:
    """Return the line above the decisions at which the runs part."""
    if kind == "alone":
        who = [side for side, each in zip(SIDES, chosen) if each is not None]
        more = f", but {who[0] if len(who) == 1 else 'each'} has a test more"
        return Text("They take the same path", "bold").append(more, "not bold default")
    if kind == "elsewhere":
        return Text("They part", "bold").append(": one comes to a test and the other does not", "not bold default")
    first, second = (each for each in chosen if each is not None)
    text = Text("They part at ", "bold").append_text(_test(diff.a, first))
    if diff.changed and first.site.text != second.site.text:
        text.append(" in A, ").append_text(_test(diff.b, second)).append(" in B")
    where = _where(first)
    return text.append(f" · {where}" if where else "", "not bold dim")


def _test(record: Record, decision: Decision) -> Text:
    word, rest = kind_and_text(decision.site)
    text = Text(f"{site_place(decision.site, record.model)}: ", "bold")
    return text.append(f"{word} " if word else "").append(one_line(rest, 60), "not bold default")


def _where(decision: Decision) -> str:
    """Return in which steps of which loops, and in which calls, something was decided."""
    steps = [f"step {index} of line {line}" for line, index in decision.iterations]
    own = f"after {counted(decision.iteration, 'step')}" if decision.iteration else ""
    calls = calls_text(decision.call_path) if len(decision.call_path) > 1 else ""
    return " · ".join(filter(None, [own, ", ".join(steps), calls]))


def _decided(diff: Diff, chosen: Sequence[Decision | None], kind: str) -> CutTable:
    rows: list[list[Text]] = []
    for side, record, decision, outcome in zip(SIDES, (diff.a, diff.b), chosen, outcomes(chosen)):
        head = Text(side, STYLES[side])
        if decision is not None:
            word, rest = kind_and_text(decision.site)
            place = Text(site_text(decision.site, record), "dim")
            test = Text(f"{word} {one_line(rest, 200)}".strip())
            rows.append([head, Text(str(decision.seq), "dim"), *([place, test] if kind != "arm" else []), *outcome])
        elif kind == "elsewhere":
            ended = "decides nothing more" if record.status == "ok" else STATUS.get(record.status, record.status)
            rows.append([head, Text("—"), Text(), Text(ended), Text(), Text(), Text()])
    if kind == "arm":
        return CutTable(("", "#", "because", "took", "margin"), rows, right=(1, 4), shared=(2,), capped=(3,), lines=2)
    heads = ("", "#", "line", "test", "because", "took", "margin")
    return CutTable(heads, rows, right=(1, 2, 6), shared=(3, 4), capped=(2, 5), lines=2)


# -- the summary


def _most(diff: Diff) -> Iterator[Text | CutTable]:
    rows = list(_largest(diff))[: MOST_ROWS - (0 if diff.same_end else 2)]
    if rows:
        yield Text()
        yield CutTable(
            ("line", "what", "A", "B", "differs by"), rows, right=(0, 4), shared=(2, 3), capped=(1,), lines=2
        )
    if sum(counts.unequal for counts in diff.counts.values()) > len(rows):
        yield Text("`--full` shows all that differs", "dim")


def _largest(diff: Diff) -> Iterator[Row]:
    """Yield rows: the first choice, the first op, outputs, gradients, the op that differs most, ops alone."""
    both = [pair for pair in diff.ops if pair.a is not None and pair.b is not None]
    if diff.choices:
        yield choice_row(diff, diff.choices[0], "choice")
    if both:
        yield op_row(diff, both[0], "first op")
    for change in diff.outputs[:2]:
        yield change_row(change, "")
    for change in diff.gradients[:2]:
        yield change_row(change, "grad of ")
    if diff.flows:
        yield flow_row(diff, diff.flows[0], "grad of ")
    if both:
        measured = [pair for pair in both if not counts_only(diff, pair)] or both  # not a loader's seed
        most = max(measured, key=lambda pair: sortable(gap(diff, pair)))
        if most != both[0] and gap(diff, most):
            yield op_row(diff, most, "most")
    for name in SIDES:
        alone = next((pair for pair in diff.ops if getattr(pair, "b" if name == "A" else "a") is None), None)
        if alone is not None:
            yield op_row(diff, alone, f"first in {name}")


def _line(text: Text) -> Text:
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
