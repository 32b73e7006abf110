"""Bodies of functions that do more than ops: what they return, print, write and raise is that of an ordinary call."""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import itertools
import random
import threading
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore import nn
from dyncore.nn import functional as F
from tests.unit.core.capture.check import bits, tensors_in

BODIES = """
with torch.inference_mode(): return x * 2
with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t): return (x * w).exp()
with torch.autograd.detect_anomaly(): return (x * w).exp()
with torch.no_grad(): w.mul_(1.5); w[0] += 1; w[:1].mul_(2); w[1] = 3.0 ;; return x * w
with torch.no_grad(): v = w[:1]; u = (x * 2).view(2) ;; return x * v + u
with torch.no_grad(): v = w.view(2) ;; return v.requires_grad, (x, v)
with torch.no_grad(): layer.weight.clamp_(-0.1, 0.1); layer.weight[0] /= 2 ;; return layer(x)
w.data = x.detach() * 2 ;; return x * w
w.data.mul_(2) ;; return x * w
w.requires_grad_(not w.requires_grad) ;; return x * w
w.grad = x.detach() ;; return x * 2
buffer[:1].mul_(2) ;; v = buffer.view(2) ;; v += 1 ;; return x * buffer
buffer.set_(torch.ones(2)) ;; return buffer * x
return torch.tensor([1.0, 2.0], requires_grad=True) * x
return torch.stack([torch.tensor(1.0), x[0]]) * torch.tensor([x[0].item(), 2.0])
return x * torch.rand(2, generator=generator) + torch.empty(2).uniform_() + torch.normal(x.detach(), 1.0)
y = x * 1 ;; y[0] = 5 ;; y += w ;; z = torch.zeros(3) ;; z[1:] = y ;; return z.mul_(2)
return w[0:1]
return w, buffer, x
y = x * 2 ;; return (y, y, y[0], y.view(2))
y = x * 2 ;; return {'a': y, 1: (x, [y])}
return nn.Parameter(x.detach() * 2)
return Box(x * 2)
return (i for i in range(2))
return x.detach().numpy().sum()
t = threading.Thread(target=lambda: log.append(x * 2)) ;; t.start() ;; t.join() ;; return log.pop()
try: return x @ torch.ones(3) ;; except RuntimeError: return x * 3
raise ValueError('no')
log.append(x.sum().item()) ;; return x * len(log)
global count ;; count += 1 ;; return x * count
print(x.sum().item()) ;; return x * 2
table['k'] = x * 2 ;; return table['k'] + 1
return max(sorted(x, key=lambda v: -v.item()), key=lambda v: v.item()) * functools.reduce(lambda a, b: a * b, x)
n = 0 ;; while x.sum() < 10 and n < 5: x = x * 2; n += 1 ;; return x, n
g, = torch.autograd.grad((w * w * x).sum(), w, create_graph=True) ;; return g
(x * w).sum().backward(retain_graph=True) ;; return w.grad * 2
return torch.func.grad(lambda a: (a * a * w).sum())(x.detach()) + torch.vmap(lambda a: a * 2)(x)
return torch.utils.checkpoint.checkpoint(lambda a: a * w, x, use_reentrant=False)
y = torch.compile(lambda a: a * w)(x) ;; return helper(y) + helper(w)
y = x * w ;; y.retain_grad() ;; return y
y = x * 2 ;; y.register_hook(lambda g: g * 3) ;; y.tag = 4 ;; return y
x.tag = 3 ;; return Twice.apply(x) * x.tag
return norm(torch.stack([x, x * 2])), drop(x)
return torch.unique(x), x[x > 1], x.masked_fill(x > 1, 0).nonzero()
return x.sum().item(), bool(x.sum() > 2), torch.equal(x, w), torch.get_default_dtype(), x.dtype, x.device, x.shape
with Within(): return x * 2
match x.shape[0]: ;;   case 2: return x * 5 ;;   case _: return x
box.v += x[0].item() ;; return x * box.v
setattr(box, 'u', 3) ;; return x * box.u * len(vars(box))
return x.clone().detach().requires_grad_() * 2
return random.random() * x + next(cycle) + np.random.rand()
y = x ;; for k in range(60): y = y * 1.01 + k ;; return y
x[0] = 5.0 ;; x.add_(w.detach()) ;; return x * 2
x.zero_() ;; return None
y = (x + 1j) ;; z = y.conj() ;; y.mul_(2) ;; return z
""".strip().splitlines()

BEFORE = """
class Box:
    def __init__(self, v): self.v = v
class Within:
    def __enter__(self): log.append('in')
    def __exit__(self, *given): log.append('out')
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a): ctx.save_for_backward(a); return a * 2
    @staticmethod
    def backward(ctx, g): return g * 2 * ctx.saved_tensors[0]
def helper(t): return t * w if t is not w else t * 3
box = Box(1.0)
"""
NAMES = {
    "torch": torch, "nn": nn, "F": F, "copy": copy, "random": random, "np": np, "threading": threading,
    "functools": functools, "__name__": "__main__",
}  # fmt: skip


def world() -> dict[str, Any]:
    """Return the names that bodies find outside, new for each function."""
    torch.manual_seed(0)
    random.seed(0)
    np.random.seed(0)
    made: dict[str, Any] = {**NAMES, "log": [], "table": {}, "count": 0, "cycle": itertools.cycle([1, 2, 3])}
    made |= {"w": torch.tensor([1.5, -2.0], requires_grad=True), "buffer": torch.tensor([3.0, 4.0])}
    made |= {"generator": torch.Generator().manual_seed(1), "layer": nn.Linear(2, 2)}
    made |= {"norm": nn.BatchNorm1d(2), "drop": nn.Dropout(0.5)}
    exec(BEFORE, made)
    return made


def shown(value: Any) -> Any:
    """Everything that is seen of a value."""
    if isinstance(value, torch.Tensor):
        return bits(value), value.requires_grad, type(value)
    if isinstance(value, (list, tuple)):
        return type(value), [shown(each) for each in value]
    if isinstance(value, dict):
        return [(key, shown(each)) for key, each in value.items()]
    if type(value).__name__ == "Box":
        return shown(vars(value))
    return repr(value).partition(" at 0x")[0]


def history(body: str, is_compiled: bool) -> list[Any]:
    """Return the results, gradients and world that calls with several arguments leave."""
    space = world()
    exec("def f(x):\n " + body.replace(" ;; ", "\n "), space)
    function = torch.compile(space["f"]) if is_compiled else space["f"]
    found = []
    for values in ((1.0, 2.0), (1.0, 2.0), (-3.0, 0.5), (1.0, 2.0), (-3.0, 0.5), (4.0, 0.0)):
        leaf = torch.tensor(values, requires_grad=True)
        x = leaf * 1
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                result = function(x)
            outs = [each for each in tensors_in([result]) if each.requires_grad]
            seen = shown(result)
            if outs:
                torch.autograd.backward([each.sum() for each in outs])
        except Exception as error:
            seen = type(error), str(error)
        outside = [space[name] for name in ("w", "buffer", "log", "table", "count", "box")]
        kept = [x, leaf.grad, space["w"].grad, space["layer"].weight.grad, space["norm"].running_mean, torch.rand(1)]
        found.append(
            [seen, printed.getvalue(), torch.is_grad_enabled(), shown([*outside, *kept, getattr(x, "tag", 0)])]
        )
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("body", BODIES)
def test_calls_leave_behind_what_ordinary_ones_do(body: str) -> None:
    """New, seen and alternating arguments: values, kinds, gradients, what was printed, and what changed outside."""
    assert history(body, is_compiled=False) == history(body, is_compiled=True)
