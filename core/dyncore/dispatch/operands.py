"""What may be an operand: tensors, numbers where PyTorch takes them, and the errors for anything else."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.errors.explain import called
from dyncore.tensors.tensor import Tensor

from .registry import ABSENT, Op

__dyncore__ = True

# `torch.mul(2, x)` is fine, `torch.maximum(2, x)` is not.
_NUMBER_FIRST = frozenset(
    (
        *("add", "sub", "mul", "div", "floor_divide", "bitwise_and", "bitwise_or", "bitwise_xor"),
        *("bitwise_left_shift", "bitwise_right_shift"),
    )
)
_NUMBERS_ALONE = frozenset(("add", "sub", "mul", "div", "floor_divide"))  # `torch.add(2, 3)` is a tensor
NUMBERS = (int, float, complex, np.generic)
_OPERANDS = (Tensor, *NUMBERS, np.ndarray)


_MISFITS: dict[Any, tuple[Any, ...]] = {
    int: (str, float, complex, list, tuple, type(None)), float: (str, complex, list, tuple, type(None)),
    bool: (str, int, float, type(None)), tuple: (str, type(None)),
}  # fmt: skip


def misfit_argument(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> TypeError | None:
    """Return the error for the first argument of a kind that its parameter cannot have, or None."""
    if op.variadic is not None:
        return None
    placed = [(name, f"'{name}' (position {place})", v) for place, (name, v) in enumerate(zip(op.names, args), 1)]
    for name, shown, value in [*placed, *((name, f"'{name}'", value) for name, value in kwargs.items())]:
        kind: Any = op.forward.__annotations__.get(name)
        if kind not in _MISFITS or name == op.variadic or value is op.defaults.get(name, ABSENT):
            continue
        if isinstance(value, _MISFITS[kind]) and not isinstance(value, kind):
            return _wrong(op, shown, kind, value)
    return None


def _wrong(op: Op, argument: str, kind: Any, value: Any) -> TypeError:
    title = op.name.removesuffix("_of_all").removesuffix("_along")
    wanted = "tuple of ints" if kind is tuple else kind.__name__
    return TypeError(f"{title}(): argument {argument} must be {wanted}, not {type(value).__name__}")


def takes(op: Op, other: Any) -> bool:
    """Whether the operator of `op` can take this as its other operand: matrices are not multiplied by numbers."""
    return isinstance(other, (Tensor, np.ndarray) if op.name == "matmul" else _OPERANDS)


def acceptable(op: Op, args: tuple[Any, ...], dunder: bool) -> bool:
    """Whether the operands of an elementwise op can be computed with; TypeError if not and nobody else may try."""
    for position, value in enumerate(args):
        if isinstance(value, _OPERANDS if position else Tensor):
            continue
        if dunder and position:
            return False
        if value is ABSENT:
            missing = ", ".join(f'"{name}"' for name, each in zip(op.names, args, strict=True) if each is ABSENT)
            raise TypeError(f"{op.name}() missing {args.count(ABSENT)} required positional arguments: {missing}")
        if dunder:
            raise TypeError(
                f"descriptor '__{op.name}__' for 'torch._C.TensorBase' objects doesn't apply to a "
                f"'{type(value).__name__}' object"
            )
        if (
            op.name in _NUMBER_FIRST
            and isinstance(value, NUMBERS)
            and (isinstance(args[-1], Tensor) or (op.name in _NUMBERS_ALONE and isinstance(args[-1], NUMBERS)))
        ):
            continue
        raise TypeError(
            f"{op.name}(): argument '{op.names[position]}' (position {position + 1}) must be Tensor, "
            f"not {type(value).__name__}"
        )
    return True


def check_strict(op: Op, values: dict[str, Any]) -> None:
    """Raise TypeError where there should be a tensor and is none."""
    for name in op.strict:
        value = values.get(name)
        if value is not None and not isinstance(value, Tensor):
            position = op.names.index(name) + 1
            raise TypeError(f"{op.name}(): argument '{name}' (position {position}) must be Tensor, not {called(value)}")


def check_numbers(op: Op, names: list[str], values: dict[str, Any]) -> None:
    """Raise TypeError where PyTorch takes no Python number, where all are numbers, or one is neither."""
    check_strict(op, values)
    taken = all(isinstance(values[name], _OPERANDS) or name.endswith("tensors") for name in names)
    if not taken or not any(isinstance(value, (Tensor, list, tuple)) for value in values.values()):
        kinds = ", ".join(type(values[name]).__name__ for name in names)
        raise TypeError(f"{op.name}() received an invalid combination of arguments - got ({kinds})")
