"""Whatever a compiled function reads beside its arguments may change between two calls: the next call sees it."""

from __future__ import annotations

import functools
import math
import types
from collections import ChainMap, OrderedDict, UserList, defaultdict, deque, namedtuple
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore import nn
from tests.unit.core.capture.check import bits, tensors_in

# What is defined, the function, and what changes.
CASES = [
    ("k = 2.0", "lambda x: x * k", "k = 3.0"),
    ("k = 2", "lambda x: x * k", "k = 2.0"),
    ("k = 1", "lambda x: x.sum(0, keepdim=k)", "k = True"),
    ("k = 0.0", "lambda x: x / (x * k)", "k = -0.0"),
    ("k = None", "lambda x: x if k is None else x * k", "k = 2"),
    ("k = 'a'", "lambda x: x * len(k)", "k = 'ab'"),
    ("k = b'a'", "lambda x: x * k[0]", "k = b'b'"),
    ("k = (1, (2.0, 3))", "lambda x: x * k[1][0]", "k = (1, (4.0, 3))"),
    ("k = (1, 2)", "lambda x: x * sum(k)", "k = (1, 2, 3)"),
    ("k = [1, 2]", "lambda x: x * sum(k)", "k.append(3)"),
    ("k = [1, 2]", "lambda x: x * k[1]", "k[1] = 5"),
    ("k = [1, 2]", "lambda x: x * k[-1]", "k.pop()"),
    ("k = [[1.0], [2.0]]", "lambda x: x * k[0][0]", "k[0][0] = 3.0"),
    ("k = [1, 2]", "lambda x: x * len(k)", "k.clear()"),
    ("k = {'a': 1}", "lambda x: x * k['a']", "k['a'] = 2"),
    ("k = {'a': 1}", "lambda x: x * k.get('b', 5)", "k['b'] = 2"),
    ("k = {'a': 1}", "lambda x: x if 'b' in k else -x", "k['b'] = 2"),
    ("k = {'a': 1, 'b': 2}", "lambda x: x * len(k)", "del k['b']"),
    ("k = {'a': {'b': 1}}", "lambda x: x * k['a']['b']", "k['a']['b'] = 7"),
    ("k = {1, 2}", "lambda x: x if 3 in k else -x", "k.add(3)"),
    ("k = frozenset((1, 2))", "lambda x: x if 3 in k else -x", "k = frozenset((1, 3))"),
    ("k = range(3)", "lambda x: x * len(k)", "k = range(4)"),
    ("k = slice(0, 1)", "lambda x: x[k]", "k = slice(1, 3)"),
    ("k = defaultdict(int, a=1)", "lambda x: x * k['a']", "k['a'] = 3"),
    ("k = OrderedDict(a=1, b=2)", "lambda x: x * k['a']", "k['a'] = 3"),
    ("k = frozenset((1, 2))", "lambda x: x if 1 in k else -x", "x = 1"),
    ("k = Point(1, 2)", "lambda x: x * k.p", "k = Point(3, 2)"),
    ("k = Color.RED", "lambda x: x if k is Color.RED else -x", "k = Color.BLUE"),
    ("k = Color.RED", "lambda x: x * k.value", "k = Color.BLUE"),
    ("k = Settings(2.0)", "lambda x: x * k.scale", "k.scale = 3.0"),
    ("k = Settings(2.0)", "lambda x: x * k.scale", "k = Settings(3.0)"),
    ("k = Plain()", "lambda x: x if hasattr(k, 'more') else -x", "k.more = 1"),
    ("k = Plain()", "lambda x: x * getattr(k, 'more', 2)", "k.more = 7"),
    ("k = Plain(); k.more = 3", "lambda x: x * getattr(k, 'more', 2)", "del k.more"),
    ("k = Plain()", "lambda x: x * k.shared", "Plain.shared = 9"),
    ("k = Plain()", "lambda x: x * k.shared", "k.shared = 9"),
    ("k = Plain()", "lambda x: k.method(x)", "Plain.method = lambda self, x: x * 7"),
    ("k = Plain()", "lambda x: k.method(x)", "k.method = lambda x: x * 7"),
    ("k = Plain()", "lambda x: x * k.half", "k.whole = 10"),
    ("k = Plain()", "lambda x: x * k.half", "Plain.half = property(lambda self: 8)"),
    ("k = Plain()", "lambda x: x * k.made()", "Plain.made = classmethod(lambda cls: 8)"),
    ("k = Plain()", "lambda x: x * type(k).shared", "Plain.shared = 9"),
    ("k = Derived()", "lambda x: x * k.shared", "Derived.shared = 9"),
    ("k = Derived()", "lambda x: k.method(x)", "Plain.method = lambda self, x: x * 7"),
    ("k = Derived()", "lambda x: k.method(x)", "Derived.method = lambda self, x: x * 7"),
    ("k = Derived()", "lambda x: k.doubled(x)", "Plain.doubled = lambda self, x: x * 7"),
    ("k = Derived()", "lambda x: x if isinstance(k, Plain) else -x", "k.__class__ = Other"),
    ("k = Plain()", "lambda x: k.method(x)", "k.__class__ = Derived"),
    ("k = Slotted()", "lambda x: x * k.size", "k.size = 5"),
    ("k = Plain(); k.inner = Plain(); k.inner.list = [1]", "lambda x: x * sum(k.inner.list)", "k.inner.list.append(2)"),
    ("k = Plain(); k.inner = Plain()", "lambda x: x * k.inner.shared", "k.inner = Derived(); k.inner.shared = 4"),
    ("k = Dynamic()", "lambda x: x * k.anything", "k.table['anything'] = 9"),
    ("f = lambda x, k=2: x * k", "lambda x: f(x)", "f.__defaults__ = (3,)"),
    ("def f(x, *, k=2): return x * k", "lambda x: f(x)", "f.__kwdefaults__ = {'k': 3}"),
    ("def f(x): return x * 2", "lambda x: f(x)", "f.__code__ = (lambda x: x * 3).__code__"),
    ("def f(x): return x * 2", "lambda x: f(x)", "f = lambda x: x * 3"),
    ("def f(x): return x * f.k\nf.k = 2", "lambda x: f(x)", "f.k = 3"),
    ("f = functools.partial(torch.mul, other=2)", "lambda x: f(x)", "f = functools.partial(torch.mul, other=3)"),
    ("f = functools.partial(lambda x, k: x * k[0], k=[2])", "lambda x: f(x)", "f.keywords['k'][0] = 3"),
    ("f = Plain().method", "lambda x: f(x)", "f = Derived().method"),
    ("f = Plain().scaled", "lambda x: f(x)", "f = Plain(); f.shared = 5; f = f.scaled"),
    ("k = Plain(); f = k.method", "lambda x: f(x)", "f = k.tripled"),
    ("k = Plain(); f = k.method", "lambda x: f(x)", "f = k.method"),
    ("k = [1, 2]", "lambda x: x * len(k)", "len = lambda k: 7"),
    ("k = [1, 2]", "lambda x: x * max(k)", "max = min"),
    ("f = [torch.exp]", "lambda x: f[0](x)", "f[0] = torch.sin"),
    ("f = {'a': torch.exp}", "lambda x: f['a'](x)", "f['a'] = torch.sin"),
    ("m = types.ModuleType('m'); m.k = 2", "lambda x: x * m.k", "m.k = 3"),
    ("m = types.ModuleType('m')", "lambda x: x * getattr(m, 'k', 2)", "m.k = 3"),
    ("m = types.SimpleNamespace(k=2)", "lambda x: x * m.k", "m.k = 3"),
    ("w = torch.ones(3)", "lambda x: x * w", "w = torch.ones(3) * 2"),
    ("w = torch.ones(3)", "lambda x: x * w", "w.mul_(3)"),
    ("w = torch.ones(3)", "lambda x: x * w", "w = torch.ones(3, dtype=torch.float64)"),
    ("w = torch.ones(3)", "lambda x: x * w", "w = torch.ones(1)"),
    ("w = torch.ones(3)", "lambda x: x * w", "w.requires_grad_()"),
    ("w = torch.ones(3)", "lambda x: x * w", "w.data = torch.ones(1) * 4"),
    ("w = torch.ones(3)", "lambda x: x * w", "w = nn.Parameter(w)"),
    ("w = [torch.ones(3)]", "lambda x: x * w[0]", "w[0] = torch.ones(3) * 2"),
    ("w = torch.ones(3); w.k = 2", "lambda x: x * w.k", "w.k = 3"),
    ("w = torch.ones(2, 3)", "lambda x: x * w.shape[0]", "w = torch.ones(5, 3)"),
    ("w = torch.ones(3)", "lambda x: x * (2 if w.dtype is torch.float32 else 3)", "w = w.double()"),
    ("w = torch.tensor(2.0)", "lambda x: x if w > 1 else -x", "w.zero_()"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "n = nn.Linear(3, 3)"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "n.weight.data.fill_(2.0)"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "n.bias = None"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "n.weight = nn.Parameter(torch.eye(3))"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "n.double(); n.float(); n.weight.requires_grad_(False)"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "n.register_forward_hook(lambda m, given, out: out * 3)"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "n.register_forward_pre_hook(lambda m, given: (given[0] * 3,))"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "n.forward = lambda x: x * 3"),
    ("n = nn.Sequential(nn.ReLU())", "lambda x: n(x)", "n.append(nn.Sigmoid())"),
    ("n = nn.Sequential(nn.ReLU())", "lambda x: n(x)", "n[0] = nn.Sigmoid()"),
    ("n = nn.ModuleList([nn.ReLU()])", "lambda x: sum(each(x) for each in n)", "n.append(nn.Sigmoid())"),
    ("n = nn.ModuleDict({'a': nn.ReLU()})", "lambda x: n['a'](x)", "n['a'] = nn.Sigmoid()"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "nn.utils.parametrizations.weight_norm(n); n.weight.mul(1)"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "nn.utils.prune.l1_unstructured(n, 'weight', 4)"),
    ("n = nn.Linear(3, 3)", "lambda x: n(x)", "n.__class__ = Layer"),
    ("n = nn.BatchNorm1d(3)", "lambda x: n(torch.stack((x, -x)))", "n.eval()"),
    ("n = nn.BatchNorm1d(3).eval()", "lambda x: n(torch.stack((x, -x)))", "n.running_mean.add_(2)"),
    ("n = nn.LeakyReLU(0.5)", "lambda x: n(-x)", "n.negative_slope = 0.25"),
    ("n = nn.Dropout(0.5).eval()", "lambda x: n(x)", "n.train(); n.p = 1.0"),
    ("n = nn.ReLU(); n.k = 2", "lambda x: n(x) * n.k", "n.k = 3"),
    ("n = nn.ReLU(); n.register_buffer('b', torch.ones(3))", "lambda x: n(x) * n.b", "n.b = torch.ones(3) * 3"),
    ("n = nn.ReLU()", "lambda x: n(x) * getattr(n, 'b', 1)", "n.register_buffer('b', torch.ones(3) * 3)"),
    ("n = nn.ReLU()", "lambda x: x if n.training else -x", "n.eval()"),
    ("n = nn.ReLU()", "lambda x: x if any(True for _ in n.parameters()) else -x", "n.p = nn.Parameter(torch.ones(1))"),
    ("", "lambda x: x * torch.tensor(1.5)", "torch.set_default_dtype(torch.float64)"),
    ("", "lambda x: (x * 2).requires_grad", "torch.set_grad_enabled(False)"),
    ("", "lambda x: x * 2", "torch.set_grad_enabled(False)"),
    ("pi = math.pi", "lambda x: x * pi", "pi = 3"),
    ("k = Pair((1, 2))", "lambda x: x * k[0]", "k = Pair((3, 2))"),
    ("k = Pair((1, 2)); k.z = 3", "lambda x: x * k.z", "k.z = 4"),
    ("k = Named(1, 2)", "lambda x: x * k.doubled()", "k = Named(3, 2)"),
    ("k = with_k(Amount)", "lambda x: x * k.k", "k = with_k(Amount, 3)"),
    ("k = with_k(Amount)", "lambda x: x * k.k", "k.k = 3.0"),
    ("k = deque([1, 2])", "lambda x: x * k[0]", "k[0] = 5"),
    ("k = Deque([1, 2])", "lambda x: x * k[0]", "k[0] = 5"),
    ("k = UserList([1, 2])", "lambda x: x * k[0]", "k[0] = 5"),
    ("k = ChainMap({'a': 1}, {'b': 2})", "lambda x: x * k['b']", "k.maps[1]['b'] = 5"),
    ("k = Level.LOW", "lambda x: x * k", "k = Level.HIGH"),
    ("k = with_k(Open)", "lambda x: x * k.k", "k.k = 3"),
    ("k = Item([2])", "lambda x: x * k[0] + x * k", "k.v[0] = 3"),
    ("k = Item([2])", "lambda x: x * sum(k) if k == [2] else -x", "k.v.append(4)"),
    ("k = Item([2])", "lambda x: k(x) if k else -x", "Item.__len__ = lambda self: 0"),
    ("k = WithMeta", "lambda x: x * k.twice()", "Meta.twice = lambda kind: 5"),
    ("k = np.float32(0.0)", "lambda x: x * float(k)", "k = np.float32(-0.0)"),
    ("k = Slotted(); k = type(k)", "lambda x: x * k.made.k", "k.made.k = 5"),
    ("def f(x, k=[1]): return x * k[0]", "lambda x: f(x)", "f.__defaults__[0][0] = 3"),
    ("@functools.lru_cache\ndef f(k): return k * z\nz = 2", "lambda x: x * f(3)", "z = 5; f.cache_clear()"),
    ("k = {'a': 1, 'b': 2}", "lambda x: x * next(iter(k.values()))", "k['a'] = k.pop('a')"),
    ("k = {1: 2}", "lambda x: x * k[True]", "k[1] = 4"),
    ("k = 0j", "lambda x: (x * k).real", "k = complex(-0.0, -0.0)"),
    ("k = bytearray(b'a')", "lambda x: x * k[0]", "k[0] = 5"),
    ("w = torch.ones(3, requires_grad=True)", "lambda x: x * w", "w.register_hook(lambda g: g * 2)"),
    ("w = torch.ones(3, requires_grad=True); w = w * 2", "lambda x: x * w", "w.add_(1)"),
    ("w = torch.ones(3)", "lambda x: x * w", "w.set_(torch.ones(3) * 3)"),
    ("w = torch.ones(3)", "lambda x: x * w", "w.resize_(1)"),
    ("w = torch.Generator()", "lambda x: x * w.initial_seed()", "w.manual_seed(3)"),
]


