"""Optimizer: groups of parameters, their state, and the step that subclasses define for one parameter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import wraps
from itertools import chain
from typing import Any
from weakref import ref

import numpy as np
from numpy.lib.stride_tricks import as_strided

from dyncore.dtypes import dtypes
from dyncore.engine.hooks import Handle
from dyncore.errors.explain import missing_in
from dyncore.graph import versions
from dyncore.graph.modes import enable_grad, set_grad_enabled
from dyncore.mutation.setitem import clear_gradient
from dyncore.tensors.tensor import Tensor, storage, wrap

F32 = np.float32


class _Required:
    """The default of an option that must be given; optimizers of the user's own import the one instance."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()
_RequiredParameter = _Required
# The type of what an optimizer takes, for annotations: tensors, named tensors or groups of them.
ParamsT = Iterable[Any]


class Optimizer:
    """Updates parameters from their gradients; steps run on raw arrays and are not recorded."""

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                f"torch.{params.dtype.title}Tensor"
            )
        self.defaults = defaults
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        self._pre_hooks: dict[int, Any] = {}
        self._post_hooks: dict[int, Any] = {}
        self._state_hooks: dict[str, dict[int, Any]] = {}
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(dict(group))

    @staticmethod
    def _options(given: dict[str, Any], names: str) -> dict[str, Any]:
        """Return the options of these names, in this order, among the arguments of a constructor."""
        return {name: given[name] for name in names.split()}

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with options of their own; the defaults fill in the rest.

        Raises TypeError for what is no tensor, ValueError for a tensor that is no leaf or is in a group already.
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, Tensor):
            params = [params]
        elif isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets "
                "will change between runs. Please use a list instead."
            )
        params = list(params)
        group: dict[str, Any] = {**param_group, "params": params}
        named = [isinstance(each, tuple) for each in params]
        if any(named):
            if not all(named):
                raise ValueError("all optimizer params should be with/without names. Some param names are missing")
            group["params"] = [each[1] for each in params]
            group["param_names"] = [each[0] for each in params]
        for parameter in group["params"]:
            if not isinstance(parameter, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {type(parameter).__name__}"
                )
            if not self.defaults.get("differentiable") and not parameter.is_leaf:
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            group.setdefault(name, default)
        self._check_repeated(group["params"])
        self.param_groups.append(group)

    def _check_repeated(self, params: list[Any]) -> None:
        if len({id(each) for each in params}) != len(params):
            import warnings

            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; "
                "see github.com/pytorch/pytorch/issues/40967 for more information",
                stacklevel=4,
            )
        present = {id(each) for group in self.param_groups for each in group["params"]}
        if present & {id(each) for each in params}:
            raise ValueError("some parameters appear in more than one parameter group")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Drop the gradients of all parameters, or set them to zero."""
        for group in self.param_groups:
            for parameter in group["params"]:
                grad = parameter.grad
                if grad is None:
                    continue
                if set_to_none:
                    parameter.grad = None
                else:
                    clear_gradient(grad)

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter that has a gradient.

        `closure` computes the loss again; the loss is returned.
        """
        given = (self,) if closure is None else (self, closure)
        for hook in list(self._pre_hooks.values()):
            hook(self, given, {})
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        for group in self.param_groups:
            maximize = group.get("maximize", False)
            for parameter in group["params"]:
                grad = parameter.grad
                if grad is None:
                    continue
                array = storage(parameter)
                slope = self.sparse_array(grad, group) if grad.is_sparse else storage(grad)
                versions.before_write(array, silent=True)
                update = self.update_parts if array.dtype.kind == "c" and not grad.is_sparse else self.update
                update(array, -slope if maximize else slope, self.state[parameter], group)
                versions.bump(array)
        for hook in list(self._post_hooks.values()):
            hook(self, given, {})
        return loss

    def sparse_array(self, grad: Any, group: dict[str, Any]) -> Any:
        """Return a sparse gradient as an array.  Raises RuntimeError in an optimizer that does not take any."""
        raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")

    def update(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        """Write the new value of one parameter into the array `x`.

        `state` belongs to the parameter, `group` holds its options.
        """
        raise NotImplementedError

    def update_parts(self, x: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        """Update real and imaginary parts as numbers of their own; between steps the state holds complex numbers."""
        for key, value in state.items():
            if isinstance(value, Tensor) and value._array.dtype.kind == "c":
                state[key] = wrap(as_real(value._array), None)
        self.update(as_real(x), as_real(np.asarray(grad)), state, group)
        for key, value in state.items():
            if isinstance(value, Tensor) and value._array.shape == (*x.shape, 2):
                state[key] = wrap(np.ascontiguousarray(value._array).view(x.dtype)[..., 0], None)

    def state_dict(self) -> dict[str, Any]:
        """Return the state by parameter number, and the groups.

        The groups hold numbers in place of parameters.
        """
        for hook in self._hooks_of("state_dict_pre"):
            hook(self)
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for parameter in group["params"]:
                numbers.setdefault(id(parameter), len(numbers))
            packed = {key: value for key, value in group.items() if key != "params"}
            groups.append({**packed, "params": [numbers[id(each)] for each in group["params"]]})
        held = {key: value for key, value in self.state.items() if value}
        state = {numbers[id(key)] if isinstance(key, Tensor) else key: value for key, value in held.items()}
        result = {"state": state, "param_groups": groups}
        for hook in self._hooks_of("state_dict_post"):
            result = hook(self, result) or result
        return result

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load the state and options of another optimizer.

        Raises ValueError unless both have the same groups.
        """
        for hook in self._hooks_of("load_state_dict_pre"):
            state_dict = hook(self, dict(state_dict)) or state_dict
        groups, given = self.param_groups, deepcopy(state_dict["param_groups"])
        if len(groups) != len(given):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(a["params"]) != len(b["params"]) for a, b in zip(groups, given)):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
            )
        numbers = chain.from_iterable(group["params"] for group in given)
        parameters = dict(zip(numbers, chain.from_iterable(group["params"] for group in groups)))
        state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            parameter = parameters.get(key)
            state[key if parameter is None else parameter] = _taken(value, parameter)
        self.state = state
        self.param_groups = [{**new, "params": old["params"]} for old, new in zip(groups, given)]
        for hook in self._hooks_of("load_state_dict_post"):
            hook(self)

    def register_step_pre_hook(self, hook: Any) -> Handle:
        """Call `hook(optimizer, args, kwargs)` before every step."""
        return Handle(self._pre_hooks, hook)

    def register_step_post_hook(self, hook: Any) -> Handle:
        """Call `hook(optimizer, args, kwargs)` after every step."""
        return Handle(self._post_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Any, prepend: bool = False) -> Handle:
        """Call `hook(optimizer)` before `state_dict`."""
        return self._hooked("state_dict_pre", hook, prepend)

    def register_state_dict_post_hook(self, hook: Any, prepend: bool = False) -> Handle:
        """Call `hook(optimizer, state_dict)` after `state_dict`.

        A result other than None is returned in place of the state.
        """
        return self._hooked("state_dict_post", hook, prepend)

    def register_load_state_dict_pre_hook(self, hook: Any, prepend: bool = False) -> Handle:
        """Call `hook(optimizer, state_dict)` before loading.

        A result other than None is loaded in place of the state.
        """
        return self._hooked("load_state_dict_pre", hook, prepend)

    def register_load_state_dict_post_hook(self, hook: Any, prepend: bool = False) -> Handle:
        """Call `hook(optimizer)` after loading."""
        return self._hooked("load_state_dict_post", hook, prepend)

    def _hooked(self, kind: str, hook: Any, prepend: bool) -> Handle:
        hooks = self._state_hooks.setdefault(kind, {})
        before = dict(hooks)
        handle = Handle(hooks, hook)
        if prepend:
            for key, each in before.items():  # put in again, after the new one
                del hooks[key]
                hooks[key] = each
        return handle

    def _hooks_of(self, kind: str) -> list[Any]:
        return list(self._state_hooks.get(kind, {}).values())

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({"_pre_hooks": {}, "_post_hooks": {}, "_state_hooks": {}}, **state)

    def __repr__(self) -> str:
        lines = [type(self).__name__ + " ("]
        for number, group in enumerate(self.param_groups):
            lines += ["", f"Parameter Group {number}"] if number else [f"Parameter Group {number}"]
            lines.extend(f"    {key}: {group[key]}" for key in sorted(group) if key != "params")
        return "\n".join([*lines, ")"])


def _taken(value: Any, parameter: Any) -> Any:
    """Copy a loaded state for `parameter`.

    Tensors are shared; all but the step count get the dtype of the parameter.
    """
    if not isinstance(value, dict):
        return type(value)(_taken(each, parameter) for each in value) if isinstance(value, (list, tuple)) else value
    loaded = {}
    for key, each in value.items():
        if isinstance(each, (np.ndarray, np.generic)):
            each = wrap(each, None)
        if isinstance(each, Tensor) and parameter is not None and key != "step" and parameter._array.dtype.kind == "f":
            loaded[key] = each.to(parameter.dtype)
        else:
            loaded[key] = _taken(each, parameter)
    return loaded


def _use_grad_for_differentiable(step: Callable[..., Any]) -> Callable[..., Any]:
    """Return `step` as one that records no graph, PyTorch's decorator for optimizers."""

    @wraps(step)
    def ungraded(self: Any, *args: Any, **kwargs: Any) -> Any:
        with set_grad_enabled(self.defaults.get("differentiable", False)):
            return step(self, *args, **kwargs)

    return ungraded


def _default_to_fused_or_foreach(params: Any, differentiable: bool, use_fused: bool = False) -> tuple[bool, bool]:
    """Return (False, False): there is one kind of step here."""
    return False, False


def number(value: Any) -> float:
    """Return an option as a number; it may be a tensor of one element."""
    if not isinstance(value, Tensor):
        number: float = value
        return number
    if value.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    return float(value.item())


_get_value = number


def check(name: str, value: Any, good: bool) -> None:
    """Raise ValueError that `value` is no valid `name`, unless `good`."""
    if not good:
        raise ValueError(f"Invalid {name}: {value}")


def check_nonnegative(**options: Any) -> None:
    """Raise ValueError for the first option below 0."""
    titles = {"lr": "learning rate", "eps": "epsilon value"}
    for name, value in options.items():
        check(titles.get(name, f"{name} value"), value, number(value) >= 0)


def counted(state: dict[str, Any]) -> float:
    """Count one step up in the state and return its number."""
    step = state["step"]
    step._array = step._array + step._array.dtype.type(1)
    return float(step._array)


def scalar(value: float) -> Any:
    """Return a number of the state.

    float64 if that is the default dtype, else float32.
    """
    return np.float64(value) if dtypes.get_default_dtype() is dtypes.float64 else F32(value)


def as_real(array: Any) -> Any:
    """Return a view of complex numbers in which a last dimension holds the two parts of each."""
    return as_strided(array.real, (*array.shape, 2), (*array.strides, array.real.itemsize))


def zeros(x: Any) -> Tensor:
    """Return a tensor of zeros with the shape and dtype of the array `x`."""
    return wrap(np.zeros(x.shape, x.dtype), None)


def first_step() -> Tensor:
    """Return the step count of a new state."""
    return wrap(scalar(0), None)


def decayed(x: Any, grad: Any, weight_decay: float) -> Any:
    """Return the gradient plus the weight decay."""
    return grad + weight_decay * x if weight_decay else grad


def notice_steps(optimizer: Any) -> None:
    """Make `optimizer.step` record that it was called.

    A schedule that is stepped before the optimizer warns that it skips the first rate.
    """
    step, reference = optimizer.step, ref(optimizer)
    if hasattr(step, "_wrapped_by_lr_sched"):
        return

    @wraps(step)
    def noticed(*args: Any, **kwargs: Any) -> Any:
        owner: Any = reference()
        owner._opt_called = True
        return step.__func__(owner, *args, **kwargs)

    noticed._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    optimizer.step = noticed


__getattr__ = missing_in(__name__)
