"""A run as a drawing: nodes, boxes and edges, folded until a person can read them, in no format's syntax."""

from dyncli.analysis.graph.build import Foldings, build, build_two
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
    "Foldings",
    "Graph",
    "GraphOptions",
    "Line",
    "Node",
    "Words",
    "build",
    "build_two",
    "options_of",
    "union",
]
