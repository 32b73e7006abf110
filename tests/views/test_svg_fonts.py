"""The letters of an svg are as wide as the boxes were made for, in viewers that have other faces."""

from xml.etree import ElementTree

import pytest

from dyncli.query.graph import GraphOptions
from dyncli.views import svg
from tests.records import piecewise


@pytest.mark.parametrize("large", [False, True])
def test_faces_of_one_width_are_named_once(large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A face that is wider, as many systems have in the place of Helvetica, writes over what stands beside it."""
    monkeypatch.setattr(svg, "LARGE", 0 if large else svg.LARGE)
    root = ElementTree.fromstring(svg.render(piecewise(), GraphOptions()))
    faces = [each.strip() for each in root.attrib["font-family"].split(",")]
    assert ("Helvetica", "sans-serif") == (faces[0], faces[-1])
    assert {"Arial", "Liberation Sans", "Nimbus Sans"} < set(faces)
    assert all("font-family" not in each.attrib for each in root.iter("{http://www.w3.org/2000/svg}text"))
