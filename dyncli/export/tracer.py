"""The object that instrumented functions report to: marks of the path, numbers that stay values, reads of shapes."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from contextlib import contextmanager
from types import GeneratorType
from typing import Any

from dyncli.export.instrument import SOURCE
from dyncli.export.lists import Lists, Rows, joined, row_of, without_rows
from dyncli.export.numbers import MATH, Number, number
from dyncli.export.sources import LONGEST_UNROLLED, Counted, Pairs, Range, Stepped, Together
from dyncli.export.state import State, holds_changes
from dyncli.recorder.engine import Tensor, dtypes, is_engine

__dyncore__ = True  # the line that an op stands on is the script's

_OPERANDS = frozenset((
    "add", "sub", "mul", "div", "pow", "maximum", "minimum", "where", "gt", "ge", "lt", "le", "eq", "ne", "remainder",
    "fmod", "clamp", "clip", "clamp_min", "clamp_max", "floor_divide", "true_divide", "multiply", "subtract", "divide",
    "rsub", "atan2", "lerp",
))  # fmt: skip
#: Functions that make a tensor, with the number that they fill it with; None where it is given.
_FACTORIES: dict[str, float | None] = {
    **{f"{before}{name}{after}": fill for name, fill in (("zeros", 0), ("ones", 1), ("empty", 0), ("full", None))
       for before, after in (("", ""), ("", "_like"), ("new_", ""))}, "arange": None,
}  # fmt: skip
_SHAPED = frozenset(("view", "reshape", "expand", "repeat", "topk"))  # take sizes that stay values
_BOTH = frozenset(("tensor", "as_tensor", "scalar_tensor"))


class Region:
    """One entry into an `if`, a loop or a function: `number` is equal for its marks."""

    def __init__(self, kind: str, key: Any, number: int, decided: int, source: Any = None) -> None:
        self.kind = kind
        self.key = key
        self.number = number
        self.decided = decided  # how many nodes stood before it
        self.source = source
        self.turn = decided  # the same of the iteration that runs


class Tracer:
    """Stands among the globals of instrumented modules; does nothing while no run is recorded.

    lengths: sizes that vary between the inputs; dimensions of these sizes are read as values.
    writes: whether the run is known to write in place.
    """

    def __init__(self) -> None:
        self.recording: Any = None
        self.active = False
        self.lengths: frozenset[int] = frozenset()
        self.writes = False
        self.shared: set[str] = set()  # names that some function declares `global` or `nonlocal`
        self.base: Any = None
        self.contradicted = False  # whether a run has shown that what was taken for true of this one or others is not
        self._split: set[Any] = set()  # marks that may name no tensors: others look at the same memory
        self._fixed: set[Any] = set()  # places where sizes are read that stay
        self._varying: set[Any] = set()
        self.lists = Lists()
        self._count = 0
        self._stored: dict[int, Any] = {}
        self._hidden = False

    @contextmanager
    def tracing(self, recording: Any, lengths: frozenset[int], *, writes: bool) -> Any:
        """Report to a recording; the frame that asks for it is the last that belongs to the run."""
        self.recording, self.lengths, self.writes = recording, lengths, writes
        self.base, self._count, self.active = sys._getframe(2), 0, True
        self._stored, self._hidden = {}, False
        self.lists.start()
        try:
            with recording.active():
                yield
        finally:
            self.active = False
            self.base = self.recording = None
        self.contradicted |= self.lists.changed
        if writes and not recording.split <= self._split:
            self._split |= recording.split
            self.contradicted = True

    def start_anew(self) -> None:
        """Forget which sizes were taken for those that vary, but not which ones stay, nor which marks name nothing."""
        self._varying, self.contradicted = set(), False

    # -- regions

    def begin(self, key: Any) -> Any:
        """Mark the entry of an `if` or of a function."""
        return self._region("begin", key) if self.active else None

    def loop(self, key: Any, source: Any = None) -> Any:
        """Mark the entry of a loop."""
        return self._region("loop", key, source) if self.active else None

    def _region(self, kind: str, key: Any, source: Any = None) -> Region:
        frame = sys._getframe(2)
        self._count += 1
        region = Region(kind, (frame.f_code.co_filename, key), self._count, self._decisions(), source)
        self.recording.mark(kind, region.key, region.number, {}, None)
        return region

    def _decisions(self) -> int:
        return len(self.recording.tape.nodes)

    def number(self, value: Any, region: Region | None) -> Any:
        """Return a number of Python as a value of the path, if the region has decided something or is a loop."""
        if region is None or not self.active or type(value) not in (int, float):
            return value
        if isinstance(region.source, Stepped) and not self._decides_after(region.turn):
            return value
        return self.settled(value, region)

    def settled(self, value: Any, region: Region | None) -> Any:
        """Return a number behind a region as a value of the path, also behind a loop that Python steps through."""
        if region is None or not self.active or type(value) not in (int, float) or not self._has_decided(region):
            return value
        made = number(self.recording, value)
        return value if made is None else made

    def _has_decided(self, region: Region) -> bool:
        if region.kind == "loop" and not isinstance(region.source, Stepped):
            return True
        return self._decides_after(region.decided)

    def _decides_after(self, start: int) -> bool:
        return any(type(each).__name__ == "Decision" for each in self.recording.tape.nodes[start:])

    def join(self, region: Region | None, names: tuple[str, ...]) -> None:
        """Mark where the arms of an `if` meet."""
        if region is not None and self.active:
            self._mark("end", region, names)

    def iteration(self, region: Region | None, names: tuple[str, ...]) -> None:
        """Mark the beginning of an iteration."""
        if region is not None and self.active:
            self._mark("iteration", region, names)
            region.turn = self._decisions()
            self.lists.turns += not isinstance(region.source, Stepped)

    def leave(self, region: Region | None, names: tuple[str, ...]) -> None:
        """Mark where a loop has been left."""
        if region is not None and self.active:
            self._mark("exit", region, names)

    def returned(self, region: Region | None, value: Any) -> Any:
        """Mark the return from a function; return its value."""
        if region is not None and self.active and self._has_decided(region):
            if type(value) in (int, float):
                made = number(self.recording, value)
                value = value if made is None else made
            value = self.alias(value) if isinstance(value, Tensor) and self.recording.is_outside(value) else value
            self._mark("end", region, (), value)
        return value

    def _mark(self, kind: str, region: Region, names: tuple[str, ...], value: Any = None) -> None:
        state = State(self.recording, exact_shapes=not self.lengths)
        frame = sys._getframe(2)
        variables = frame.f_locals
        parts: list[Any] = [
            (name, state.add(name, variables[name]))
            for name in names
            if name in variables and (variables[name] is region.source or not _is_generated(variables[name]))
        ]
        parts.append(state.add("<return>", value))
        parts += self._around(state, frame)
        tensors = state.tensors
        described: Any = tuple(parts) if state.known and not self._hidden else None
        if self.writes:
            roots = self.recording.roots(list(tensors.values()))
            shared = len(set(roots)) < len(roots) or (kind, region.key) in self._split
            if described is None or shared:  # views of one memory: they stay what they are
                tensors, described = {}, None
        self.recording.mark(kind, region.key, region.number, tensors, described)

    def _around(self, state: State, frame: Any) -> list[Any]:
        """Describe what functions may share: variables of outer frames, globals, attributes that were stored."""
        parts: list[Any] = []
        spaces = {id(frame.f_globals): frame.f_globals}
        outer, depth = frame.f_back, 1
        while outer is not None and outer is not self.base:
            if not is_engine(outer.f_globals):
                spaces[id(outer.f_globals)] = outer.f_globals
                for name, each in outer.f_locals.items():
                    if self._is_shared(name, each):
                        parts.append((depth, name, state.add(f"{depth}:{name}", each)))
            outer, depth = outer.f_back, depth + 1
        for rank, variables in enumerate(spaces.values()):
            for name, each in variables.items():
                if name[0] != "@" and name[:2] != "__" and (name in self.shared or holds_changes(each)):
                    parts.append((-rank, name, state.add(f"{-rank}:{name}", each)))
        for rank, owner in enumerate(self._stored.values()):
            parts.append((id(owner), state.attributes(f"<stored {rank}>", owner)))
        return parts

    def _is_shared(self, name: str, value: Any) -> bool:
        """Return whether a local of an outer frame may change, or look at memory that is written meanwhile."""
        if name.startswith(SOURCE):
            return not _is_generated(value)
        if self.writes and isinstance(value, Tensor):
            return True
        return name[0] != "@" and (name in self.shared or holds_changes(value))

    def stored(self, owner: Any) -> None:
        """Note that an attribute of an object was stored; None for an object that is not known."""
        if not self.active:
            return
        if owner is None:
            self._hidden = True
        elif isinstance(owner, type) or hasattr(owner, "named_parameters"):
            self._stored[id(owner)] = owner

    # -- loops

    def source(self, iterable: Any, leaves: bool) -> Any:
        """Return what a `for` steps through."""
        if not self.active:
            return Stepped(iterable)
        return self._counted(iterable, leaves) or Stepped(iterable)

    def _counted(self, iterable: Any, leaves: bool) -> Any:
        """Return a source that counts with a value; None for what Python steps through."""
        if isinstance(iterable, Pairs):
            parts = [self._counted(each, True) for each in iterable.parts]
            return Together(parts) if all(parts) else None
        if isinstance(iterable, Range):
            if type(iterable.step) is int and iterable.step:
                return Counted(self.recording, iterable.start, iterable.stop, iterable.step, lambda at: at)
        elif type(iterable) is range:
            if leaves or len(iterable) > LONGEST_UNROLLED:
                return Counted(self.recording, iterable.start, iterable.stop, iterable.step, lambda at: at)
        elif isinstance(iterable, Rows):
            return Counted(self.recording, 0, iterable.counted(), 1, iterable.row)
        elif isinstance(iterable, Tensor) and iterable._array.ndim:
            size = self.size(iterable, 0)
            if isinstance(size, Number) or leaves or size > LONGEST_UNROLLED:
                rows = self.alias(iterable)
                return Counted(self.recording, 0, size, 1, lambda at: _item(rows, at))
        return None

    # -- values

    def size(self, tensor: Any, dim: int) -> Any:
        """Return the size of a dimension; a `Number` where it varies."""
        dim %= tensor._array.ndim
        if self._varies(tensor, dim):
            return Number(self.recording, self.recording.size(tensor, dim))
        if self.lengths and not self.recording.is_outside(tensor):
            return self.recording.fixed_size(tensor, dim)
        return tensor.shape[dim]

    def _varies(self, tensor: Any, dim: int) -> bool:
        """Return whether inputs decide the size of a dimension, by their lengths or their elements."""
        if self.recording.is_sized_by_data(tensor):
            return True
        if not self.lengths or self.recording.is_outside(tensor):
            return False
        return self._is_length(tensor._array.shape[dim], dim)

    def _is_length(self, size: int, dim: int) -> bool:
        """Return whether a size that is read here is one of those that vary, in this and in every other run.

        A size that stays may be that of an input by chance.
        """
        frame: Any = sys._getframe(1)
        places: list[Any] = [dim]
        while frame is not None and frame is not self.base:
            if not is_engine(frame.f_globals):
                places += (frame.f_code, frame.f_lasti)
            frame = frame.f_back
        place = tuple(places)
        if size not in self.lengths:
            self.contradicted |= place in self._varying
            self._fixed.add(place)
        elif place not in self._fixed:
            self._varying.add(place)
            return True
        return False

    def shape(self, value: Any) -> Any:
        """Return `value.shape`."""
        if not self.active or not isinstance(value, Tensor):
            return value.shape
        if not any(self._varies(value, dim) for dim in range(value._array.ndim)):
            return value.shape
        return tuple(self.size(value, dim) for dim in range(value._array.ndim))

    def alias(self, value: Any) -> Any:
        """Return a tensor of its own for `y = x`, so that the two names can be told apart."""
        if not self.active or type(value) is not Tensor or self.writes:
            return value
        return value.detach()

    def listed(self, key: Any, value: list[Any]) -> Any:
        """Return what stands for a list that was made."""
        if not self.active or self.writes:
            return value
        return self.lists.made(self.recording, (sys._getframe(1).f_code.co_filename, key), value)

    def operand(self, target: Any, value: Any) -> Any:
        """Return a value that is written into `target`: of a tensor, a tensor."""
        if self.active and isinstance(target, Tensor) and isinstance(value, Number):
            return value.beside(target)
        return value

    def slice(self, *parts: Any) -> slice:
        """Return a slice."""
        return slice(*parts)

    def index(self, index: Any) -> Any:
        """Return an index without `Number`s."""
        return _without_numbers(index) if self.active else index

    def item(self, value: Any, index: Any) -> Any:
        """Return `value[index]`."""
        return _item(value, index) if self.active else value[index]

    def call(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Return `function(*args, **kwargs)`."""
        if not self.active:
            return function(*args, **kwargs)
        special = _SPECIAL.get(function) if type(function) in _HASHED else None
        if special is not None:
            return special(self, *args, **kwargs)
        owner = getattr(function, "__self__", None)
        name = getattr(function, "__name__", "")
        if type(owner) is list and name == "append":
            self.lists.appended(owner, *args)
            return function(*map(self.alias, args))
        if args and isinstance(args[0], Rows) and _is_engine(function):
            found = self._of_rows(function, name, *args, **kwargs)
            if found is not NotImplemented:
                return found
            args = without_rows(args)
        if isinstance(owner, Tensor):
            found = self._method(owner, name, args, kwargs)
            if found is not NotImplemented:
                return found
        if name in _FACTORIES and (isinstance(owner, Tensor) or _is_engine(function)):
            made = self._made(function, name.removeprefix("new_"), args, kwargs)
            if made is not None:
                return made
        if not _has_number((args, kwargs)):
            if not isinstance(owner, Tensor) and not _is_engine(function):
                return function(*args, **kwargs)
            with self.recording.calling(name or type(function).__name__):
                return function(*args, **kwargs)
        if function in MATH if type(function) in _HASHED else False:
            return MATH[function](*args)
        if not isinstance(owner, Tensor) and not _is_engine(function):
            return function(*args, **kwargs)
        return self._op(function, name, args, kwargs)

    @staticmethod
    def _of_rows(function: Any, name: str, rows: Rows, *args: Any, **kwargs: Any) -> Any:
        """Return what a function of the engine's makes of a list that is held as rows."""
        dim = args[0] if args else kwargs.get("dim", 0)
        if name in _BOTH and rows.kind[0] == "number" and not args:
            dtype = kwargs.get("dtype") or (dtypes.int64 if rows.kind[1] == "<i8" else dtypes.get_default_dtype())
            return rows.tensor.to(dtype).clone()
        joins = rows.count and (name == "stack" or (name == "cat" and rows.kind[2]))
        if joins and rows.kind[0] == "tensor" and len(args) + len(kwargs) < 2 and type(dim) is int:
            return joined(rows, name, dim)
        return NotImplemented

    def _method(self, tensor: Any, name: str, args: Any, kwargs: Any) -> Any:
        if name == "item" and tensor._array.dtype.kind in "fi" and tensor._array.size == 1:
            return self._number(tensor)
        if name == "size":
            sizes = self.shape(tensor)
            dim = args[0] if args else kwargs.get("dim")
            return sizes if dim is None else sizes[dim]
        if name in ("numel", "nelement"):
            return math.prod(self.shape(tensor))
        if name == "tolist" and tensor._array.dtype.kind in "fi" and not _has_number(self.shape(tensor)):
            return self._number(tensor) if not tensor._array.ndim else [self._method(e, name, (), {}) for e in tensor]
        return NotImplemented

    def _number(self, tensor: Any) -> Number:
        """Return the number in a tensor of one element."""
        flat = tensor.reshape(()) if tensor._array.ndim else tensor
        return Number(self.recording, flat.to(dtypes.float64 if tensor._array.dtype.kind == "f" else dtypes.int64))

    def _made(self, function: Any, name: str, args: Any, kwargs: Any) -> Any:
        """Return a tensor that is made in a size which inputs decide; None for any other."""
        if name.endswith("_like"):
            shape = self.shape(args[0]) if args and isinstance(args[0], Tensor) else ()
            given = _has_number((shape, args[1:], kwargs.get("fill_value")))
        else:
            given = _has_number((args, [kwargs.get(each) for each in ("size", "end", "fill_value")]))
        if not given:
            return None
        example = function(*_concrete(args), **_concrete(kwargs))
        if name == "arange":
            bounds = [args[0] if len(args) > 1 else 0, args[1] if len(args) > 1 else (*args, kwargs.get("end"))[0],
                      args[2] if len(args) > 2 else kwargs.get("step", 1)]  # fmt: skip
            if any(each.is_float if isinstance(each, Number) else type(each) is not int for each in bounds):
                return None
            operands: Any = dict(zip(("start", "end", "step"), bounds))
        else:
            fill = _FACTORIES[name]
            if fill is None:
                fill = (*args[1:], kwargs.get("fill_value"))[0]
            if not isinstance(fill, (int, float, Number)):
                return None
            if not name.endswith("_like"):
                sizes = args[0] if args else kwargs["size"]
                shape = sizes if isinstance(sizes, (tuple, list)) else args if "full" not in name else (sizes,)
            operands = {"number": fill, "shape": tuple(shape)}
        return self.recording.computed(name if name == "arange" else "filled", _tensors(operands), example._array)

    def _op(self, function: Any, name: str, args: Any, kwargs: Any) -> Any:
        """Call an op with numbers among its arguments."""
        if name in _BOTH and args and isinstance(args[0], Number):
            dtype = kwargs.get("dtype") or (dtypes.get_default_dtype() if args[0].is_float else dtypes.int64)
            return args[0].tensor.to(dtype).clone()  # writes into it leave the number alone
        tensors = [each for each in (getattr(function, "__self__", None), *args) if isinstance(each, Tensor)]
        if name in _OPERANDS and tensors:
            beside = tensors[-1] if name == "where" else tensors[0]

            def change(each: Any) -> Any:
                return each.beside(beside) if isinstance(each, Number) else each

            return function(*map(change, args), **{key: change(each) for key, each in kwargs.items()})
        method = isinstance(getattr(function, "__self__", None), Tensor)
        if name in _SHAPED and not kwargs and (method or not isinstance(args[0], Number)):
            given = args if method else args[1:]
            plain = _concrete(given)
            call = (lambda: function(*plain)) if method else (lambda: function(args[0], *plain))
            return self.recording.with_values(call, plain, _tensors(given))
        return function(*_without_numbers(args), **_without_numbers(kwargs))


