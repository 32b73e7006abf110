"""Two runs of small models, each with a difference that is known beforehand."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dyncli.query.diff import Diff, Tolerance, diff
from dyncli.record.model import Decision, Record
from dyncli.trace.recorder import record_model
from dyncli.trace.request import Request

Recorded = Callable[..., Record]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """Records a script, given by its text, on inputs."""

    def record(text: str, *inputs: str, name: str = "net.py", **more: object) -> Record:
        path = tmp_path / name
        path.write_text(text)
        return next(record_model(Request(str(path), inputs, quiet_stdout=True, **more)))

    return record


def told(found: Diff) -> tuple[object, ...]:
    """How two runs part: kind, then line and way of each."""
    if found.parting is None:
        return ()
    ways = [
        None if number is None else way(record.decisions[number])
        for record, number in ((found.a, found.parting.a), (found.b, found.parting.b))
    ]
    return (found.parting.kind, *ways)


def way(decision: Decision) -> tuple[object, ...]:
    """Line and arm, or trips, of a decision, and its steps if it is in a loop."""
    taken = decision.arm if decision.trips is None else decision.trips
    steps = tuple(index for _, index in decision.iterations)
    steps += () if decision.iteration is None else (decision.iteration,)
    return (decision.site.line, taken, *([steps] if steps else []))


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


OLD = """\
import dyncore as torch

def step(x):
    return x * 0.5

