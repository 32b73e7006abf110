"""The engine under PyTorch's private names: `Variable._execution_engine` and parts of `torch._C`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ..task import queue_callback

__dyncore__ = True

__all__ = ["is_checkpoint_valid", "namespace", "queue_callback"]


def is_checkpoint_valid() -> bool:
    """Whether the running backward, if any, computes every gradient: re-entrant checkpoints need it to."""
    from ..task import running

    task = running.get()
    return task is None or task.needed is None


def namespace() -> Any:
    """What stands for `torch._C`."""
    import weakref

    from .. import grad_mode
    from ..graph import AccumulateGrad
    from ..saved import SavedTensor
    from .function import DelayedError
    from .gradcheck import UndefinedGrad

    class Undefined:
        """Passes tensors on and no gradient back."""

        def __call__(self, *tensors: Any) -> Any:
            found = tuple(UndefinedGrad.apply(each) for each in tensors)
            return found[0] if len(found) == 1 else found

    return SimpleNamespace(
        is_grad_enabled=grad_mode.is_grad_enabled,
        _set_grad_enabled=grad_mode.set_grad_enabled,
        _is_torch_function_enabled=lambda: False,
        _WeakTensorRef=weakref.ref,
        _autograd=SimpleNamespace(SavedTensor=SavedTensor),
        _functions=SimpleNamespace(AccumulateGrad=AccumulateGrad, UndefinedGrad=Undefined, DelayedError=DelayedError),
    )


def __getattr__(name: str) -> Any:
    if name == "_C":
        return namespace()
    raise AttributeError(name)
