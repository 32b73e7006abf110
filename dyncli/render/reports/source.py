"""The report of `dyncli run --source`: each script with the count of every line and what its tests did.

A line that was never reached counts 0 and is dimmed.  Tests stand right of their line where there is room, else below.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from dyncli.analysis.listing import Line, Listing, Note
from dyncli.analysis.values import counted
from dyncli.records.text import one_line

WIDEST_CODE = 60
GAP = 3


class SourceListing:
    """One script, annotated."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        lines = listing.lines
        self.number_width = len(str(len(lines)))
        self.count_width = max([len(f"{line.count:,}") for line in lines if line.count is not None], default=1)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        listing = self.listing
        title = Text(one_line(listing.file, 100), style="bold underline")
        facts = f"  {listing.reached:,} of {counted(listing.statements, 'statement')} reached"
        yield title.append(facts, "not bold not underline dim")
        room = max(options.max_width - self._gutter, 20)
        widest = min(WIDEST_CODE, room // 2)
        annotated = [len(line.text) for line in listing.lines if line.notes and len(line.text) <= widest]
        column = max(annotated, default=0) + GAP
        for line in listing.lines:
            yield from self._line(line, room, column)

    @property
    def _gutter(self) -> int:
        return self.number_width + self.count_width + 5

    def _line(self, line: Line, room: int, column: int) -> Iterator[Text]:
        style = "dim" if line.is_left else ""
        count = "" if line.count is None else f"{line.count:,}"
        gutter = Text().append(f"{line.number:>{self.number_width}}", "dim")
        gutter.append(f"  {count:>{self.count_width}}", "dim" if line.is_left else "cyan").append(" │ ", "dim")
        pieces = _pieces(line.text, room)
        first = gutter + Text(pieces[0], style)
        notes = list(line.notes)
        if notes and len(pieces) == 1 and len(line.text) + GAP <= column:
            words = _words(notes[0])
            if len(words.plain) <= room - column:
                first.append(" " * (column - len(line.text))).append_text(words)
                notes.pop(0)
        first.rstrip()
        yield first
        empty = Text(" " * (self._gutter - 3)) + Text(" │ ", "dim")
        for piece in pieces[1:]:
            yield empty + Text(piece, style)
        indent = " " * min(len(line.text) - len(line.text.lstrip()) + 4, room // 2)
        for note in notes:
            yield from _below(empty, indent, _words(note), room)
        if line.error is not None:
            yield from _below(empty, indent, Text(line.error, "bold red"), room)


def _pieces(text: str, room: int) -> list[str]:
    """Return a line of code in pieces that fit, the later ones indented like the first."""
    if len(text) <= room:
        return [text]
    indent = " " * min(len(text) - len(text.lstrip()), room // 2)
    return wrap(text.lstrip(), room, initial_indent=indent, subsequent_indent=indent + "  ")


def _words(note: Note) -> Text:
    text = Text().append(f"{note.test}: " if note.test else "", "dim")
    text.append(note.took, "green")
    if note.is_forced:
        text.append(" forced", "yellow")
    return text.append(f"   {note.values}" if note.values else "", "default")


def _below(empty: Text, indent: str, words: Text, room: int) -> Iterator[Text]:
    """Yield a note under its line, as many lines as it takes."""
    start = 0
    for part in wrap(words.plain, max(room - len(indent), 20), drop_whitespace=True) or [""]:
        start = words.plain.find(part, start)
        yield empty + Text(indent) + words[start : start + len(part)]
        start += len(part)