def _item(value: Any, index: Any) -> Any:
    """Return `value[index]` of a run that is recorded."""
    if isinstance(value, Rows):
        return value[index]
    if not _has_number(index):
        return value[index]
    counts = isinstance(value, Tensor) and isinstance(index, Number) and not index.is_float
    if counts and index.tensor._array.item() >= 0:
        return row_of(value, index)
    if isinstance(value, Tensor) and isinstance(index, tuple) and isinstance(index[0], (int, Number)):
        return _item(_item(value, index[0]), index[1:] if len(index) > 2 else index[1])
    parts = index if isinstance(index, tuple) else (index,)
    if isinstance(value, Tensor) and not any(isinstance(each, (Tensor, list)) for each in parts):
        kept = [each if isinstance(each, slice) else _without_numbers(each) for each in parts]
        given = tuple(kept) if isinstance(index, tuple) else kept[0]
        numbers: list[Number] = []
        _changed(given, numbers.append)
        if numbers:
            plain = _concrete(given)
            return numbers[0].recording.with_values(lambda: value[plain], (plain,), (_tensors(given),))
    return value[_without_numbers(index)]


def _is_generated(source: Any) -> bool:
    """Return whether a `for` takes its elements from a generator, of which nothing more can be said."""
    return isinstance(source, Stepped) and isinstance(source.iterator, GeneratorType)


