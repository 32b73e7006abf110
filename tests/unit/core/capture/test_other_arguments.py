"""A compiled function called with one list of arguments after another gives what the function itself gives."""

from __future__ import annotations

from collections import Counter, OrderedDict, UserDict, UserList, deque, namedtuple
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore import nn
from tests.unit.core.capture.check import bits

# A function, and the arguments of its calls.
CASES = [
    (
        "lambda x, k: x * k",
        "t(1.0, 2.0), 2; t(1.0, 2.0), 2.0; t(1.0, 2.0), True; t(1.0, 2.0), 1; t(1.0, 2.0), 1.0; "
        "t(1.0, 2.0), 0.0; t(1.0, 2.0), -0.0; t(1, 2), 2; t(1, 2), 2.0; t(1.0, 2.0), 1j; "
        "t(1.0, 2.0), float('nan'); t(1.0, 2.0), 2 ** 40",
    ),
    (
        "lambda x, k: x if k else -x",
        "t(1.0), 0; t(1.0), 1; t(1.0), ''; t(1.0), 'a'; t(1.0), None; t(1.0), []; t(1.0), [0]; "
        "t(1.0), {}; t(1.0), (); t(1.0), 0.0; t(1.0), t(0.0)[0]; t(1.0), t(1.0)[0]; t(1.0), t(1.0)",
    ),
    (
        "lambda x, k: x * sum(k)",
        "t(1.0), [1, 2]; t(1.0), (1, 2); t(1.0), [1, 2.0]; t(1.0), {1, 2}; t(1.0), {1: 0, 2: 0}; "
        "t(1.0), range(3); t(1.0), [t(1.0), t(2.0)]; t(1.0), [1]; t(1.0), []; t(1.0), Point(1, 2); "
        "t(1.0), Point(1, 3)",
    ),
    (
        "lambda x, k: x * k['a']",
        "t(1.0), {'a': 1}; t(1.0), {'a': 1.0}; t(1.0), {'a': 1, 'b': 2}; t(1.0), {'b': 2, 'a': 1}; "
        "t(1.0), {'a': t(2.0)}; t(1.0), OrderedDict(a=1); t(1.0), OrderedDict(a=3); t(1.0), {'a': 2}",
    ),
    (
        "lambda x, k: x * list(k.values())[0]",
        "t(1.0), {'a': 1, 'b': 2}; t(1.0), {'b': 2, 'a': 1}; t(1.0), {'a': 2, 'b': 1}; t(1.0), {'c': 2, 'b': 1}",
    ),
    (
        "lambda x, k: x * k.k",
        "t(1.0), Box(1); t(1.0), Box(2); t(1.0), Box(2.0); t(1.0), Frozen(1); t(1.0), Frozen(3); "
        "t(1.0), Dyn(k=1); t(1.0), Dyn(k=4); t(1.0), Dyn(k=1, j=2); t(1.0), Box(t(3.0)); "
        "t(1.0), Dyn(k=t(2.0))",
    ),
    ("lambda x, k: x * getattr(k, chr(113))", "t(1.0), Dyn(q=1); t(1.0), Dyn(q=2); t(1.0), Box(1)"),
    ("lambda x, k: x * getattr(k, 'k', 7)", "t(1.0), Dyn(); t(1.0), Dyn(k=1); t(1.0), Dyn(j=1); t(1.0), 3"),
    ("lambda x, k: x if k is Color.RED else -x", "t(1.0), Color.RED; t(1.0), Color.BLUE; t(1.0), 1"),
    (
        "lambda x, k: k(x)",
        "t(1.0), torch.exp; t(1.0), torch.sin; t(1.0), lambda x: x * 2; t(1.0), lambda x: x * 3; "
        "t(1.0), nn.ReLU(); t(-1.0), nn.ReLU(); t(-1.0), nn.LeakyReLU(0.5); t(-1.0), nn.LeakyReLU(0.25); "
        "t(1.0), t(2.0).mul",
    ),
    (
        "lambda x, y: x + y",
        "t(1.0), t(2.0); g(1.0), t(2.0); t(1.0), g(2.0); g(1.0), g(2.0); t(1), t(2.0); t(1), t(2); "
        "t(1.0), t(2.0).double(); t(1.0, 2.0), t(2.0); t(1.0)[0], t(2.0); t(1.0), t(2.0)[0].double(); "
        "nn.Parameter(t(1.0)), t(1.0); g(1.0) * 2, t(1.0); t(True), t(1.0); t(1.0), t(1j)",
    ),
    ("lambda x, y: x if x is y else x * 2", "a, a; a, b; b, b; b, a; a, a.view(2)"),
    ("lambda x, y: (x * 2, y)", "a, a; a, b; b, a; a, 3; a, None; a, [b]; a, 's'"),
    (
        "lambda x: x.t() if x.dim() > 1 else x",
        "torch.ones(2, 3); torch.ones(3, 2); torch.ones(3); torch.ones(2, 3).t(); torch.ones(2, 2); "
        "torch.ones(4, 3)[::2]; torch.ones(1, 1).expand(2, 3); torch.ones(0, 3)",
    ),
    (
        "lambda x: x.reshape(-1) * 2",
        "torch.arange(6.0).view(2, 3); torch.arange(6.0).view(3, 2).t(); torch.arange(6.0); "
        "torch.arange(12.0)[::2].view(2, 3); torch.arange(4.0).view(2, 2).t()",
    ),
    (
        "lambda x: x * x.shape[0]",
        "torch.ones(2); torch.ones(3); torch.ones(0); torch.ones(1); torch.ones(2, 1)",
    ),
    ("lambda x: x * 2 if x.requires_grad else x * 3", "t(1.0); g(1.0); g(1.0) * 1; g(1.0).detach()"),
    ("lambda x: x * 2 if x.is_leaf else x * 3", "t(1.0); g(1.0); g(1.0) * 1; g(1.0).detach()"),
    (
        "lambda x: x * 2 if x.is_contiguous() else x * 3",
        "torch.ones(2, 3); torch.ones(3, 2).t(); torch.ones(2, 1); torch.ones(4, 3)[::2]",
    ),
    ("lambda x: x if x.sum() > 0 else -x", "t(1.0); t(-1.0); t(0.0); t(float('nan')); t(1.0, -2.0); t(1, 2)"),
    (
        "lambda x: [r * 2 for r in x]",
        "torch.ones(2, 2); torch.ones(3, 2); torch.ones(1, 2); [t(1.0), t(2.0)]; (t(1.0),); []",
    ),
    ("lambda x, *a, **k: x * len(a) + len(k)", "t(1.0); t(1.0), 1; t(1.0), 1, 2; t(1.0), 2, 1"),
    (
        "lambda x, k=(1, 2): x * k[0]",
        "t(1.0); t(1.0), (3, 2); t(1.0), [3, 2]; t(1.0), (1, 2); t(1.0), (1.0, 2)",
    ),
    (
        "lambda x, i: x[i]",
        "torch.arange(6.0).view(2, 3), 0; torch.arange(6.0).view(2, 3), 1; "
        "torch.arange(6.0).view(2, 3), -1; torch.arange(6.0).view(2, 3), slice(0, 1); "
        "torch.arange(6.0).view(2, 3), slice(1, 2); torch.arange(6.0).view(2, 3), (0, 1); "
        "torch.arange(6.0).view(2, 3), (0, slice(1, 3)); torch.arange(6.0).view(2, 3), None; "
        "torch.arange(6.0).view(2, 3), ...; torch.arange(6.0).view(2, 3), [0]; "
        "torch.arange(6.0).view(2, 3), T([1]); torch.arange(6.0).view(2, 3), T([0]); "
        "torch.arange(6.0).view(2, 3), T(0); torch.arange(6.0).view(2, 3), T(1); "
        "torch.arange(6.0).view(2, 3), T([True, False]); torch.arange(6.0).view(2, 3), T([True, True]); "
        "torch.arange(6.0).view(2, 3), True",
    ),
    (
        "lambda x, d: x.sum(d)",
        "torch.ones(2, 3), 0; torch.ones(2, 3), 1; torch.ones(2, 3), -1; torch.ones(2, 3), None; "
        "torch.ones(2, 3), (0, 1); torch.ones(2, 3), (); torch.ones(2, 3), [0]",
    ),
    (
        "lambda x, d: x.to(d)",
        "t(1.0), torch.float64; t(1.0), torch.int64; t(1.0), torch.float32; t(1.0), 'cpu'; t(1.0), t(1)",
    ),
    ("lambda x, n: x.expand(n, -1)", "t(1.0, 2.0), 2; t(1.0, 2.0), 3; t(1.0, 2.0), 0"),
    (
        "lambda x, k: x * int(k)",
        "t(1.0), '2'; t(1.0), '3'; t(1.0), 2.5; t(1.0), T(2); t(1.0), T(3); t(1.0), T(3.7)",
    ),
    ("lambda x, k: x * float(k.sum())", "t(1.0), t(1.0); t(1.0), t(2.0); t(1.0), t(1.0)"),
    ("lambda x, k: x * k.item()", "t(1.0), t(1.0); t(1.0), t(2.0); t(1.0), t(1)"),
    ("lambda x, k: x * (k > 0).sum()", "t(1.0), t(1.0, -1.0); t(1.0), t(1.0, 1.0); t(1.0), t(1)"),
    (
        "lambda x, k: x[k > 0] * 2",
        "t(1.0, 2.0), t(1.0, -1.0); t(1.0, 2.0), t(1.0, 1.0); t(1.0, 2.0), t(-1.0, -1.0)",
    ),
    (
        "lambda x, k: x * k[0]",
        "t(1.0), Pair((1, 2)); t(1.0), Pair((3, 2)); t(1.0), (3, 2); t(1.0), Named(3, 2); t(1.0), Named(4, 2); "
        "t(1.0), Twice([3]); t(1.0), deque([4]); t(1.0), Deque([4]); t(1.0), Deque([5]); t(1.0), UserList([5]); "
        "t(1.0), UserList([6]); t(1.0), b'a'; t(1.0), bytearray(b'b'); t(1.0), range(3, 5)",
    ),
    (
        "lambda x, k: x * k.k",
        "t(1.0), with_k(Amount, 2); t(1.0), with_k(Amount, 3); t(1.0), with_k(Open, 2); t(1.0), with_k(Open, 3); "
        "t(1.0), with_k(Pair, 2); t(1.0), with_k(Pair, 3); t(1.0), with_k(Named, 2, 1, 2); "
        "t(1.0), with_k(Named, 3, 1, 2); t(1.0), with_k(Twice, 2); t(1.0), with_k(ValueError, 3)",
    ),
    (
        "lambda x, k: x * float(k)",
        "t(1.0), np.float64(0.0); t(1.0), np.float64(-0.0); t(1.0), Amount(0.0); t(1.0), Amount(-0.0); t(1.0), 0; "
        "t(1.0), False; t(1.0), np.float32(0.0); t(1.0), np.float32(-0.0); t(1.0), np.int64(2)",
    ),
    (
        "lambda x, k: k(x)",
        "t(1.0), partial(torch.mul, other=2); t(1.0), partial(torch.mul, other=3); t(1.0), lru_cache(torch.exp); "
        "t(1.0), lru_cache(torch.sin)",
    ),
    (
        "lambda x, k: x * k['a']",
        "t(1.0), UserDict(a=3); t(1.0), UserDict(a=4); t(1.0), Counter('aa'); t(1.0), Counter('aaa')",
    ),
    ("lambda x: torch.device('cpu') if x.shape[0] > 1 else x.device", "t(1.0); t(1.0, 2.0)"),
    ("lambda x: slice(x.shape[0])", "t(1.0); t(1.0, 2.0)"),
    ("lambda x: Named(x * 3, 1)", "t(1.0); g(1.0)"),
    ("lambda x: x.repeat_interleave((x > 2).long() + 1)", "t(1.0, 2.0); t(2.0, 4.0); t(3.0, 0.0); t(1, 2)"),
    ("lambda x: x.data * 2", "t(1.0); g(1.0)"),
    ("lambda x: x.requires_grad_()", "t(1.0); g(1.0)"),
    ("lambda x: torch.from_numpy(np.array([1.0])) * x", "t(1.0); g(1.0)"),
    ("lambda x: x + torch.tensor([x.sum().item(), 2.0])", "t(1.0, 2.0); g(2.0, 1.0)"),
    ("lambda *x: torch.cat(x)", "a, b; a, a; a, b, a; b, a[:0]; a, a[::2]; a[::2], a[::2]"),
]


