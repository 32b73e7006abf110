"""Calls of ops on lazy tensors: they join groups where the op has a rule, and wait for the value where it has none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dyncore.dispatch.operators import BINARY
from dyncore.dispatch.registry import TABLE
from dyncore.dtypes.dtypes import get_default_dtype
from dyncore.graph.modes import GRAD, NO_GRAD, current, nondefault_modes
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor, wrap

from . import quick
from .groups import Group, Part, Signature
from .lazy import Lazy, force
from .rules import RULES, Operand, Run, call
from .scheduler import Scheduler, running

Place = tuple[str, int | None]  # the parameter of an operand, and its place in a list
_ARITHMETIC = frozenset(("add", "sub", "rsub", "mul", "div"))  # of a number that becomes the tensor's dtype
_NUMBERS = frozenset((int, float, bool, str, type(None), type(...), np.dtype))


def function_of(op: Any, ordinary: Callable[..., Any]) -> Callable[[tuple[Any, ...], dict[str, Any]], Any]:
    """Return what the op's function does while a batch runs; `ordinary` is what it does otherwise."""

    def lazily(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        scheduler = running.get()
        if scheduler is None or scheduler.paused:
            return ordinary(*args, **kwargs)
        if kwargs and kwargs.keys() == {"alpha"} and op.kind == "binary" and len(args) == 2 and _has_floats(args[1]):
            args, kwargs = (args[0], args[1] * kwargs["alpha"]), {}
        found = join(scheduler, op, ordinary, args, kwargs)
        return ordinary(*args, **kwargs) if found is NotImplemented else found

    def by_number(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        number = None if kwargs else number_of(*args)
        if number is not None:
            scheduler = running.get()
            if scheduler is not None and not scheduler.paused:
                row = scheduler.row_of(args[0], number, op.view)
                if row is not None:
                    return row
        return lazily(args, kwargs)

    def of_view(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if len(args) == 1 and args[0].__class__ is Parameter and not kwargs and not nondefault_modes:
            scheduler = running.get()
            if scheduler is not None and not scheduler.paused:
                view = scheduler.table.get((op, id(args[0])))
                if view.__class__ is Tensor:
                    return view
        return lazily(args, kwargs)

    if op.batching not in ("subscript", "table"):
        return of_view if op.view else lazily
    number_of = _index if op.batching == "subscript" else _word
    return by_number


def _has_floats(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dtype.is_floating_point


def _index(tensor: Any, index: Any = None, *_: Any) -> int | None:
    """Return which row of an ordinary tensor an index is."""
    return index if index.__class__ is int and tensor.__class__ is not Lazy else None


def _word(table: Any, word: Any = None, *options: Any) -> int | None:
    """Return which row of a table a word of one example is."""
    if word.__class__ is Tensor and word._array.__class__ is np.int64 and options == (-1, False, False):
        return int(word._array) if table.__class__ is not Lazy else None
    return None


def join(scheduler: Scheduler, op: Any, ordinary: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """Add a call to its group and return what it makes; NotImplemented where each example computes it alone."""
    key: list[Any] = [op]  # the homes of operands, ids of what is one for all examples, other values
    rows: list[int] = []
    for value in (*args, *kwargs.values()) if kwargs else args:
        kind = value.__class__
        if kind is Tensor:
            value = scheduler.operand(value)
            kind = value.__class__
        if kind is Lazy:
            key.append(value.home)
            rows.append(value.row)
        elif kind is Parameter:
            key.append(id(value))
        elif kind in _NUMBERS:
            key += kind, value or quick.zero(value)
        elif kind is list or kind is tuple:
            if not _several(scheduler, value, rows, key):
                return NotImplemented
        elif kind is slice:
            key += kind, value.start, value.stop, value.step
        elif kind is Tensor or kind.__hash__ is object.__hash__:
            key.append(id(value))
        else:
            return NotImplemented
    if kwargs:
        key.append(tuple(kwargs))
    if nondefault_modes:
        mode = current()
        if mode is not GRAD and mode is not NO_GRAD:
            return NotImplemented
        if mode is not scheduler.mode:
            key.append(mode.grad)
    found = tuple(key)
    try:
        part = scheduler.table.get(found)
    except TypeError:  # a slice of something that cannot be hashed
        return NotImplemented
    if part is None:
        part = scheduler.table[found] = _opened(scheduler, op, ordinary, key, args, kwargs)
    if part.__class__ is Part:
        return part.append(rows)
    return NotImplemented if part is False else part


def _several(scheduler: Scheduler, values: Any, rows: list[int], key: list[Any]) -> bool:
    """Add a list of tensors, or one of constants, to a call; return whether it is either."""
    key += values.__class__, len(values)
    tensors = 0
    for value in values:
        kind = value.__class__
        if isinstance(value, Tensor):
            if kind is not Lazy:
                value = scheduler.given(value)
            key.append(value.home)
            rows.append(value.row)
            tensors += 1
        elif kind in _NUMBERS:
            key += kind, value or quick.zero(value)
        elif kind is slice:
            key += kind, value.start, value.stop, value.step
        else:
            return False
    return tensors in (0, len(values))


def _opened(
    scheduler: Scheduler, op: Any, ordinary: Callable[..., Any], key: list[Any], args: Any, kwargs: dict[str, Any]
) -> Any:
    """Return what such calls join, a view of a parameter that they all make, or False where each is computed alone."""
    homes = [each for each in key if each.__class__ is Group]
    for home in homes:
        if home.scheduler is not scheduler:
            return False
    grad = current().grad
    alike = grad, *[each.made if each.__class__ is Group else each for each in key]
    signature: Any = scheduler.signatures.get(alike, ...)
    if signature is ...:
        if not homes and op.view and args and args[0].__class__ is Parameter:
            return scheduler.view_of(ordinary, args, kwargs)
        if not homes or not _is_common(scheduler, op, args, kwargs):
            return False
        # What the key has by its id must live, and what a function reads is not known.
        scheduler.kept.append((args, kwargs, op if op.batching == "function" else None))
        signature = _signature(scheduler, op, ordinary, grad, homes, args, kwargs)
        scheduler.signatures[alike] = signature
    return signature is not None and scheduler.open(signature, homes)


def _is_common(scheduler: Scheduler, op: Any, args: Any, kwargs: Any) -> bool:
    """Return whether a batch may compute a call: not a view of what is not lazy, and with an argument fit for it."""
    if op.view and args[:1] and args[0].__class__ is not Lazy:
        return False
    return any(_is_fit(scheduler, value) for value in (*args, *kwargs.values()))


def _is_fit(scheduler: Scheduler, value: Any) -> bool:
    """Return whether a batch may compute with an argument: it is lazy, or what learns and is one for all examples."""
    kind = value.__class__
    if kind is Tensor:
        return scheduler.is_shared(value) and value._edge is not None
    if kind is list or kind is tuple:
        return any(each.__class__ is Lazy for each in value)
    return kind is Lazy or kind is Parameter or (kind not in _NUMBERS and kind.__hash__ is object.__hash__)


def _places(named: dict[str, Any], scheduler: Scheduler | None = None) -> list[Place]:
    """Return where lazy tensors stand among the arguments; with a scheduler, all that differ between examples."""
    places: list[Place] = []
    for name, value in named.items():
        if value.__class__ is Lazy:
            places.append((name, None))
        elif isinstance(value, Tensor):
            if scheduler is not None and scheduler.operand(value) is not value:
                places.append((name, None))
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Tensor):
            places.extend((name, place) for place in range(len(value)))
    return places


def _constant(value: Any) -> Any:
    """Return a key for an argument that is the same in all examples."""
    if isinstance(value, Tensor):
        return id(value)
    if value.__class__ is slice:
        return slice, value.start, value.stop, value.step
    if isinstance(value, (list, tuple)):
        return type(value), *[_constant(each) for each in value]
    return value.__class__, value


def arguments_of(op: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """Return the arguments by parameter, None if they are not all the op's own."""
    names = op.names
    if op.variadic is not None:
        args, rest = args[: op.positional], args[op.positional :]
        if len(rest) == 1 and isinstance(rest[0], (list, tuple)):
            rest = tuple(rest[0])
        kwargs = {**kwargs, op.variadic: rest}
    if len(args) > len(names) or not kwargs.keys() <= set(names[len(args) :]):
        return None
    return {**dict(zip(names, args, strict=False)), **kwargs}


def _signature(
    scheduler: Scheduler,
    op: Any,
    ordinary: Callable[..., Any],
    grad: bool,
    homes: list[Group],
    args: Any,
    kwargs: Any,
) -> Signature | None:
    """Return what the call has in common with others, None if the op has no rule for such a call."""
    named = arguments_of(op, args, kwargs)
    if named is None:
        return None
    places = _places(named)
    if len(places) < len(homes):  # a tensor of all examples stands in a list, or another alone
        places = _places(named, scheduler)
    every = {**op.defaults, **named}
    key = _described(op, grad, homes, places, every)
    found = _prepared.get(key) if key is not None else None
    if found is None:
        found = _prepare(scheduler, op, ordinary, homes, places, every, named)
        if key is not None:
            if len(_prepared) >= MOST:
                _prepared.clear()
            _prepared[key] = found
    rule, makes, pack = found
    if rule is None:
        return None
    run = _positional(op, ordinary, places, args, kwargs) if rule is call else None
    many: Run = partial(call, op) if rule is call else lambda arguments: rule(**arguments)
    return Signature(
        op.name,
        len(places),
        makes,
        run or (lambda *columns: many(filled(every, places, columns))),
        lambda *rows: _called(op, ordinary, filled(every, places, rows), named),
        pack,
        grad,
        (op.view and "index" not in [name for name, _ in places]) or op.batching == "alias",  # integers copy
    )


def _positional(op: Any, ordinary: Callable[..., Any], places: list[Place], args: Any, kwargs: Any) -> Run | None:
    """Return a call with stacked operands in the places of lazy ones, None if these are not all given by position."""
    numbers = [op.names.index(name) for name, place in places if place is None]
    if op.variadic is not None or len(numbers) < len(places) or max(numbers) >= len(args):
        return None
    if numbers == list(range(len(args))) and not kwargs:
        return ordinary
    constants = [None if number in numbers else value for number, value in enumerate(args)]

    def run(*columns: Any) -> Any:
        given = constants.copy()
        for number, column in zip(numbers, columns, strict=True):
            given[number] = column
        return ordinary(*given, **kwargs)

    return run


MOST = 4096
_prepared: dict[Any, tuple[Run | None, list[Any], Any]] = {}  # by descriptions of calls, for all batches


def _prepare(
    scheduler: Scheduler,
    op: Any,
    ordinary: Callable[..., Any],
    homes: list[Group],
    places: list[Place],
    every: dict[str, Any],
    named: dict[str, Any],
) -> tuple[Run | None, list[Any], Any]:
    """Return a call's rule, None if it has none, and what it makes.

    The op runs once on an example of ones: that gives shape and dtype of its result, or its error.
    """
    scheduler.paused = True
    try:
        made = _called(op, ordinary, filled(every, places, [ones(*home.made) for home in homes]), named)
        outputs = [made] if isinstance(made, Tensor) else list(made)
        if not all(isinstance(each, Tensor) for each in outputs):
            return None, [], None
        described = filled(every, places, [Operand(home.shape, home.dtype, True) for home in homes])
        for name, value in described.items():
            if isinstance(value, Tensor):
                described[name] = Operand(value._array.shape, value._array.dtype, False)
        makes = [(each._array.shape, each._array.dtype, each._edge is not None) for each in outputs]
        pack = None if isinstance(made, Tensor) else op.return_type if op.returns else type(made)
        return RULES[op.batching](op, described), makes, pack
    finally:
        scheduler.paused = False


def _described(op: Any, grad: bool, homes: list[Group], places: list[Place], every: dict[str, Any]) -> Any:
    """Return a key for calls that have one rule and make alike results, None where that depends on more."""
    if op.batching == "function":  # its variables are no arguments
        return None
    key: list[Any] = [op, grad, get_default_dtype(), *places]
    key += [home.made for home in homes]
    varying = {name for name, _ in places}
    for name, value in every.items():
        if name in varying:
            continue
        if isinstance(value, Tensor):
            key.append((value._array.shape, value._array.dtype, value._edge is not None))
        elif value.__class__ in (*_NUMBERS, slice, tuple, list):
            if isinstance(value, (tuple, list)) and any(isinstance(each, Tensor) for each in value):
                return None
            key.append(_constant(value))
        else:
            return None
    try:
        hash(tuple(key))
    except TypeError:
        return None
    return tuple(key)


def ones(shape: tuple[int, ...], dtype: Any, requires_grad: bool = False) -> Tensor:
    """Return an example of a shape: up to one, in matrices that have an inverse, or zeros that may be indices."""
    array = np.zeros(shape, dtype) if dtype.kind in "iub" else np.ones(shape, dtype)
    if array.ndim > 1 and dtype.kind == "f":
        array = (array + np.eye(*shape[-2:], dtype=dtype)) / 2
    made = wrap(array if array.ndim else array[()], None)
    return made.requires_grad_() if requires_grad else made


def filled(arguments: dict[str, Any], places: list[Place], values: Any) -> dict[str, Any]:
    """Return the arguments with these values at these places."""
    result = dict(arguments)
    for (name, place), value in zip(places, values, strict=True):
        if place is None:
            result[name] = value
        else:
            if place == 0:
                result[name] = list(result[name])
            result[name][place] = value
    return result


def _called(op: Any, ordinary: Callable[..., Any], arguments: dict[str, Any], named: dict[str, Any]) -> Any:
    """Call an op on one example, with the arguments that its caller gave."""
    rest = {name: arguments[name] for name in named}
    placed = []
    for name in op.names[: op.positional]:
        if name not in rest:
            break
        placed.append(rest.pop(name))
    return ordinary(*placed, *rest.pop(op.variadic, ()), **rest)


def _operator(name: str, op: Any, swapped: bool) -> Callable[[Any, Any], Any]:
    """Return an operator of lazy tensors."""
    ordinary = op.entry

    def otherwise(self: Any, other: Any) -> Any:
        home = self.home
        scheduler: Scheduler = home.scheduler
        if running.get() is scheduler and not scheduler.paused:
            is_number = other.__class__ is float and op.name in _ARITHMETIC and home.dtype.kind == "f"
            if is_number and scheduler.varies(op, other):
                other = scheduler.given(wrap(home.dtype.type(other), None))
            if isinstance(other, (Tensor, int, float)):
                found = join(scheduler, op, ordinary, (other, self) if swapped else (self, other), {})
                if found is not NotImplemented:
                    return found
        force(self)
        return getattr(Tensor, name)(self, other)

    return quick.operator(name, "right" if swapped else "left", op, otherwise)


def _operator_of_parameters(name: str, op: Any) -> Callable[[Any, Any], Any]:
    """Return an operator of parameters while a batch runs: Python tries the left operand's first."""
    ordinary = getattr(Tensor, name)

    def method(self: Any, other: Any) -> Any:
        scheduler = running.get() if other.__class__ is Lazy else None
        if scheduler is not None and not scheduler.paused:
            found = join(scheduler, op, op.entry, (self, other), {})
            if found is not NotImplemented:
                return found
        return ordinary(self, other)

    method.__name__ = name
    return method


OF_PARAMETERS: dict[str, Callable[[Any, Any], Any]] = {}  # operators, by the names of their methods
_REFLECTED = {
    "add": ("add", True), "mul": ("mul", True), "sub": ("rsub", False), "truediv": ("div", True),
    "matmul": ("matmul", True),
}  # fmt: skip


def bind_operators() -> None:
    """Give lazy tensors their operators, and make those of parameters."""
    for name, operator in BINARY.items():
        if TABLE[name].batching:
            method = f"__{operator}__"
            setattr(Lazy, method, _operator(method, TABLE[name], False))
            OF_PARAMETERS[method] = _operator_of_parameters(method, TABLE[name])
    for operator, (name, swapped) in _REFLECTED.items():
        setattr(Lazy, f"__r{operator}__", _operator(f"__r{operator}__", TABLE[name], swapped))
    subscript = TABLE["__getitem__"]
    Lazy.__getitem__ = quick.operator("__getitem__", "subscript", subscript, subscript.entry)  # type: ignore[method-assign]
    Lazy.__hash__ = Tensor.__hash__  # type: ignore[method-assign]  # where `__eq__` is set, it would be None
