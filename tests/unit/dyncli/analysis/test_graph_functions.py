"""What a picture tells of functions whose derivative the script gives itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.graph import GraphOptions, build
from tests.runs import lines, recorded

CLIPPED = """\
import dyncore as torch


class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clamp(-1.0, 1.0)

    @staticmethod
    def backward(ctx, g):
        return 0.5 * g


def forward(x, w):
    return (Clip.apply(x * w) * 3).sum()
"""


def test_the_gradient_that_came_to_a_function_of_the_scripts(tmp_path: Path) -> None:
    """It is told on the op whose result the function gave, and what the function's backward gave on the arrow to it."""
    record = recorded(tmp_path, CLIPPED, "[1, 2]", "[3, 4]", edges=True)
    graph = build(record, GraphOptions(grads=True))
    assert "grad [3, 3]" in lines(graph, "op")["clamp"]
    names = {node.id: node.name for node in graph.nodes}
    told = {(names[edge.source], names[edge.target]): edge.gradient for edge in graph.edges}
    assert told["mul", "clamp"] == "[1.5, 1.5]"
    assert lines(graph, "input")["x"][-1] == "grad [4.5, 6]"


GIVEN_BACK = """\
import dyncore as torch


def forward(x):
    y = x * 2
    ones, same = torch.broadcast_tensors(torch.ones(1), y)
    return (same * 3).sum()
"""


def test_what_an_op_gave_back_as_it_was_keeps_its_gradient(tmp_path: Path) -> None:
    """Of a tensor that already had the shape asked for, the op that made it has the gradient and hands it on."""
    graph = build(recorded(tmp_path, GIVEN_BACK, "[1, 2]", edges=True), GraphOptions(grads=True))
    (made,) = (node for node in graph.nodes if node.rest == "2")
    assert "grad [3, 3]" in [line.text for line in made.lines]
    (read,) = (edge for edge in graph.edges if edge.target == made.id)
    assert read.gradient == "[6, 6]"


@pytest.mark.parametrize(("count", "more"), [(3, []), (4, ["and 1 test more"]), (5, ["and 2 tests more"])])
def test_folded_call_lists_three_tests_and_counts_the_others(tmp_path: Path, count: int, more: list[str]) -> None:
    """Nothing is counted where all are listed."""
    tests = "".join(f"    if x.sum() > {k}:\n        x = x * 2\n" for k in range(count))
    source = f"import torch\n\ndef step(x):\n{tests}    return x\n\ny = step(torch.ones(3))\n"
    graph = build(recorded(tmp_path, source), GraphOptions(collapse=("calls",)))
    listed = [f"if x.sum() > {k} \u2192 True" for k in range(3)]
    assert [*listed, *more] == lines(graph, "fold")["step"][3:]


def test_folded_call_lists_tests_on_tensors_first_and_those_that_went_both_ways(tmp_path: Path) -> None:
    """Three plain settings stood before what chose the move of a search, in the order of the source."""
    settings = "".join(f"    if len(name) == {k}:\n        pass\n" for k in (9, 4, 8))
    both = "    for n in range(2):\n        if n % 2:\n            pass\n"
    body = f"{settings}{both}    if x.sum() > 5:\n        x = x * 2\n"
    source = f"import torch\n\ndef step(x, name):\n{body}    return x\n\ny = step(torch.ones(3), 'name')\n"
    graph = build(recorded(tmp_path, source), GraphOptions(collapse=("calls",)))
    listed = ["if len(name) == 9 \u2192 False", "if n % 2 \u2192 False, True", "if x.sum() > 5 \u2192 False"]
    assert [*listed, "and 2 tests more"] == lines(graph, "fold")["step"][3:]
