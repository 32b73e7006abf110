"""Tests that no tensor decided alone: the guards of a `match`, and a `try` that an op ended."""

from __future__ import annotations

from pathlib import Path

from dyncli.analysis.graph import Graph, GraphOptions, build
from dyncli.analysis.graph.causes import _Above
from tests.runs import lines, recorded

GUARDED = """\
def forward(x, k: int):
    match k:
        case 1:
            return x
        case n if x.sum() > 5:
            return x * 10
        case n if x.sum() > 1:
            return x * 3
        case _:
            return x * 2
"""
CAUGHT = """\
import dyncore as torch


def forward(x):
    try:
        y = torch.linalg.cholesky(x)
    except RuntimeError:
        y = x * 2
    try:
        1 / 0
    except ZeroDivisionError:
        y = y + 1
    return y.sum()
"""


def arrows(graph: Graph, kind: str) -> list[tuple[str, str]]:
    """Return the arrows of a kind, by the names and what follows them."""
    names = {node.id: f"{node.name} {node.rest}".strip() for node in graph.nodes}
    return [(names[edge.source], names[edge.target]) for edge in graph.edges if edge.kind == kind]


def test_guards_lead_to_their_match(tmp_path: Path) -> None:
    """A case's own lines stand in one box, not in a second one of its guard as if no op had run in it."""
    graph = build(recorded(tmp_path, GUARDED, "[1, 1]", "2"))
    assert arrows(graph, "predicate")[2:] == [("case if x.sum() > 5", "match k"), ("case if x.sum() > 1", "match k")]
    assert arrows(graph, "taken") == [("match k", "mul 3 → output")]
    assert [node.kind for node in graph.nodes if node.kind in ("done", "ghost")] == ["ghost"]
    diamonds = [node.lines[0].text for node in graph.nodes if node.kind == "decision" and node.name == "case if"]
    assert diamonds == ["line 5 · 2 > 5 · margin -3 → False", "line 7 · 2 > 1 · margin 1 → True"]


def test_what_raised_leads_to_the_try_that_caught_it(tmp_path: Path) -> None:
    """An arrow from the op in red; a `try` that Python itself ended has none."""
    graph = build(recorded(tmp_path, CAUGHT, "[[-1, 0], [0, 1]]"))
    assert arrows(graph, "predicate") == [("linalg_cholesky", "try")]
    (at,) = {edge.target for edge in graph.edges if edge.kind == "predicate"}
    (caught,) = (node for node in graph.nodes if node.id == at)
    assert caught.lines[0].text.startswith("line 5 · ")
    assert list(lines(graph, "decision")) == ["try"]


def test_what_raised_in_a_function_leads_to_one_of_the_callers_tries(tmp_path: Path) -> None:
    source = CAUGHT.replace("= torch.linalg.cholesky(x)", "= factor(x)")
    source += "\n\ndef factor(x):\n    return torch.linalg.cholesky(x)\n"
    graph = build(recorded(tmp_path, source, "[[-1, 0], [0, 1]]"))
    assert arrows(graph, "predicate") == [("linalg_cholesky", "try")]


SEARCH = """\
def forward(x, k: int):
    for step in range(3):
        x = x * 2
        if step == k:
            break
    # nothing was found
    else:
        x = x - 1
    return x
"""
TWICE = """\
def find(x, k):
    for step in range(3):
        x = x * 2
        if step == k:
            break
    else:
        x = x - 1
    return x


def forward(x):
    for k in (1, 5):
        x = find(x, k)
    return x
"""


def loops(folder: Path, source: str, *inputs: str, **options: int) -> list[str]:
    """Return what stands last on each loop."""
    graph = build(recorded(folder, source, *inputs), GraphOptions(**options))
    return [box.rest.split(" · ")[-1] for box in graph.boxes if box.kind == "loop"]


def test_why_the_else_of_a_loop_ran(tmp_path: Path) -> None:
    """A loop with an `else` says whether that ran: no test stands above its ops."""
    assert loops(tmp_path, SEARCH, "[1.0]", "7") == ["ran out, then else"]
    assert loops(tmp_path, SEARCH, "[1.0]", "1") == ["else passed over"]
    assert "then else, 1 of 2 times" in loops(tmp_path, TWICE, "[1.0]", max_nodes=8)


def test_each_box_of_a_loop_says_whether_its_own_else_ran(tmp_path: Path) -> None:
    """Both said `1 of 2 times`: in one it never ran, in the other always."""
    assert sorted(loops(tmp_path, TWICE, "[1.0]")) == ["A, B", "else passed over", "ran out, then else"]


NESTED = """\
def forward(x, k: int):
    if k:
        if k: x = x * 2
        x = x + 1
    if k: x = -x
    return x
"""


def test_last_op_above_a_decision_is_that_behind_an_inner_arm(tmp_path: Path) -> None:
    record = recorded(tmp_path, NESTED, "2.0", "k=1")
    assert "add" == record.ops[_Above(record).last(record.decisions[2])].name
