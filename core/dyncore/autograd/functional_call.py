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

    strict: raises RuntimeError if a name is missing, or is none of the module's.
    """
    given: dict[str, Any] = {}
    several = parameter_and_buffer_dicts
    for each in (several,) if isinstance(several, dict) else several:
        given.update(each)
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


def _check_names(module: Any, given: dict[str, Any]) -> None:
    names = {name for each in (module.named_parameters(), module.named_buffers()) for name, _ in each}
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
