"""Records built by hand for the tests of record, analysis and views: what a recorder would have written, by value.

`piecewise()` is the smallest, `newton()` loops, `rnn()` shares parameters, `tree()` recurses, `failing()` raises,
`long_loop(n)` is made by code to be large, `hostile()` tries to break whatever shows it.
"""

from __future__ import annotations

from typing import Any

from dyncli.records.model import (
    Failure,
    Frame,
    Op,
    Output,
    Record,
    Site,
    Stats,
)
from tests.builder import Builder, compare

PIECEWISE = """\
import dyncore as torch


def forward(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 2
    return y
"""


def piecewise(positive: bool = True) -> Record:
    """Return a run of the two-armed `if`, of its positive or its negative case."""
    values, total = ((1.0, -1.0, 2.0), 2.0) if positive else ((-3.0, -2.0, -1.0), -6.0)
    b = Builder("piecewise.py", PIECEWISE, case="positive" if positive else "negative")
    test = b.site(5, "x.sum() > 0", "if", arms=("then", "else"), arm_lines=((6, 6), (8, 8)))
    x = b.input("x", values, (3,))
    s = b.op("sum", (x,), total, site=b.site(5, "x.sum()"), grad_fn="SumBackward0", saved_bytes=0)
    b.op("gt", (s,), positive, site=b.site(5, "x.sum() > 0"), args="0", dtype="bool")
    condition = compare("x.sum() > 0", ">", total, 0, positive, total, origin="tensor", predicate_op=1)
    d = b.decide(test, "then" if positive else "else", positive, condition)
    arm = b.scope(0, "arm", "then" if positive else "else", site=test, decision=d)
    if positive:
        y = b.op("mul", (x,), (2.0, -2.0, 4.0), (3,), site=b.site(6, "x * 2"), args="2", under=d, scope=arm,
                 grad_fn="MulBackward0", saved_bytes=4, backward_ns=900)  # fmt: skip
        b.edge(2, x, (2.0, 2.0, 2.0))
        b.gradient(x, (2.0, 2.0, 2.0))
    else:
        y = b.op("sub", (x,), (-5.0, -4.0, -3.0), (3,), site=b.site(8, "x - 2"), args="2", under=d, scope=arm,
                 grad_fn="SubBackward0", backward_ns=700)  # fmt: skip
        b.edge(2, x, (1.0, 1.0, 1.0))
        b.gradient(x, (1.0, 1.0, 1.0))
    return b.record(y)


NEWTON = """\
import dyncore as torch


def forward(a, tol=1e-6):
    x = a / 2
    error = (x * x - a).abs()
    while error > tol:
        x = 0.5 * (x + a / x)
        error = (x * x - a).abs()
    return x
"""


def newton(start: float = 9.0) -> Record:
    """Return a run of Newton's square root: five iterations of one shape."""
    b = Builder("newton.py", NEWTON)
    test = b.site(7, "error > tol", "while", arms=("body", "exit"), arm_lines=((8, 9), None))
    a = b.input("a", start)
    b.inputs.append(Output("tol", None, 1e-6))
    x_value = start / 2
    x = b.op("div", (a,), x_value, site=b.site(5, "a / 2"), args="2", grad_fn="DivBackward0")
    square = b.op("mul", (x, x), x_value**2, site=b.site(6, "x * x"), grad_fn="MulBackward0", saved_bytes=8)
    gap = b.op("sub", (square, a), x_value**2 - start, site=b.site(6, "x * x - a"), grad_fn="SubBackward0")
    error_value = abs(x_value**2 - start)
    error = b.op("abs", (gap,), error_value, site=b.site(6, "(x * x - a).abs()"), grad_fn="AbsBackward0", saved_bytes=4)
    scope, under, iteration = 0, None, 0
    while True:
        b.op("gt", (error,), error_value > 1e-6, site=b.site(7, "error > tol"), args="1e-06", dtype="bool",
             scope=scope, under=under)  # fmt: skip
        condition = compare("error > tol", ">", error_value, 1e-6, error_value > 1e-6, error_value - 1e-6,
                       origin="tensor", predicate_op=len(b.ops) - 1)  # fmt: skip
        goes_on = error_value > 1e-6
        under = b.decide(test, "body" if goes_on else "exit", goes_on, condition, iteration=iteration)
        if not goes_on:
            break
        scope = b.scope(0, "iteration", "while", site=test, index=iteration, decision=under)
        where: dict[str, Any] = {"scope": scope, "under": under}
        q = b.op(
            "div", (a, x), start / x_value, site=b.site(8, "a / x"), grad_fn="DivBackward0", saved_bytes=8, **where
        )
        total = b.op(
            "add", (x, q), x_value + start / x_value, site=b.site(8, "x + a / x"), grad_fn="AddBackward0", **where
        )
        x_value = 0.5 * (x_value + start / x_value)
        x = b.op(
            "mul", (total,), x_value, site=b.site(8, "0.5 * (x + a / x)"), args="0.5", grad_fn="MulBackward0", **where
        )
        square = b.op(
            "mul", (x, x), x_value**2, site=b.site(9, "x * x"), grad_fn="MulBackward0", saved_bytes=8, **where
        )
        gap = b.op("sub", (square, a), x_value**2 - start, site=b.site(9, "x * x - a"), grad_fn="SubBackward0", **where)
        error_value = abs(x_value**2 - start)
        error = b.op("abs", (gap,), error_value, site=b.site(9, "(x * x - a).abs()"), grad_fn="AbsBackward0", **where)
        iteration += 1
    b.gradient(a, (1 / (2 * start**0.5),))
    return b.record(x, seed="1")


