"""`torch.nn.parameter`; its classes stand beside `Tensor`: who asks for their types need not load all of nn."""

from typing import Any

from dyncore.errors.explain import missing_in
from dyncore.tensors.parameter import Buffer as Buffer
from dyncore.tensors.parameter import Parameter as Parameter
from dyncore.tensors.parameter import UninitializedBuffer as UninitializedBuffer
from dyncore.tensors.parameter import UninitializedParameter as UninitializedParameter

__capture__ = "engine"


def is_lazy(param: Any) -> bool:
    """Whether the parameter or buffer waits for its shape."""
    return isinstance(param, (UninitializedParameter, UninitializedBuffer))


__getattr__ = missing_in(__name__)
