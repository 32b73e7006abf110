"""Checkpoints."""

from __future__ import annotations

import contextlib
import importlib

from tests.parity.autograd.same import err, warns


def checkpoint_kinds(torch):
    ck = torch.utils.checkpoint if hasattr(torch.utils, "checkpoint") else None
    import importlib

    ck = importlib.import_module(torch.__name__ + ".utils.checkpoint")
    out = []
    n = [0]

    def f(x):
        n[0] += 1
        return x.sin().exp()

    for ur in (True, False):
        x = torch.ones(3, requires_grad=True)
        ck.checkpoint(f, x, use_reentrant=ur).sum().backward()
        out.append((x.grad, list(n)))
    out.append(warns(lambda: ck.checkpoint(f, torch.ones(1, requires_grad=True))))
    out.append(warns(lambda: ck.checkpoint(f, torch.ones(1), use_reentrant=True)))
    out.append(err(lambda: ck.checkpoint(f, torch.ones(1), use_reentrant=True, context_fn=lambda: 1)))
    out.append(err(lambda: ck.checkpoint(f, torch.ones(1), use_reentrant=True, foo=1)))
    out.append(err(lambda: ck.checkpoint(f, torch.ones(1), use_reentrant=False, foo=1)))
    x = torch.ones(3, requires_grad=True)

    def run(ur, **k):
        y = ck.checkpoint(f, x, use_reentrant=ur, **k)
        return torch.autograd.grad(y.sum(), x)

    out.append(err(lambda: run(True)))
    out.append(err(lambda: run(False)))
    out.append(
        err(lambda: ck.checkpoint_sequential([torch.nn.Linear(3, 3), torch.nn.Tanh()], 2, x, use_reentrant=False).shape)
    )
    out.append(warns(lambda: ck.checkpoint_sequential([torch.nn.Tanh(), torch.nn.Tanh()], 2, x)))
    return out


def checkpoint_ctx(torch):
    import contextlib
    import importlib

    ck = importlib.import_module(torch.__name__ + ".utils.checkpoint")
    log = []

    @contextlib.contextmanager
    def c(n):
        log.append(n)
        yield
        log.append("-" + n)

    x = torch.ones(2, requires_grad=True)
    ck.checkpoint(
        lambda x: x.sin().exp(), x, use_reentrant=False, context_fn=lambda: (c("fw"), c("re"))
    ).sum().backward()
    return log


