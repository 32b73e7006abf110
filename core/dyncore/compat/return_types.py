"""`torch.return_types`: the named tuples that ops with several results return."""

from __future__ import annotations

from typing import Any

__path__: list[str] = []

# Where the type is not that of the op of its name.
_OPS = {"max": "max_along", "min": "min_along", "median": "median_along", "nanmedian": "nanmedian_along"}


def __getattr__(name: str) -> Any:
    import sys

    from dyncore.binding.lazy import load_all
    from dyncore.dispatch.registry import TABLE
    from dyncore.errors.explain import missing_name

    if not name.startswith("_"):
        load_all()
        op = TABLE.get(_OPS.get(name, name.removesuffix("_out")))
        if op is not None and op.returns:
            return op.return_type
    raise missing_name("torch.return_types", name, sys.modules[__name__])
