"""Private parts of PyTorch's autograd that libraries reach for."""

from __future__ import annotations

import gc
import logging
import warnings
from typing import Any


def cached_tensors(torch: Any) -> Any:
    """A tensor named twice is forgotten at once."""
    torch._C._set_cached_tensors_enabled(True)
    x = torch.ones(2)
    found = [torch._C._is_cached_tensor(x)]
    torch._C._add_cached_tensor(x)
    torch._C._add_cached_tensor(x)
    found.append(torch._C._is_cached_tensor(x))
    torch._C._remove_cached_tensor(x)
    found.append(torch._C._is_cached_tensor(x))
    torch._C._set_cached_tensors_enabled(False)
    return found


def kept_for_a_thread(torch: Any) -> Any:
    """A value kept under a name is there while backward runs."""
    torch._C._stash_obj_in_tls("name", {"a": 1})
    found = []
    x = torch.ones(2, requires_grad=True)
    x.register_hook(lambda g: found.append(torch._C._get_obj_in_tls("name")["a"]))
    x.sum().backward()
    return [*found, torch._C._is_key_in_tls("name"), torch._C._is_key_in_tls("other")]


def functions_for_tests(torch: Any) -> Any:
    """Those with a wrong gradient have just that one."""
    found = []
    for function in (
        torch._test_autograd_multiple_dispatch,
        lambda x: torch._test_autograd_multiple_dispatch(x, True),
        torch._test_autograd_multiple_dispatch_view,
        torch._test_autograd_multiple_dispatch_view_copy,
    ):
        x = torch.arange(4.0).reshape(2, 2).requires_grad_()
        y = function(x)
        y.backward(torch.full(y.shape, 3.0))
        found.append((y.detach(), x.grad, y._is_view()))
    b = torch._C._nn._test_warn_in_autograd(torch.zeros((), requires_grad=True))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        b.backward()
    return [*found, [str(each.message).split("(")[0].strip() for each in caught]]


def logged_nodes(torch: Any) -> Any:
    """At the level DEBUG each node is told as backward comes to it, and nothing is once the level is back."""
    told: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(record.getMessage().split(" object")[0] + record.getMessage().split(">")[1])

    logger, ear = logging.getLogger("torch.autograd.graph"), Ear()
    before, passed_on = logger.level, logger.propagate
    logger.addHandler(ear)
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        x = torch.ones(2, 3, requires_grad=True)
        y = (x * 2).unbind()[0].double().sum()
        torch.autograd.backward((y, y.clone()), retain_graph=True)
        logger.setLevel(before)
        y.backward()
    finally:
        logger.setLevel(before)
        logger.propagate = passed_on
        logger.removeHandler(ear)
    return told


def flags(torch: Any) -> Any:
    """Switches that change nothing on a CPU."""
    torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch(True)
    return torch._C._warn_on_accumulate_grad_stream_mismatch()


def mapped_to_itself(torch: Any) -> Any:
    """What a mapped function hands back as it came is the very tensor, and one result twice is one tensor."""
    x = torch.arange(6.0).reshape(3, 2)
    vmap = torch._vmap_internals._vmap
    a, b = vmap(lambda t: (t * 2,) * 2, 0, 0)(x)
    return vmap(lambda t: t, 0, 0)(x) is x, vmap(lambda t: t, 0, 1)(x), a is b, a


def an_inference_tensor_leaves_no_trace(torch: Any) -> Any:
    """One that requires grad is refused where it would be saved; without it, nothing of the kind is asked."""
    with torch.inference_mode():
        c = torch.ones(2, requires_grad=True)
    s = torch.ones(2, requires_grad=True)
    try:
        c * s
    except RuntimeError as error:
        found = [str(error)]
    (c * 2).requires_grad, (s * c.sum().item()).sum().backward()
    del c
    gc.collect()
    (s.exp() * s).sum().backward()
    return [*found, s.grad]
