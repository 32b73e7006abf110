"""Graphs that are dropped are gone at once: no cycle waits for the garbage collector."""

from __future__ import annotations

import contextlib
import gc
import warnings
import weakref

import pytest


@pytest.fixture(autouse=True)
def no_collector():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def saving(torch, kept):
    class Saves(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.clone()
            ctx.save_for_backward(x, y)
            kept.append(weakref.ref(y))
            return y

        @staticmethod
        def backward(ctx, grad):
            x, y = ctx.saved_tensors
            return grad * x * y

    return Saves


def test_a_function_that_saved_its_output(torch):
    kept = []
    x = torch.ones(2, requires_grad=True)
    out = saving(torch, kept).apply(x)
    node = weakref.ref(out.grad_fn)
    (grad,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    del out, grad
    assert kept[0]() is None
    assert node() is None


def test_a_function_that_a_checkpoint_stopped_in(torch):
    kept = []
    function = saving(torch, kept).apply
    torch.utils.checkpoint.checkpoint(
        lambda x: function(x), torch.ones(2, requires_grad=True), use_reentrant=False
    ).sum().backward()
    assert len(kept) == 2
    assert [reference() for reference in kept] == [None, None]


def test_a_graph_in_which_anomaly_mode_found_nan(torch):
    class Nan(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            return grad * float("nan")

    out = saving(torch, []).apply(Nan.apply(torch.ones(2, requires_grad=True)))
    with contextlib.suppress(RuntimeError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly():
            out.sum().backward()
    mark = type("Mark", (), {})()
    out.grad_fn.metadata["mark"] = mark
    reference = weakref.ref(mark)
    del mark
    assert reference() is not None
    del out
    assert reference() is None