def forward(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 2
    while y.sum() > 1:
        y = step(y)
    return y
"""
#: a second version -> the input, how the runs part, the lines that only one of them ran an op on
VERSIONS = {
    "comments, blank lines, a docstring": (
        OLD.replace("def forward", "# the model\n\n\ndef forward").replace("    if", '    """Halves."""\n\n    if'),
        "[1, 1]", (), (),
    ),
    "a function renamed and moved": (
        OLD.replace("def step(x):\n    return x * 0.5\n\n", "").replace("step(", "halve(")
        + "\ndef halve(x):\n    return x * 0.5\n",
        "[1, 1]", (), (),
    ),
    "another bound": (
        OLD.replace("x.sum() > 0", "x.sum() > 3"), "[1, 1]",
        ("arm", (7, "then"), (7, "else")), ("A8", "A4", "A11", "B10"),
    ),
    "a line more": (OLD.replace("    return y\n", "    y = y.tanh()\n    return y\n"), "[1, 1]", (), ("B13",)),
    "a test more that changes nothing": (
        OLD.replace("    while", "    if y.max() > 9:\n        return y\n    while"),
        "[1, 1]", ("alone", None, (11, "else")), ("B11",),
    ),
    "a test more that leaves": (
        OLD.replace("    while", "    if y.max() > 1:\n        return y\n    while"),
        "[1, 1]", ("elsewhere", (11, "body", (0,)), (11, "then")), ("A4", "A11", "B11"),
    ),
    "a loop less": (
        OLD.replace("    while y.sum() > 1:\n        y = step(y)\n", ""),
        "[1, 1]", ("alone", (11, "body", (0,)), None), ("A4", "A11"),
    ),
    "another op on the line": (OLD.replace("x * 2", "x + 2"), "[-1, -1]", (), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", VERSIONS)
def test_two_versions_of_a_script(recorded: Recorded, name: str):
    """What an edit did not touch belongs together, wherever it moved to."""
    text, given, expected, alone = VERSIONS[name]
    found = diff(recorded(OLD, given, name="old.py"), recorded(text, given, name="new.py"))
    assert expected == told(found)
    lines = {
        f"{side}{record.ops[number].site.line}"
        for pair in found.ops
        if None in pair
        for side, record, number in (("A", found.a, pair.a), ("B", found.b, pair.b))
        if number is not None
    }
    assert set(alone) == lines
    assert found.is_equal == (not alone and not expected)
    back = diff(found.b, found.a)
    assert (expected[:1] + expected[:0:-1]) == told(back)
    assert {(pair.a, pair.b) for pair in found.ops} == {(pair.b, pair.a) for pair in back.ops}
    assert {(pair.a, pair.b) for pair in found.decisions} == {(pair.b, pair.a) for pair in back.decisions}


def test_a_callee_in_another_module(recorded: Recorded, tmp_path: Path):
    """A decision in a module that both import, and the same module in two versions."""
    (tmp_path / "gate.py").write_text("def gate(x):\n    if x.sum() > 1:\n        return x * 2\n    return x\n")
    text = "from gate import gate\n\ndef forward(x):\n    return gate(x + 1) + gate(x)\n"
    found = diff(recorded(text, "[1.5]"), recorded(text, "[0.5]"))
    assert ("arm", (2, "then"), (2, "else")) == told(found) and not found.changed
    assert found.parting is not None and 1 == found.parting.a == found.parting.b
    before = recorded(text, "[1]")
    (tmp_path / "gate.py").write_text("\n\ndef gate(x):\n    if x.sum() > 3:\n        return x * 2\n    return x\n")
    after = diff(before, recorded(text, "[1]"))
    assert ("arm", (2, "then"), (4, "else")) == told(after) and after.changed


LAYERS = """\
import dyncore as torch

class Gate(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 32)

    def forward(self, x):
        h = torch.relu(self.inner(x))
        if h.sum() > 6:
            h = h.tanh()
        return h.sum()

model = Gate()
"""


def test_an_entry_that_calls_the_other(recorded: Recorded):
    """The frame of the one belongs to the call in the other; what is around it is only there."""
    text = BRANCH + "\n\ndef other(x):\n    return forward(x) * 3\n"
    found = diff(recorded(text, "[1, 2]", entry="forward"), recorded(text, "[1, 2]", entry="other"))
    ops = found.counts["ops"]
    assert (1, 3, 0, 1) == (found.counts["decisions"].same, ops.same, ops.only_a, ops.only_b)
    assert found.parting is None and not found.is_equal


def test_seeds(recorded: Recorded):
    """Two seeds: parameters are no inputs, so the first op to differ is the layer that has them."""
    found = diff(*(recorded(LAYERS, "[1, 1]", seed=seed, measure=True) for seed in (1, 2)))
    assert () == tuple(found.inputs)
    assert found.first_op is not None and 9 == found.a.ops[found.first_op.a or 0].site.line, told(found)
    assert diff(recorded(LAYERS, "[1, 1]", seed=1), recorded(LAYERS, "[1, 1]", seed=1)).is_equal


def test_dtypes(recorded: Recorded):
    """Two dtypes: values within a tolerance agree, though no dtype does; the first op that does not is told."""
    text = "def forward(x):\n    y = x / 3\n    z = y * 1e-6 + 1\n    return (z - 1).log()\n"
    a, b = recorded(text, "[1.1]", dtype="float32"), recorded(text, "[1.1]", dtype="float64")
    near = Tolerance(rtol=1e-4, dtypes=False)
    found = diff(a, b, near)
    assert found.parting is None and ["sub", "log"] == [a.ops[pair.a].name for pair in found.ops]
    assert not diff(a, a, near).outputs and diff(a, b).counts["ops"].differ == len(a.ops)


def test_larger_tensors_differ_by_their_statistics(recorded: Recorded):
    """Of an op's larger result statistics are kept when two runs are compared, and nothing otherwise."""
    text = "def forward(x):\n    y = x.repeat(20)\n    y[0] = 5\n    return y.sum() - x.sum()\n"
    a, b = (recorded(text, given, measure=True) for given in ("[1, 2]", "[1, 3]"))
    assert "repeat" == a.ops[diff(a, b).first_op.a].name and 0 == diff(a, b).counts["ops"].unknown
    plain = diff(recorded(text, "[1, 2]"), recorded(text, "[1, 2]"))
    assert plain.is_equal and 2 == plain.counts["ops"].unknown


def test_what_was_overwritten_is_compared_as_it_was(recorded: Recorded):
    """An op's result is the one it gave, whatever is written into it afterwards."""
    text = "import dyncore as torch\n\ndef forward(x):\n    y = x * 2\n    y.mul_(0)\n    return y\n"
    found = diff(*(recorded(text, given, measure=True) for given in ("[1, 2]", "[1, 3]")))
    assert ["mul"] == [found.a.ops[pair.a].name for pair in found.ops] and not found.outputs and found.gradients == ()


def test_nan_is_equal_to_nan(recorded: Recorded):
    """And to nothing else."""
    text = "def forward(x):\n    return x.log()\n"
    a, b = recorded(text, "[-1, 2]"), recorded(text, "[1, 2]")
    assert diff(a, recorded(text, "[-1, 2]")).is_equal
    assert not diff(a, b).is_equal and 1 == len(diff(a, b).outputs)


def test_gradients_of_every_backward(recorded: Recorded):
    """Each pass is compared with the pass of its number."""
    text = """\
import dyncore as torch

def forward(x):
    w = torch.tensor([1.0], requires_grad=True)
    for target in x.tolist():
        w.grad = None
        loss = (w - target) ** 2
        loss.backward()
    return w
"""
    found = diff(recorded(text, "[1, 2, 3]"), recorded(text, "[1, 5, 3]"))
    assert ["w · backward 1"] == [change.name for change in found.gradients]
    longer = diff(recorded(text, "[1, 2]"), recorded(text, "[1, 2, 3]"))
    assert [("x · backward 2", None), ("w · backward 2", None)] == [
        (change.name, change.before) for change in longer.gradients if change.name.endswith("2")
    ]


def test_other_values_by_the_same_path(recorded: Recorded):
    """No parting; the first op that differs beyond the tolerance."""
    a, b = recorded(BRANCH, "[1, 2]"), recorded(BRANCH, "[1, 2.001]")
    assert diff(a, b).parting is None and not diff(a, b).is_equal
    assert diff(a, b, Tolerance(atol=0.01)).is_equal
    assert ["mul"] == [a.ops[pair.a].name for pair in diff(a, b, Tolerance(atol=0.0015)).ops]


def test_the_same_values_by_another_path(recorded: Recorded):
    """A decision differs, and no output does."""
    text = "def forward(x, fast: bool):\n    if fast:\n        return x + x\n    return x * 2\n"
    found = diff(recorded(text, "[1, 2]", "true"), recorded(text, "[1, 2]", "false"))
    assert ("arm", (2, "then"), (2, "else")) == told(found) and not found.is_equal
    assert () == found.outputs == found.gradients


def test_complex_numbers(recorded: Recorded):
    """Both parts are compared, within the tolerance too; a record holds them as text."""
    text = "import dyncore as torch\n\ndef forward(x):\n    return torch.complex(x, x.log())\n"
    a, b = recorded(text, "[1, -2]"), recorded(text, "[1.001, -2]")
    assert ["complex", "log"] == sorted(a.ops[pair.a].name for pair in diff(a, b).ops)
    assert diff(a, b, Tolerance(atol=0.01)).is_equal and diff(a, a).is_equal
