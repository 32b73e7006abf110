"""State of a Module: `state_dict` and `load_state_dict`, with PyTorch's errors."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from dyncore.engine.hooks import Handle
from dyncore.errors.advice import advise
from dyncore.graph import versions
from dyncore.tensors.meta_array import MetaArray
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.size import Size
from dyncore.tensors.tensor import Tensor, storage, wrap

__capture__ = "engine"

_EXTRA = "_extra_state"


def consume_prefix(state_dict: dict[str, Any], prefix: str) -> None:
    """Take `prefix` from the keys of a state dict that begin with it, and of its metadata, in place."""
    for names in (state_dict, getattr(state_dict, "_metadata", {})):
        for key in list(names):
            if key.startswith(prefix) or (names is not state_dict and key and key == prefix.replace(".", "")):
                names[key[len(prefix) :]] = names.pop(key)


class IncompatibleKeys(NamedTuple):
    """Missing and unexpected keys of `load_state_dict(strict=False)`."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"

    def __str__(self) -> str:
        return self.__repr__()


class State:
    """Part of Module that saves and loads the state."""

    _version: int = 1
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]
    _state_dict_hooks: dict[int, Any]
    _state_dict_pre_hooks: dict[int, Any]
    _load_state_dict_pre_hooks: dict[int, Any]
    _load_state_dict_post_hooks: dict[int, Any]

    def get_extra_state(self) -> Any:
        """Return a state besides tensors; a subclass defines it with `set_extra_state`."""
        raise RuntimeError("Reached a code path in Module.get_extra_state() that should never be called.")

    def set_extra_state(self, state: Any) -> None:
        """Load the result of `get_extra_state`."""
        raise RuntimeError("Reached a code path in Module.set_extra_state() that should never be called.")

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """Return parameters and persistent buffers by path.

        They are detached and share memory with the module.

        >>> list(Linear(2, 1).state_dict())
        ['weight', 'bias']
        """
        if args:
            advise("state_dict")
            destination, prefix, keep_vars = (
                (*args, prefix, keep_vars)[:3] if len(args) > 1 else (args[0], prefix, keep_vars)
            )
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for pre_hook in self._state_dict_pre_hooks.values():
            pre_hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            replaced = hook(self, destination, prefix, metadata)
            if replaced is not None:
                destination = replaced
        return destination

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, value in self._parameters.items():
            if value is not None:
                destination[prefix + name] = value if keep_vars else value.detach()
        for name, value in self._buffers.items():
            if value is not None and name not in self._non_persistent_buffers_set:
                destination[prefix + name] = value if keep_vars else value.detach()
        if type(self).get_extra_state is not State.get_extra_state:
            destination[prefix + _EXTRA] = self.get_extra_state()

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Copy the tensors of `state_dict` to this module and those below it.

        strict: a missing or an extra key is an error.  assign: take the tensors themselves instead of copying.
        Raises RuntimeError that lists every key which does not fit.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        metadata = getattr(state_dict, "_metadata", None)
        state = OrderedDict(state_dict)
        self._load(state, "", strict, assign, metadata, missing, unexpected, errors)
        if strict:
            if unexpected:
                listed = ", ".join(f'"{key}"' for key in unexpected)
                errors.insert(0, f"Unexpected key(s) in state_dict: {listed}. ")
            if missing:
                listed = ", ".join(f'"{key}"' for key in missing)
                errors.insert(0, f"Missing key(s) in state_dict: {listed}. ")
        if errors:
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(errors))
        return IncompatibleKeys(missing, unexpected)

    def _load(
        self,
        state: Any,
        prefix: str,
        strict: bool,
        assign: bool,
        metadata: Any,
        missing: Any,
        unexpected: Any,
        errors: Any,
    ) -> None:
        local = dict(metadata.get(prefix[:-1], {})) if metadata else {}
        local["assign_to_params_buffers"] = assign
        self._load_from_state_dict(state, prefix, local, True, missing, unexpected, errors)
        for name, module in self._modules.items():
            if module is not None:
                below = prefix + name + "."
                part = OrderedDict((key, value) for key, value in state.items() if key.startswith(below))
                module._load(part, below, strict, assign, metadata, missing, unexpected, errors)
        keys = IncompatibleKeys(missing, unexpected)
        for hook in self._load_state_dict_post_hooks.values():
            if hook(self, keys) is not None:
                raise AssertionError(
                    "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new "
                    "values, if incompatible_keys need to be modified, it should be done inplace."
                )

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        persistent = {n: v for n, v in self._buffers.items() if n not in self._non_persistent_buffers_set}
        own = {name: value for name, value in {**self._parameters, **persistent}.items() if value is not None}
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, value in own.items():
            key = prefix + name
            if key not in state_dict:
                if strict:
                    missing_keys.append(key)
                continue
            problem = self._take(name, value, state_dict[key], key, assign)
            if problem is not None:
                error_msgs.append(problem)
        self._load_extra(state_dict, prefix, strict, missing_keys, unexpected_keys)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != prefix + _EXTRA:
                    name, *deeper = key[len(prefix) :].split(".", 1)
                    if (deeper and name not in self._modules) or (not deeper and name not in own):
                        unexpected_keys.append(key)

    def _load_extra(
        self, state_dict: Any, prefix: str, strict: bool, missing: list[str], unexpected: list[str]
    ) -> None:
        key = prefix + _EXTRA
        if type(self).set_extra_state is not State.set_extra_state:
            if key in state_dict:
                self.set_extra_state(state_dict[key])
            elif strict:
                missing.append(key)
        elif strict and key in state_dict:
            unexpected.append(key)

    def _take(self, name: str, value: Tensor, given: Any, key: str, assign: bool) -> str | None:
        """Copy or assign one tensor.

        Returns the sentence that says why it does not fit, or None.
        """
        if isinstance(given, (np.ndarray, np.generic)):
            given = wrap(np.asarray(given), None)
        if not isinstance(given, Tensor):
            return (
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                "checkpoint "
                f"but received {type(given)}"
            )
        target = storage(value)
        source = storage(given)
        if not target.ndim and source.shape == (1,):
            source = source[0, ...]
        if source.shape != target.shape:
            return (
                f"size mismatch for {key}: copying a param with shape {Size(source.shape)} from checkpoint, the shape "
                f"in current model is {Size(target.shape)}."
            )
        if assign:
            if isinstance(value, Parameter):
                given = given if isinstance(given, Parameter) else Parameter(given, value.requires_grad)
            setattr(self, name, given)
            return None
        if target.__class__ is MetaArray and source.__class__ is not MetaArray:
            warnings.warn(
                f"for {key}: copying from a non-meta parameter in the checkpoint to a meta parameter in the current "
                "model, which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary "
                "to their corresponding key in the module instead of copying them in place?)",
                stacklevel=2,
            )
            return None
        if source.__class__ is MetaArray and target.__class__ is not MetaArray:
            return (
                f'While copying the parameter named "{key}", whose dimensions in the model are {Size(target.shape)} '
                f"and whose dimensions in the checkpoint are {Size(source.shape)}, an exception occurred : ('Cannot "
                "copy out of meta tensor; no data!',)."
            )
        versions.before_write(target, silent=True)
        target[...] = source
        versions.bump(target)
        return None

    def register_state_dict_post_hook(self, hook: Any) -> Handle:
        """Call `hook(module, state_dict, prefix, metadata)` after `state_dict`."""
        return Handle(self._state_dict_hooks, hook)

    _register_state_dict_hook = register_state_dict_post_hook

    def register_state_dict_pre_hook(self, hook: Any) -> Handle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict`."""
        return Handle(self._state_dict_pre_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Any) -> Handle:
        """Call `hook(module, state_dict, prefix, ...)` before this module is loaded."""

        def with_module(*args: Any) -> Any:
            return hook(self, *args)

        return Handle(self._load_state_dict_pre_hooks, with_module)

    def _register_load_state_dict_pre_hook(self, hook: Any, with_module: bool = False) -> Handle:
        return (
            self.register_load_state_dict_pre_hook(hook)
            if with_module
            else Handle(self._load_state_dict_pre_hooks, hook)
        )

    def register_load_state_dict_post_hook(self, hook: Any) -> Handle:
        """Call `hook(module, incompatible_keys)` after this module and those below."""
        return Handle(self._load_state_dict_post_hooks, hook)
