"""Comparisons whose result was tested: in another line, or in what the test calls."""

from pathlib import Path

import pytest

from dyncli.analysis.decisions import decision_rows
from dyncli.records.model import Condition
from tests.runs import recorded
from tests.unit.dyncli.recorder.test_provenance import record

HELPERS = """
class Exit:
    tol = 4.5
    def tensor(self, v): return v.sum() < self.tol
    def cast(self, v): return bool(v.sum() < self.tol)
    def item(self, v): return (v.sum() < self.tol).item()
    def number(self, v): return v.sum().item() < self.tol
    def named(self, v):
        if v is None: return False
        near = v.sum().item() < self.tol
        return near
    def set(self, v): self.ok = v.sum().item() > 0
    def through(self, v): return self.number(v)
    def inverse(self, v): return not v.sum().item() < self.tol
    def further(self, v): return not self.number(v)
    def either(self, v): return self.number(v) or v is None
    def both(self, v, n): return n < 3 and v.sum().item() < self.tol
    def last(self, v): return v.sum().item() < self.tol and len(v) > 1
    def one(self, v): return v.sum().item() > 99 or v.sum() < self.tol
    def __call__(self, v): return self.number(v)
    @property
    def near(self): return self.held.sum().item() < self.tol
import functools
@functools.cache
def cached(v): return v.sum().item() < 4.5
far = lambda v: v.sum().item() < 4.5
gate = Exit()
import math, operator
class Less:
    def __init__(self, v): self.v = v
    def __bool__(self): return self.v.sum().item() < 4.5
class Net(torch.nn.Module):
    def forward(self, v): return v.sum().item() < 4.5
net, nets = Net(), torch.nn.ModuleList([Net()])
class Held: pass
"""
SUM = "v.sum()", "<", 3.0, 4.5, 1.5
ITEM = "v.sum().item()", "<", 3.0, 4.5, 1.5
ITEM_AFTER = "v.sum().item()", "<", pytest.approx(1 / 3), 4.5, pytest.approx(4.5 - 1 / 3)
PLAIN = None
HELD = "Held.number = Held.near = bool(x.sum().item())\n"
NEAR = "near = x.sum().item() < 4.5\n"
NEVER = "{}\n    near = False\n    if i == 0: near = x.sum().item() < 0\n    if near: pass"
WAITING = "near = gate.number(x * 9)\nwhile not near:\n    x = x / 9\n    near = gate.number(x)\n"


def compared(condition: Condition) -> tuple[str, str | None, object, object, float | None] | None:
    """The left side, the operator, both values and the margin of a comparison that stands elsewhere."""
    if condition.compared is None:
        return None
    source = condition.compared.partition(f" {condition.op} ")[0]
    return source, condition.op, condition.lhs, condition.rhs, condition.margin


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("if gate.tensor(x): pass", SUM),
        ("if gate.cast(x): pass", SUM),
        ("if gate.item(x): pass", SUM),
        ("if gate.number(x): pass", ITEM),
        ("if gate.named(x): pass", ITEM),
        ("if gate.through(x): pass", ITEM),
        ("if far(x): pass", ITEM),
        ("if bool(gate.number(x)): pass", ITEM),
        ("if not gate.number(x): pass", ITEM),
        ("if 1 < 2 and gate.number(x): pass", ITEM),
        ("near = gate.number(x)\nif near: pass", ITEM),
        ("near = gate.tensor(x)\nheld = [near]\nif held[0]: pass", SUM),
        ("v = x\nnear = v.sum().item() < 4.5\nif near: pass", ITEM),
        ("v = x\nnear: bool = v.sum().item() < 4.5\nif near: pass", ITEM),
        ("v = x\nif (near := v.sum().item() < 4.5): pass", ITEM),
        ("v = x\ngate.ok = v.sum().item() < 4.5\nif gate.ok: pass", ITEM),
        ("gate.held = x\nif gate.near: pass", ("self.held.sum().item()", *ITEM[1:])),
        ("if gate.inverse(-x): pass", ("v.sum().item()", ">=", -3.0, 4.5, -7.5)),
        ("if gate.further(-x): pass", ("v.sum().item()", ">=", -3.0, 4.5, -7.5)),
        ("v = x\nfar = not v.sum().item() < 4.5\nif far: pass", ("v.sum().item()", ">=", 3.0, 4.5, -1.5)),
        ("if not gate.further(-x): pass", ("v.sum().item()", ">=", -3.0, 4.5, -7.5)),
        ("if gate.inverse(x / 0 * 0): pass", PLAIN),
        ("if gate.both(x, 1): pass", (*ITEM[:4], None)),
        ("if gate.both(x * 3, 1): pass", ("v.sum().item()", "<", 9.0, 4.5, -4.5)),
        ("gate.number(x * 9)\nif gate.both(x, 4): pass", PLAIN),
        ("if gate.last(x): pass", PLAIN),
        ("if gate.one(x): pass", SUM),
        ("if gate.one(x * 3): pass", ("v.sum()", "<", 9.0, 4.5, None)),
        ("gate.number(x)\nif gate.one(x * 99): pass", PLAIN),
        ("gate.number(x)\nif gate.either(-x * 9): pass", PLAIN),
        ("gate.named(-x * 9)\nif gate.named(None): pass", PLAIN),
        ("a = gate.number(x)\nb = gate.number(x / 2)\nif a: pass", PLAIN),
        ("cached(x)\nif x[0] > -9: pass\nif cached(x): pass", PLAIN),
        (WAITING, ITEM_AFTER),
        (f"{WAITING}    gate.far = gate.number(x)", PLAIN),
        ("if all(map(gate.number, [x, x / 2])): pass", PLAIN),
        ("if all([gate.number(x), gate.number(x / 2)]): pass", PLAIN),
        ("near = x.sum().item() < 4.5\nnear = False\nif near: pass", PLAIN),
        ("near = x.sum().item() < 4.5\nnear, _ = gate.number(x / 2), 0\nif near: pass", PLAIN),
        ("near = x.sum().item() < 4.5\nnear |= x[0].item() > 9\nif near: pass", PLAIN),
        ("near = gate.tensor(x)\nnear.numpy()[...] = False\nif near: pass", PLAIN),
        ("if gate(x): pass", ITEM),
        ("if net(x): pass", ITEM),
        ("if [gate.number][0](x): pass", ITEM),
        ("if getattr(gate, 'cast')(x): pass", SUM),
        ("import functools\nif functools.partial(gate.number, x)(): pass", ITEM),
        ("if operator.not_(gate.number(-9 * x)): pass", PLAIN),
        ("if operator.truth(Less(x)): pass", PLAIN),
        ("if nets[0](x): pass", ITEM),
        ("near = net(x)\nif near: pass", ITEM),
        ("y = x.sum().item()\nnet(x)\nif math.isfinite(y): pass", PLAIN),
        ("net(x)\nif torch.equal(x, x): pass", PLAIN),
        ("far(x)\nif math.isfinite(x.sum().item()): pass", PLAIN),
        (f"{HELD}gate.number(x)\nif Held.number: pass", PLAIN),
        (f"{HELD}net(x)\nif Held.near: pass", PLAIN),
        (f"{HELD}gate.held = x\ngate.near\nif Held.near: pass", PLAIN),
        ("cached(x)\ncached(x / 2)\nif cached(x): pass", PLAIN),
        ("if torch.equal(torch.tensor(gate(x)), torch.tensor(True)): pass", PLAIN),
        (f"{NEAR}[near, _] = True, 0\nif near: pass", PLAIN),
        (f"{NEAR}for near in [True]: pass\nif near: pass", PLAIN),
        (f"{NEAR}match True:\n    case near: pass\nif near: pass", PLAIN),
        (f"def other():\n    global near\n    near = True\n{NEAR}other()\nif near: pass", PLAIN),
        ("gate.ok = x.sum().item() < 4.5\ngate.set(x)\nif gate.ok: pass", PLAIN),
        ("near = [0, 0]\nfor i in (0, 1): near[i] = x[i].item() < 4.5\ni = 0\nif near[i]: pass", PLAIN),
        (NEVER.format("for i in (0, 1):"), PLAIN),
        ("i = -1\n" + NEVER.format("while (i := i + 1) < 2:"), PLAIN),
    ],
)
def test_comparison_is_found_where_its_truth_is_tested(
    tmp_path: Path, body: str, expected: tuple[object, ...] | None
) -> None:
    """The comparison that was evaluated is told, and none that only might have been."""
    decision = record(tmp_path, body, helpers=HELPERS).decisions[-1]
    assert expected == compared(decision.conditions[-1])


