"""Activation checkpointing: what a part of the model saves for backward is dropped and computed again when needed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from typing import Any

from dyncore.autograd import backward as run_backward
from dyncore.autograd.function import Function
from dyncore.autograd.graph import saved_tensors_hooks
from dyncore.creation.factory import empty
from dyncore.creation.random import get_rng_state, set_rng_state
from dyncore.errors.explain import missing_in
from dyncore.graph.events import not_recorded, recomputing
from dyncore.graph.modes import enable_grad, is_grad_enabled
from dyncore.graph.running import running
from dyncore.tensors.tensor import Tensor

from .recomputation import Frame, GraphExecGroup as GraphExecGroup

__capture__ = "refused"

__all__ = [
    "CheckpointError", "CheckpointFunction", "GraphExecGroup", "checkpoint", "checkpoint_sequential", "noop_context_fn",
    "set_checkpoint_debug_enabled", "set_checkpoint_early_stop",
]  # fmt: skip

_early_stop: bool | None = None
_debug: bool | None = None


class CheckpointError(RuntimeError):
    """The part of the model computed something else the second time."""


def noop_context_fn() -> tuple[Any, Any]:
    """Return contexts that do nothing, for the forward and for the recomputation."""
    return nullcontext(), nullcontext()


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Any:
    """Set for a block whether recomputation stops early, whatever `early_stop` each checkpoint is given."""
    global _early_stop
    before, _early_stop = _early_stop, enable
    try:
        yield
    finally:
        _early_stop = before


@contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Any:
    """Override the `debug` argument of `checkpoint` inside the block."""
    global _debug
    before, _debug = _debug, enabled
    try:
        yield
    finally:
        _debug = before


def check_backward_validity(inputs: Any) -> None:
    """Warn when no input requires grad, so that nothing would get a gradient."""
    if not any(each.requires_grad for each in inputs if isinstance(each, Tensor)):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


def detach_variable(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the inputs cut off from their history, each tensor with its `requires_grad`."""
    if not isinstance(inputs, tuple):
        raise RuntimeError(f"Only tuple of tensors is supported. Got Unsupported input type: {type(inputs).__name__}")
    return tuple(
        each.detach().requires_grad_(each.requires_grad) if isinstance(each, Tensor) else each for each in inputs
    )


def get_device_states(*args: Any) -> tuple[list[Any], list[Any]]:
    """Return the GPUs of the tensors and their generators' states: none."""
    return [], []


def set_device_states(devices: Any, states: Any, *, device_type: Any = None) -> None:
    """Do nothing: there are no GPUs with a generator."""


class CheckpointFunction(Function):
    """The re-entrant kind: forward without a graph, backward runs the part again and a backward inside."""

    @staticmethod
    def forward(ctx: Any, run_function: Any, preserve_rng_state: bool, *args: Any) -> Any:
        check_backward_validity(args)
        ctx.run_function = run_function
        ctx.rng_state = get_rng_state() if preserve_rng_state else None
        ctx.inputs = [None if isinstance(each, Tensor) else each for each in args]
        ctx.positions = [position for position, each in enumerate(args) if isinstance(each, Tensor)]
        ctx.save_for_backward(*[args[position] for position in ctx.positions])
        return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        task = running.get()
        if task is not None and task.needed is not None:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call "
                ".backward() without passing the `inputs` argument."
            )
        inputs = list(ctx.inputs)
        for position, tensor in zip(ctx.positions, ctx.saved_tensors, strict=True):
            inputs[position] = (
                tensor.detach().requires_grad_(tensor.requires_grad) if tensor.requires_grad else tensor.detach()
            )
        with recomputing(), _random_state(ctx.rng_state), enable_grad():
            outputs = ctx.run_function(*inputs)
        given = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = [
            (out, grad) for out, grad in zip(given, grads, strict=True) if isinstance(out, Tensor) and out.requires_grad
        ]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        run_backward([out for out, _ in pairs], [grad for _, grad in pairs])
        return (None, None, *(each.grad if isinstance(each, Tensor) else None for each in inputs))