def _is_engine(function: Any) -> bool:
    module = getattr(function, "__module__", None) or getattr(type(function), "__module__", "")
    return str(module).partition(".")[0] in ("dyncore", "torch")


def _has_number(tree: Any) -> bool:
    if isinstance(tree, (list, tuple)):
        return any(map(_has_number, tree))
    if isinstance(tree, dict):
        return any(map(_has_number, tree.values()))
    if isinstance(tree, slice):
        return _has_number((tree.start, tree.stop, tree.step))
    return isinstance(tree, Number)


def _without_numbers(tree: Any) -> Any:
    """Return a tree with the numbers themselves: the path holds for these alone."""
    return _changed(tree, Number.exact)


def _concrete(tree: Any) -> Any:
    """Return a tree with the numbers themselves, for an op of which the path holds for all of them."""
    return _changed(tree, lambda each: each.tensor._array.item())


def _tensors(tree: Any) -> Any:
    """Return a tree with tensors for numbers."""
    return _changed(tree, lambda each: each.tensor)


def _changed(tree: Any, change: Callable[[Number], Any]) -> Any:
    if isinstance(tree, Number):
        return change(tree)
    if type(tree) in (list, tuple):
        return type(tree)(_changed(each, change) for each in tree)
    if isinstance(tree, dict):
        return {key: _changed(each, change) for key, each in tree.items()}
    if isinstance(tree, slice):
        return slice(*(_changed(each, change) for each in (tree.start, tree.stop, tree.step)))
    return tree