RNN = """\
import dyncore as torch

U = torch.randn(4, 4)
W = torch.randn(4, 3)
b = torch.zeros(4)


def forward(sequence):
    h = torch.zeros(4)
    for x in sequence:
        h = torch.tanh(U @ h + W @ x + b)
    return h.sum()
"""


def rnn(steps: int = 24) -> Record:
    """Return a recurrent network unrolled over `steps` inputs: one body, shared parameters."""
    b = Builder("rnn.py", RNN)
    loop = b.site(10, "x in sequence", "for", arms=("loop",), arm_lines=((11, 11),))
    shared = {
        name: b.input(name, tuple(0.1 * (i % 7 - 3) for i in range(size)), shape, role="parameter")
        for name, size, shape in (("U", 16, (4, 4)), ("W", 12, (4, 3)), ("b", 4, (4,)))
    }
    xs = [b.input(f"sequence[{t}]", (0.5, -1.0, float(t)), (3,)) for t in range(steps)]
    h = b.op("zeros", (), (0.0,) * 4, (4,), site=b.site(9, "torch.zeros(4)"), args="4")
    d = b.decide(loop, "loop", steps, trips=steps, exit="exhausted")
    body = b.site(11, "torch.tanh(U @ h + W @ x + b)")
    for t in range(steps):
        where: dict[str, Any] = {"scope": b.scope(0, "iteration", "for", site=loop, index=t, decision=d), "under": d}
        u = b.op("matmul", (shared["U"], h), (0.1 * t,) * 4, (4,), site=b.site(11, "U @ h"), grad_fn="MvBackward0",
                 saved_bytes=80, **where)  # fmt: skip
        w = b.op("matmul", (shared["W"], xs[t]), (0.2,) * 4, (4,), site=b.site(11, "W @ x"), grad_fn="MvBackward0",
                 saved_bytes=60, **where)  # fmt: skip
        s = b.op("add", (u, w), (0.3,) * 4, (4,), site=b.site(11, "U @ h + W @ x"), grad_fn="AddBackward0", **where)
        s = b.op("add", (s, shared["b"]), (0.3,) * 4, (4,), site=b.site(11, "U @ h + W @ x + b"),
                 grad_fn="AddBackward0", **where)  # fmt: skip
        h = b.op("tanh", (s,), (0.291,) * 4, (4,), site=body, grad_fn="TanhBackward0", saved_bytes=16, **where)
    y = b.op("sum", (h,), 1.165, site=b.site(12, "h.sum()"), grad_fn="SumBackward0")
    for t in (0, steps - 1):
        b.gradient(xs[t], (0.01, 0.02, 0.03))
    b.gradient(shared["U"], tuple(0.5 for _ in range(16)))
    b.gradient(shared["W"], tuple(0.25 for _ in range(12)))
    b.gradient(shared["b"], (1.0, 1.0, 1.0, 1.0))
    return b.record(y, seed="1")


TREE = """\
import dyncore as torch

W = torch.randn(2, 4)


def visit(node):
    if node["left"] is None:
        return node["value"]
    left = visit(node["left"])
    right = visit(node["right"])
    return torch.tanh(W @ torch.cat([left, right]))


def forward(tree):
    return visit(tree).sum()
"""


