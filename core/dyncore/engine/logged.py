"""Log every node that backward runs to `logging.getLogger("torch.autograd.graph")` at the level DEBUG."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

_logger: Any = None


def enabled() -> bool:
    """Return True if the logger `torch.autograd.graph` is enabled for DEBUG.

    Called only where `logging` is imported already, which takes longer than a backward.
    """
    global _logger
    if _logger is None:
        import logging

        _logger = logging.getLogger("torch.autograd.graph")
    return bool(_logger.isEnabledFor(10))


@contextmanager
def logged_nodes(start: list[tuple[Any, Any]]) -> Iterator[None]:
    """Attach logging hooks to every node behind `start` for one backward."""
    seen: set[Any] = set()
    handles = []
    waiting = [edge.node for edge, _ in start]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            handles.append(node.register_prehook(_logging_hook(node)))
            waiting.extend(each.node for each in node.edges() if each is not None)
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _logging_hook(node: Any) -> Any:
    def log(grads: tuple[Any, ...]) -> None:
        _logger.debug("Executing: %s with grad_outputs: %s", node, f"[{','.join(map(_short, grads))}]")

    return log


def _short(grad: Any) -> str:
    """Return `f32[2, 3]` for a tensor."""
    if grad is None:
        return "None"
    dtype: np.dtype[Any] = grad._array.dtype
    kind = "b8" if dtype.kind == "b" else f"{dtype.kind}{dtype.itemsize * 8}"
    return f"{kind}[{', '.join(map(str, grad.shape))}]"
