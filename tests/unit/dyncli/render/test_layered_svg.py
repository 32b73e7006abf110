"""Pictures too large for a layout program, and those drawn where there is none."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from dyncli.analysis.graph import GraphOptions, build
from dyncli.render.graph import layered_svg, svg
from dyncli.render.graph.layered_layout import Cell, lay_out
from tests import records

SVG = "{http://www.w3.org/2000/svg}"
UNFOLDED = GraphOptions(expand=("all",), max_nodes=100_000)


def texts(picture: str) -> list[str]:
    """Return all text of a picture."""
    return ["".join(element.itertext()) for element in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.parametrize("build_record", records.ALL, ids=lambda build: build.__name__)
def test_every_record_is_drawn(build_record: Any) -> None:
    """Every node's words are there, nothing but shapes and text is, and no node lies on another."""
    graph = build(build_record())
    picture = layered_svg._Picture(graph)
    root = ElementTree.fromstring(picture.svg())
    shapes = ("svg", "title", "rect", "defs", "marker", "path", "text", "tspan", "g", "polygon")
    assert {element.tag for element in root.iter()} <= {f"{SVG}{tag}" for tag in shapes}
    words = texts(picture.svg())
    assert all(line.text in words for node in graph.nodes if node.kind != "leaf" for line in node.lines)
    cells = [picture.cells[node.id] for node in graph.nodes]
    for place, a in enumerate(cells[:200]):
        for b in cells[place + 1 : 200]:
            apart = a.x + a.width <= b.x + 0.1 or b.x + b.width <= a.x + 0.1
            assert apart or a.y + a.height <= b.y + 0.1 or b.y + b.height <= a.y + 0.1


def test_it_stands_in_where_there_is_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """An svg is drawn even where no layout program can be found."""
    monkeypatch.setattr(svg, "find_program", lambda format: None)
    assert "line 5 · 2 > 0 · margin 2" in texts(svg.render(records.piecewise()))


def test_layers() -> None:
    """What leads to a cell stands above it; an edge past a layer has a bend there."""
    cells = [Cell(name, 40.0, 20.0, order) for order, name in enumerate("abcd")]
    layout = lay_out(cells, [("a", "b"), ("b", "c"), ("a", "c"), ("d", "a")])
    a, b, c, d = cells
    assert (0.0, 60.0, 120.0) == (a.y, b.y, c.y)
    assert 1 == len(layout.bends["a", "c"])
    assert (140.0, 0.0) == (layout.height, d.y)


@pytest.mark.whole
def test_thousands_of_nodes_unfolded() -> None:
    """5 ops a step unfolded, parameters repeated at each, are drawn within the renderer's limits."""
    picture = svg.render(records.rnn(600), UNFOLDED)
    assert 3000 < picture.count("<g>")


def test_it_explains_its_arrows() -> None:
    """The legend of the small pictures stands on the large ones too."""
    picture = layered_svg.drawn(build(records.piecewise()))
    assert all(f">{words}</tspan>" in picture for words in ("dashed: decides", "dashed: went this way", "not taken"))
