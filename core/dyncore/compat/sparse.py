"""`torch.sparse` of dense tensors, the only kind there is: its products are the ordinary ones."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.errors.explain import missing_name

__dyncore__ = True
__path__: list[str] = []

__all__ = ["addmm", "log_softmax", "mm", "softmax", "sum"]

_HINT = "hint: tensors are dense here: `index_add` and `scatter_add` over the edges do what a sparse product does"


def mm(mat1: Any, mat2: Any, reduce: str | None = None) -> Any:
    """`torch.mm`."""
    if reduce not in (None, "sum"):
        raise __getattr__(f"mm(reduce={reduce!r})")
    return TABLE["mm"].entry(mat1, mat2)


def addmm(mat: Any, mat1: Any, mat2: Any, *, beta: float = 1.0, alpha: float = 1.0) -> Any:
    """`torch.addmm`."""
    return TABLE["addmm"].entry(mat, mat1, mat2, beta=beta, alpha=alpha)


def sum(input: Any, dim: Any = None, dtype: Any = None) -> Any:
    """`torch.sum`."""
    options = {} if dtype is None else {"dtype": dtype}
    return TABLE["sum"].entry(input, **options) if dim is None else TABLE["sum"].entry(input, dim, **options)


def softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """`torch.softmax`."""
    return TABLE["softmax"].entry(input, dim, dtype=dtype)


def log_softmax(input: Any, dim: int, *, dtype: Any = None) -> Any:
    """`torch.log_softmax`."""
    return TABLE["log_softmax"].entry(input, dim, dtype=dtype)


def __getattr__(name: str) -> Any:
    import sys

    error = missing_name("torch.sparse", name, sys.modules[__name__])
    if not name.startswith("_"):
        error.add_note(_HINT)
    raise error