def _float(tracer: Tracer, *args: Any) -> Any:
    if args and isinstance(args[0], Number):
        return args[0].floating()
    if args and isinstance(args[0], Tensor) and args[0]._array.size == 1 and args[0]._array.dtype.kind in "fi":
        return tracer._number(args[0]).floating()
    return float(*args)


def _int(tracer: Tracer, *args: Any) -> Any:
    if len(args) == 1 and isinstance(args[0], Number):
        return args[0].integer()
    if (
        len(args) == 1
        and isinstance(args[0], Tensor)
        and args[0]._array.size == 1
        and args[0]._array.dtype.kind in "fi"
    ):
        return tracer._number(args[0]).integer()
    return int(*args)


def _len(tracer: Tracer, value: Any) -> Any:
    if isinstance(value, Rows):
        return value.size()
    return tracer.size(value, 0) if isinstance(value, Tensor) and value._array.ndim else len(value)


def _range(tracer: Tracer, *args: Any) -> Any:
    if not _has_number(args) or any(isinstance(each, Number) and each.is_float for each in args):
        return range(*args)
    return Range(0, *args) if len(args) == 1 else Range(*args)


def _reversed(tracer: Tracer, value: Any) -> Any:
    if isinstance(value, Range) and type(value.step) is int and value.step:
        sign = 1 if value.step > 0 else -1
        count = (value.stop - value.start + value.step - sign) // value.step
        return Range(value.start + (count - 1) * value.step, value.start - value.step, -value.step)
    return reversed(value)


