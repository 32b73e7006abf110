"""A run as a drawing: nodes, boxes and edges, folded until a person can read them, in no format's syntax."""

from dyncli.analysis.graph.build import build, build_grouped, build_two, grouped
from dyncli.analysis.graph.model import (
    DEFAULT,
    EVERYTHING,
    Box,
    Edge,
    Graph,
    GraphOptions,
    Line,
    Node,
    Words,
    options_of,
)
from dyncli.analysis.graph.union import union

__all__ = [
    "DEFAULT",
    "EVERYTHING",
    "Box",
    "Edge",
    "Graph",
    "GraphOptions",
    "Line",
    "Node",
    "Words",
    "build",
    "build_grouped",
    "build_two",
    "grouped",
    "options_of",
    "union",
]
