"""A coverage report as one self-contained page: the tables, and the sources with their arms coloured and counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pkgutil import get_data

from dyncli.analysis.coverage.report import ArmRow, CountRow, Report, SiteRow
from dyncli.analysis.coverage.tally import Example, Group, Histogram, Norms, bucket_text
from dyncli.analysis.decisions import kind_and_text
from dyncli.analysis.values import line_text, number
from dyncli.records.model import Site, Source
from dyncli.records.text import escaped, one_line, printable
from dyncli.render.reports.coverage import OUTCOME_WORDS, percent_text, share_text

MOST_ROWS = 500
MOST_LINES = 20_000
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render(report: Report) -> str:
    """Return the page; equal reports give equal bytes."""
    subject = report.subject
    style = (get_data("dyncli.render.reports", "coverage.css") or b"").decode()
    name = _text(f"{subject.model}:{subject.entry}")
    parts = [
        _head(report),
        _missed(report),
        _sought(report),
        *(_source(report, place, source) for place, source in enumerate(subject.sources)),
        _arms(report),
        _conditions(report),
        _counts("Loops", "steps: how often", report.loops),
        _counts("Recursion", "depth: inputs", report.recursion),
        _paths(report),
        _nearest(report),
        _trouble(report),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}: coverage</title>\n<style>\n{style}</style></head>\n"
        '<body data-ready="true">\n' + "\n".join(part for part in parts if part) + "\n</body></html>\n"
    )


def _head(report: Report) -> str:
    subject, settings = report.subject, report.subject.settings
    facts = f"{settings.dtype} · seed {settings.seed} · {report.tally.inputs:,} inputs · {report.distinct:,} paths"
    words = [_outcome(word, group) for word, group in report.outcomes if word != "ok"]
    return (
        f"<header><h1>{_text(f'{subject.model}:{subject.entry}')}</h1><p>{_text(facts)}</p>"
        f'<p class="share"><b>{percent_text(report)}</b> of the arms reached, '
        f"{report.reached:,} of {report.total:,}</p>"
        f'<div class="bar"><div style="width:{report.percent:.2f}%"></div></div>'
        + (f"<ul>{''.join(words)}</ul>" if words else "")
        + "</header>"
    )


def _outcome(word: str, group: Group) -> str:
    summary = f"<b>{group.count:,}</b> {OUTCOME_WORDS[word]}"
    if len(group.examples) < 2:
        return f'<li>{summary} <span class="dim">{_place(group.examples)}</span></li>'
    rows = "".join(f"<li>{_place((example,))}</li>" for example in group.examples)
    left = group.count - len(group.examples)
    rows += f"<li>… and {left:,} more</li>" if left else ""
    return f'<li><details><summary>{summary}</summary><ul class="dim">{rows}</ul></details></li>'


def _sought(report: Report) -> str:
    rows = [
        [_link(report, each.site, each.site.line), _test(each.site), _text(each.name),
         f"<code>{_text(each.input)}</code>" if each.input is not None else "none", _text(each.how)]
        for each in report.sought
    ]  # fmt: skip
    return _table("Searched for", ["line", "test", "arm", "reached by", "how"], rows)


def _missed(report: Report) -> str:
    rows = [[_link(report, arm.site, arm.line), _test(arm.site), _text(arm.name), _code(arm)] for arm in report.missed]
    missing = ", ".join(
        f'<a href="#{_anchor(report, each.file, each.line)}">{_text(one_line(each.name, 80))}</a>'
        for each in report.missing[:MOST_ROWS]
    )
    never = f"<p>Never called: {missing}</p>" if missing else ""
    return _table("Never reached", ["line", "test", "arm", "source"], rows, "missed") + never


def _arms(report: Report) -> str:
    rows = []
    for row in report.sites:
        for place, arm in enumerate(row.arms):
            where = [_link(report, row.site, row.site.line), _test(row.site)] if not place else ["", ""]
            share = arm.reach.inputs / report.tally.runs if report.tally.runs else 0.0
            state = f'<span class="{_state(arm)}">{_text(arm.name)}</span>'
            counts = [f"{arm.reach.inputs:,}", share_text(share) if arm.reach.inputs else "", f"{arm.reach.times:,}"]
            rows.append([*where, state, *counts, _place(arm.reach.examples)])
    return _table("Arms", ["line", "test", "arm", "inputs", "share", "times", "first"], rows)


def _conditions(report: Report) -> str:
    rows = [
        [_link(report, row.site, row.site.line), _test(row.site), f"<code>{_text(row.text)}</code>",
         _count(row.true), _count(row.false)]
        for row in report.conditions
    ]  # fmt: skip
    return _table("Conditions", ["line", "test", "comparison", "true", "false"], rows)


def _counts(title: str, what: str, rows: Sequence[CountRow]) -> str:
    written = [
        [_text(str(row.line)), f"<code>{_text(one_line(row.text, 200))}</code>", _bars(row.counts)] for row in rows
    ]
    return _table(title, ["line", title.lower().rstrip("s"), what], written)


def _paths(report: Report) -> str:
    rows = [
        [f"{row.path.count:,}", share_text(row.share), f"<code>{_text(row.path.text)}</code>",
         _norms(row.path.inputs), _norms(row.path.parameters), _place(row.path.examples)]
        for row in report.paths[:MOST_ROWS]
    ]  # fmt: skip
    note = f"{report.distinct:,} distinct"
    if report.tally.is_bounded:
        note = f"some {report.distinct:,} distinct, {len(report.paths):,} kept; {report.outside:,} runs took others"
    head = ["inputs", "share", "path (line, arm)", "gradient of inputs", "of parameters", "first"]
    return _table(f"Paths ({note})", head, rows) + _cut(len(report.paths))


def _nearest(report: Report) -> str:
    rows = [
        [_link(report, row.site, row.site.line), _test(row.site), number(near.margin), _text(near.arm),
         f"{_text(near.example.place)} <code>{_text(near.example.shown)}</code>"]
        for row in report.nearest
        for near in row.nearest
    ]  # fmt: skip
    return _table("Nearest to a flip", ["line", "test", "margin", "took", "input"], rows)


def _trouble(report: Report) -> str:
    rows = [[f"{group.count:,}", _text(reason), _place(group.examples)] for reason, group in report.reasons[:MOST_ROWS]]
    return _table("Raised, NaN or Inf", ["inputs", "what", "first"], rows)


# The sources


def _source(report: Report, place: int, source: Source) -> str:
    """Format a file's lines with coverage marks, and each line's arms beside it."""
    by_line: dict[int, list[SiteRow]] = defaultdict(list)
    left: set[int] = set()
    seen: set[int] = set()
    for row in report.sites:
        if row.site.file != source.file:
            continue
        by_line[row.site.line].append(row)
        for arm in row.arms:
            span = arm.span
            if span is not None and span[0] > row.site.line:
                (left if not arm.is_reached else seen).update(range(span[0], min(span[1], MOST_LINES) + 1))
    for function in report.missing:
        if function.file == source.file:
            left.update(range(function.line, min(function.end_line, MOST_LINES) + 1))
    lines = []
    for number_, text in enumerate(source.text.splitlines()[:MOST_LINES], 1):
        mark = ' class="left"' if number_ in left else ' class="seen"' if number_ in seen else ""
        notes = " ".join(_note(row, arm) for row in by_line.get(number_, ()) for arm in row.arms)
        code = _text(text.replace("\t", "    ").rstrip()) or " "
        lines.append(
            f'<tr{mark} id="f{place}-{number_}"><td class="no">{number_}</td><td class="code"><pre>{code}</pre></td>'
            f'<td class="notes">{notes}</td></tr>'
        )
    return f'<h2>{_text(source.file)}</h2>\n<table class="source">{"".join(lines)}</table>'


def _note(row: SiteRow, arm: ArmRow) -> str:
    title = escaped(printable(f"{row.site.text}: {arm.name}"))
    return (
        f'<span class="arm {_state(arm)}" title="{title}">{_text(one_line(arm.name, 30))} {arm.reach.inputs:,}</span>'
    )


def _state(arm: ArmRow) -> str:
    return "yes" if arm.is_reached else "no" if arm.is_counted else "dim"


# Pieces


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], kind: str = "") -> str:
    if not rows:
        return ""
    cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in rows[: MOST_ROWS * 4])
    heads = "".join(f"<th>{_text(word)}</th>" for word in head)
    attribute = f' class="{kind}"' if kind else ""
    return f"<h2>{_text(title)}</h2>\n<table{attribute}><thead><tr>{heads}</tr></thead><tbody>\n{cells}</tbody></table>"


def _cut(count: int) -> str:
    return f'<p class="dim">{count - MOST_ROWS:,} more are in the JSON report</p>' if count > MOST_ROWS else ""


def _test(site: Site) -> str:
    word, rest = kind_and_text(site)
    return f"<code>{_text(one_line(f'{word} {rest}'.strip(), 160))}</code>"


def _code(arm: ArmRow) -> str:
    if arm.span is None:
        return f'<span class="dim">goes on after line {arm.after}</span>' if arm.after else ""
    indent = min((len(line) - len(line.lstrip()) for line in arm.source if line.strip()), default=0)
    return "<pre>" + "\n".join(_text(line[indent:].rstrip()) for line in arm.source) + "</pre>"


def _count(count: int) -> str:
    return f"{count:,}" if count else '<span class="no">0</span>'


def _bars(histogram: Histogram) -> str:
    """Draw counts as bars, each with its number."""
    ordered = sorted(histogram.counts.items())[:80]
    most = max((times for _, times in ordered), default=1)
    bars = (
        f'<span class="bin" title="{bucket_text(first)}: {times:,}">'
        f'<i style="height:{max(100 * times / most, 2):.1f}%"></i>{bucket_text(first)}</span>'
        for first, times in ordered
    )
    return f'<span class="bins">{"".join(bars)}</span>'


def _norms(norms: Norms) -> str:
    words = []
    if norms.finite and norms.least is not None and norms.most is not None and norms.mean is not None:
        same = norms.least == norms.most
        words.append(
            number(norms.least) if same
            else f"{number(norms.least)} … {number(norms.most)}, mean {number(norms.mean)}"
        )  # fmt: skip
    for count, word in ((norms.zeros, "zero"), (norms.broken, "NaN or Inf"), (norms.absent, "none")):
        if count:
            words.append(f"{count:,} {word}")
    return _text(", ".join(words))


def _place(examples: Iterable[Example]) -> str:
    first = next(iter(examples), None)
    if first is None:
        return ""
    note = f" <span>{_text(one_line(first.note, 160))}</span>" if first.note else ""
    shown = f" <code>{_text(first.shown)}</code>" if first.shown else ""
    return f"{_text(first.place)}{shown}{note}"


def _link(report: Report, site: Site, line: int) -> str:
    name = line_text(site.file, line, report.subject.model)
    return f'<a href="#{_anchor(report, site.file, line)}">{_text(name)}</a>'


def _anchor(report: Report, file: str, line: int) -> str:
    place = next((place for place, source in enumerate(report.subject.sources) if source.file == file), 0)
    return f"f{place}-{line}"


def _text(text: str) -> str:
    return escaped(printable(text))
