"""An op's block as steps: looked into where that gives the same bits, else one step by itself.

A forward or a derivative is called with symbols, stand-ins for arrays.  Each holds the array of the run that is
recorded, computes with it and notes the NumPy function that ran.  What cannot be noted (a branch on a value, a write
into a view) raises `Untraceable`, and the block is then one step by itself.  Nothing is known here about any op.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import FunctionType
from typing import Any

import numpy as np

from dyncore.dispatch.registry import Kept, Op

from .steps import ARRAYS, PLAIN, Refused, Slot, Step, Trace, mapped, plain_tree, same_bits, slots_in


class Untraceable(Exception):
    """The block did something with a symbol that cannot be noted as a step."""


_METHODS = frozenset((
    "reshape", "transpose", "swapaxes", "astype", "copy", "ravel", "flatten", "squeeze", "sum", "mean", "max", "min",
    "prod", "any", "all", "dot", "argmax", "argmin", "cumsum", "cumprod", "clip", "repeat", "take", "diagonal", "trace",
    "argsort", "conj", "conjugate",
))  # fmt: skip
_PLAIN_FUNCTIONS = frozenset((np.shape, np.ndim, np.size, np.result_type, np.iscomplexobj, np.isrealobj))
# Functions whose result's shape follows from the shapes and the plain arguments alone.
_STEADY = frozenset((
    np.where, np.concatenate, np.stack, np.expand_dims, np.sum, np.mean, np.prod, np.amax, np.amin, np.max, np.min,
    np.squeeze, np.swapaxes, np.moveaxis, np.transpose, np.broadcast_to, np.zeros_like, np.ones_like, np.empty_like,
    np.full_like, np.take_along_axis, np.cumsum, np.cumprod, np.argmax, np.argmin, np.argsort, np.sort, np.any, np.all,
    np.reshape, np.ravel, np.atleast_1d, np.atleast_2d, np.tril, np.triu, np.roll, np.flip, np.outer, np.dot, np.vdot,
    np.inner, np.tensordot, np.einsum, np.trace, np.diagonal, np.clip, np.round, np.real, np.imag, np.var, np.std,
    np.copy, np.tile, np.array_split, np.split, np.nan_to_num,
))  # fmt: skip
_UFUNC_OF = {
    operator.add: np.add, operator.sub: np.subtract, operator.mul: np.multiply, operator.truediv: np.true_divide,
    operator.matmul: np.matmul, operator.floordiv: np.floor_divide, operator.mod: np.remainder,
    operator.neg: np.negative, operator.abs: np.absolute, operator.invert: np.invert,
    operator.and_: np.bitwise_and, operator.or_: np.bitwise_or, operator.xor: np.bitwise_xor,
    operator.lt: np.less, operator.le: np.less_equal, operator.gt: np.greater, operator.ge: np.greater_equal,
    operator.eq: np.equal, operator.ne: np.not_equal,
}  # fmt: skip


_Method = type(np.ndarray.dot)
_MOST_PARTS = 1000


class Tracer:
    """Calls blocks with symbols and puts what they compute into `program`."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self._own = 0  # the first slot that the block made itself
        self._symbols: list[Symbol] | None = None  # those made while it runs

    def symbol(self, slot: Slot) -> Symbol:
        return Symbol(self, slot, slot.value)

    def call(self, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        """Return `function(*args, **kwargs)`, with symbols for slots while it runs."""
        start = self.trace.here()
        args, kwargs = mapped(args, Slot, self.symbol), mapped(kwargs, Slot, self.symbol)
        before = self._own, self._symbols
        self._own, self._symbols = start[0], []
        try:
            found = with_methods(getattr(function, "in_steps", function))(*args, **kwargs)
        except Exception as error:
            self.trace.back_to(start)
            raise Untraceable(str(error)) from None
        finally:
            if before[1] is not None:
                before[1].extend(self._symbols)
            self._own, self._symbols = before
        return found

    def overwrite(self, symbol: Symbol, result: Symbol) -> Symbol:
        """Make `symbol`, and views of all of its memory, stand for `result`.

        Raises Untraceable if anything else may share that memory.
        """
        old, new, root = symbol.slot, result.slot, symbol.slot.root
        if root.number < self._own or root.kind != "made" or new.root is not new or new.scalar:
            raise Untraceable("out=")
        if new.shape != old.shape or new.dtype != old.dtype or new.strides != old.strides:
            raise Untraceable("out=")
        for each in [each for each in self._symbols or () if each.slot.root is root]:
            if each.slot is old:
                each.slot, each.value = new, result.value
            elif each.value.size == symbol.value.size and each.value.flags.c_contiguous:
                whole = self.note("method", "reshape", (result, each.shape), {}, result.value.reshape(each.shape))
                each.slot, each.value = whole.slot, whole.value
            else:
                raise Untraceable("out=")
        return symbol

    def note(
        self, kind: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], value: Any, checked: bool = False
    ) -> Any:
        """Return the symbol of `value`, which a step of this kind made."""
        args, kwargs = mapped(args, Symbol, _slot), mapped(kwargs, Symbol, _slot)
        if isinstance(value, ARRAYS):
            made = self.made(value, args, kwargs)
            self.trace.steps.append(Step(kind, function, args, kwargs, made, checked))
            return Symbol(self, made, value)
        if isinstance(value, (tuple, list)) and all(isinstance(each, ARRAYS) for each in value):
            outs = tuple(self.made(each, args, kwargs) for each in value)
            self.trace.steps.append(Step(kind, function, args, kwargs, outs, checked))
            return type(value)([Symbol(self, slot, each) for slot, each in zip(outs, value, strict=True)])
        raise Untraceable(f"{function} gave {type(value).__name__}")

    def made(self, value: Any, args: Any, kwargs: Any) -> Slot:
        """Return a new slot for `value`, a view of one of the arguments if it shares memory with it."""
        return self.trace.slot(value, "made", root_of(value, (args, kwargs)))