def _isinstance(tracer: Tracer, value: Any, kinds: Any) -> bool:
    if isinstance(value, Rows):
        return issubclass(list, kinds)
    if isinstance(value, Number):
        return issubclass(float if value.is_float else int, kinds)
    return isinstance(value, kinds)


def _type(tracer: Tracer, *args: Any) -> Any:
    if len(args) == 1 and isinstance(args[0], Number):
        return float if args[0].is_float else int
    if len(args) == 1 and isinstance(args[0], Rows):
        return list
    return type(*args)


def _is_counted(tracer: Tracer, value: Any) -> bool:
    return isinstance(value, (Range, Pairs, Rows)) or (
        isinstance(value, Tensor) and value._array.ndim > 0 and isinstance(tracer.size(value, 0), Number)
    )


def _enumerate(tracer: Tracer, value: Any, start: int = 0) -> Any:
    if type(start) is int and _is_counted(tracer, value):
        return Pairs([Range(start, 2**31), value])
    return enumerate(value, start)


def _zip(tracer: Tracer, *values: Any, **options: Any) -> Any:
    if values and not options and all(_is_counted(tracer, each) for each in values):
        return Pairs(list(values))
    return zip(*values, **options)


def _extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `max` or `min` that makes no decision of numbers of one type."""

    def extreme(tracer: Tracer, *args: Any, **options: Any) -> Any:
        several = args[0] if len(args) == 1 and type(args[0]) in (list, tuple) else args
        if options or len(several) < 2 or not any(isinstance(each, Number) for each in several):
            return function(*args, **options)
        numbers = [number(tracer.recording, each) if type(each) in (int, float, Number) else None for each in several]
        found = numbers[0]
        if found is None or any(each is None or each.is_float != found.is_float for each in numbers):
            return function(*args)
        for each in numbers[1:]:
            first, second = found.tensor, each.tensor  # type: ignore[union-attr]
            found = Number(tracer.recording, second.where(second > first if function is max else second < first, first))
        return found

    return extreme


def _sum(tracer: Tracer, value: Any, *args: Any, **options: Any) -> Any:
    if not isinstance(value, Rows) or args or options or not value:
        return sum(value, *args, **options)
    total = value.tensor.sum(0)
    return total if value.kind[0] == "tensor" else Number(tracer.recording, total)


def _setattr(tracer: Tracer, owner: Any, name: str, value: Any) -> None:
    setattr(owner, name, value)
    tracer.stored(owner)


_HASHED = (type, type(len))
_SPECIAL: dict[Any, Any] = {
    float: _float, int: _int, len: _len, range: _range, isinstance: _isinstance, enumerate: _enumerate, zip: _zip,
    reversed: _reversed, max: _extreme(max), min: _extreme(min), sum: _sum, setattr: _setattr, type: _type,
}  # fmt: skip
