"""Hooks on every module at once: `register_module_forward_hook` and the like."""

from __future__ import annotations

from typing import Any

from dyncore.engine.hooks import Handle
from dyncore.nn.calling import EVERYWHERE, Calling


def _register(kind: str, entry: Any) -> Handle:
    Calling._hooked = True  # from here on every module looks for hooks
    return Handle(EVERYWHERE[kind], entry)


def register_module_forward_pre_hook(hook: Any) -> Handle:
    """Call `hook(module, args)` before the `forward` of every module."""
    return _register("forward_pre", (hook, False))


def register_module_forward_hook(hook: Any, *, with_kwargs: bool = False, always_call: bool = False) -> Handle:
    """Call `hook(module, args, output)` after the `forward` of every module."""
    return _register("forward", (hook, with_kwargs, always_call))


def register_module_full_backward_hook(hook: Any) -> Handle:
    """Call `hook(module, grad_input, grad_output)` after each module's backward."""
    return _register("backward", hook)


def register_module_full_backward_pre_hook(hook: Any) -> Handle:
    """Call `hook(module, grad_output)` before each module's backward."""
    return _register("backward_pre", hook)
