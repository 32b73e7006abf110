"""The picture in the README is what its command draws."""

import shutil
from pathlib import Path

import pytest

from dyncli.cli import app

PICTURES = Path(__file__).parents[2] / "samples" / "pictures"
DRAWN = {"piecewise": "positive"}


@pytest.mark.skipif(shutil.which("dot") is not None, reason="the system's dot draws the same graph with other curves")
@pytest.mark.parametrize("model", DRAWN)
def test_picture(model, tmp_path):
    """The same record gives the same bytes; `dyncli graph MODEL --case CASE -o samples/pictures/...` renews it."""
    target = tmp_path / "drawn.svg"
    assert 0 == app.main(["graph", model, "--case", DRAWN[model], "-o", str(target), "--quiet"])
    assert (PICTURES / f"{model}.svg").read_bytes() == target.read_bytes()
