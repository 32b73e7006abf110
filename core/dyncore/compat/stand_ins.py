"""Classes and functions that `stub_table.py` hands out, which do something."""

from __future__ import annotations

import sys
import typing
from importlib import import_module
from typing import Any, NamedTuple

from dyncore.dispatch.registry import TABLE
from dyncore.errors.explain import warn_once
from dyncore.graph.capture_marks import REPLAYED, capture_as
from dyncore.tensors.size import check_device
from dyncore.tensors.tensor import Tensor

from .futures import Future


class OutOfMemoryError(RuntimeError):
    """PyTorch's error when a GPU is full; never raised here."""


class AcceleratorError(RuntimeError):
    """PyTorch's error for the faults of a GPU; never raised here."""


class GradScaler:
    """A scaler that is switched off, as PyTorch's is without a GPU: losses and steps go through unchanged."""

    def __init__(self, device: str = "cuda", *args: Any, enabled: bool = True, **kwargs: Any) -> None:
        pass

    def scale(self, outputs: Any) -> Any:
        """Return `outputs`."""
        return outputs

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Call `optimizer.step()`."""
        return optimizer.step(*args, **kwargs)

    def unscale_(self, optimizer: Any) -> None:
        """Do nothing."""

    def update(self, new_scale: Any = None) -> None:
        """Do nothing."""

    def get_scale(self) -> float:
        """Return 1.0."""
        return 1.0

    def is_enabled(self) -> bool:
        """Return False."""
        return False

    def state_dict(self) -> dict[str, Any]:
        """Return an empty dict."""
        return {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Do nothing."""


class SummaryWriter:
    """A writer of TensorBoard's logs that drops what it is given and warns of it once, so that a script runs."""

    def __init__(self, log_dir: Any = None, *args: Any, **kwargs: Any) -> None:
        warn_once("tensorboard", "dyncore writes no TensorBoard logs: what is given to SummaryWriter is dropped")
        self.log_dir = str(log_dir or "runs")

    def __getattr__(self, name: str) -> Any:
        if not name.startswith(("add_", "flush", "close")):
            raise AttributeError(f"'SummaryWriter' object has no attribute '{name}'")
        return lambda *given, **options: None

    def get_logdir(self) -> str:
        """Return the folder that was named; nothing is written to it."""
        return self.log_dir

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        return None


class Attribute(NamedTuple):
    """A value and its type, as `torch.jit` takes it."""

    value: Any
    type: Any


def annotate(the_type: Any, the_value: Any) -> Any:
    """Return the value."""
    return the_value


def is_of_type(obj: Any, target_type: Any) -> bool:
    """Return whether `obj` is of the type; what is in it, as in `List[int]`, is not looked at."""
    kinds: Any = target_type if isinstance(target_type, (tuple, list)) else (target_type,)
    origins: list[Any] = [typing.get_origin(kind) or kind for kind in kinds]
    return isinstance(obj, tuple(origins))


def fork(func: Any, *args: Any, **kwargs: Any) -> Future:
    """Return the future of what `func` returns; it runs at once."""
    future = Future()
    future.set_result(func(*args, **kwargs))
    return future


def wait(future: Future) -> Any:
    """Return the value of a future."""
    return future.wait()


def _flatten_dense_tensors(tensors: Any) -> Any:
    """Return the elements of several tensors as one, of one dimension."""
    return TABLE["cat"].entry([each.reshape(-1) for each in tensors])


def _unflatten_dense_tensors(flat: Any, tensors: Any) -> Any:
    """Return the parts of a flat tensor in the shapes of `tensors`."""
    parts = TABLE["split"].entry(flat, [each.numel() for each in tensors])
    return tuple(part.reshape(each.shape) for part, each in zip(parts, tensors, strict=True))


def handle_torch_function(public_api: Any, relevant_args: Any, *args: Any, **kwargs: Any) -> Any:
    """Return `public_api(*args, **kwargs)`."""
    return public_api(*args, **kwargs)


def _disabled_torch_function_impl(func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """Return `func(*args, **kwargs)`, as a subclass of Tensor asks for that overrides nothing."""
    return func(*args, **(kwargs or {}))


def is_tensor_like(inp: Any) -> bool:
    """Return whether it is a Tensor."""
    return isinstance(inp, Tensor)


def is_tensor_method_or_property(func: Any) -> bool:
    """Return whether Tensor has this function under its name."""
    return getattr(Tensor, getattr(func, "__name__", ""), None) is func


@capture_as(REPLAYED)
def get_device_module(device: Any = None) -> Any:
    """Return `torch.cpu`.  Raises for a device that is not here."""
    check_device(device)
    return sys.modules.get("dyncore.cpu") or import_module("dyncore.cpu")
