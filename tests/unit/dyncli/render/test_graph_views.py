"""Every view of a graph over the same records: whole, the same each time, and safe whatever the record holds."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from dyncli.analysis.graph import GraphOptions, build, union
from dyncli.errors import LayoutFailed, LayoutMissing, LayoutTooSlow
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.render import BINARY, SUFFIXES, for_suffix
from dyncli.render.export import graph_json
from dyncli.render.graph import dot, html, layout, mermaid, png, svg, tree
from tests import records

TEXT_VIEWS = tuple(dict.fromkeys(for_suffix(suffix) for suffix in SUFFIXES if suffix not in BINARY))
EVERYTHING = GraphOptions(expand=("all",), grads=True, saved=True, times=True, values=True, max_nodes=300)
SVG = "{http://www.w3.org/2000/svg}"


def named(item: Any) -> str:
    """Return the name of a module or function, for the list of tests."""
    return str(item.__name__).rpartition(".")[2]


@pytest.mark.parametrize("build_record", records.ALL, ids=named)
@pytest.mark.parametrize("view", TEXT_VIEWS, ids=named)
def test_same_record_same_text(view: Any, build_record: Any) -> None:
    """Each view draws each record, folded and unfolded, and draws it the same the second time."""
    for options in (GraphOptions(), EVERYTHING):
        first = view.render(build_record(), options)
        assert first == view.render(build_record(), options)
        assert first.endswith("\n") and not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", first)


@pytest.mark.parametrize("view", TEXT_VIEWS, ids=named)
def test_two_runs(view: Any) -> None:
    """Each view draws two runs in one."""
    both = view.drawn(union(build(records.piecewise()), build(records.piecewise(False)), ("positive", "negative")))
    assert "positive" in both and "negative" in both


def test_every_suffix_has_a_view() -> None:
    """A suffix in the table leads to a module that can draw."""
    for suffix in SUFFIXES:
        view = for_suffix(suffix.upper())
        assert callable(view.render) and callable(view.drawn)


def test_dot_of_piecewise() -> None:
    """The clusters and edges of the smallest model, without their colours."""
    text = dot.render(records.piecewise())
    edges = [line.partition(" [")[0].strip() for line in text.splitlines() if "->" in line]
    assert edges == ["n4 -> n0", "n0 -> n1", "n4 -> n2", "n1 -> n3", "n3 -> n2", "n3 -> n3a1", "n2 -> out0"]
    assert ["cluster_b1", "cluster_bn3a1"] == re.findall(r"subgraph (\w+)", text)
    assert "taken: <b>True</b>" in text and "not taken &#183; line 8" in text and "shape=diamond" in text


def test_dot_is_ascii() -> None:
    """The layout program measures ASCII; everything else is a numbered character."""
    for build_record in records.ALL:
        assert dot.render(build_record()).isascii()


def drawn_text(build_record: Any) -> list[str]:
    """Return all text in the picture of a record."""
    root = ElementTree.fromstring(svg.render(build_record()))
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def test_svg_of_hostile_names() -> None:
    """No element and no link of theirs; a backslash is a backslash, not the name of the node."""
    root = ElementTree.fromstring(svg.render(records.hostile()))
    assert {element.tag for element in root.iter()} <= {f"{SVG}{tag}" for tag in
            ("svg", "g", "title", "text", "tspan", "path", "polygon", "polyline", "ellipse")}  # fmt: skip
    assert not [name for element in root.iter() for name in element.attrib if "href" in name or name.startswith("on")]
    assert any("<script>alert(1)</script>\\x1b[31m[bold]&#x41;\\N" in text for text in drawn_text(records.hostile))


def test_svg_says_what_is_needed() -> None:
    """Which way it went, why, and what came back: in the picture alone."""
    text = drawn_text(records.piecewise)
    for words in (
        "float32 [3] · [1, -1, 2]",
        "grad [2, 2, 2]",
        "line 5 · 2 > 0 · margin 2",
        "y = x - 2",
        "True",
        "False",
    ):
        assert words in [line.strip() for line in text]


def test_png() -> None:
    """A PNG of the size it says."""
    data = png.render(records.piecewise())
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and data == png.render(records.piecewise())
    assert 400 < int.from_bytes(data[16:20], "big") < 1500


@pytest.mark.parametrize(("side", "dots"), [(100, 144), (750, 96), (90_000, 72)])
def test_dots_an_inch_are_fewer_in_a_large_picture(monkeypatch: pytest.MonkeyPatch, side: int, dots: int) -> None:
    """As many as the most dots of a picture allow, and as many as it takes to be read."""
    monkeypatch.setattr(png, "MOST_DOTS", 1_000_000)
    assert dots == png.dots_an_inch(f'<svg width="{side}pt" height="{side}pt"'.encode())


def test_png_of_a_large_picture_has_fewer_dots_an_inch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody opens one of 100 million dots; below 72 dots an inch nobody reads one."""
    monkeypatch.setattr(png, "MOST_DOTS", 1_000_000)
    sides = []
    for size in (9, 12, 36):
        source = f"digraph {{ a [width={size}, height={size}]; }}"
        data = layout.layout(source, "png", dpi=png.dots_an_inch(layout.layout(source, "svg")))
        sides.append(int.from_bytes(data[16:20], "big") / size)
    assert [110, 82, 72] == [int(side) for side in sides]


