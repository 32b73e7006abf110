"""Which of several layouts of one drawing is taken."""

from __future__ import annotations

from dyncli.analysis.graph import GraphOptions, build_two
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.render.graph import dot, layout


def test_of_the_layouts_that_fit_the_lowest_is_drawn() -> None:
    """Two trees in one picture are too wide at first; of what is narrow enough the narrowest is not the best."""
    word, phrase = record_model(Request("tree_net", ()))
    graph = build_two(word, phrase, GraphOptions(), ("word", "phrase"))[0]
    ways = [(tall, level) for tall in (False, True) for level in (False, True)]
    tried = [layout.size_of(layout.layout(dot.drawn(graph, *way), "svg")) for way in ways]
    heights = {height for width, height in tried if width <= layout.WIDEST}
    assert tried[0][0] > layout.WIDEST and len(heights) > 1
    assert min(heights) == layout.size_of(layout.picture(graph, "svg"))[1]
