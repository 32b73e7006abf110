"""`torch.functional`: the functions of `torch` that PyTorch writes in Python, under that name too."""

from __future__ import annotations

from typing import Any

from dyncore.errors.explain import missing_name

__dyncore__ = True
__path__: list[str] = []

_NAMES = frozenset((
    "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes", "broadcast_tensors",
    "cartesian_prod", "cdist", "chain_matmul", "einsum", "lu", "meshgrid", "norm", "split", "stft", "tensordot",
    "unique", "unique_consecutive", "unravel_index",
))  # fmt: skip


def __getattr__(name: str) -> Any:
    import dyncore

    if name in _NAMES and hasattr(dyncore, name):
        return getattr(dyncore, name)
    raise missing_name("torch.functional", name, dyncore)


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})
