"""`torch.amp` where there is nothing to gain: scripts that ask for mixed precision run in their own precision."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from dyncore.binding.imports import files
from dyncore.dtypes import dtypes
from dyncore.errors.explain import missing_in

__dyncore__ = True


class autocast:
    """A block, or a decorated function, that changes nothing: float16 is slower than float32 on a CPU.

    Results equal PyTorch's on the CPU without autocast.
    """

    def __init__(
        self,
        device_type: str = "cuda",
        dtype: Any = None,
        enabled: bool = True,
        cache_enabled: bool | None = None,
    ) -> None:
        self.device = device_type

    def __enter__(self) -> autocast:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return run


def amp_definitely_not_available() -> bool:
    """True: there is no GPU here."""
    return True


class GradScaler:
    """A scaler that is switched off, as PyTorch's is without a GPU: losses and steps go through unchanged."""

    def __init__(self, device: str = "cuda", *args: Any, enabled: bool = True, **kwargs: Any) -> None:
        pass

    def scale(self, outputs: Any) -> Any:
        """`outputs` itself."""
        return outputs

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """`optimizer.step()`."""
        return optimizer.step(*args, **kwargs)

    def unscale_(self, optimizer: Any) -> None:
        """Nothing."""

    def update(self, new_scale: Any = None) -> None:
        """Nothing."""

    def get_scale(self) -> float:
        """1.0."""
        return 1.0

    def is_enabled(self) -> bool:
        """False."""
        return False

    def state_dict(self) -> dict[str, Any]:
        """An empty dict."""
        return {}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Nothing."""


def is_autocast_available(device_type: str) -> bool:
    """False."""
    return False


def is_autocast_enabled(device_type: str = "cuda") -> bool:
    """False."""
    return False


is_autocast_cpu_enabled = is_autocast_cache_enabled = is_autocast_xla_enabled = is_autocast_ipu_enabled = lambda: False


def get_autocast_dtype(device_type: str) -> Any:
    """float16: what a GPU would compute in; nothing here does."""
    return dtypes.float16


def set_autocast_enabled(*given: Any) -> None:
    """Nothing: there is no reduced precision to switch on."""


set_autocast_dtype = set_autocast_cpu_enabled = set_autocast_cache_enabled = clear_autocast_cache = set_autocast_enabled
set_autocast_cpu_dtype = set_autocast_gpu_dtype = set_autocast_ipu_dtype = set_autocast_xla_dtype = set_autocast_enabled
set_autocast_ipu_enabled = set_autocast_xla_enabled = set_autocast_enabled
get_autocast_gpu_dtype = functools.partial(get_autocast_dtype, "cuda")
get_autocast_cpu_dtype = functools.partial(get_autocast_dtype, "cpu")
get_autocast_ipu_dtype = get_autocast_xla_dtype = get_autocast_gpu_dtype


def autocast_increment_nesting() -> int:
    """0: no block changes anything."""
    return 0


autocast_decrement_nesting = autocast_increment_nesting


def custom_fwd(fwd: Any = None, *, device_type: str = "cuda", cast_inputs: Any = None) -> Any:
    """The forward of an `autograd.Function`, as it is."""
    return fwd if fwd is not None else lambda function: function


def custom_bwd(bwd: Any = None, *, device_type: str = "cuda") -> Any:
    """The backward of an `autograd.Function`, as it is."""
    return bwd if bwd is not None else lambda function: function


__all__ = [
    "GradScaler", "amp_definitely_not_available", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available",
]  # fmt: skip
__getattr__ = missing_in(__name__)
__path__: list[str] = []
files(__name__, ("autocast_mode", "grad_scaler"))
