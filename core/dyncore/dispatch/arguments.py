"""The arguments of a call: what may be an operand, the errors for anything else, calls as they are seldom written."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.errors.explain import called
from dyncore.graph.handlers import handlers
from dyncore.tensors.tensor import Tensor

from .registry import ABSENT, TABLE, Op

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
    """Return True if the operator of `op` can take this as its other operand.

    Matrices are not multiplied by numbers.
    """
    return isinstance(other, (Tensor, np.ndarray) if op.name == "matmul" else _OPERANDS)


def acceptable(op: Op, args: tuple[Any, ...], dunder: bool) -> bool:
    """Return True if an elementwise op can compute with the operands.

    Raises TypeError if not, and no other type may try.
    """
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


def only(op: Op, input: Any, x: Any, a: Any, x1: Any) -> tuple[Any]:
    """Return the operand of a unary op, whatever it was called.  Raise TypeError for none, and for two."""
    named = [each for each in (x, a, x1) if each is not None]
    if input is ABSENT:
        if not named:
            raise TypeError(f'{op.name}() missing 1 required positional arguments: "input"')
        return (named[0],)
    if named:
        raise TypeError(f"{op.name}() takes 1 positional argument but 2 were given")
    return (input,)


def pair(op: Op, input: Any, other: Any, x1: Any, x2: Any, alpha: Any) -> tuple[Any, Any, Any]:
    """Both operands and `alpha` of a call with `x2`, or with a third argument.

    `add(x, 2, y)` is how `add(x, y, alpha=2)` was written once; `rsub(x, y, 2)` is still written so.
    """
    if input is ABSENT and x1 is not None:
        input = x1
    if other is ABSENT:
        return input, x2, alpha
    scaled = op.name == "rsub" or (op.name in ("add", "sub") and _is_scalar(other))
    if alpha is not None or x1 is not None or not scaled:
        given = 3 if x1 is None else 4
        raise TypeError(f"{op.name}() takes 2 positional arguments but {given} were given")
    return (input, other, x2) if op.name == "rsub" else (input, x2, other)


def with_options(op: Op, input: Any, other: Any, scaled: bool, alpha: Any, rounding_mode: Any, out: Any) -> Any:
    """Apply `alpha=` of add and sub, `rounding_mode=` of div.

    Raises TypeError for any other op.
    """
    if alpha is None and rounding_mode is None:
        return op.entry(input, other, out=out)
    if isinstance(input, (int, float)) and isinstance(other, (int, float)):
        input = handlers.number(input)
    if rounding_mode is not None and op.name == "div":
        return TABLE["div_rounded"].entry(input, other, rounding_mode=rounding_mode, out=out)
    if alpha is None or not scaled or rounding_mode is not None:
        raise TypeError(
            f"{op.name}() got an unexpected keyword argument '{'rounding_mode' if alpha is None else 'alpha'}'"
        )
    return TABLE[f"{op.name}_scaled"].entry(input, other, alpha=alpha, out=out)


# The numbers that stood between the tensors, in their order, and where: by their count, as a function and as a method.
OLD: dict[str, tuple[str, ...]] = dict.fromkeys(("addcmul", "addcdiv"), ("value",))
OLD |= dict.fromkeys(("addmm", "addmv", "addr", "addbmm", "baddbmm"), ("beta", "alpha"))
_PLACES: dict[tuple[str, int], tuple[set[int], ...]] = {
    ("value", 1): ({1},), ("beta", 1): ({0}, {1}), ("beta", 2): ({0, 2}, {1, 2}),
}  # fmt: skip


def in_order(op: Op, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments in today's order and the numbers among them by name.

    Raises:
        TypeError: there are too many arguments, and in no order that ever was.
    """
    names, count = OLD[op.name], len(args) - len(op.tensor_names)
    for places in _PLACES.get((names[0], count), ()):
        numbers = [value for place, value in enumerate(args) if place in places]
        tensors = tuple(value for place, value in enumerate(args) if place not in places)
        if all(map(_is_scalar, numbers)) and all(isinstance(value, Tensor) for value in tensors):
            return tensors, dict(zip(names, numbers, strict=False))
    raise TypeError(f"{op.name}() takes {len(op.tensor_names)} positional arguments but {len(args)} were given")


def _is_scalar(value: Any) -> bool:
    """Return whether PyTorch takes `value` for a number: also a tensor without dimensions and without history."""
    if isinstance(value, Tensor):
        return value._array.ndim == 0 and not value.requires_grad
    return isinstance(value, (int, float, complex))
