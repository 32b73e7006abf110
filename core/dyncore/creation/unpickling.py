"""Read a pickle as data: its opcodes build values, and nothing that the pickle names is called.

The module `pickle` calls whatever a file names, so a file can run any code.  Here each opcode is carried out by a
method of `Unpickler`; a name is looked up by a function of the caller, and only a `Builder` may be called.
Every opcode does a bounded amount of work for each of its bytes.
"""

from __future__ import annotations

import enum
import pickletools
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pickle import UnpicklingError
from typing import Any, BinaryIO

import numpy as np

MAX_KEY_DEPTH = 8  # of tuples within tuples as a key: hashing recurses in C without a limit


@dataclass(frozen=True, slots=True)
class Builder:
    """A function that a pickle may call, by the name that the pickle has for it.

    owned: whether the pickle may go on to set the attributes of what it returns.
    """

    name: str
    build: Callable[..., Any]
    owned: bool = False

    def __call__(self, *args: Any) -> Any:
        """Build one value."""
        return self.build(*args)


class Unpickler:
    """Build the value that a pickle describes.

    find: returns what stands for a global name: a `Builder`, a class, or any value; raises UnpicklingError.
    load_persistent: returns the value for a persistent id.
    """

    def __init__(self, find: Callable[[str, str], Any], load_persistent: Callable[[Any], Any]) -> None:
        self.find, self.load_persistent = find, load_persistent
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}
        self._owned: dict[int, Any] = {}

    def load(self, file: BinaryIO) -> Any:
        """Read one pickle and leave the file behind its end.

        Raises UnpicklingError for a damaged pickle and for one that asks for more than data.
        """
        try:
            for opcode, argument, _ in pickletools.genops(file):
                if opcode.name == "STOP":
                    return self.stack.pop()
                step = _STEPS.get(opcode.name)
                if step is None:
                    raise UnpicklingError(f"Unsupported operand {ord(opcode.code)} ({opcode.name})")
                step(self, argument)
        except (IndexError, KeyError, ValueError, TypeError, AttributeError, OverflowError) as error:
            raise UnpicklingError(f"the pickle is damaged: {error}") from None
        raise UnpicklingError("the pickle is cut short")

    def _push(self, value: Any) -> None:
        self.stack.append(value)

    def _marked(self) -> list[Any]:
        """Take off the stack what was pushed since the last mark."""
        start = self.marks.pop()
        taken = self.stack[start:]
        del self.stack[start:]
        return taken

    def _drop_marked(self) -> None:
        self._marked()

    def _mark(self, _: None) -> None:
        self.marks.append(len(self.stack))

    def _pop(self, _: None) -> None:
        if self.marks and self.marks[-1] == len(self.stack):
            self.marks.pop()
        else:
            self.stack.pop()

    def _put(self, index: int) -> None:
        self.memo[index] = self.stack[-1]

    def _memoize(self, _: None) -> None:
        self.memo[len(self.memo)] = self.stack[-1]

    def _get(self, index: int) -> None:
        self.stack.append(self.memo[index])

    def _short_tuple(self, length: int) -> None:
        if length > len(self.stack):
            raise IndexError("a tuple of more than was built")
        self.stack[len(self.stack) - length :] = [tuple(self.stack[len(self.stack) - length :])]

    def _append(self, values: list[Any]) -> None:
        target = self.stack[-1]
        if not isinstance(target, list):
            raise UnpicklingError(f"a pickle may append to a list, not to a {type(target).__name__}")
        list.extend(target, values)

    def _set_items(self, flat: list[Any]) -> None:
        target = self.stack[-1]
        if not isinstance(target, dict):
            raise UnpicklingError(f"a pickle may set the items of a dict, not of a {type(target).__name__}")
        for key, value in zip(flat[::2], flat[1::2], strict=True):
            target[as_key(key)] = value

    def _add_items(self, values: list[Any]) -> None:
        target = self.stack[-1]
        if type(target) is not set:
            raise UnpicklingError(f"a pickle may add to a set, not to a {type(target).__name__}")
        target.update(map(as_key, values))

    def _global(self, name: str) -> None:
        module, _, attribute = name.partition(" ")
        self.stack.append(self.find(module, attribute))

    def _stack_global(self, _: None) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise UnpicklingError("a global is named by two strings")
        self.stack.append(self.find(module, name))

    def _reduce(self, _: None) -> None:
        args, function = self.stack.pop(), self.stack.pop()
        if isinstance(function, type) and issubclass(function, enum.Enum):
            made = function(*args)
        elif isinstance(function, Builder):
            made = function(*args)
            if function.owned:
                self._own(made)
        else:
            name = getattr(function, "__qualname__", type(function).__name__)
            raise UnpicklingError(f"Trying to call reduce for unrecognized function {name}")
        self.stack.append(made)

    def _new(self, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        kind = self.stack.pop()
        if isinstance(kind, Builder) and not options:
            made = kind(*args)
        elif isinstance(kind, type):
            made = kind.__new__(kind, *args, **options)
        else:
            raise UnpicklingError(f"Can't create new object for a {type(kind).__name__}")
        self._own(made)
        self.stack.append(made)

    def _new_object(self, _: None) -> None:
        self._new(self.stack.pop(), {})

    def _new_object_by_keywords(self, _: None) -> None:
        options = self.stack.pop()
        self._new(self.stack.pop(), options)

    def _own(self, made: Any) -> None:
        """Note that this pickle made the object, so that it may set the object's state; keep it, and so its id."""
        self._owned[id(made)] = made

    def _build(self, _: None) -> None:
        state, made = self.stack.pop(), self.stack[-1]
        if id(made) not in self._owned:
            raise UnpicklingError(f"Can only build objects that the pickle made, not a {type(made).__name__}")
        if isinstance(made, np.ndarray):
            _set_array(made, state)
        elif isinstance(made, np.dtype):
            _set_dtype(made, state)
        elif (set_state := getattr(type(made), "__setstate__", None)) is not None:
            set_state(made, state)
        else:
            _set_attributes(made, state)


def as_key(key: Any) -> Any:
    """Return a key of a dict or set.  Raises UnpicklingError for one that is nested too deeply to be hashed."""
    level: list[Any] = [key]
    for _ in range(MAX_KEY_DEPTH):
        level = [each for found in level if isinstance(found, (tuple, frozenset)) for each in found]
        if not level:
            return key
    raise UnpicklingError("a key of tuples nested too deeply")


def _set_attributes(made: Any, state: Any) -> None:
    """Set attributes as `pickle` does: a dict, or a pair of a dict and the values of slots."""
    attributes, slots = state if isinstance(state, tuple) and len(state) == 2 else (state, None)
    for name, value in (attributes or {}).items():
        made.__dict__[str(name)] = value
    for name, value in (slots or {}).items():
        setattr(made, str(name), value)


def _set_dtype(made: np.dtype[Any], state: Any) -> None:
    """Set the byte order of a dtype, and nothing else of its state."""
    order = state[1]
    if order not in ("<", ">", "|", "="):
        raise UnpicklingError("a NumPy dtype of an unknown byte order")
    sizes = (made.itemsize, made.alignment) if made.kind in "US" else (-1, -1)
    made.__setstate__((3, order, None, None, None, *sizes, 0))  # type: ignore[attr-defined]


def _set_array(made: np.ndarray[Any, Any], state: Any) -> None:
    """Fill an array; raises UnpicklingError where the elements are not all there."""
    _, shape, dtype, fortran, data = state
    elements = _elements(dtype, data).reshape(tuple(shape))
    filled: Any = (1, elements.shape, dtype, bool(fortran), elements.tobytes())
    made.__setstate__(filled)


def _elements(dtype: Any, data: Any) -> np.ndarray[Any, Any]:
    """Return the elements in some bytes.  Raises UnpicklingError for a dtype that holds objects."""
    data = data.encode("latin-1") if isinstance(data, str) else data
    if not isinstance(dtype, np.dtype) or dtype.hasobject or not isinstance(data, (bytes, bytearray)):
        raise UnpicklingError("a NumPy array of objects")
    return np.frombuffer(data, dtype)


# The globals that stand for plain data; `_codecs.encode` is how a pickle of protocol 2 holds bytes.


def _encoded(text: str, encoding: str = "latin1") -> bytes:
    if encoding not in ("latin1", "latin-1"):
        raise UnpicklingError(f"bytes in the encoding {encoding}")
    return text.encode("latin-1")


def _bytearray(data: str | bytes = b"", *encoding: str) -> bytearray:
    if isinstance(data, str):
        return bytearray(_encoded(data, *encoding))
    if not isinstance(data, bytes):  # a number would be a size
        raise UnpicklingError(f"a bytearray of a {type(data).__name__}")
    return bytearray(data)


def _new_array(kind: Any, shape: Any, code: Any) -> np.ndarray[Any, Any]:
    return np.ndarray((0,), np.int8)


def _new_dtype(name: Any, *_: Any) -> np.dtype[Any]:
    made = np.dtype(str(name), copy=True)
    if made.kind not in "?biufcUS" or made.names or made.subdtype:
        raise UnpicklingError(f"a NumPy dtype of objects or fields: {name}")
    return made


def _scalar(dtype: Any, data: Any) -> Any:
    return _elements(dtype, data)[0]


def _array_of_buffer(data: Any, dtype: Any, shape: Any, order: str) -> np.ndarray[Any, Any]:
    return _elements(dtype, data).reshape(tuple(shape), order="F" if order == "F" else "C").copy()


def _keys(make: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda values=(): make(map(as_key, values))


def _pairs(make: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda pairs=(): make((as_key(key), value) for key, value in pairs)


def _counter(counts: Any = ()) -> Counter[Any]:
    return Counter({as_key(key): count for key, count in dict(counts).items()})


def _defaultdict(factory: Any = None) -> defaultdict[Any, Any]:
    return defaultdict(factory if isinstance(factory, type) else None)


_BUILDERS = (
    Builder("collections.OrderedDict", _pairs(OrderedDict), owned=True),
    Builder("collections.Counter", _counter),
    Builder("collections.defaultdict", _defaultdict),
    Builder("builtins.set", _keys(set)),
    Builder("builtins.frozenset", _keys(frozenset)),
    Builder("builtins.complex", complex),
    Builder("builtins.bytearray", _bytearray),
    Builder("_codecs.encode", _encoded),
    Builder("numpy.ndarray", _new_array, owned=True),
    Builder("numpy.dtype", _new_dtype, owned=True),
    *(
        builder
        for package in ("numpy.core", "numpy._core")
        for builder in (
            Builder(f"{package}.multiarray._reconstruct", _new_array, owned=True),
            Builder(f"{package}.multiarray.scalar", _scalar),
            Builder(f"{package}.numeric._frombuffer", _array_of_buffer),
        )
    ),
)
PLAIN: dict[str, Any] = {builder.name: builder for builder in _BUILDERS}
PLAIN |= {f"builtins.{kind.__name__}": kind for kind in (dict, list, int, float)}  # of a defaultdict; not called

Step = Callable[[Unpickler, Any], None]


def _constant(value: Any) -> Step:
    return lambda self, _: self._push(value)


def _fresh(make: Callable[[], Any]) -> Step:
    return lambda self, _: self._push(make())


_VALUES = (
    "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT", "STRING", "BINSTRING",
    "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8", "UNICODE", "BINUNICODE",
    "SHORT_BINUNICODE", "BINUNICODE8",
)  # fmt: skip
_STEPS: dict[str, Step] = {
    **dict.fromkeys(_VALUES, Unpickler._push),
    **dict.fromkeys(("PROTO", "FRAME"), lambda self, _: None),
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT"), Unpickler._put),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), Unpickler._get),
    "MEMOIZE": Unpickler._memoize,
    "NONE": _constant(None), "NEWTRUE": _constant(True), "NEWFALSE": _constant(False), "EMPTY_TUPLE": _constant(()),
    "EMPTY_LIST": _fresh(list), "EMPTY_DICT": _fresh(dict), "EMPTY_SET": _fresh(set),
    "MARK": Unpickler._mark, "POP": Unpickler._pop,
    "POP_MARK": lambda self, _: self._drop_marked(),
    "DUP": lambda self, _: self._push(self.stack[-1]),
    "TUPLE": lambda self, _: self._push(tuple(self._marked())),
    "TUPLE1": lambda self, _: self._short_tuple(1),
    "TUPLE2": lambda self, _: self._short_tuple(2),
    "TUPLE3": lambda self, _: self._short_tuple(3),
    "LIST": lambda self, _: self._push(self._marked()),
    "DICT": lambda self, _: _dict_of(self, self._marked()),
    "FROZENSET": lambda self, _: self._push(frozenset(map(as_key, self._marked()))),
    "APPEND": lambda self, _: self._append([self.stack.pop()]),
    "APPENDS": lambda self, _: self._append(self._marked()),
    "SETITEM": lambda self, _: self._set_items([self.stack.pop(), self.stack.pop()][::-1]),
    "SETITEMS": lambda self, _: self._set_items(self._marked()),
    "ADDITEMS": lambda self, _: self._add_items(self._marked()),
    "GLOBAL": Unpickler._global, "STACK_GLOBAL": Unpickler._stack_global,
    "REDUCE": Unpickler._reduce, "BUILD": Unpickler._build,
    "NEWOBJ": Unpickler._new_object, "NEWOBJ_EX": Unpickler._new_object_by_keywords,
    "BINPERSID": lambda self, _: self._push(self.load_persistent(self.stack.pop())),
}  # fmt: skip


def _dict_of(unpickler: Unpickler, flat: list[Any]) -> None:
    unpickler._push({})
    unpickler._set_items(flat)
