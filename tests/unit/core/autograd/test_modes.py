"""The modes: recording on and off, inference, anomalies; in functions, generators, coroutines and threads."""

import asyncio
import contextlib
import importlib
import subprocess
import sys
import threading
import warnings
from contextvars import copy_context
from pathlib import Path

import pytest

from .test_backward import leaf


def test_blocks_nest(torch):
    """Each block restores what was before it."""
    x = leaf(torch, 1)
    with torch.no_grad():
        assert not (x * 2).requires_grad
        with torch.enable_grad():
            assert (x * 2).requires_grad
        with torch.set_grad_enabled(True):
            assert torch.is_grad_enabled()
        assert not torch.is_grad_enabled()
    assert torch.is_grad_enabled()


def test_an_error_restores(torch):
    """Also when the block is left by an exception."""
    with pytest.raises(ZeroDivisionError), torch.no_grad():
        raise ZeroDivisionError
    assert torch.is_grad_enabled()


def test_set_grad_enabled_at_once(torch):
    """Called, it sets; as a decorator it leaves the mode alone until the function runs."""
    torch.set_grad_enabled(False)
    assert not torch.is_grad_enabled()
    torch.set_grad_enabled(True)

    @torch.set_grad_enabled(False)
    def inner():
        return torch.is_grad_enabled()

    assert torch.is_grad_enabled()
    assert not inner()
    assert torch.is_grad_enabled()


def test_decorators(torch):
    """With and without parentheses."""

    @torch.no_grad()
    def off():
        return torch.is_grad_enabled()

    @torch.no_grad
    def bare():
        return torch.is_grad_enabled()

    @torch.enable_grad
    def on():
        return torch.is_grad_enabled()

    with torch.no_grad():
        assert on()
    assert not off()
    assert not bare()


def test_generators_keep_their_own_mode(torch):
    """Inside the body the mode holds, between yields the caller's does."""

    @torch.no_grad()
    def numbers():
        for number in range(3):
            assert not torch.is_grad_enabled()
            yield number

    @torch.enable_grad()
    def outer():
        for number in numbers():
            assert torch.is_grad_enabled()
            yield number

    assert torch.is_grad_enabled()
    with torch.no_grad():
        found = []
        for number in outer():
            assert not torch.is_grad_enabled()
            found.append(number)
    assert found == [0, 1, 2]


def test_generators_take_values_and_errors(torch):
    """send, throw, close and the return value pass through."""
    closed = []

    @torch.no_grad()
    def echo():
        received = None
        try:
            while True:
                try:
                    received = yield received
                except ValueError:
                    received = "caught"
                    assert not torch.is_grad_enabled()
                if received == "stop":
                    return "done"
        finally:
            closed.append(torch.is_grad_enabled())

    g = echo()
    next(g)
    assert g.send(5) == 5
    assert g.throw(ValueError()) == "caught"
    with pytest.raises(StopIteration) as end:
        g.send("stop")
    assert end.value.value == "done"
    other = echo()
    next(other)
    other.close()
    assert closed == [False, False]
    assert torch.is_grad_enabled()


def test_threads_begin_with_gradients(torch):
    """The mode of one thread is none of another's."""
    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_modes_of_concurrent_tasks():
    """A coroutine that waits inside `no_grad` does not turn gradients off for another."""
    dyncore = pytest.importorskip("dyncore")
    seen = []

    async def quiet(entered, leave):
        with dyncore.no_grad():
            entered.set()
            await leave.wait()
            seen.append(dyncore.is_grad_enabled())

    async def main():
        entered, leave = asyncio.Event(), asyncio.Event()
        task = asyncio.create_task(quiet(entered, leave))
        await entered.wait()
        seen.append(dyncore.is_grad_enabled())
        leave.set()
        await task

    asyncio.run(main())
    assert seen == [True, False]


def test_a_context_copied_inside_a_block_keeps_its_mode():
    """A task that was made within `no_grad` records nothing when the block is long over, and others do."""
    dyncore = pytest.importorskip("dyncore")
    x = leaf(dyncore, 1)
    with dyncore.no_grad():
        copied = copy_context()
    with dyncore.no_grad(), dyncore.enable_grad():
        recording = copy_context()
    assert (x * 2).requires_grad
    assert not copied.run(lambda: x * 2).requires_grad
    assert not copied.run(lambda: x.tanh()).requires_grad
    assert recording.run(lambda: x * 2).requires_grad
    found = []
    thread = threading.Thread(target=lambda: found.append(copied.run(lambda: (x * 2).requires_grad)))
    thread.start()
    thread.join()
    assert found == [False]


