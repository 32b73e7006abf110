"""The letters of an svg are as wide as the boxes were made for, in viewers that have other faces."""

from xml.etree import ElementTree

import pytest

from dyncli.analysis.graph import GraphOptions
from dyncli.render.graph import svg
from tests.records import piecewise

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("large", [False, True])
def test_faces_of_one_width_are_named_once(large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A face that is wider, as many systems have in the place of Helvetica, writes over what stands beside it."""
    monkeypatch.setattr(svg, "LARGE", 0 if large else svg.LARGE)
    root = ElementTree.fromstring(svg.render(piecewise(), GraphOptions()))
    faces = [each.strip() for each in root.attrib["font-family"].split(",")]
    assert ("Helvetica", "sans-serif") == (faces[0], faces[-1])
    assert {"Arial", "Liberation Sans", "Nimbus Sans"} < set(faces)
    assert all("font-family" not in each.attrib for each in root.iter("{http://www.w3.org/2000/svg}text"))


def test_words_on_arrows_stand_out_from_what_runs_through_them() -> None:
    """A frame or another arrow behind them: white round their letters, and round no others."""
    root = ElementTree.fromstring(svg.render(piecewise(), GraphOptions()))
    groups = [(each.attrib.get("class"), each.findall(f"{SVG}text")) for each in root.iter(f"{SVG}g")]
    behind = {kind: {text.attrib.get("stroke") for text in texts} for kind, texts in groups if texts}
    assert ({"white"}, {None}) == (behind["edge"], behind["node"])
    assert all(text.attrib["paint-order"] == "stroke" for kind, texts in groups if kind == "edge" for text in texts)