@lru_cache(4096)
def with_methods(function: Any) -> Any:
    """Return the function, with array methods that it calls by a global name (`product`) looked up in symbols."""
    if not isinstance(function, FunctionType):
        return function
    names = function.__globals__
    found = {name: names[name] for name in function.__code__.co_names if type(names.get(name)) is _Method}
    if not found:
        return function
    own = {**names, **{name: methodcaller_of(each.__name__) for name, each in found.items()}}
    made = FunctionType(function.__code__, own, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def methodcaller_of(name: str) -> Callable[..., Any]:
    """Return a function that calls the method of its first argument."""
    return lambda array, *args, **kwargs: getattr(array, name)(*args, **kwargs)


def root_of(value: Any, tree: Any) -> Slot | None:
    """Return the slot in `tree` whose memory `value` looks at."""
    if value.__class__ is not np.ndarray:
        return None
    for slot in slots_in(tree):
        other = slot.value
        if other.__class__ is np.ndarray and (value is other or np.may_share_memory(value, other)):
            return slot.root
    return None


def _slot(symbol: Symbol) -> Slot:
    return symbol.slot


def concrete(tree: Any) -> Any:
    """Return `tree` with the arrays of its symbols."""
    return mapped(tree, Symbol, lambda symbol: symbol.value)


class Symbol:
    """Stands for `slot`; `value` is its array in the run that is recorded."""

    __slots__ = ("tracer", "slot", "value")

    def __init__(self, tracer: Tracer, slot: Slot, value: Any) -> None:
        self.tracer = tracer
        self.slot = slot
        self.value = value
        if tracer._symbols is not None:
            tracer._symbols.append(self)

    __class__ = property(lambda self: type(self.value))  # what `isinstance` asks

    shape = property(lambda self: self.value.shape)
    dtype = property(lambda self: self.value.dtype)
    ndim = property(lambda self: self.value.ndim)
    size = property(lambda self: self.value.size)
    itemsize = property(lambda self: self.value.itemsize)
    nbytes = property(lambda self: self.value.nbytes)
    strides = property(lambda self: self.value.strides)
    flags = property(lambda self: self.value.flags)  # a recording fits while operands lie in memory as they did

    @property
    def T(self) -> Any:
        return self.tracer.note("attribute", "T", (self,), {}, self.value.T)

    @property
    def real(self) -> Any:
        return self._part("real")

    @property
    def imag(self) -> Any:
        return self._part("imag")

    def _part(self, name: str) -> Any:
        if name == "real" and self.value.dtype.kind != "c" and type(self.value) is np.ndarray:
            return self
        return self.tracer.note("attribute", name, (self,), {}, getattr(self.value, name))

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise Untraceable(f".{name}")

        def method(*args: Any, **kwargs: Any) -> Any:
            if name in ("conj", "conjugate") and self.value.dtype.kind != "c" and type(self.value) is np.ndarray:
                return self  # NumPy gives the array itself, too
            if "out" in kwargs:
                raise Untraceable("out=")
            value = getattr(self.value, name)(*concrete(args), **concrete(kwargs))
            checked = name == "repeat"
            return self.tracer.note("method", name, (self, *args), kwargs, value, checked)

        return method

    def __getitem__(self, index: Any) -> Any:
        value = self.value[concrete(index)]
        arrays = any(not slot.scalar for slot in slots_in(mapped(index, Symbol, _slot)))
        return self.tracer.note("call", operator.getitem, (self, index), {}, value, arrays)

    def __len__(self) -> int:
        return len(self.value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if kwargs.get("where") is not None:
            raise Untraceable("where=")
        into = kwargs.pop("out", None)
        if into is not None:
            if method != "__call__" or len(into) != 1 or type(into[0]) is not Symbol:
                raise Untraceable("out=")
            made = self.__array_ufunc__(ufunc, method, *inputs, **kwargs)
            if type(made) is not Symbol:
                raise Untraceable("out=")
            return self.tracer.overwrite(into[0], made)
        if method != "__call__":
            if method not in ("reduce", "outer", "accumulate"):
                raise Untraceable(method)
            value = getattr(ufunc, method)(*concrete(inputs), **concrete(kwargs))
            return self.tracer.note("call", getattr(ufunc, method), inputs, kwargs, value)
        value = ufunc(*concrete(inputs), **concrete(kwargs))
        return self.tracer.note("ufunc" if not kwargs and ufunc.nout == 1 else "call", ufunc, inputs, kwargs, value)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if "out" in kwargs:
            raise Untraceable("out=")
        value = func(*concrete(args), **concrete(kwargs))
        if func in _PLAIN_FUNCTIONS:
            return value
        return self.tracer.note("call", func, args, kwargs, value, func not in _STEADY)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise Untraceable("made into an array")

    def _refuse(self, *_: Any) -> Any:
        raise Untraceable("a branch on a value")

    def __iter__(self) -> Iterator[Any]:
        if len(self.value) > _MOST_PARTS:
            raise Untraceable("too many parts")
        return iter([self[number] for number in range(len(self.value))])

    __bool__ = __int__ = __float__ = __index__ = __complex__ = __setitem__ = __contains__ = _refuse
    __hash__ = None  # type: ignore[assignment]


def _binary(function: Any, swapped: bool) -> Any:
    ufunc = _UFUNC_OF.get(function)

    def method(self: Any, other: Any) -> Any:
        operands = (other, self) if swapped else (self, other)
        raws = concrete(operands)
        if any(not isinstance(raw, (*ARRAYS, int, float, complex)) for raw in raws):
            raise Untraceable("an operand of another kind")
        value = function(*raws)
        if ufunc is not None and any(raw.__class__ is np.ndarray for raw in raws):
            return self.tracer.note("ufunc", ufunc, operands, {}, value)
        return self.tracer.note("operator", function, operands, {}, value)

    return method


def _unary(function: Any) -> Any:
    def method(self: Any) -> Any:
        value = function(self.value)
        if self.value.__class__ is np.ndarray:
            return self.tracer.note("ufunc", _UFUNC_OF[function], (self,), {}, value)
        return self.tracer.note("operator", function, (self,), {}, value)

    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor"):
    _function = getattr(operator, _name)
    setattr(Symbol, f"__{_name.rstrip('_')}__", _binary(_function, False))
    setattr(Symbol, f"__r{_name.rstrip('_')}__", _binary(_function, True))
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(Symbol, f"__{_name}__", _binary(getattr(operator, _name), False))
for _name in ("neg", "abs", "invert"):
    setattr(Symbol, f"__{_name}__", _unary(getattr(operator, _name)))


_UNLIKE: Any = object()


class Blocks:
    """Puts what ops compute into a program."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.tracer = Tracer(trace)

    def traced(self, op: Op, slots: Any, named: Any, found: Any) -> Any:
        """Return (results, extras) as slots from the steps inside the op's block.

        None if it cannot be traced.
        """
        start = self.trace.here()
        try:
            result = self.tracer.call(op.forward, tuple(slots), named)
        except Untraceable:
            return None
        extras: dict[str, Any] = {}
        wanted: dict[str, Any] = {}
        if found.__class__ is Kept:
            found, wanted = found
            if not isinstance(result, tuple) or type(result) is not Kept:
                self.trace.back_to(start)
                return None
            result, extras = result
        several = isinstance(found, (tuple, list))
        pairs = list(zip(result, found, strict=True)) if several else [(result, found)]
        made: list[Any] = []
        for symbol, value in [*pairs, *[(extras.get(key), value) for key, value in wanted.items()]]:
            slot = self._result(symbol, value)
            if slot is _UNLIKE:
                self.trace.back_to(start)
                return None
            made.append(slot)
        for slot in slots_in(made[: len(pairs)]):
            if slot.root.kind == "constant":
                slot.root.fresh = True
        return made[: len(pairs)], dict(zip(wanted, made[len(pairs) :], strict=True))

    def _result(self, symbol: Any, value: Any) -> Any:
        """Return the slot of one result; `_UNLIKE` if its bits are not those of the ordinary run."""
        if type(symbol) is Symbol:
            if not same_bits(symbol.value, value):
                return _UNLIKE
            symbol.slot.value = value if symbol.slot.kind == "made" else symbol.slot.value
            return symbol.slot
        if isinstance(value, ARRAYS):
            return self.trace.slot(value, "constant") if same_bits(symbol, value) else _UNLIKE
        return value if value is None or type(value) in PLAIN and symbol == value else _UNLIKE

    def opaque(self, op: Op, slots: Any, named: Any, found: Any) -> Any:
        """Return (results, extras) of a block that is one step by itself."""
        result, extras = found if found.__class__ is Kept else (found, {})
        args = (tuple(slots), named)
        several = isinstance(result, (tuple, list))
        made: list[Any] = []
        for value in result if several else (result,):
            made.append(None if value is None else self.trace.slot(value, "made", root_of(value, args)))
        kept: dict[str, Any] = {}
        for key, value in extras.items():
            if isinstance(value, ARRAYS):
                kept[key] = self.trace.slot(value, "made", root_of(value, args))
            elif plain_tree(value):
                kept[key] = value
            else:
                raise Refused(f"uses `{op.name}`, which keeps a {type(value).__name__} for backward")
        outs: Any = tuple(made) if several else made[0]
        step = Step("call", op.forward, tuple(slots), named, outs, checked=True)
        if found.__class__ is Kept:
            step.outs = (outs, {key: slot for key, slot in kept.items() if type(slot) is Slot})
            step.plain = {key: value for key, value in kept.items() if type(value) is not Slot}
        self.trace.steps.append(step)
        return made, kept
