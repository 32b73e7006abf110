"""A graph as one self-contained page: the drawing beside the source, to pan, fold, search and step through."""

from __future__ import annotations

import base64
import json
from functools import cache
from pkgutil import get_data
from typing import Any

from dyncli.analysis.graph import DEFAULT, Box, Edge, Graph, GraphOptions, Node, build, build_two
from dyncli.analysis.graph.steps import Steps, steps_of, steps_of_two
from dyncli.analysis.source import Page, pages, pages_of_two
from dyncli.records.digest import sha256
from dyncli.records.model import Record
from dyncli.records.text import escaped, one_line
from dyncli.render.graph.carried import carried_in_words

#: In the order in which they run; the last starts the page.
_SCRIPTS = (
    "layout.js", "page.js", "clusters.js", "routing.js", "drawing.js",
    "source.js", "paper.js", "events.js", "reader.js",
)  # fmt: skip


def render(record: Record, options: GraphOptions = DEFAULT) -> str:
    """Return the page of one run."""
    graph = build(record, options._replace(foldable=True))
    return _page(graph, pages(graph, record), steps_of(graph, record))


def render_two(a: Record, b: Record, options: GraphOptions, names: tuple[str, str]) -> str:
    """Return the page of two runs in one picture, with what each held at each iteration."""
    graph, one, two = build_two(a, b, options._replace(foldable=True), names)
    return _page(graph, pages_of_two(graph, a, b), steps_of_two(graph, (one, a), (two, b), names), names)


def drawn(graph: Graph) -> str:
    """Return the page of a graph alone, without the values of each iteration."""
    return _page(graph, pages(graph), {})


def _page(graph: Graph, sources: list[Page], steps: dict[str, Steps], names: tuple[str, ...] = ()) -> str:
    graph = carried_in_words(graph)
    style = _short("page.css")
    script = "".join(map(_short, _SCRIPTS))
    parts = {
        "POLICY": f"default-src 'none'; style-src 'unsafe-inline'; script-src {_hash(script)}",
        "TITLE": escaped("".join(text for text, _ in graph.title)),
        "HEADING": _heading(graph),
        "STYLE": style,
        "DATA": _embedded(_data(graph, sources, steps) | {"names": names}),
        "SCRIPT": script,
    }
    page = _asset("page.html")
    for name in ("POLICY", "STYLE", "TITLE", "HEADING"):
        page = page.replace(f"@{name}@", parts[name])
    before, _, rest = page.partition("@DATA@")
    between, _, after = rest.partition("@SCRIPT@")
    return before + parts["DATA"] + between + parts["SCRIPT"] + after


@cache
def _asset(name: str) -> str:
    # `importlib.resources` loads archives and temporary files, 6 ms of a page.
    return (get_data("dyncli.render.graph", f"page/{name}") or b"").decode()


@cache
def _short(name: str) -> str:
    """Return an asset without its indentation and the lines that hold a comment only: a tenth of a small page."""
    lines = (line.strip() for line in _asset(name).splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode())).decode()}'"


def _heading(graph: Graph) -> str:
    title = "".join(f"<b>{escaped(text)}</b>" if bold else escaped(text) for text, bold in graph.title)
    small = " · ".join(filter(None, [graph.note, graph.folded]))
    return title + (f"<small>{escaped(small)}</small>" if small else "")


def _embedded(document: Any) -> str:
    """Return JSON that no browser can take for markup, whatever its strings hold."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _data(graph: Graph, sources: list[Page], steps: dict[str, Steps]) -> dict[str, Any]:
    numbers = {page.name: place for place, page in enumerate(sources)}
    return {
        "nodes": [_node(node, numbers, sources, steps.get(node.id)) for node in graph.nodes],
        "boxes": [_box(box, steps.get(box.id)) for box in graph.boxes],
        "edges": [_edge(edge) for edge in graph.edges],
        "files": [{"name": one_line(page.name, 120), "lines": page.lines} for page in sources],
    }


def _node(node: Node, numbers: dict[str, int], sources: list[Page], steps: Steps | None) -> dict[str, Any]:
    written: dict[str, Any] = {
        "id": node.id,
        "kind": node.kind,
        "name": node.name,
        "rest": node.rest,
        "lines": [(line.text, line.tone) for line in node.lines],
        "box": node.box,
        "side": node.side,
        "failed": node.failed,
        "ops": len(node.ops),
        "tests": len(node.decisions),
    }
    if node.unrecorded:
        written["unrecorded"] = True
    site = node.site
    if site is not None and site.file in numbers:
        page = sources[numbers[site.file]]
        col, end_col = page.columns(site)
        written |= {"file": numbers[site.file], "line": site.line, "endLine": site.end_line}
        written |= {"col": col, "endCol": end_col, "expr": page.text_of(site)}
        if node.span is not None:
            written |= {"line": node.span[0], "endLine": node.span[1], "col": 0, "endCol": 0, "expr": ""}
    if steps is not None:
        written |= {"steps": steps.each, "full": steps.value, "fullGrad": steps.gradient}
    return written


def _box(box: Box, steps: Steps | None) -> dict[str, Any]:
    written: dict[str, Any] = {"id": box.id, "kind": box.kind, "name": box.name, "rest": box.rest}
    written |= {"parent": box.parent, "side": box.side}
    if box.failed:
        written["failed"] = True
    if box.folded is not None:
        lines = [(line.text, line.tone) for line in box.folded.lines]
        written["folded"] = {"kind": box.folded.kind, "name": box.folded.name, "rest": box.folded.rest, "lines": lines}
        if steps is not None:
            written["folded"] |= {"steps": steps.each, "full": steps.value, "fullGrad": steps.gradient}
    return written


def _edge(edge: Edge) -> dict[str, Any]:
    ends = {"s": edge.source, "t": edge.target, "k": edge.kind}
    return {**ends, "label": edge.label, "grad": edge.gradient, "side": edge.side}
