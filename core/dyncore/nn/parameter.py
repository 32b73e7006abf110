"""`torch.nn.parameter`; its classes are in `tensors/`, apart from layers."""

from typing import Any

from dyncore.errors.explain import missing_in
from dyncore.tensors.parameter import (
    Buffer as Buffer,
    Parameter as Parameter,
    UninitializedBuffer as UninitializedBuffer,
    UninitializedParameter as UninitializedParameter,
)

__capture__ = "engine"


def is_lazy(param: Any) -> bool:
    """Return True if the parameter or buffer has no shape yet."""
    return isinstance(param, (UninitializedParameter, UninitializedBuffer))


__getattr__ = missing_in(__name__)
