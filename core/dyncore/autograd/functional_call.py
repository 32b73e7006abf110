"""`torch.func.functional_call`: modules called with parameters from outside."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.tensors.tensor import Tensor

uninterrupted: Any = nullcontext
"""While a batch runs: the block in which no other example goes on, which would find the module as it is inside."""


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: Any = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with its parameters and buffers replaced by those given by name.

    tie_weights: a value replaces its parameter under every name that the module has for it.
    strict: raises RuntimeError if a name is missing, or is none of the module's.
    """
    given = _merged(parameter_and_buffer_dicts)
    if tie_weights:
        given = _tied(module, given)
    if strict:
        _check_names(module, given)
    replaced = []
    for name, value in given.items():
        if not isinstance(value, Tensor):
            raise TypeError(f"{value} is not an instance of torch.Tensor")
        path, _, last = name.rpartition(".")
        owner = module.get_submodule(path) if path else module
        table = owner._parameters if last in owner._parameters else owner._buffers if last in owner._buffers else None
        if table is None:
            continue
        replaced.append((table, last, table[last], value))
    with uninterrupted():
        try:
            for table, last, _, value in replaced:
                table[last] = value
            inputs = () if args is None else args if isinstance(args, tuple) else (args,)
            return module(*inputs, **(kwargs or {}))
        finally:
            for table, last, before, _ in replaced:
                table[last] = before


def _merged(several: Any) -> dict[str, Any]:
    """Return one dict of those given; ValueError where two have one name."""
    if not isinstance(several, (dict, list, tuple)):
        raise ValueError(
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(several)}"
        )
    names = [name for each in ([several] if isinstance(several, dict) else several) for name in each]
    twice = [name for number, name in enumerate(names) if name in names[:number]]
    if twice:
        raise ValueError(f"{twice} appeared in multiple dictionaries; behavior of functional call is ambiguous")
    return dict(several) if isinstance(several, dict) else {key: each[key] for each in several for key in each}


def _tied(module: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Return the values also under the other names of the parameters and buffers they replace."""
    names: dict[int, list[str]] = {}
    for members in (module.named_parameters, module.named_buffers):
        for name, tensor in members(remove_duplicate=False):
            names.setdefault(id(tensor), []).append(name)
    found = dict(given)
    for group in names.values():
        values = [given[name] for name in group if name in given]
        if any(each is not values[0] for each in values):
            raise ValueError(
                f"functional_call got multiple values for keys {sorted(name for name in group if name in given)}, "
                "which are tied. Consider using tie_weights=False"
            )
        found.update(dict.fromkeys(group, values[0]) if values else {})
    return found


def _check_names(module: Any, given: dict[str, Any]) -> None:
    members = module.named_parameters, module.named_buffers
    names = {name for each in members for name, _ in each(remove_duplicate=False)}
    wrong = [
        f"{title} key(s): {', '.join(map(repr, sorted(keys)))}."
        for title, keys in (("Unexpected", given.keys() - names), ("Missing", names - given.keys()))
        if keys
    ]
    if wrong:
        rest = "\n\t".join(wrong)
        raise RuntimeError(f"Error(s) in reparametrizing for {type(module).__name__}:\n\t{rest}")


def check_alike(name: str, models: Any) -> None:
    """Raise RuntimeError unless there are models, of one class, all in training or all in evaluation mode."""
    if not len(models):
        raise RuntimeError(f"{name}: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError(f"{name}: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError(f"{name}: Expected all models to be of the same class.")


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Stack the parameters and buffers of several modules of one class, by name."""
    check_alike("stack_module_state", models)
    stack = TABLE["stack"].entry

    def stacked(tables: list[dict[str, Any]]) -> dict[str, Any]:
        state = {}
        for name, first in tables[0].items():
            whole = stack([table[name] for table in tables]).detach()
            state[name] = whole.requires_grad_(first.requires_grad)
        return state

    return stacked([dict(m.named_parameters()) for m in models]), stacked([dict(m.named_buffers()) for m in models])


def functionalize(func: Callable[..., Any], *, remove: str = "mutations") -> Callable[..., Any]:
    """Return `func` itself: in-place writes are tracked anyway."""
    return func


def debug_unwrap(tensor: Tensor, *, recurse: bool = True) -> Tensor:
    """Return the tensor itself: no transform wraps it."""
    return tensor


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """Remove the running statistics of all batch norms in `root`, and return it."""
    for module in root.modules():
        if type(module).__name__.startswith("BatchNorm"):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root
