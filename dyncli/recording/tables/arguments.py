"""The arguments of an op that are no tensors, as a person writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dyncli.recording.engine import dtypes

LONGEST_ARGUMENT = 60


def arguments(rest: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """An op's other arguments as a person writes them: `2`, `dim=1`."""
    parts = [_argument(value) for value in rest]
    parts += [
        f"{name}={_argument(value)}" for name, value in kwargs.items() if name != "_inplace" and value is not None
    ]
    text = ", ".join(parts)
    return text if len(text) <= LONGEST_ARGUMENT else text[: LONGEST_ARGUMENT - 3] + "..."


def _argument(value: Any) -> str:
    if isinstance(value, slice):
        start, stop, step = ("" if part is None else str(part) for part in (value.start, value.stop, value.step))
        return f"{start}:{stop}" + (f":{step}" if step else "")
    if value is Ellipsis:
        return "..."
    if isinstance(value, (tuple, list)):
        inner = ", ".join(_argument(each) for each in value[:8]) + (", ..." if len(value) > 8 else "")
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, float):
        return min(repr(value), f"{value:.6g}", key=len)
    if value is None or isinstance(value, (bool, int, complex, str)):
        return repr(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return f"array{list(value.shape)}"
    if isinstance(value, dtypes.dtype):
        return value.name
    return f"<{type(value).__name__}>"