class Pair(tuple):
    pass


class Twice(list):
    pass


class Amount(float):
    pass


class Deque(deque):
    pass


class Slotted:
    __slots__ = ("k",)


class Open(Slotted):
    pass


class Color(Enum):
    RED = 1
    BLUE = 2


Point = namedtuple("Point", "p q")


class Named(Point):
    pass


@dataclass
class Box:
    k: Any


@dataclass(frozen=True)
class Frozen:
    k: Any


def with_k(kind: Any, k: Any, *given: Any) -> Any:
    made = kind(*given)
    made.k = k
    return made


def t(*values: Any) -> Any:
    return torch.tensor(list(values))


def g(*values: Any) -> Any:
    return torch.tensor(list(values), requires_grad=True)


NAMES = {
    "torch": torch, "nn": nn, "OrderedDict": OrderedDict, "Color": Color, "Point": Point, "Box": Box, "Frozen": Frozen,
    "Dyn": SimpleNamespace, "t": t, "g": g, "a": t(1.0, 2.0), "b": t(3.0, 4.0), "T": torch.tensor,
    "np": np, "partial": partial, "lru_cache": lru_cache, "deque": deque, "Counter": Counter, "UserDict": UserDict,
    "UserList": UserList, "Pair": Pair, "Named": Named, "Twice": Twice, "Amount": Amount, "Deque": Deque, "Open": Open,
    "with_k": with_k,
}  # fmt: skip


@pytest.mark.parametrize(("function", "calls"), CASES, ids=lambda text: text[:60])
def test_each_call_gives_what_its_arguments_ask_for(function: str, calls: str) -> None:
    """In order and backwards, once and several times: recorded, replayed, and by the function of one path."""
    ordinary = eval(function, NAMES)
    compiled = torch.compile(ordinary)
    given = [eval(f"({each},)", NAMES) for each in calls.split("; ")]
    for order in (given, given[::-1], given):
        for args in order:
            for _ in range(3):
                assert result(ordinary, args) == result(compiled, args), args


def result(function: Any, args: Any) -> Any:
    """Everything that is seen of a call: the result, or the error."""
    try:
        return shown(function(*args))
    except Exception as error:
        return type(error), str(error)


def shown(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return bits(value), value.requires_grad, type(value)
    return (type(value), [shown(each) for each in value]) if isinstance(value, (list, tuple)) else repr(value)