class Color(Enum):
    RED = 1
    BLUE = 2


Point = namedtuple("Point", "p q")


@dataclass
class Settings:
    scale: float


CLASSES = """
class Plain:
    shared, whole = 2, 4
    def method(self, x): return x * 2
    def scaled(self, x): return x * self.shared
    def doubled(self, x): return x * 2
    def tripled(self, x): return x * 3
    @property
    def half(self): return self.whole / 2
    @classmethod
    def made(cls): return cls.shared
class Derived(Plain):
    def doubled(self, x): return super().doubled(x) + 1
class Other: pass
class Layer(nn.Module):
    def forward(self, x): return x * 3
class Slotted:
    __slots__ = ("size",)
    def __init__(self): self.size = 3
class Pair(tuple): pass
class Named(Point):
    def doubled(self): return self.p * 2
class Amount(float): pass
class Deque(deque): pass
class Level(IntEnum): LOW = 1; HIGH = 2
class Meta(type):
    def twice(kind): return 2
class WithMeta(metaclass=Meta): pass
class Open(Slotted):
    def __init__(self): self.size = 1
class Item:
    def __init__(self, v): self.v = v
    def __getitem__(self, i): return self.v[i]
    def __len__(self): return len(self.v)
    def __rmul__(self, o): return o * self.v[0]
    def __call__(self, x): return x * self.v[0]
    def __eq__(self, o): return self.v == o
    __hash__ = None
Slotted.made = Plain(); Slotted.made.k = 2
def with_k(kind, k=2):
    made = kind(); made.k = k; return made
class Dynamic:
    def __init__(self): self.table = {"anything": 2}
    def __getattr__(self, name): return self.__dict__["table"][name]
"""


@pytest.mark.parametrize(("before", "function", "change"), CASES, ids=lambda text: text.replace("\n", "; "))
def test_change_is_seen_by_the_next_call(before: str, function: str, change: str) -> None:
    """Once the function is replayed, and again once what it does after the change is."""
    space: dict[str, Any] = {"__name__": "__main__", **NAMES}
    exec(CLASSES + before, space)
    exec(f"ordinary = {function}", space)
    ordinary, compiled = space["ordinary"], torch.compile(space["ordinary"])
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    try:
        for step in ("pass", change):
            exec(step, space)
            for _ in range(6):
                assert shown(ordinary(x)) == shown(compiled(x))
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)


NAMES = {
    "torch": torch, "nn": nn, "functools": functools, "math": math, "types": types, "defaultdict": defaultdict,
    "OrderedDict": OrderedDict, "Point": Point, "Color": Color, "Settings": Settings, "deque": deque,
    "np": np, "UserList": UserList, "ChainMap": ChainMap, "IntEnum": IntEnum,
}  # fmt: skip


def shown(value: Any) -> Any:
    """Everything that is seen of a result."""
    return [(bits(each), each.requires_grad) for each in tensors_in(value)] or value
