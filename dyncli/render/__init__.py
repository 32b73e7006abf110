"""One file for each format; `render(record, options)` is pure and gives text, bytes or something rich can print."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

#: Which view draws a graph into a file of each suffix; a view has `render(record, options)` and `drawn(graph)`.
SUFFIXES = {
    ".svg": "graph.svg",
    ".png": "graph.png",
    ".pdf": "graph.pdf",
    ".html": "graph.html",
    ".mermaid": "graph.mermaid",
    ".mmd": "graph.mermaid",
    ".dot": "graph.dot",
    ".gv": "graph.dot",
    ".json": "export.graph_json",
    ".txt": "graph.tree",
}

#: Those of files that are no text.
BINARY = frozenset({".png", ".pdf"})

#: Which view writes a timeline into a file whose name ends so, the longest ending first; `render(record)` gives one.
TIMELINES = {".speedscope.json": "export.speedscope", ".json": "export.chrome"}


def for_suffix(suffix: str) -> ModuleType:
    """Return the view that draws a graph into files with this suffix; raises KeyError for one there is no view for."""
    return import_module(f"dyncli.render.{SUFFIXES[suffix.lower()]}")
