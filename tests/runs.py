"""Runs of small scripts, and what stands in their pictures."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.graph import Graph
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record


def recorded(folder: Path, source: str, *inputs: str, edges: bool = False, seed: int = 0) -> Record:
    """Return the run of a script; edges: with what came back along every edge."""
    script = folder / "net.py"
    script.write_text(source)
    return next(iter(record_model(Request(str(script), inputs, edges=edges, seed=seed))))


def lines(graph: Graph, kind: str) -> dict[str, list[str]]:
    """Return the lines of the nodes of one kind, by name."""
    return {node.name: [line.text for line in node.lines] for node in graph.nodes if node.kind == kind}
