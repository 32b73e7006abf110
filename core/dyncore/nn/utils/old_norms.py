"""Old `weight_norm` and `spectral_norm`: a hook computes the weight before calls."""

from __future__ import annotations

import warnings
from typing import Any

from dyncore.graph.modes import no_grad
from dyncore.nn.functional import normalize
from dyncore.nn.utils.parametrizations import check_power_iterations, norm_except
from dyncore.tensors.parameter import Parameter


class WeightNorm:
    """Sets `name` from `name_g` and `name_v`."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    @staticmethod
    def apply(module: Any, name: str, dim: int | None) -> WeightNorm:
        """Split the weight of `module` in two parameters and add the hook that multiplies them."""
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, WeightNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two weight_norm hooks on the same parameter {name}")
        norm = WeightNorm(name, dim)
        weight = getattr(module, name)
        del module._parameters[name]
        module.register_parameter(name + "_g", Parameter(norm_except(weight, norm.dim).detach()))
        module.register_parameter(name + "_v", Parameter(weight.detach()))
        setattr(module, name, norm.compute_weight(module))
        module.register_forward_pre_hook(norm)
        return norm

    def remove(self, module: Any) -> None:
        """Make the weight an ordinary parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[self.name + "_g"], module._parameters[self.name + "_v"]
        module.register_parameter(self.name, Parameter(weight.detach()))

    def compute_weight(self, module: Any) -> Any:
        g, v = getattr(module, self.name + "_g"), getattr(module, self.name + "_v")
        return v * (g / norm_except(v, self.dim))

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Make a weight the product of a length `name_g` and a direction `name_v`.

    Both are learned.
    """
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    WeightNorm.apply(module, name, dim)
    return module


def remove_weight_norm(module: Any, name: str = "weight") -> Any:
    """Make the weight an ordinary parameter again.

    Raises ValueError if it was not normed.
    """
    return _removed(module, name, WeightNorm, "weight_norm")


def _removed(module: Any, name: str, kind: type, title: str) -> Any:
    """Remove the hook of a class from a module, and what it split."""
    for key, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, kind) and hook.name == name:  # type: ignore[attr-defined]
            hook.remove(module)  # type: ignore[attr-defined]
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"{title} of '{name}' not found in {module}")


class SpectralNorm:
    """Sets `name` to `name_orig` divided by its largest singular value.

    Power iteration finds it.
    """

    def __init__(self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        check_power_iterations(n_power_iterations)
        self.name, self.n_power_iterations, self.dim, self.eps = name, n_power_iterations, dim, eps

    @staticmethod
    def apply(module: Any, name: str, n_power_iterations: int, dim: int, eps: float) -> SpectralNorm:
        """Let the weight of `module` be computed from `name_orig`, `name_u` and `name_v`."""
        for hook in module._forward_pre_hooks.values():
            if isinstance(hook, SpectralNorm) and hook.name == name:
                raise RuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
        norm = SpectralNorm(name, n_power_iterations, dim, eps)
        weight = module._parameters[name]
        if weight is None:
            raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
        with no_grad():
            matrix = norm.reshape_weight_to_matrix(weight)
            u, v = (normalize(weight.new_empty(size).normal_(0, 1), dim=0, eps=eps) for size in matrix.shape)
        del module._parameters[name]
        module.register_parameter(name + "_orig", weight)
        setattr(module, name, weight.data)
        module.register_buffer(name + "_u", u)
        module.register_buffer(name + "_v", v)
        module.register_forward_pre_hook(norm)
        return norm

    def reshape_weight_to_matrix(self, weight: Any) -> Any:
        if self.dim:
            weight = weight.permute(self.dim, *(axis for axis in range(weight.dim()) if axis != self.dim))
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module: Any, do_power_iteration: bool) -> Any:
        weight = getattr(module, self.name + "_orig")
        u, v = getattr(module, self.name + "_u"), getattr(module, self.name + "_v")
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(normalize(matrix.t().mv(u), dim=0, eps=self.eps))
                    u.copy_(normalize(matrix.mv(v), dim=0, eps=self.eps))
            u, v = u.clone(), v.clone()
        return weight / u.dot(matrix.mv(v))

    def remove(self, module: Any) -> None:
        """Make the weight an ordinary parameter again."""
        with no_grad():
            weight = self.compute_weight(module, False)
        delattr(module, self.name)
        for end in ("_u", "_v", "_orig"):
            delattr(module, self.name + end)
        module.register_parameter(self.name, Parameter(weight.detach()))

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """Divide a weight by its largest singular value.

    `name_orig` is learned; power iteration updates the buffers `name_u` and `name_v`.
    """
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    SpectralNorm.apply(module, name, n_power_iterations, dim, eps)
    return module


def remove_spectral_norm(module: Any, name: str = "weight") -> Any:
    """Make the weight an ordinary parameter again.

    Raises ValueError if it was not normed.
    """
    return _removed(module, name, SpectralNorm, "spectral_norm")
