"""Arguments in the order of PyTorch's first years: `v.addcmul_(0.1, g, g)`, `addmm(1, x, 2, a, b)`.

Those of `add` and `sub` are in `old_calls.py`.
"""

from __future__ import annotations

from typing import Any

from dyncore.tensors.tensor import Tensor

from .registry import Op

# The numbers that stood between the tensors, in their order.
OLD: dict[str, tuple[str, ...]] = dict.fromkeys(("addcmul", "addcdiv"), ("value",))
OLD |= dict.fromkeys(("addmm", "addmv", "addr", "addbmm", "baddbmm"), ("beta", "alpha"))


def in_order(op: Op, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments in today's order and the numbers among them by name.

    Raises:
        TypeError: there are too many arguments, and in no order that ever was.
    """
    names = OLD[op.name]
    numbers = [value for value in args if isinstance(value, (int, float, complex))]
    tensors = tuple(value for value in args if isinstance(value, Tensor))
    begins = isinstance(args[0], Tensor) or "beta" in names
    ends = all(isinstance(value, Tensor) for value in args[1 - len(op.tensor_names) :])
    counts = len(tensors) == len(op.tensor_names) and len(numbers) <= len(names)
    if not begins or not ends or not counts or len(tensors) + len(numbers) < len(args):
        raise TypeError(f"{op.name}() takes {len(op.tensor_names)} positional arguments but {len(args)} were given")
    return tensors, dict(zip(names, numbers, strict=False))