def test_pdf_needs_a_system_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a `dot` on the path a PDF is refused with the way out; with one it is drawn."""
    from dyncli.render.graph import pdf

    if shutil.which("dot"):
        assert pdf.render(records.piecewise()).startswith(b"%PDF")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(LayoutMissing, match="no program here can draw `pdf`"):
        pdf.render(records.piecewise())


def test_layout_has_a_time_limit() -> None:
    """A layout that takes too long is ended, and what it cannot read is said."""
    many = "digraph { " + " ".join(f"n{i % 300} -> n{(i * 7919) % 300};" for i in range(4000)) + " }"
    with pytest.raises(LayoutTooSlow, match="longer than 0.05 seconds"):
        layout.layout(many, "svg", seconds=0.05)
    with pytest.raises(LayoutFailed, match="could not draw the graph: .*syntax error"):
        layout.layout("digraph {", "svg")


def test_too_much_is_folded_further() -> None:
    """A picture that takes too long, or too much memory, is drawn again with fewer nodes, and says so."""
    for error in (LayoutTooSlow(1), LayoutFailed("dot", "memory allocation failed")):
        drawn: list[Any] = []

        def draw(graph: Any, error: Exception = error, drawn: list[Any] = drawn) -> str:
            drawn.append(graph)
            if len(drawn) == 1:
                raise error
            return "drawn"

        assert layout.fitted(records.rnn(), EVERYTHING, draw) == "drawn"
        whole, folded = drawn
        assert len(folded.nodes) < 70 < len(whole.nodes)
        words = f"too much to lay out ({len(whole.nodes)} nodes): folded; svg with --expand all, and html, draw all"
        assert folded.folded.startswith(words)


def test_a_small_picture_that_cannot_be_drawn_is_an_error() -> None:
    """Nothing would be left to fold."""

    def draw(graph: Any) -> str:
        raise LayoutFailed("dot", "it is lost")

    with pytest.raises(LayoutFailed, match="it is lost"):
        layout.fitted(records.piecewise(), EVERYTHING, draw)


def test_mermaid_of_piecewise() -> None:
    """Nodes, boxes, edges and labels, all text in quotes."""
    text = mermaid.render(records.piecewise())
    title = "piecewise.py:forward #183; case positive #183; 3 ops #183; 1 decision"
    assert text.startswith(f'flowchart TD\n  title["{title}"]')
    assert 'n3{"if x.sum() #62; 0<br/>line 5 #183; 2 #62; 0 #183; margin 2"}:::decision' in text
    assert '  subgraph b1["taken: True"]\n    n2["mul 2' in text
    assert 'n3 -.->|"False"| n3a1' in text


def test_mermaid_charts_beyond_either_limit_are_named() -> None:
    """Too many arrows, or too many letters, are refused by mermaid each by itself."""
    arrows, letters = "  a --> b\n" * mermaid.MOST_ARROWS, "x" * (mermaid.MOST_LETTERS + 1)
    assert "500 arrows and 5,000 letters" in (mermaid.beyond(arrows) or "")
    assert "0 arrows and 50,001 letters" in (mermaid.beyond(letters) or "")
    assert mermaid.beyond(arrows[10:]) is mermaid.beyond(letters[1:]) is None


def test_mermaid_says_what_the_picture_says_above_it() -> None:
    """What was folded, and the first bad value, stand below the title; arrows of one colour are named together."""
    graph = build(records.newton())._replace(note="first NaN", folded="loops have one body")
    text = mermaid.drawn(graph)
    assert '#183; 33 ops #183; 5 decisions<br/>first NaN<br/>loops have one body"]:::title' in text
    assert text.count("linkStyle") == len(re.findall(r"linkStyle [\d,]+ stroke:(#\w+),color:\1\n", text)) <= 4


def test_mermaid_of_hostile_names() -> None:
    """Nothing of theirs stands outside the numbered characters."""
    for line in mermaid.render(records.hostile()).splitlines():
        for quoted in re.findall('"(.*?)"', line):
            assert re.fullmatch(r"(?:[A-Za-z0-9 .,:_+*/=()-]|#\d+;|<br/>)*", quoted), line
        assert line.count('"') % 2 == 0


def test_json_of_a_graph() -> None:
    """Nodes, boxes and edges with their fields named."""
    document = json.loads(graph_json.render(records.newton()))
    assert ("dyncli-graph", 1) == (document["format"], len(document["boxes"]))
    (decision,) = (node for node in document["nodes"] if node["kind"] == "decision")
    assert (7, [0, 1, 2, 3, 4]) == (decision["site"]["line"], decision["decisions"])


def test_tree_of_piecewise() -> None:
    """What the terminal shows, read whole."""
    assert tree.render(records.piecewise()) == """\
