"""Two runs of one small model, each pair with a difference that is known beforehand."""

from pathlib import Path

import pytest

from dyncli.analysis.diff import diff
from tests.runs import recorded as run_of
from tests.unit.dyncli.analysis.parted import Recorded, told

BRANCH = """\
def forward(x):
    if x.sum() > 0:
        return x * 2
    return x - 2
"""
NESTED = """\
def forward(x):
    total = x.sum() * 0
    for row in x:
        for value in row:
            if value > 0:
                total = total + value
            else:
                total = total - value
    return total
"""
UNTIL = """\
def forward(x):
    for step in range(10):
        if x.sum() < 1:
            break
        x = x / 2
    if x.max() > 0:
        x = x + 1
    return x
"""
WHILE = """\
def forward(x):
    while x.sum() > 1:
        x = x / 2
    if x.max() > 0.6:
        x = x + 1
    return x * 3
"""
RECURSION = """\
def halve(x, depth):
    if x.sum() < 1 or depth > 9:
        return x
    return halve(x / 2, depth + 1) + x

def forward(x):
    return halve(x, 0).sum()
"""
TREE = """\
def visit(node):
    if isinstance(node, dict):
        return visit(node["left"]) + visit(node["right"])
    return node

def forward(tree: dict):
    return visit(tree) * 2
"""
GENERATOR = """\
def items(n):
    for i in range(n):
        yield i

def forward(x, n: int):
    total = x.sum()
    for i in items(n):
        if x[i] > 0:
            total = total + x[i]
    return total
"""
LEAVING_A_GENERATOR = """\
def items(x):
    for value in x:
        yield value

def forward(x):
    total = x.sum()
    for value in items(x):
        if value > 2:
            break
        total = total + value
    return total
"""
COMPREHENSION = """\
import dyncore as torch

def forward(x):
    kept = [value * 2 for value in x if value > 0]
    return sum(kept) + x.sum()
"""
LENGTHS = """\
def forward(xs: list):
    total = 0.0
    for x in xs:
        if x > 2:
            total = total + x
    return total
"""
INNER_LENGTHS = """\
def forward(xs: list):
    total = 0.0
    for row in xs:
        for value in row:
            total = total + value
    return total
"""
RAISES = """\
def forward(x):
    y = x * 2
    if y.sum() > 4:
        raise ValueError("too large")
    return y
"""
OP_RAISES = """\
def forward(x, w):
    y = x @ w
    if y.sum() > 0:
        return y * 2
    return y
"""
CAUGHT = """\
def check(x):
    if x.min() < 0:
        raise ValueError
    return x

def forward(x):
    try:
        y = check(x)
    except ValueError:
        y = x.abs()
    return y.sqrt()
"""
EARLY = """\
def forward(x):
    if x.sum() > 0:
        if x.max() > 5:
            return x * 0
        x = x + 1
    else:
        x = x - 1
    y = x * 2
    for i in range(2):
        y = y + i
    return y.sum()
"""
MATCH = """\
def forward(x):
    match x.argmax().item():
        case 0:
            return x * 1
        case 1:
            return x * 2
        case _:
            return x * 3
"""
TWO_CALLS = """\
def f(x):
    if x > 0:
        return x * 2
    return x * 3

def forward(x, twice: bool):
    y = x * 1
    if twice:
        y = f(y)
    return f(y + 1)
"""
CONDITION = """\
def forward(x):
    y = x * 2 if x.min() > 0 and x.max() < 5 else x * 3
    assert y.sum() < 100
    return y
"""
CHOSEN = """\
def forward(x):
    best = max(x[0], x[1])
    return best * 2
"""

