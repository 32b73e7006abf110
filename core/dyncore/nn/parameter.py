"""`torch.nn.parameter`; its classes stand beside `Tensor`: who asks for their types need not load all of nn."""

from typing import Any

from dyncore.explain import missing_in
from dyncore.parameter import Buffer as Buffer
from dyncore.parameter import Parameter as Parameter
from dyncore.parameter import UninitializedBuffer as UninitializedBuffer
from dyncore.parameter import UninitializedParameter as UninitializedParameter

__capture__ = "engine"


def is_lazy(param: Any) -> bool:
    """Whether the parameter or buffer waits for its shape."""
    return isinstance(param, (UninitializedParameter, UninitializedBuffer))


__getattr__ = missing_in(__name__)
