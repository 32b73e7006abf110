"""`torch._foreach_add(tensors, ...)` and its like: one op over a list of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.tensors.tensor import Tensor

# Where the op over a list has a name of its own, or another one for numbers.
_OPS = {"norm": "linalg_vector_norm", "max": "amax"}
_OPTIONS = {"addcmul": (2, "value"), "addcdiv": (2, "value"), "norm": (1, "dtype")}  # that stand after the operands
_WITH_NUMBERS = {"maximum": "clamp_min", "minimum": "clamp_max"}


def foreach(name: str) -> Callable[..., Any]:
    """Return the function `_foreach_NAME`.  Raises KeyError where there is no op to apply to each tensor."""
    inplace = name.endswith("_")
    own = name[:-1] if inplace else name
    method: Any = getattr(Tensor, name, None) if inplace else None
    if method is None and (inplace or (own not in _OPS and TABLE.get(own) is None)):
        raise KeyError(name)

    def one(tensor: Any, *args: Any, **kwargs: Any) -> Any:
        if inplace and own in _WITH_NUMBERS and args and not isinstance(args[0], Tensor):
            return getattr(tensor, _WITH_NUMBERS[own] + "_")(*args, **kwargs)
        operands, option = _OPTIONS.get(own, (len(args), ""))
        if len(args) > operands:
            args, kwargs = args[:operands], {**kwargs, option: args[operands]}
        return (method or TABLE[_OPS.get(own, own)].entry)(tensor, *args, **kwargs)

    def entry(tensors: Any, *args: Any, **kwargs: Any) -> Any:
        if own == "pow" and not isinstance(tensors, (list, tuple)):
            return tuple(one(tensors, each) for each in args[0])
        if own in ("addcmul", "addcdiv") and len(args) > 2 and isinstance(args[2], Tensor):
            args = (*args[:2], args[2].tolist())
        count = len(tensors)
        for each in args:
            if isinstance(each, (list, tuple)) and len(each) != count:
                raise RuntimeError(
                    "Tensor list must have same number of elements as scalar list."
                    if not any(isinstance(e, Tensor) for e in each)
                    else f"Tensor lists must have the same number of tensors, got {count} and {len(each)}"
                )
        if not inplace and own in _WITH_NUMBERS and len(args) == 1:
            numbers = args[0] if isinstance(args[0], (list, tuple)) else [args[0]] * count
            if not any(isinstance(each, Tensor) for each in numbers):
                return _extremes(own, tensors, numbers, numbers is not args[0])
        rows = [[each[k] if isinstance(each, (list, tuple)) else each for each in args] for k in range(count)]
        made = tuple(one(tensor, *row, **kwargs) for tensor, row in zip(tensors, rows, strict=True))
        return made

    entry.__name__ = entry.__qualname__ = f"_foreach_{name}"
    entry.__doc__ = f"`{own}` of each tensor; what is given as a list goes one to each."
    return entry


def _extremes(own: str, tensors: Any, numbers: Any, whole: bool) -> tuple[Any, ...]:
    """Return the larger or smaller of each tensor's elements and its number; whole: one number was given for all."""
    op = TABLE[f"foreach_{own}"].entry
    return tuple(
        TABLE["clamp_min" if own == "maximum" else "clamp_max"].entry(tensor, numbers[place])
        if tensor.dtype.numpy.kind not in "fc"
        else op(tensor, tuple(numbers), place, whole)
        for place, tensor in enumerate(tensors)
    )
