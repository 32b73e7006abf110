"""Normalizations fused into the layer before; layers without initial values."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import dyncore as torch
from dyncore.errors.explain import missing_in
from dyncore.tensors.parameter import Parameter


def fuse_conv_bn_weights(
    conv_w: Any, conv_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any, transpose: bool = False
) -> tuple[Parameter, Parameter]:
    """Return weight and bias of a convolution fused with its normalization."""
    bias = torch.zeros_like(bn_rm) if conv_b is None else conv_b
    scale = torch.rsqrt(bn_rv + bn_eps) * (1 if bn_w is None else bn_w)
    shift = torch.zeros_like(bn_rm) if bn_b is None else bn_b
    shape = [1, -1] if transpose else [-1, 1]
    weight = conv_w * scale.reshape(shape + [1] * (conv_w.dim() - 2))
    moved = (bias - bn_rm) * scale + shift
    return (
        Parameter(weight.detach().to(conv_w.dtype), conv_w.requires_grad),
        Parameter(moved.detach().to(bias.dtype), bias.requires_grad),
    )


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """Return a copy of a convolution fused with its normalization.

    Raises AssertionError in training.
    """
    return _fused(conv, bn, transpose)


def fuse_linear_bn_weights(
    linear_w: Any, linear_b: Any, bn_rm: Any, bn_rv: Any, bn_eps: float, bn_w: Any, bn_b: Any
) -> tuple[Parameter, Parameter]:
    """Return weight and bias of a linear layer fused with its normalization."""
    return fuse_conv_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """Return a copy of a linear layer fused with its normalization.

    Raises AssertionError in training.
    """
    _check_eval(linear, bn)
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    return _fused(linear, bn, False)


def _check_eval(layer: Any, bn: Any) -> None:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")


def _fused(layer: Any, bn: Any, transpose: bool) -> Any:
    _check_eval(layer, bn)
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
    fused = copy.deepcopy(layer)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Any:
    """Construct a module without initial values; no random numbers are drawn."""
    if not issubclass(module_cls, torch.nn.Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    with torch.random.fork_rng():
        return module_cls(*args, **kwargs)


__getattr__ = missing_in(__name__)