@contextmanager
def _random_state(state: Any) -> Any:
    """Run a block with the generator as it was in the forward."""
    if state is None:
        yield
        return
    now = get_rng_state()
    set_rng_state(state)
    try:
        yield
    finally:
        set_rng_state(now)


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Return `function(*args)`, whose saved values are dropped and computed again during backward.

    use_reentrant: False is the kind to use; True runs a backward inside the backward and needs an input that requires
    grad.
    preserve_rng_state: draw the same random numbers again.
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, "
            "calling checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but "
            "if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for "
            "more details on the differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs and use_reentrant:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if use_reentrant:
        if context_fn is not noop_context_fn or debug:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, preserve, *args)
    return _recomputed(function, preserve, context_fn, determinism_check, debug, early_stop, args, kwargs)


class _KeepInputs(Function):
    """Saves the inputs in the graph, where an outer checkpoint's hooks see them."""

    @staticmethod
    def forward(ctx: Any, dummy: Tensor, rebuild: Any, *tensors: Tensor) -> Tensor:
        ctx.rebuild = rebuild
        ctx.save_for_backward(*tensors)
        return empty((0,))

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        raise AssertionError("Did not expect to backward on this graph")


def _recomputed(
    function: Any,
    preserve: bool,
    context_fn: Any,
    determinism_check: str,
    debug: bool,
    early_stop: bool,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Checkpoint without re-entering: hooks on saved tensors put holders in the graph."""
    if determinism_check not in ("default", "none"):
        raise ValueError(f"determinism_check should be one of ['default', 'none'], but got {determinism_check}")
    forward_context, recompute_context = context_fn()
    if not is_grad_enabled():
        return function(*args, **kwargs)
    positions = [position for position, each in enumerate(args) if isinstance(each, Tensor)]
    names = [name for name, each in kwargs.items() if isinstance(each, Tensor)]
    plain = [None if isinstance(each, Tensor) else each for each in args]
    named = {name: each for name, each in kwargs.items() if not isinstance(each, Tensor)}
    with not_recorded():
        keeper = _KeepInputs.apply(
            empty((0,), requires_grad=True), None, *[args[p] for p in positions], *[kwargs[n] for n in names]
        )
    state = get_rng_state() if preserve else None

    def again() -> None:
        tensors = keeper.grad_fn.saved_tensors
        inputs = list(plain)
        for position, tensor in zip(positions, tensors, strict=False):
            inputs[position] = tensor
        rest = {**named, **dict(zip(names, tensors[len(positions) :], strict=True))}
        with recomputing(), _random_state(state), recompute_context, enable_grad():
            function(*inputs, **rest)

    stops = early_stop if _early_stop is None else _early_stop
    frame = Frame(again, stops, determinism_check == "default", CheckpointError)
    frame.debug = debug if _debug is None else _debug
    with saved_tensors_hooks(frame.pack, frame.unpack), forward_context:
        result = function(*args, **kwargs)
    frame.forward_completed = True
    return result


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """Run a list of functions, or a Sequential, in `segments` checkpointed parts; the last part is kept."""
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In "
            "version 2.9 we will raise an exception if use_reentrant is not passed. use_reentrant=False is "
            "recommended, but if you need to preserve the current default behavior, you can pass use_reentrant=True. "
            "Refer to docs for more details on the differences between the two variants.",
            stacklevel=2,
        )
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    parts = list(functions.children()) if hasattr(functions, "children") else list(functions)
    size = len(parts) // segments

    def run(start: int, end: int) -> Callable[[Any], Any]:
        def forward(value: Any) -> Any:
            for part in parts[start : end + 1]:
                value = part(value)
            return value

        return forward

    end = -1
    for start in range(0, size * (segments - 1), size):
        end = start + size - 1
        input = checkpoint(run(start, end), input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return run(end + 1, len(parts) - 1)(input)


__getattr__ = missing_in(__name__)
