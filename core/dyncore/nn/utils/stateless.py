"""`torch.nn.utils.stateless`: the old module of `functional_call`."""

from __future__ import annotations

from typing import Any

from dyncore.autograd.func import functional_call as call
from dyncore.errors.advice import advise
from dyncore.errors.explain import missing_in


def functional_call(
    module: Any,
    parameters_and_buffers: dict[str, Any],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call `torch.func.functional_call`, and warn that it has moved."""
    advise("functional_call")
    return call(module, parameters_and_buffers, args, kwargs, tie_weights=tie_weights, strict=strict)


__getattr__ = missing_in(__name__)
