"""Groups: how many places a folding has to be decided for."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.graph.groups import Groups
from dyncli.analysis.graph.model import GraphOptions
from dyncli.analysis.graph.shapes import Shapes
from tests.runs import recorded

SOURCE = """\
import torch

def halve(x):
    if x.sum() > 1:
        return x / 2
    return x + 1

x = torch.ones(3)
for step in range({steps}):
    x = halve(x)
"""


def counts(tmp_path: Path, steps: int, options: GraphOptions) -> tuple[int, int, int]:
    """Return how many groups of scopes, ops and decisions so many steps have."""
    record = recorded(tmp_path, SOURCE.format(steps=steps))
    groups = Groups(record, Shapes(record), options)
    assert len(record.scopes) == sum(len(group.scopes) for group in groups.scopes)
    assert [op.seq for op in record.ops] == sorted(seq for group in groups.ops for seq in group.ops)
    assert [each.seq for each in record.decisions] == sorted(
        seq for group in groups.decisions for seq in group.decisions
    )
    return len(groups.scopes), len(groups.ops), len(groups.decisions)


def test_groups_of_a_longer_loop_are_no_more(tmp_path: Path) -> None:
    """A folding is decided once for what all steps share, whatever their number."""
    assert counts(tmp_path, 50, GraphOptions()) == counts(tmp_path, 10, GraphOptions())


def test_groups_of_an_expanded_loop_are_its_steps(tmp_path: Path) -> None:
    """Steps that are drawn one by one are told apart."""
    scopes, _, _ = counts(tmp_path, 10, GraphOptions())
    expanded, _, _ = counts(tmp_path, 10, GraphOptions(expand=("loops",)))
    assert expanded >= scopes + 10
