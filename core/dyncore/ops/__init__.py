"""Every op, one block each, by PyTorch's families. How a block is written: `dyncore/registry.py`.

The modules not imported here hold rare ops and wait until one is asked for: `dyncore/rare.py`.
"""

from . import (
    activation,
    arithmetic,
    arrange,
    axes,
    casting,
    comparison,
    filling,
    indexing,
    integers,
    joining,
    matrix,
    pointwise,
    power,
    reduction,
    shape,
    subscripts,
    where,
)

__all__ = [
    "activation",
    "arithmetic",
    "arrange",
    "axes",
    "casting",
    "comparison",
    "filling",
    "indexing",
    "integers",
    "joining",
    "matrix",
    "pointwise",
    "power",
    "reduction",
    "shape",
    "subscripts",
    "where",
]


def __getattr__(name: str) -> object:
    if name == "aten":
        from ..aten import Aten

        found = globals()["aten"] = Aten()
        return found
    raise AttributeError(f"module 'torch.ops' has no attribute '{name}'")