def tree(depth: int = 3) -> Record:
    """Return a recursive network over a full binary tree: 2**depth leaves."""
    b = Builder("tree.py", TREE)
    test = b.site(7, 'node["left"] is None', "if", arms=("then", "else"), arm_lines=((8, 8), None), function="visit")
    w = b.input("W", tuple(0.1 * i for i in range(8)), (2, 4), role="parameter")

    def visit(path: str, level: int, scope: int, calls: tuple[str, ...], site: Site, over: int | None = None) -> int:
        inner = b.scope(scope, "call", "visit", site=site)
        calls = (*calls, "visit")
        leaf = level == 0
        condition = compare('node["left"] is None', "is", None if leaf else "{'left': ...}", None, leaf, None)
        d = b.decide(
            test,
            "then" if leaf else "else",
            leaf,
            condition,
            scope=inner,
            call_path=calls,
            recursion=depth - level,
            under=over,
        )
        if leaf:
            return b.input(f"{path}.value", (0.5, 0.25), (2,))
        left = visit(f"{path}.left", level - 1, inner, calls, b.site(9, 'visit(node["left"])', function="visit"), d)
        right = visit(f"{path}.right", level - 1, inner, calls, b.site(10, 'visit(node["right"])', function="visit"), d)
        where: dict[str, Any] = {"scope": inner, "under": d}
        both = b.op("cat", (left, right), (0.5, 0.25, 0.5, 0.25), (4,), args="dim=0", grad_fn="CatBackward0",
                    site=b.site(11, "torch.cat([left, right])", function="visit"), **where)  # fmt: skip
        mixed = b.op("matmul", (w, both), (0.3, 0.9), (2,), grad_fn="MvBackward0", saved_bytes=48,
                     site=b.site(11, "W @ torch.cat([left, right])", function="visit"), **where)  # fmt: skip
        return b.op("tanh", (mixed,), (0.291, 0.716), (2,), grad_fn="TanhBackward0", saved_bytes=8,
                    site=b.site(11, "torch.tanh(W @ torch.cat([left, right]))", function="visit"), **where)  # fmt: skip

    top = visit("tree", depth, 0, ("forward",), b.site(15, "visit(tree)"))
    y = b.op("sum", (top,), 1.007, site=b.site(15, "visit(tree).sum()"), grad_fn="SumBackward0")
    b.gradient(w, tuple(0.1 for _ in range(8)))
    return b.record(y, seed="1")


FAILING = """\
import dyncore as torch


def forward(x, w):
    h = x @ w
    if h.mean() > 0:
        h = torch.log(h)
    return h
"""


def failing() -> Record:
    """Return a run that raised in its first op: shapes that do not fit."""
    b = Builder("failing.py", FAILING)
    b.site(6, "h.mean() > 0", "if", arms=("then", "else"), arm_lines=((7, 7), None))
    x = b.input("x", (1.0,) * 6, (2, 3))
    w = b.input("w", (1.0,) * 12, (4, 3))
    message = "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x3)"
    b.ops.append(Op(0, "matmul", (x, w), (), b.site(5, "x @ w"), error=message))
    failure = Failure(
        "RuntimeError", message, ("hint: `x @ w.T` would fit",), (Frame("failing.py", 5, "forward", "h = x @ w"),), 0
    )
    return b.record(status="error", failure=failure, warnings=("nothing was returned",))


def long_loop(count: int = 100_000) -> Record:
    """Return `count` ops made by one line in one loop, each on the last one's output."""
    b = Builder("long.py", "def forward(x):\n    for i in range(n):\n        x = x + 0.5\n    return x\n")
    loop = b.site(2, "i in range(n)", "for", arms=("loop",), arm_lines=((3, 3),))
    x = b.input("x", 1.0)
    d = b.decide(loop, "loop", count, trips=count, exit="exhausted")
    line = b.site(3, "x + 0.5")
    value = 1.0
    for i in range(count):
        value += 0.5
        scope = b.scope(0, "iteration", "for", site=loop, index=i, decision=d)
        x = b.op("add", (x,), value, site=line, args="0.5", scope=scope, under=d, grad_fn="AddBackward0")
    b.gradient(b.inputs[0].tensor or 0, 1.0)
    return b.record(x, seed="1")


HOSTILE_NAME = '"><script>alert(1)</script>\x1b[31m[bold]&#x41;\\N\n\u202e]]>--><a href="javascript:alert(2)">'


def hostile() -> Record:
    """Return a run whose every name, text and value tries to break out of what shows it."""
    evil = HOSTILE_NAME
    b = Builder(
        f"{evil}.py",
        f"def f(x):\n    if x > '{evil}':\n        y = '{evil}'\n    else:\n        y = '{evil}'\n",
        entry=evil,
    )
    test = b.site(2, f"x > '{evil}'", "if", arms=(evil, "else" + evil), arm_lines=((3, 3), (5, 5)), function=evil)
    x = b.input(evil, (float("nan"), float("inf")), (2,), dtype=evil)
    condition = compare(
        f"x > '{evil}'", evil, evil, (evil, {evil: evil}), True, float("nan"), origin="tensor", predicate_op=0
    )
    b.op(evil, (x,), (1.0, float("-inf")), (2,), site=b.site(2, evil), args=evil, dtype=evil, grad_fn=evil)
    d = b.decide(test, evil, True, condition, call_path=(evil, evil), exception=evil)
    scope = b.scope(0, "module", evil, site=test)
    y = b.op(evil, (x,), (evil, evil), (2,), site=b.site(3, evil), scope=scope, under=d, error=evil)
    b.gradient(x, None, evil)
    b.outputs.append(Output(evil, None, (evil, {evil: (evil,)})))
    failure = Failure(evil, evil, (evil,), (Frame(evil, 3, evil, evil),), 1)
    return b.record(y, seed=evil, status="error", case=evil, warnings=(evil,), failure=failure, dtype=evil)