piecewise.py:forward · case positive · 3 ops · 1 decision
├── x  float32 [3] · [1, -1, 2]  grad [2, 2, 2]
├── sum#0  ← x  float32 [] · 2  line 5
├── gt#1 0  ← sum#0  bool [] · True  line 5
├── if x.sum() > 0  ← gt#1  line 5 · 2 > 0 · margin 2
│   ├── taken: True
│   │   └── mul#2 2  ← x  float32 [3] · [2, -2, 4]  line 6
│   └── False not taken · line 8
│       └── y = x - 2
└── output  ← mul#2  float32 [3] · [2, -2, 4]  backward · seed ones
"""  # fmt: skip


class Tags(HTMLParser):
    """Counts the tags and attributes of a page, and keeps its data."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: dict[str, int] = {}
        self.attributes: set[str] = set()
        self.data = ""
        self.inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count it."""
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.attributes |= {name for name, _ in attrs}
        self.inside = tag if ("id", "data") in attrs else ""

    def handle_data(self, data: str) -> None:
        """Keep the JSON."""
        self.data += data if self.inside else ""

    def handle_endtag(self, tag: str) -> None:
        """Leave it."""
        self.inside = ""


def test_html_of_hostile_names() -> None:
    """The page of hostile names has the tags and attributes of any other page, and nothing from elsewhere."""
    plain, hostile = Tags(html.render(records.piecewise())), Tags(html.render(records.hostile()))
    assert plain.tags == {**hostile.tags, "b": plain.tags["b"]} and plain.attributes == hostile.attributes
    assert not {"src", "href", "onload", "onclick"} & hostile.attributes
    names = [node["name"] for node in json.loads(hostile.data)["nodes"]]
    assert any(name.startswith('"><script>alert(1)</script>') for name in names)


def test_the_page_marks_all_lines_of_an_op(tmp_path: Path) -> None:
    """In the source beside the drawing."""
    script = tmp_path / "net.py"
    script.write_text(
        "def forward(x):\n    return (\n        x.exp()\n        .sum(\n            0\n        )\n    )\n"
    )
    (record,) = record_model(Request(str(script), ("[1.0, 2.0]",)))
    nodes = json.loads(Tags(html.render(record)).data)["nodes"]
    assert [(3, 3), (4, 6)] == [(node["line"], node["endLine"]) for node in nodes if node.get("endLine")]


def test_the_page_allows_its_own_script_alone() -> None:
    """By the digest that browsers compare it with."""
    page = html.render(records.piecewise())
    allowed = page.partition("script-src 'sha256-")[2].partition("'")[0]
    script = page.rpartition("<script>")[2].rpartition("</script>")[0]
    assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() == allowed


@pytest.mark.whole
def test_html_is_small() -> None:
    """Well under a megabyte for any small model, and bounded for a large one."""
    assert len(html.render(records.rnn())) < 80_000
    assert len(html.render(records.long_loop(20_000))) < 1_000_000


def test_large_runs_are_drawn_folded() -> None:
    """A loop of many ops is a handful of nodes."""
    picture = svg.render(records.long_loop(10_000))
    assert len(picture) < 20_000 and "x10,000" in picture
