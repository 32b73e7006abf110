"""The tree of a large graph in the terminal: ops in a row on one line, every line within the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from dyncli.analysis.graph import DEFAULT, Graph, build, build_two
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.render.graph.short_tree import SCREEN
from dyncli.render.graph.tree import renderable
from dyncli.render.reports.tables import plain_text

SCRIPT = """\
import dyncore as torch
from dyncore import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(2, 2)
        self.outer = nn.Linear(2, 2)

    def forward(self, x):
        if x.sum() > 0:
            x = self.inner(x).tanh().exp().log().sin().cos()
        else:
            x = x * 2
        return self.outer(x).abs().sqrt()


net = Net()
x = torch.ones(2)
for step in range(2):
{body}
    loss = net(x).sum()
    loss.backward()
"""


OPS = "    x = (x + 1).exp() / 9"


def graph_of(folder: Path, lines: int, line: str = OPS) -> Graph:
    """The graph of a script with so many ops in a row more."""
    script = folder / "script.py"
    script.write_text(SCRIPT.format(body="\n".join([line] * lines)))
    return build(next(iter(record_model(Request(str(script), ())))))


def test_large_tree_has_ops_in_a_row_on_one_line(tmp_path: Path) -> None:
    """With the modules that gradients came back to, the lines, and how often they ran; arms and tests stay."""
    text = plain_text(renderable(graph_of(tmp_path, 20), Console(width=100)), 100)
    lines = text.splitlines()
    assert len(lines) <= SCREEN and all(len(line) <= 100 for line in lines)
    assert "ops in a row are one line: `--format txt` shows each" in text
    assert any("add x20, exp x20, div x20" in line and "lines 22 to 41 · x2" in line for line in lines)
    assert any("inner, tanh, exp, log, sin, cos  grad of inner" in line for line in lines)
    assert any("if x.sum() > 0" in line for line in lines)
    assert any("False not taken" in line for line in lines)


def tight_tree(folder: Path, line: str) -> str:
    """The tree of a script too large for a screen without these lines."""
    text = plain_text(renderable(graph_of(folder, 18, line), Console(width=100)), 100)
    assert len(text.splitlines()) <= SCREEN
    assert "ops in a row are one line, details of tests are left out: `--format txt` shows all" in text
    return text


def test_tree_that_is_still_large_leaves_out_tests_that_led_to_no_op(tmp_path: Path) -> None:
    """Those on Python values; the one on a tensor stays, and the arm that ran needs no line of its own."""
    text = tight_tree(tmp_path, f"    if step < 0:\n        x = x * 2\n{OPS}")
    assert "if step < 0" not in text and "taken" not in text
    (test, ops) = (row for row in text.splitlines() if "if x.sum() > 0" in row or "inner, tanh" in row)
    assert len(test.split("if x")[0]) + 4 == len(ops.split("inner")[0])
    assert "net x 2" in text


def test_tight_tree_leaves_out_tests_on_python_values_that_went_one_way(tmp_path: Path) -> None:
    """Put what ran under them in their place, in a row with what ran around them."""
    text = tight_tree(tmp_path, f"    if step >= 0:\n        x = x * 2\n{OPS}")
    assert "if step >= 0" not in text and "mul x18, add x18, exp x18, div x18" in text


def test_tight_tree_shows_tests_on_python_values_that_went_two_ways(tmp_path: Path) -> None:
    """Keep them whether or not an op ran the other way."""
    lines = ["    if step == 0:\n        x = x * 2", *["    if step < 0:\n        x = x * 3"] * 50]
    graph = graph_of(tmp_path, 1, "\n".join(lines))
    text = plain_text(renderable(graph, Console(width=100)), 100)
    assert "details of tests" in text and "if step < 0" not in text
    assert "if step == 0  line 22 · True, False" in text


def test_tight_tree_of_two_runs_shows_the_test_where_they_part(tmp_path: Path) -> None:
    """Each run went one way there; where both went the same way, on values of each, it stays too."""
    lines = "".join(
        f"    x = (x + {i}).exp().log().sin()\n    if x.sum() > {i}:\n        x = x * 2\n" for i in range(15)
    )
    tests = "    if n > 2:\n        x = x * 3\n    else:\n        x = x * 4\n    if n < 9:\n        x = x * 5\n"
    tests += "    if n < 2:\n        x = x * 6\n"
    script = tmp_path / "script.py"
    script.write_text(f"def forward(x, n: int):\n{tests}{lines}    return x\n")
    a, b = (next(iter(record_model(Request(str(script), ("[1., 2.]", n))))) for n in ("n=1", "n=3"))
    graph = build_two(a, b, DEFAULT, ("A", "B"))[0]
    text = plain_text(renderable(graph, Console(width=100)), 100)
    assert "details of tests are left out" in text
    assert "if n > 2" in text and "taken: True  mul#0 3" in text and "taken: False  mul#0 4" in text
    assert "if n < 9" in text and "if n < 2" in text
    alone = plain_text(renderable(build(b), Console(width=100)), 100)
    assert "details of tests are left out" in alone and "if n" not in alone and "mul x2, add" in alone


def test_tight_tree_leaves_out_what_only_a_test_on_its_line_reads(tmp_path: Path) -> None:
    """The test stays and does not refer to it; what is computed on a line of its own stays."""
    lines = [
        "    least = x.min()\n    if least < 5 and x.prod() > 0:\n        x = x * 2",
        *["    if step < 0:\n        x = x * 3"] * 50,
    ]
    graph = graph_of(tmp_path, 1, "\n".join(lines))
    whole, tight = (plain_text(renderable(graph, screen), 100) for screen in (None, Console(width=100)))
    assert "prod#" in whole and "min#" in whole
    assert "prod#" not in tight and "gt#" not in tight and "min#" in tight
    assert "if least < 5 and x.prod() > 0  line 23" in tight


@pytest.mark.parametrize(("lines", "short"), [(20, False), (2, True)])
def test_other_trees_show_each_op(tmp_path: Path, lines: int, *, short: bool) -> None:
    """Those that were not asked to be short, and those that are small."""
    graph = graph_of(tmp_path, lines)
    text = plain_text(renderable(graph, Console(width=100) if short else None), 100)
    assert lines == sum("add#" in line.split("←")[0] for line in text.splitlines())
    assert "ops in a row" not in text


def test_tree_whose_lines_wrap_on_a_narrow_page_is_short_there(tmp_path: Path) -> None:
    """Count the lines of the page, not the entries of the tree."""
    graph = graph_of(tmp_path, 5)
    narrow, wide = (plain_text(renderable(graph, Console(width=width)), width) for width in (48, 100))
    assert "ops in a row are" in narrow and "ops in a row" not in wide
    assert SCREEN >= len(narrow.splitlines())
