"""DOT text: what is quoted, and what stands in what."""

from __future__ import annotations

from dyncli.views.dot_text import Block


def test_statements_and_blocks():
    """Names, numbers and markup stand as they are, all else is quoted; the label is the first attribute."""
    graph = Block("digraph run")
    graph.attr("node", shape="box", fontsize="10", label="")
    graph.node("n0", color="#fff", label="<a <b>b</b>>", width="-0.5")
    with graph.subgraph("cluster_a") as frame:
        frame.attr(style="rounded,dashed", rank="max")
        frame.node("graph", label='say "no" \\')
        with frame.subgraph() as lowest:
            lowest.node("two words")
    graph.edge("n0", "Graph", label="1.", style="invis", fontsize="1a")
    graph.edge("n0", "é")
    expected = r"""digraph run {
	node [label="" fontsize=10 shape=box]
	n0 [label=<a <b>b</b>> color="#fff" width=-0.5]
	subgraph cluster_a {
		rank=max style="rounded,dashed"
		"graph" [label="say \"no\" \\"]
		{
			"two words"
		}
	}
	n0 -> "Graph" [label=1. fontsize="1a" style=invis]
	n0 -> "é"
}
"""
    assert expected == graph.text
