"""Wishes to see, unfold or fold that fit nothing, with the names there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dyncli.analysis.graph.build import build
from dyncli.analysis.graph.frames import Folding, Frames
from dyncli.analysis.graph.groups import PLURALS, Groups
from dyncli.analysis.graph.model import GraphOptions
from dyncli.analysis.graph.shapes import Shapes
from dyncli.records.model import Record


class Unfit(NamedTuple):
    """A wish that nothing in any of the runs fits.  known: the names that could have been meant."""

    option: str
    word: str
    known: tuple[str, ...]


def unfit(records: Sequence[Record], options: GraphOptions) -> Unfit | None:
    """Return the first wish that fits nothing, or None.  Of a run that did not end well all may be meant."""
    if any(record.status != "ok" for record in records):
        return None
    if options.expand or options.collapse:
        frames = [_frames(record, options) for record in records]
        for wish in frames[0][0]:
            if all(wish in unfitted for unfitted, _ in frames):
                return Unfit(*wish, tuple(dict.fromkeys(name for _, names in frames for name in names)))
    for word in options.only:
        if not any(build(record, options._replace(only=(word,))).nodes for record in records):
            return Unfit("only", word, _names(records, options))
    return None


def _frames(record: Record, options: GraphOptions) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the wishes that no frame of a run fits, and what its frames are called."""
    frames = Frames(Groups(record, Shapes(record), options), options, Folding())
    named = [frame for frame in frames.frames if frame.kind in PLURALS]
    return frames.unfitted(), [f.name.partition(" ")[0] if f.kind == "loop" else f.name for f in named]


def _names(records: Sequence[Record], options: GraphOptions) -> tuple[str, ...]:
    """Return what the nodes and boxes of the runs are called, and what stands in those that are folded."""
    graphs = [build(record, options._replace(only=("*",))) for record in records]
    names = [node.name for graph in graphs for node in graph.nodes]
    names += [box.name for graph in graphs for box in graph.boxes]
    for record in records:
        names += [name for name in _frames(record, options)[1] if name != "root"]
        names += [op.name for op in record.ops]
        names += [tensor.name or "" for tensor in record.tensors if tensor.op is None and tensor.role != "gradient"]
    return tuple(filter(None, dict.fromkeys(names)))
