"""`weight_norm` and `spectral_norm` from before parametrizations: a hook computes the weight before every call."""

from __future__ import annotations

import warnings
from typing import Any

from dyncore.nn.utils.parametrizations import norm_except
from dyncore.nn.utils.parametrizations import spectral_norm as _spectral_norm
from dyncore.nn.utils.parametrize import remove_parametrizations
from dyncore.parameter import Parameter


class WeightNorm:
    """Sets `name` from `name_g` and `name_v`."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Any) -> Any:
        g, v = getattr(module, self.name + "_g"), getattr(module, self.name + "_v")
        return v * (g / norm_except(v, self.dim))

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Makes a weight the product of a length `name_g` and a direction `name_v`, each learned."""
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    for hook, _ in module._forward_pre_hooks.values():
        if isinstance(hook, WeightNorm) and hook.name == name:
            raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
    norm = WeightNorm(name, dim)
    weight = getattr(module, name)
    del module._parameters[name]
    module.register_parameter(name + "_g", Parameter(norm_except(weight, norm.dim).detach()))
    module.register_parameter(name + "_v", Parameter(weight.detach()))
    setattr(module, name, norm.compute_weight(module))
    module.register_forward_pre_hook(norm)
    return module


def remove_weight_norm(module: Any, name: str = "weight") -> Any:
    """Makes the weight an ordinary parameter again.  Raises ValueError if it was not normed."""
    for key, (hook, _) in list(module._forward_pre_hooks.items()):
        if isinstance(hook, WeightNorm) and hook.name == name:
            weight = hook.compute_weight(module)
            delattr(module, name)
            del module._parameters[name + "_g"], module._parameters[name + "_v"]
            module.register_parameter(name, Parameter(weight.detach()))
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"weight_norm of '{name}' not found in {module}")


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """Makes a weight have the largest singular value 1; the same as `parametrizations.spectral_norm`."""
    return _spectral_norm(module, name, n_power_iterations, eps, dim)


def remove_spectral_norm(module: Any, name: str = "weight") -> Any:
    """Makes the weight an ordinary parameter again."""
    return remove_parametrizations(module, name)
