"""`torch.nn.parallel`: DataParallel on one device; several processes are refused."""

from __future__ import annotations

import sys
from typing import Any

from dyncore.binding.imports import files
from dyncore.errors.explain import missing_in
from dyncore.nn.module import Module


class DataParallel(Module):
    """Calls `module`; its parameters have the prefix `module.`.

    State dicts saved from several GPUs have it too.
    """

    def __init__(self, module: Any, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.module(*inputs, **kwargs)


class DistributedDataParallel(Module):
    """Raises ValueError, as PyTorch does without a process group: everything runs in one process."""

    def __init__(self, module: Any, *args: Any, **kwargs: Any) -> None:
        from dyncore.errors.instead import no_group

        raise no_group()


def data_parallel(
    module: Any, inputs: Any, device_ids: Any = None, output_device: Any = None, dim: int = 0, module_kwargs: Any = None
) -> Any:
    """Return `module(*inputs)`."""
    return module(*(inputs if isinstance(inputs, tuple) else (inputs,)), **(module_kwargs or {}))


def parallel_apply(modules: Any, inputs: Any, kwargs_tup: Any = None, devices: Any = None) -> list[Any]:
    """Return the results of each module on its inputs, called in sequence."""
    options = kwargs_tup or [{}] * len(modules)
    given = [each if isinstance(each, (list, tuple)) else (each,) for each in inputs]
    return [module(*args, **kwargs) for module, args, kwargs in zip(modules, given, options, strict=True)]


__path__: list[str] = []
files(__name__, ("distributed",))
sys.modules[f"{__name__}.data_parallel"] = sys.modules[f"{__name__}.parallel_apply"] = sys.modules[__name__]
__getattr__ = missing_in(__name__)
