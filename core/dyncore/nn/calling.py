"""Calls of a Module with a listener or hooks; else `forward` is called directly."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from dyncore.engine.hooks import Handle
from dyncore.graph import events
from dyncore.tensors.tensor import Tensor

# Hooks on all modules, by kind; see `global_hooks`.
EVERYWHERE: dict[str, dict[int, Any]] = {"forward_pre": {}, "forward": {}, "backward": {}, "backward_pre": {}}


def call(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call `module.forward` and its hooks, and report entry and exit to the listener."""
    listener = events.listener
    if listener is None:
        return _hooked(module, args, kwargs) if module._hooked else module.forward(*args, **kwargs)
    listener.enter_module(module)
    try:
        return _hooked(module, args, kwargs) if module._hooked else module.forward(*args, **kwargs)
    finally:
        listener.exit_module(module)


def _hooked(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    result = None
    done: set[int] = set()
    try:
        own = [(hook, key in module._forward_pre_hooks_with_kwargs) for key, hook in module._forward_pre_hooks.items()]
        for hook, with_kwargs in [*EVERYWHERE["forward_pre"].values(), *own]:
            if with_kwargs:
                changed = hook(module, args, kwargs)
                if changed is not None:
                    if not isinstance(changed, tuple) or len(changed) != 2:
                        raise RuntimeError(
                            "forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got "
                            f"{changed}."
                        )
                    args, kwargs = changed
            else:
                changed = hook(module, args)
                if changed is not None:
                    args = changed if isinstance(changed, tuple) else (changed,)
        backward = None
        kinds = module._backward_hooks, module._backward_pre_hooks, EVERYWHERE["backward"], EVERYWHERE["backward_pre"]
        if any(kinds) and not module.__dict__.get("_regular_hooks"):
            from dyncore.nn.backward_hooks import BackwardHooks

            backward = BackwardHooks(module, EVERYWHERE)
            args = backward.watch_inputs(args)
        result = module.forward(*args, **kwargs)
        for key, (hook, with_kwargs, _) in [*EVERYWHERE["forward"].items(), *_forward_hooks(module)]:
            done.add(key)
            changed = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
            if changed is not None:
                result = changed
        if module.__dict__.get("_regular_hooks"):
            from dyncore.nn.backward_hooks import watch_node

            watch_node(module, result)
        return result if backward is None else backward.watch_outputs(result)
    except Exception:
        for key, (hook, with_kwargs, always) in _forward_hooks(module):
            if always and key not in done:
                changed = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
                if changed is not None:
                    result = changed
        raise


def _forward_hooks(module: Any) -> list[tuple[int, tuple[Any, bool, bool]]]:
    """List the keys and forward hooks of a module, each with `with_kwargs` and `always_call`."""
    with_kwargs, always = module._forward_hooks_with_kwargs, module._forward_hooks_always_called
    return [(key, (hook, key in with_kwargs, key in always)) for key, hook in module._forward_hooks.items()]


def first(hooks: dict[int, Any], handle: Handle) -> None:
    """Move a hook that was just registered before all others."""
    others = {key: hook for key, hook in hooks.items() if key != handle.id}
    hook = hooks[handle.id]
    hooks.clear()
    hooks[handle.id] = hook
    hooks.update(others)


# While a batch runs, `__call__` has other code (`batching/modules.py`), with this name.
together: Any = None  # calls a module as one step where that can be


class Calling:
    """Part of Module with the call and its hooks."""

    _hooked = False
    _forward_hooks: dict[int, Any]
    _forward_pre_hooks: dict[int, Any]
    _forward_hooks_with_kwargs: Mapping[int, bool] = MappingProxyType({})
    _forward_hooks_always_called: Mapping[int, bool] = MappingProxyType({})
    _forward_pre_hooks_with_kwargs: Mapping[int, bool] = MappingProxyType({})
    _backward_hooks: dict[int, Any]
    _backward_pre_hooks: dict[int, Any]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if events.listener is None and not self._hooked:
            if len(args) == 1 and not kwargs:
                return self.forward(args[0])  # without a tuple and a dictionary to take apart
            return self.forward(*args, **kwargs)
        return call(self, args, kwargs)

    def forward(self, *input: Any) -> Any:
        """Compute the module; every subclass defines it."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def _register(self, hooks: dict[int, Any], entry: Any, prepend: bool) -> Handle:
        self.__dict__["_hooked"] = True
        handle = Handle(hooks, entry)
        if prepend:
            first(hooks, handle)
        return handle

    def _mark(self, table: str, handle: Handle, is_set: bool) -> None:
        """Store an option of a hook in a table of the module's own."""
        if is_set:
            self.__dict__.setdefault(table, {})[handle.id] = True

    def register_forward_pre_hook(self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False) -> Handle:
        """Call `hook(module, args)` before `forward`.

        A result other than None replaces the arguments.
        """
        handle = self._register(self._forward_pre_hooks, hook, prepend)
        self._mark("_forward_pre_hooks_with_kwargs", handle, with_kwargs)
        return handle

    def register_forward_hook(
        self, hook: Any, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> Handle:
        """Call `hook(module, args, output)` after `forward`.

        A result other than None replaces the output.
        """
        handle = self._register(self._forward_hooks, hook, prepend)
        self._mark("_forward_hooks_with_kwargs", handle, with_kwargs)
        self._mark("_forward_hooks_always_called", handle, always_call)
        return handle

    def register_full_backward_hook(self, hook: Any, prepend: bool = False) -> Handle:
        """Call `hook(module, grad_input, grad_output)` after the backward of a module.

        That is when the gradients of its inputs are computed.  A result other than None replaces `grad_input`.
        """
        self._one_kind(False)
        return self._register(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook: Any) -> Handle:
        """Call `hook(module, grad_input, grad_output)` after the backward of the last op.

        The old kind of backward hook.
        """
        self._one_kind(True)
        return self._register(self._backward_hooks, hook, False)

    def _one_kind(self, regular: bool) -> None:
        """Set the kind of the backward hooks.

        Raises RuntimeError for both kinds at once.
        """
        if not self._backward_hooks:
            self.__dict__["_regular_hooks"] = regular
        elif self.__dict__.get("_regular_hooks", False) != regular:
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only "
                "one of them."
            )

    def register_full_backward_pre_hook(self, hook: Any, prepend: bool = False) -> Handle:
        """Call `hook(module, grad_output)` before the backward of a module.

        That is when the gradients of its outputs are computed.  A result other than None replaces `grad_output`.
        """
        return self._register(self._backward_pre_hooks, hook, prepend)


def tensors_in(values: tuple[Any, ...]) -> list[int]:
    """Return the positions of the tensors that require grad."""
    return [number for number, value in enumerate(values) if isinstance(value, Tensor) and value.requires_grad]