def nothing() -> Record:
    """Return a run that did nothing at all."""
    return Record("empty.py", "forward")


def large_tensors() -> Record:
    """Return a run whose tensors are too large to be shown whole, with a gradient that is missing."""
    b = Builder("large.py", "def forward(x, w):\n    return x * 2\n")
    stats = Stats(-3.25, 3.5, 0.0125, 31.75, 125, 2, 1, (1, 4, 12, 40, 38, 14, 3, 1))
    x = b.input("x", stats, (25, 40))
    w = b.input("w", Stats(0.0, 1.0, 0.5, 8.0), (128,), role="parameter")
    y = b.op("mul", (x,), stats, (25, 40), site=b.site(2, "x * 2"), args="2", grad_fn="MulBackward0", saved_bytes=4)
    b.gradient(x, stats)
    b.gradient(w, None, "not on the path taken: decided at line 5")
    return b.record(y)


ALTERNATING = """\
def forward(xs):
    y = 0
    for x in xs:
        if x > 0:
            y = y + x
        else:
            y = y - x
    return y
"""


def alternating(pattern: str = "TTFTTFTTF") -> Record:
    """Return a loop whose iterations take the arms of `pattern`, T or F."""
    b = Builder("alternating.py", ALTERNATING)
    loop = b.site(3, "x in xs", "for", arms=("loop",), arm_lines=((4, 7),))
    test = b.site(4, "x > 0", "if", arms=("then", "else"), arm_lines=((5, 5), (7, 7)))
    xs = [b.input(f"xs[{t}]", 1.0 if letter == "T" else -1.0) for t, letter in enumerate(pattern)]
    y = b.input("y", 0.0, role="constant", requires_grad=False)
    over = b.decide(loop, "loop", len(pattern), trips=len(pattern), exit="exhausted")
    for t, letter in enumerate(pattern):
        step = b.scope(0, "iteration", "for", site=loop, index=t, decision=over)
        where: dict[str, Any] = {"scope": step, "under": over}
        b.op("gt", (xs[t],), letter == "T", site=b.site(4, "x > 0"), args="0", dtype="bool", **where)
        value = 1.0 if letter == "T" else -1.0
        outcome = letter == "T"
        condition = compare("x > 0", ">", value, 0, outcome, value, origin="tensor", predicate_op=len(b.ops) - 1)
        d = b.decide(
            test, "then" if outcome else "else", outcome, condition, scope=step, under=over, iterations=((3, t),)
        )
        arm = b.scope(step, "arm", "then" if outcome else "else", site=test, decision=d)
        line, name, text = (5, "add", "y + x") if outcome else (7, "sub", "y - x")
        y = b.op(name, (y, xs[t]), float(t + 1), site=b.site(line, text), scope=arm, under=d, grad_fn="AddBackward0")
    return b.record(y)


def never_entered() -> Record:
    """Return a `while` that was false at once, and an `if` whose arm taken ran no op."""
    text = "def forward(x):\n    while x > 9:\n        x = x / 2\n    if x < 0:\n        return None\n    return x\n"
    b = Builder("never.py", text)
    x = b.input("x", 1.0)
    b.op("gt", (x,), False, site=b.site(2, "x > 9"), args="9", dtype="bool")
    loop = b.site(2, "x > 9", "while", arms=("body", "exit"), arm_lines=((3, 3), None))
    b.decide(
        loop, "exit", False, compare("x > 9", ">", 1.0, 9, False, -8.0, origin="tensor", predicate_op=0), iteration=0
    )
    test = b.site(4, "x < 0", "if", arms=("then", "else"), arm_lines=((5, 5), None))
    b.decide(test, "then", True, compare("x < 0", "<", -1.0, 0, True, 1.0, origin="scalar"))
    return b.record()


def straight(count: int = 600) -> Record:
    """Return `count` ops on as many lines: nothing repeats."""
    b = Builder("straight.py", "".join(f"x = x + {i}\n" for i in range(count)))
    x = b.input("x", 1.0)
    for i in range(count):
        x = b.op("add", (x,), float(i), site=b.site(i + 1, f"x + {i}"), args=str(i))
    return b.record(x)


ALL = (piecewise, newton, rnn, tree, failing, hostile, nothing, large_tensors, alternating, never_entered, straight)
