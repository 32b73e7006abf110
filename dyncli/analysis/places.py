"""Places in words: a line of the model script by its number, else with the file."""

from __future__ import annotations

from collections.abc import Iterable

from dyncli.records.model import Site
from dyncli.records.text import one_line

WIDEST = 30
#: What runs in the backward that follows the entry, such as what a checkpoint computes again, stands on no line.
RECORDERS = ("dyncli/recording/recorder.py", "dyncli/trace/recorder.py")  # the latter in older records
ELLIPSIS = "…"


def file_text(file: str, model: str) -> str:
    """Return a file as seen from the folder of the model script, the end of it where it is too long."""
    name = one_line(file.removeprefix(model[: model.rfind("/") + 1]))
    return name if len(name) <= WIDEST else ELLIPSIS + name[1 - WIDEST :]


def line_text(file: str, line: int, model: str) -> str:
    """Return a line for a column of lines: `12`, or `layers.py:12` of another file than the model script."""
    if _is_ours(file):
        return "backward"
    return str(line) if file == model else f"{file_text(file, model)}:{line}"


def _is_ours(file: str) -> bool:
    return file.replace("\\", "/").endswith(RECORDERS)


def site_text(site: Site, model: str) -> str:
    """Return the line of a site for a column of lines."""
    return line_text(site.file, site.line, model)


def site_place(site: Site, model: str) -> str:
    """Return the line of a site in words."""
    return place_text(site.file, site.line, model)


def place_text(file: str, first: int, model: str, last: int | None = None) -> str:
    """Return a line, or those from first to last, in words: `line 12`, `lines 4 to 6`, `layers.py:12`."""
    span = f"{first} to {last}" if last is not None and last != first else str(first)
    if _is_ours(file):
        return "in the backward"
    if file != model:
        return f"{file_text(file, model)}:{span}"
    return f"line{'s' * (span != str(first))} {span}"


def places_text(sites: Iterable[Site], model: str) -> str:
    """Return the lines of several sites in words, of several files those of the first: `lines 4 to 6`."""
    lines: dict[str, list[int]] = {}
    for site in sites:
        lines.setdefault(site.file, []).append(site.line)
    if not lines:
        return ""
    file = model if model in lines else next(iter(lines))
    words = place_text(file, min(lines[file]), model, max(lines[file]))
    return words if len(lines) == 1 else f"{words}, and in {len(lines) - 1} more file{'s' * (len(lines) > 2)}"
