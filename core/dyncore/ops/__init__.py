"""Every op, one block each, by PyTorch's families. How a block is written: `dyncore/registry.py`."""

from . import (
    activation,
    arithmetic,
    comparison,
    indexing,
    loss,
    matrix,
    pointwise,
    reduction,
    shape,
)

__all__ = ["activation", "arithmetic", "comparison", "indexing", "loss", "matrix", "pointwise", "reduction", "shape"]
