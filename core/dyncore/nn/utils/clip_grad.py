"""Clipping of gradients, in place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from dyncore.errors.advice import advise
from dyncore.errors.explain import missing_in
from dyncore.graph import versions
from dyncore.tensors.tensor import Tensor, storage, wrap


def _grads(parameters: Any) -> list[Any]:
    given = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [storage(each.grad) for each in given if each.grad is not None]


def get_total_norm(
    tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: bool | None = None
) -> Tensor:
    """Return the norm of all tensors as if they were one vector."""
    given = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    return wrap(_total([storage(each) for each in given], float(norm_type), error_if_nonfinite), None)


def _total(arrays: list[Any], norm_type: float, error_if_nonfinite: bool) -> Any:
    if not arrays:
        return np.float32(0.0)
    norms = np.array([np.linalg.norm(each.reshape(-1), norm_type) for each in arrays], arrays[0].dtype)
    total = np.linalg.norm(norms, norm_type).astype(arrays[0].dtype)
    if error_if_nonfinite and not np.isfinite(total):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be "
            "clipped. To "
            "disable this error and scale the gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients down to a common norm of at most `max_norm`.

    Returns the norm before.
    """
    grads = _grads(parameters)
    total = _total(grads, float(norm_type), error_if_nonfinite)
    _scale(grads, float(max_norm), total)
    return wrap(total, None)


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor], max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Scale all gradients by max_norm / total_norm if that is below 1."""
    _scale(_grads(parameters), float(max_norm), total_norm._array)


def _scale(grads: list[Any], max_norm: float, total: Any) -> None:
    factor = np.minimum(max_norm / (total + 1e-6), 1.0)
    for grad in grads:
        grad *= grad.dtype.type(factor)
        versions.bump(grad)


def clip_grad_value_(parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None) -> None:
    """Limit every element of the gradients to [-clip_value, clip_value]."""
    bound = float(clip_value)
    for grad in _grads(parameters):
        np.clip(grad, -bound, bound, out=grad)
        versions.bump(grad)


def clip_grad_norm(
    parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False, foreach: Any = None
) -> Tensor:
    """Call `clip_grad_norm_`; an old name, which warns."""
    advise("clip_grad_norm")
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


__getattr__ = missing_in(__name__)
