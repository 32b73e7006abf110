"""`torch.nn.parallel`: DataParallel, which on a machine without GPUs is the module it holds."""

from __future__ import annotations

from typing import Any

from dyncore.explain import missing_in
from dyncore.nn.module import Module

__dyncore__ = True


class DataParallel(Module):
    """Calls `module`; its parameters are found under `module.`, as in state dicts saved from several GPUs."""

    def __init__(self, module: Any, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.module(*inputs, **kwargs)


__getattr__ = missing_in(__name__)