def test_mode_after_last_block_is_not_consulted():
    """However they were left, and after backward, its errors and its hooks."""
    dyncore = pytest.importorskip("dyncore")
    nondefault_modes = importlib.import_module("dyncore.graph.modes").nondefault_modes
    before = len(nondefault_modes)  # other tests may have left a thread or a context
    with contextlib.suppress(ZeroDivisionError), dyncore.no_grad(), dyncore.enable_grad(), dyncore.inference_mode():
        assert len(nondefault_modes) > before
        raise ZeroDivisionError
    dyncore.set_grad_enabled(False)
    dyncore.set_grad_enabled(True)

    def failing(grad):
        assert not (grad * 2).requires_grad
        assert not dyncore.is_grad_enabled()
        raise ZeroDivisionError

    x = leaf(dyncore, 1)
    y = x * 2
    y.register_hook(failing)
    with contextlib.suppress(ZeroDivisionError):
        (y * x).sum().backward()
    (x * 2).sum().backward()

    def body():
        with dyncore.no_grad():
            assert not (x * 2).requires_grad

    threads = [threading.Thread(target=body) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(nondefault_modes) == before


def test_inference_mode(torch):
    """Its tensors are marked, and cannot be used where backward would need them."""
    x = leaf(torch, 1, 2)
    with torch.inference_mode():
        made, computed = torch.ones(2, dtype=torch.float64), x * 2
        view = x[:1]
        assert torch.is_inference_mode_enabled()
        assert not torch.is_grad_enabled()
        made.add_(1)
    assert [t.is_inference() for t in (made, computed, view, made[:1], made * 2)] == [True, True, False, True, False]
    assert not computed.requires_grad
    assert (x + made).requires_grad
    for action, sentence in (
        (
            lambda: x * made,
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference",
        ),
        (lambda: made.add_(1), "Inplace update to inference tensor outside InferenceMode is not allowed"),
        (lambda: made._version, "Inference tensors do not track version counter."),
        (
            lambda: made.requires_grad_(),
            "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.",
        ),
        (lambda: view.mul_(2), "A view was created in inference mode and is being modified inplace in normal mode"),
    ):
        with pytest.raises(RuntimeError, match=sentence):
            action()


def test_inference_mode_forms(torch):
    """As a decorator, switched off, and on a tensor of before."""

    @torch.inference_mode()
    def f(t):
        return t * 2

    @torch.inference_mode
    def g(t):
        return t * 2

    x = leaf(torch, 1)
    assert f(x).is_inference()
    assert g(x).is_inference()
    with torch.inference_mode(False):
        assert (x * 2).requires_grad
    y = x.clone()
    with torch.inference_mode():
        y.add_(1)
    assert (y.is_inference(), y.requires_grad) == (False, True)
    with torch.inference_mode(), torch.inference_mode(False):
        assert not torch.ones(1).is_inference()


def nan_maker(torch):
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g * float("nan")

    return Broken


def test_anomaly_mode_finds_nan(torch):
    """Which function, which output; the forward's traceback is warned of."""
    x = leaf(torch, 1, 2)
    with pytest.warns(UserWarning) as caught, torch.autograd.detect_anomaly():
        y = nan_maker(torch).apply(x)
        with pytest.raises(RuntimeError, match="Function 'BrokenBackward' returned nan values in its 0th output."):
            y.sum().backward()
    texts = [str(each.message) for each in caught]
    assert any("Anomaly Detection has been enabled" in text for text in texts)
    assert any(
        "Error detected in BrokenBackward. Traceback of forward call" in text and "test_modes" in text for text in texts
    )


def test_anomaly_mode_without_the_forward(torch):
    """It says that it does not know."""
    x = leaf(torch, 1, 2)
    y = nan_maker(torch).apply(x)
    with pytest.warns(UserWarning) as caught, torch.autograd.detect_anomaly(), pytest.raises(RuntimeError):
        y.sum().backward()
    assert any("No forward pass information available" in str(each.message) for each in caught)


def test_anomaly_mode_without_the_check(torch):
    """NaN passes with check_nan=False."""
    x = leaf(torch, 1, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly(check_nan=False):
            nan_maker(torch).apply(x).sum().backward()
    assert x.grad.isnan().all()


def test_anomaly_mode_can_be_asked(torch):
    """And set at once."""
    assert not torch.is_anomaly_enabled()
    with torch.autograd.set_detect_anomaly(True, False):
        assert torch.is_anomaly_enabled()
        assert not torch.is_anomaly_check_nan_enabled()
    assert not torch.is_anomaly_enabled()


def test_inference_tensors_in_ops_that_are_called_often(torch):
    """The check holds on every path of the dispatcher."""
    x = torch.ones(3, 3, requires_grad=True)
    for _ in range(50):
        torch.matmul(x, x.t())
    with torch.inference_mode():
        constant = torch.ones(3, 3)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        torch.matmul(x, constant)
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        torch.mul(x, constant)


@pytest.mark.whole
def test_the_first_write_of_all_is_noticed():
    """A view made under no_grad before anything was ever written knows that it was written since."""
    root = Path(__file__).parents[4]
    code = (
        "import dyncore as torch\n"
        "with torch.no_grad():\n"
        "    view = torch.ones(2, requires_grad=True)[:]\n"
        "    view *= 2\n"
        "print(repr(view))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(root / "core")}
    )
    assert "tensor([2., 2.], grad_fn=<Invalid>)\n" == found.stdout
