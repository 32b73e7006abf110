"""What each thing that PyTorch promises of every op costs: added one after the other to an entry that has none.

    python -m tests.bench.floor.features

The entry is that of a product of two vectors of eight floats; its lines name the promise that they keep.
Below, what a backward call costs before and after its nodes, on both engines.
"""

from __future__ import annotations

import operator
import sys
import time
from collections.abc import Callable
from time import perf_counter_ns as now
from typing import Any

import numpy as np

import dyncore
from dyncore.dtypes.dtypes import F32, F64
from tests.bench.floor import namespace, ops
from tests.bench.floor.engine import Leaf, Pair, ranks

OPS, TURNS = 1_000, 150
PROMISES = {
    "options": "`alpha`, `out`, operands by keyword",
    "modes": "`no_grad` and other modes, in each context",
    "kinds": "operands of other dtypes, subclasses and numbers",
    "shapes": "gradients of operands that broadcast",
    "words": "PyTorch's own words for what fails",
    "listener": "one who records, or nobody",
    "line": "the line of the user's that called",
    "meta": "room for views, versions and hooks",
}
ENTRY = """
def entry(input, other):  # not options
def entry(input=None, other=None, x2=None, x1=None, alpha=None, rounding_mode=None, out=None):  # options
    global theirs  # line
    if alpha is not None or rounding_mode is not None or x2 is not None or out is not None:  # options
        raise TypeError  # options
    recorded = True  # modes
    if unusual:  # modes
        recorded = False  # modes
    try:  # words
        a, e0 = input._array, input._edge  # words
    except AttributeError:  # words
        raise TypeError  # words
    a, e0 = input._array, input._edge  # not words
    kind = type(other)  # kinds
    if kind is float or kind is int:  # kinds
        raise TypeError  # kinds
    if kind is not Tensor and not isinstance(other, Tensor):  # kinds
        raise TypeError  # kinds
    b, e1 = other._array, other._edge
    dtype = a.dtype  # kinds
    if dtype is not F32 and dtype is not F64 or type(a) is not ndarray or dtype is not b.dtype:  # kinds
        raise TypeError  # kinds
    started = 0 if listener is None else now()  # listener
    try:  # words
        r = forward(a, b)  # words
    except Exception:  # words
        raise RuntimeError from None  # words
    r = forward(a, b)  # not words
    result = new(Tensor)
    result._array = r
    result._meta = None  # meta
    if recorded and (e0 is not None or e1 is not None):  # modes
    if e0 is not None or e1 is not None:  # not modes
        frame = getframe(1)  # line
        code = frame.f_code  # line
        if code is not theirs:  # line
            theirs = code  # line
        if a.shape != b.shape:  # shapes
            raise TypeError  # shapes
        node = Node()
        node.way = way
        node.e0 = e0
        node.e1 = e1
        node.s0 = a
        node.s1 = b
        node.rank = next(ranks)
        node.code = code  # line
        node.lasti = frame.f_lasti  # line
        result._edge = node
        if listener is None:  # listener
            return result  # listener
    else:
        result._edge = None
    return result
"""


class Roomy:
    """A tensor with room for what the promises need."""

    __slots__ = ("_array", "_edge", "_meta")


class Lined(Pair):
    """A node that knows its line."""

    __slots__ = ("code", "lasti")


def entry(kept: list[str]) -> Callable[[Any, Any], Any]:
    """The entry with the lines of these promises."""
    lines = []
    for line in ENTRY.splitlines():
        text, _, tag = line.partition("  # ")
        if not tag or (tag.removeprefix("not ") in kept) is not tag.startswith("not "):
            lines.append(text)
    space = {"F32": F32, "F64": F64, "ndarray": np.ndarray, "forward": operator.mul, "new": object.__new__, "now": now}
    space |= {"getframe": sys._getframe, "ranks": ranks, "listener": None, "unusual": set(), "theirs": None}
    space |= {"Tensor": Roomy, "Node": Lined, "way": ops.SUM}
    exec("\n".join(lines), space)
    return space["entry"]


def tensor(edge: Any) -> Roomy:
    made = Roomy()
    made._array = np.ones(8, np.float32)
    made._edge = edge
    return made


def chain(multiply: Callable[[Any, Any], Any]) -> Callable[[], None]:
    """Products whose results are all kept, as for backward."""
    x, y = tensor(Leaf()), tensor(Leaf())

    def run() -> None:
        kept = []
        for _ in range(OPS):
            kept.append(multiply(x, y))

    return run


def backward(torch: Any) -> tuple[Callable[[], None], Callable[[], None]]:
    """Two ops, and the same with their backward."""
    x = torch.ones(8, requires_grad=True)

    def forward() -> None:
        for _ in range(OPS // 10):
            (x * 2).sum()

    def both() -> None:
        for _ in range(OPS // 10):
            x.grad = None
            (x * 2).sum().backward()

    return forward, both


def least(runs: list[Callable[[], None]], calls: int) -> list[float]:
    """The smallest time of each, which take turns, in ns of processor time a call."""
    best = [float("inf")] * len(runs)
    for _ in range(TURNS):
        for number, run in enumerate(runs):
            started = time.process_time_ns()
            run()
            best[number] = min(best[number], time.process_time_ns() - started)
    return [each / calls for each in best]


def main() -> None:
    """Prints what each promise adds, and what is around a backward pass."""
    names = list(PROMISES)
    x, y = (dyncore.ones(8, requires_grad=True) for _ in range(2))

    def own() -> None:
        kept = []
        for _ in range(OPS):
            kept.append(x * y)

    runs = [chain(entry(names[:count])) for count in range(len(names) + 1)]
    *taken, engine = least([*runs, own], OPS)
    print(f"{'no promise':52}{taken[0]:6.0f} ns")
    for before, after, name in zip(taken, taken[1:], names, strict=False):
        print(f"{PROMISES[name]:52}{after - before:+6.0f}")
    print(f"{'all of them':52}{taken[-1]:6.0f} ns\n{'`x * y` of dyncore':52}{engine:6.0f} ns")
    for name, torch in (("dyncore", dyncore), ("the engine without features", namespace)):
        forward, both = least([*backward(torch)], OPS // 10)
        print(f"{'backward of a sum and a product, ' + name:61}{both - forward:6.0f} ns")


if __name__ == "__main__":
    main()
