"""Every op, one block each, by PyTorch's families. How a block is written: `dyncore/dispatch/registry.py`.

The modules not imported here wait until one of their ops is asked for: `dyncore/binding/lazy.py`.
"""

from dyncore.graph.handlers import handlers

from . import arithmetic, axes, casting, cloning, comparison, filling, reduction, shape

__capture__ = "replayed"

__all__ = [
    "arithmetic", "axes", "casting", "cloning", "comparison", "filling", "reduction", "shape",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name == "aten":
        result = globals()["aten"] = handlers.aten()
        return result
    raise AttributeError(f"module 'torch.ops' has no attribute '{name}'")