GUARDS = """\
def forward(kind: str, n: int, x):
    match kind, n:
        case _, 0:
            return x
        case "a", k if k > 5:
            return x * k
        case "a" | "b", k if k > 3:
            return x + k
        case _:
            return -x
"""
CALLED_OFTEN = """\
from dyncore import nn

class Cell(nn.Module):
    def forward(self, x):
        if x.sum() > 1:
            return x / 2
        return x + 1

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = Cell()

    def forward(self, x):
        for _ in range(3):
            x = self.cell(x)
        return x

model = Net()
"""
PHASES = """\
def check(x):
    return x * 2 if x.sum() > 0 else x - 1

def forward(x):
    y = x * 3
    y.register_hook(check)
    return sum(map(check, y.unbind()))
"""
ENDLESS = """\
def forward(x, n: int):
    while True:
        n -= 1
        if n < 0:
            break
        x = x * (n or 3)
    assert x.sum() < 100
    return x
"""

ONE_SCRIPT = {
    "a branch": (BRANCH, "[1, 2]", "[-1, -2]", ("arm", (2, "then"), (2, "else"))),
    "the same path with other values": (BRANCH, "[1, 2]", "[1, 3]", ()),
    "a step of nested loops": (
        NESTED, "[[1, 2], [3, 4]]", "[[1, 2], [-3, 4]]", ("arm", (5, "then", (1, 0)), (5, "else", (1, 0))),
    ),
    "the test that leaves a loop, not the loop": (
        UNTIL, "[1, 1]", "[3, 3]", ("arm", (3, "then", (2,)), (3, "else", (2,))),
    ),
    "a while that goes on": (WHILE, "[1, 1]", "[2, 2]", ("arm", (2, "exit", (1,)), (2, "body", (1,)))),
    "the code after loops of different lengths": (WHILE, "[0.7, 0.2]", "[0.7, -0.2]", ()),
    "recursion that goes deeper": (RECURSION, "[3]", "[6]", ("arm", (2, "then"), (2, "else"))),
    "another tree": (
        TREE, 'tree={"left": {"left": 1.0, "right": 2.0}, "right": 3.0}',
        'tree={"left": 1.0, "right": {"left": 2.0, "right": 3.0}}', ("arm", (2, "then"), (2, "else")),
    ),
    "the items of a generator": (GENERATOR, ("[1, 1, 1]", "2"), ("[1, 1, 1]", "3"), ("arm", (2, 2), (2, 3))),
    "a test before the generator ends": (
        GENERATOR, ("[1, -1, 1]", "2"), ("[1, 1, 1]", "3"), ("arm", (8, "else", (1,)), (8, "then", (1,))),
    ),
    "leaving a generator": (
        LEAVING_A_GENERATOR, "[1, 2, 3]", "[1, 3, 3]", ("arm", (8, "else", (1,)), (8, "then", (1,))),
    ),
    "a filter": (COMPREHENSION, "[1, 2, 3]", "[1, -2, 3]", ("arm", (4, "keep", (1,)), (4, "drop", (1,)))),
    "a loop over more": (LENGTHS, "[1.0, 1.0]", "[1.0, 1.0, 3.0]", ("arm", (3, 2), (3, 3))),
    "a test in a loop over more": (
        LENGTHS, "[1.0, 3.0]", "[1.0, 1.0, 3.0]", ("arm", (4, "then", (1,)), (4, "else", (1,))),
    ),
    "an inner loop over more": (
        INNER_LENGTHS, "[[1.0], [2.0]]", "[[1.0], [2.0, 3.0], [4.0]]", ("arm", (4, 1, (1,)), (4, 2, (1,))),
    ),
    "an outer loop over more": (INNER_LENGTHS, "[[1.0]]", "[[1.0], [2.0]]", ("arm", (3, 1), (3, 2))),
    "one raises": (RAISES, "[1]", "[3]", ("arm", (3, "else"), (3, "then"))),
    "an op that raises": (
        OP_RAISES, ("[[1, 2]]", "[[1], [2]]"), ("[[1, 2]]", "[[1], [2], [3]]"), ("elsewhere", (3, "then"), None),
    ),
    "an exception that is caught": (CAUGHT, "[1, 2]", "[-1, 2]", ("arm", (2, "else"), (2, "then"))),
    "an early return": (EARLY, "[1, 2]", "[1, 9]", ("arm", (3, "else"), (3, "then"))),
    "arms that join again": (EARLY, "[1, 2]", "[-1, -2]", ("arm", (2, "then"), (2, "else"))),
    "a case": (MATCH, "[1, 5, 2]", "[1, 2, 5]", ("arm", (2, "case 1"), (2, "case _"))),
    "one call more": (TWO_CALLS, ("1.0", "true"), ("1.0", "false"), ("arm", (8, "then"), (8, "else"))),
    "a condition": (CONDITION, "[1, 2]", "[1, 6]", ("arm", (2, "then"), (2, "else"))),
    "a case before one with a guard": (
        GUARDS, ('"a"', "0", "1.0"), ('"a"', "3", "1.0"), ("arm", (2, "case _, 0"), (2, "case _")),
    ),
    "a guard": (GUARDS, ('"a"', "7", "1.0"), ('"a"', "4", "1.0"), ("arm", (5, "pass"), (5, "fail"))),
    "a guard that only one is asked": (
        GUARDS, ('"a"', "2", "1.0"), ('"c"', "2", "1.0"), ("elsewhere", (5, "fail"), (2, "case _")),
    ),
    "a guard for each": (
        GUARDS, ('"a"', "7", "1.0"), ('"b"', "7", "1.0"),
        ("arm", (2, 'case "a", k'), (2, 'case "a" | "b", k')),
    ),
    "a module called in a loop": (
        CALLED_OFTEN, "[0.0]", "[0.5]", ("arm", (5, "else", (1,)), (5, "then", (1,))),
    ),
    "a loop without a test": (
        ENDLESS, ("1.0", "1"), ("1.0", "2"), ("arm", (6, "rest", (0,)), (6, "short", (0,))),
    ),
    "an assertion": (ENDLESS, ("1.0", "2"), ("50.0", "2"), ("arm", (7, "pass"), (7, "fail"))),
    "what a function in C chose": (CHOSEN, "[1, 2]", "[2, 1]", ()),
    "one test, in backward of one and in forward of the other": (
        PHASES, "[1, 2]", "[1, 2, 3]", ("elsewhere", (2, "then"), (2, "then")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ONE_SCRIPT)
def test_where_two_runs_of_one_script_part(recorded: Recorded, name: str):
    """The first decision at which they went different ways, from either side."""
    text, first, second, expected = ONE_SCRIPT[name]
    a, b = (recorded(text, *([given] if isinstance(given, str) else given)) for given in (first, second))
    assert expected == told(diff(a, b))
    assert (expected[:1] + expected[:0:-1]) == told(diff(b, a))
    assert diff(a, a).is_equal and diff(b, b).is_equal
    assert not diff(a, b).is_equal


def test_loop_left_by_break_at_last_item_differs_from_exhausted_one(tmp_path: Path) -> None:
    """Both make the same trips through the same arm; only how they end is another."""
    source = "def forward(x):\n    for k in range(3):\n        y = x * k\n"
    source += "        if k == 2 and x.sum() > 0: break\n    return y\n"
    one, other = (run_of(tmp_path, source, value) for value in ("[1.0]", "[-1.0]"))
    loops = [pair for pair in diff(one, other).decisions if one.decisions[pair.a].site.kind == "for"]
    assert [("break", "exhausted")] == [(one.decisions[p.a].exit, other.decisions[p.b].exit) for p in loops]


def test_gradient_of_an_op_whose_node_ran_is_compared_only_where_both_runs_keep_it(tmp_path: Path) -> None:
    """The middle passes of a long training keep no gradients; an op that no pass came to has none."""
    one = run_of(tmp_path, "def forward(x):\n    return (x * 2).exp()\n", "[1.0]")
    (ran,) = one.backwards
    forgotten, unreached = ran._replace(gradients=()), ran._replace(gradients=(), nodes=())
    assert () == diff(one, one._replace(backwards=(forgotten,))).flows
    found = diff(one, one._replace(backwards=(unreached,))).flows
    assert [None, None] == [flow.b for flow in found] and all(flow.a is not None for flow in found)
