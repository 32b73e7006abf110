"""One file for each format; `render(record, options)` is pure and gives text, bytes or something rich can print."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

#: Which view draws a graph into a file of each suffix; a view has `render(record, options)` and `drawn(graph)`.
SUFFIXES = {
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".html": "html",
    ".mermaid": "mermaid",
    ".mmd": "mermaid",
    ".dot": "dot",
    ".gv": "dot",
    ".json": "graph_json",
    ".txt": "tree",
}

#: Which view writes a timeline into a file whose name ends so, the longest ending first; `render(record)` gives one.
TIMELINES = {".speedscope.json": "speedscope", ".json": "chrome"}


def for_suffix(suffix: str) -> ModuleType:
    """Return the view that draws a graph into files with this suffix; raises KeyError for one there is no view for."""
    return import_module(f"dyncli.views.{SUFFIXES[suffix.lower()]}")