def checkpoint_nested(torch):
    import importlib

    ck = importlib.import_module(torch.__name__ + ".utils.checkpoint")
    n = [0]

    def inner(x):
        n[0] += 1
        return x.sin().exp()

    def mid(x):
        return ck.checkpoint(inner, x.cos(), use_reentrant=False).sin()

    def outer(x):
        return ck.checkpoint(mid, x, use_reentrant=False).exp()

    out = []
    for es in (True, False):
        x = torch.rand(3, requires_grad=True)
        with ck.set_checkpoint_early_stop(es):
            y = ck.checkpoint(outer, x, use_reentrant=False)
        (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
        (h,) = torch.autograd.grad(g.sum(), x)
        out.append((g, h, list(n)))
    return out


def checkpoint_early_outputs(torch):
    import importlib

    ck = importlib.import_module(torch.__name__ + ".utils.checkpoint")
    out = []
    x = torch.ones(2, requires_grad=True)

    def f(x):
        return (x.detach() * 2, x * 3)

    out.append(err(lambda: ck.checkpoint(f, x, use_reentrant=True)[1].sum().backward()))

    def g(x):
        return (None, x * 2)

    out.append(err(lambda: ck.checkpoint(g, x, use_reentrant=False)[1].sum().backward()))
    y = ck.checkpoint(lambda x: x.exp().exp(), x, use_reentrant=False)
    s = y.grad_fn._saved_result
    out.append(s.shape)
    y = ck.checkpoint(lambda x: x * x.exp(), x, use_reentrant=False)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    out.append(err(lambda: y.sum().backward()))
    return out


def nested_ckpt_more(torch):
    ck = importlib.import_module(torch.__name__ + ".utils.checkpoint").checkpoint
    out = []

    def g(f):
        return lambda *a, **k: ck(f, *a, use_reentrant=False, **k)

    def sum_(x, y):
        return x.sin() + y.exp()

    x = torch.rand(2, requires_grad=True)
    y = torch.rand(2, requires_grad=True)

    def hi(f, n=1):
        o = f(x, y)
        gx = torch.autograd.grad(o.sum(), (x, y), create_graph=True)
        return list(gx)

    for f in (sum_, g(sum_), g(g(sum_)), g(lambda a, b: g(sum_)(a, b) * g(sum_)(b, a))):
        out.append(hi(f))

    def two(x, y):
        return g(lambda x: x.sin().exp())(x) + g(lambda y: y.cos())(y)

    out.append(hi(g(two)))
    out.append(g(lambda x, k=None, **kw: x.exp() * k["a"] * kw["z"])(x, k={"a": 3}, z=2))
    out.append(err(lambda: g(lambda x: [x * 2, {"b": x}])(x)))

    def rb(x):
        with torch.enable_grad():
            q = x.detach().requires_grad_()
            z = q.sin().sum()
            z.backward()
            return x.sin()

    o = g(rb)(x)
    out.append(torch.autograd.grad(o.sum(), x))
    c = [0]

    def cnt(x):
        c[0] += 1
        return x.sin().sin().sin()

    z = g(cnt)(x)
    torch.autograd.grad(z.sum(), x, retain_graph=True)
    torch.autograd.grad(z.sum(), x, retain_graph=True)
    out.append(list(c))
    return out


def several_backwards_compute_again_once(torch):
    """Inside the group; two that overlap are refused there."""
    found = []
    for grouped in (True, False):
        calls = []

        def part(x, calls=calls):
            calls.append(1)
            y = x.sin().cos()
            return y, y.sin().cos()

        x = torch.ones(2, requires_grad=True)
        y, z = torch.utils.checkpoint.checkpoint(part, x, use_reentrant=False)
        group = torch.utils.checkpoint.GraphExecGroup() if grouped else contextlib.nullcontext()
        with group:
            (inner,) = torch.autograd.grad(z, y, torch.ones(2))
            (outer,) = torch.autograd.grad(y, x, inner)
        found += [len(calls), outer]
    out = torch.utils.checkpoint.checkpoint(lambda x: x.sin().cos(), x, use_reentrant=False)
    with torch.utils.checkpoint.GraphExecGroup():
        out.sum().backward(retain_graph=True)
        found.append(err(lambda: out.sum().backward()))
        found.append(str(err(torch.utils.checkpoint.GraphExecGroup().__enter__)).partition("<")[0])
    return found


def saved_tensor_that_needs_no_gradient(torch):
    """A custom function gets the very tensor it saved, with and without a checkpoint."""
    given = []

    class Saves(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(y)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            given.append(ctx.saved_tensors[0])
            return grad, None

    x = torch.ones(2, requires_grad=True)
    y = torch.ones(2)
    Saves.apply(x, y).sum().backward()
    torch.utils.checkpoint.checkpoint(Saves.apply, x, y, use_reentrant=False).sum().backward()
    return [each is y for each in given]


def what_differs_is_shown(torch):
    """With `debug`, the error has what was saved both times; PyTorch lists the operators."""
    turn = []

    def part(x):
        turn.append(1)
        return x.sin().exp() if len(turn) == 1 else x.sin() * torch.ones(3)

    out = torch.utils.checkpoint.checkpoint(part, torch.ones(1, requires_grad=True), use_reentrant=False, debug=True)
    error = err(out.backward)
    return type(error).__name__, "You are seeing this error because you passed `debug=True` to checkpoint" in str(error)