def test_margin_of_the_whole_test_counts_the_comparison_in_a_call(tmp_path: Path) -> None:
    """The least of `index < 3` and of the comparison that the method made is the margin."""
    found = record(tmp_path, "index = 0\nif index < 3 and gate.cast(x): pass", helpers=HELPERS)
    (row,) = (row for row in decision_rows(found) if row.first.site.kind == "if")
    assert ("index = 0 < 3 True, v.sum() = 3.0 < self.tol = 4.5 True", 1.5) == (row.because, row.margin)


def test_flag_of_a_loop_shows_the_comparisons_it_was_given(tmp_path: Path) -> None:
    """The plain False that a loop begins with hides no comparison."""
    body = "done = False\nwhile not done:\n    x = x / 2\n    done = x.sum().item() < 1\n"
    (row,) = decision_rows(record(tmp_path, body))
    assert ("x.sum().item() = 1.5 … 0.75 < 1", "True x2, False", -0.25) == (row.because, row.took, row.margin)


def test_method_that_returns_several_comparisons_shows_its_results(tmp_path: Path) -> None:
    """The values of one of them would not explain what the others decided."""
    helper = "def ends(v, k):\n    if k < 2: return v.sum().item() < 0\n    return v.max().item() > 0\n"
    found = record(tmp_path, "for k in range(4):\n    if ends(x, k): pass", helpers=helper)
    (row,) = (row for row in decision_rows(found) if row.first.site.text == "ends(x, k)")
    assert ("ends(x, k) = False … True", "False x2, True x2") == (row.because, row.took)


def test_python_alone_is_not_compared(tmp_path: Path) -> None:
    """A flag with only Python behind it stays as it is tested."""
    found = record(tmp_path, "y = x.sum().item()\nn = 3\nlate = n > 2\nif late: pass")
    assert [(None, True)] == [(each.op, each.value) for each in found.decisions[-1].conditions]


def test_match_on_a_comparison_shows_its_result(tmp_path: Path) -> None:
    """The cases are compared with the truth, which has no other side."""
    found = record(tmp_path, "match x.sum().item() < 4.5:\n    case True: pass")
    assert ["x.sum().item() < 4.5 = True"] == [row.because for row in decision_rows(found)]


def test_comparison_that_raises_keeps_both_sides(tmp_path: Path) -> None:
    source = "def forward(x, k: int):\n    try:\n        if k < 'a': pass\n    except TypeError: return x"
    decision = recorded(tmp_path, source, "2.0", "k=1").decisions[0]
    assert ("raise", [(1, "a")]) == (decision.arm, [(each.lhs, each.rhs) for each in decision.conditions])
