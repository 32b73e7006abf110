"""A given value and an annotation -> what the entry gets.

Without an annotation: a float, a list of numbers or an array becomes a tensor; an integer, boolean, string or None
stays itself; dicts and lists of anything else are trees of these.  An annotation decides otherwise: `int`, `float`,
`bool`, `str`, `list[...]`, `tuple[...]`, `dict[str, ...]`, `X | None`, `int | list` (a tree), `Literal`, a dataclass,
NamedTuple or TypedDict, `Tensor`, `LongTensor`, `BoolTensor`.
"""

from __future__ import annotations

import types
import typing
from collections import abc
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from dyncli import errors
from dyncli.script.script import short

if TYPE_CHECKING:
    from numpy.typing import NDArray

Tree = Any


class Leaf:
    """Array of a tensor to be made, named `x`, `tree.left.value` or `xs.0`.

    A floating array has the dtype of the run already.
    """

    __slots__ = ("array", "name")

    def __init__(self, name: str, array: NDArray[Any]) -> None:
        self.name = name
        self.array = array

    @property
    def is_floating(self) -> bool:
        """True if it can require a gradient."""
        return self.array.dtype.kind in "fc"


class Built(NamedTuple):
    """An object of one of the script's own classes, to be made from trees: a dataclass or a NamedTuple."""

    make: Callable[..., Any]
    fields: dict[str, Tree]


class Bound(NamedTuple):
    """One case's inputs, fitted to the entry's parameters.

    positional, named: what it is called with.  names: what each positional tree is called.
    """

    case: str | None
    positional: tuple[Tree, ...]
    named: dict[str, Tree]
    names: tuple[str, ...]

    def items(self) -> Iterator[tuple[str, Tree]]:
        """Yield (name, tree) of every input, in the order of the parameters."""
        yield from zip(self.names, self.positional)
        yield from self.named.items()

    def leaves(self) -> Iterator[Leaf]:
        """Yield every leaf, in order."""
        for _, tree in self.items():
            yield from leaves(tree)

    def map_leaves(self, function: Callable[[Leaf], Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments of the entry, with `function(leaf)` for each leaf.

        It is called once for each, in order.
        """
        positional = [map_tree(tree, function) for tree in self.positional]
        return positional, {name: map_tree(tree, function) for name, tree in self.named.items()}


def leaves(tree: Tree) -> Iterator[Leaf]:
    """Yield the leaves of one tree, in order."""
    pending = [tree]
    while pending:
        node = pending.pop()
        match node:
            case Leaf():
                yield node
            case Built(fields=fields):
                pending.extend(reversed(fields.values()))
            case dict():
                pending.extend(reversed(node.values()))
            case list() | tuple():
                pending.extend(reversed(node))


def map_tree(tree: Tree, function: Callable[[Leaf], Any]) -> Any:
    """Return the tree with `function(leaf)` for each leaf, and its objects built."""
    match tree:
        case Leaf():
            return function(tree)
        case Built(make=make, fields=fields):
            return make(**{name: map_tree(value, function) for name, value in fields.items()})
        case dict():
            return {name: map_tree(value, function) for name, value in tree.items()}
        case list() | tuple():
            return type(tree)(map_tree(value, function) for value in tree)
        case _:
            return tree


if TYPE_CHECKING:
    from numpy.typing import NDArray

DTYPES = ("float16", "float32", "float64")  # what floats can become
TENSORS = {
    "Tensor": None,
    "FloatTensor": None,
    "DoubleTensor": "float64",
    "HalfTensor": "float16",
    "LongTensor": "int64",
    "IntTensor": "int32",
    "ShortTensor": "int16",
    "CharTensor": "int8",
    "ByteTensor": "uint8",
    "BoolTensor": "bool",
}
SEQUENCES = (list, abc.Sequence, abc.MutableSequence, abc.Iterable, abc.Collection)
MAPPINGS = (dict, abc.Mapping, abc.MutableMapping)
UNIONS = (typing.Union, types.UnionType)


class Converter(NamedTuple):
    """Fits values to annotations; dtype: what floats become.  signature: quoted by the errors."""

    dtype: str
    signature: str

    def convert(self, value: Any, annotation: Any, name: str) -> Tree:
        """Return the tree for `value` under `annotation`.

        Raises InputType, InputShape, InputMissing, InputUnknown.
        """
        if isinstance(annotation, str):
            annotation = _by_name(annotation)
        origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
        if origin is typing.Annotated:
            return self.convert(value, arguments[0], name)
        if origin in UNIONS:
            return self._one_of(value, _nested(annotation), name)
        if origin is typing.Literal:
            if value in arguments:
                return value
            raise self._wrong(name, "one of " + ", ".join(map(repr, arguments)), value)
        if annotation in (None, type(None)):
            if value is None:
                return None
            raise self._wrong(name, "null", value)
        if _tensor_kind(annotation) is not NO_TENSOR:
            return self.tensor(value, name, _tensor_kind(annotation))
        kind = origin or annotation
        if kind in SEQUENCES:
            return [self.convert(*item) for item in self._items(value, arguments[0] if arguments else Any, name)]
        if kind is tuple:
            return self._tuple(value, arguments, name)
        if kind in MAPPINGS:
            return self._mapping(value, arguments[1] if len(arguments) == 2 else Any, name)
        if kind in (int, float, bool, str, complex):
            return self._scalar(value, kind, name)
        if isinstance(kind, type) and _fields(kind) is not None:
            return self._object(value, kind, name)
        if _is_array(annotation):
            return self.tensor(value, name, None).array
        return self.free(value, name)

    def free(self, value: Any, name: str) -> Tree:
        """Return the tree of a value without an annotation."""
        if isinstance(value, float | complex) or _is_array_value(value):
            return self.tensor(value, name, None)
        if isinstance(value, dict):
            return self._mapping(value, Any, name)
        if isinstance(value, list | tuple):
            kinds = _kinds(value)
            if (NUMBER in kinds and kinds <= {NUMBER, "str", "NoneType"}) or not kinds:
                return self.tensor(value, name, None)  # a string among numbers is a mistake, and is named there
            return [self.free(item, f"{name}.{index}") for index, item in enumerate(value)]
        return value

    def tensor(self, value: Any, name: str, dtype: str | None) -> Leaf:
        """Return the leaf of a number, a rectangular list of them, or an array.

        dtype None: floats become `self.dtype`, and so do Python's integers; an array of integers stays as it is.
        """
        import numpy as np

        if isinstance(value, np.ndarray):
            array = value
            wanted = dtype or (self.dtype if array.dtype.kind == "f" else None)
        else:
            array = self._array(value, name)
            wanted = dtype or (None if array.dtype.kind == "b" else self._complex(array) or self.dtype)
        if wanted is None:
            return Leaf(name, array)
        if array.dtype.kind == "c" and np.dtype(wanted).kind != "c":
            raise self._wrong(name, f"real numbers ({wanted})", value)
        if np.dtype(wanted).kind in "iu" and array.dtype.kind == "f" and not (array == np.trunc(array)).all():
            raise self._wrong(name, f"whole numbers ({wanted})", value)
        with np.errstate(over="ignore", invalid="ignore"):
            return Leaf(name, array.astype(wanted))

    def _complex(self, array: NDArray[Any]) -> str | None:
        """Return the dtype of complex numbers whose parts are `self.dtype`.

        None for real numbers.
        """
        if array.dtype.kind != "c":
            return None
        return "complex128" if self.dtype == "float64" else "complex64"

    def _array(self, value: Any, name: str) -> NDArray[Any]:
        import numpy as np

        if not isinstance(value, bool | int | float | complex | list | tuple):
            raise self._wrong(name, "a tensor", value)
        try:
            array = np.array(value)
        except (ValueError, OverflowError):
            self._check_numbers(value, name)
            raise errors.InputShape(name, _raggedness(value), self.signature) from None
        if array.dtype.kind not in "biufc":
            self._check_numbers(value, name)
            array = np.array(value, dtype=np.float64)  # whole numbers beyond int64
        return array.astype(np.float64) if array.size == 0 else array

    def _check_numbers(self, value: Any, name: str, at: str = "") -> None:
        if isinstance(value, list | tuple):
            for index, item in enumerate(value):
                self._check_numbers(item, name, f"{at}[{index}]")
        elif not isinstance(value, bool | int | float | complex):
            raise self._wrong(name + at, "a number", value)
        elif isinstance(value, int) and abs(value) > LARGEST:
            raise self._wrong(name + at, "a number that a float can hold", value)

    def _scalar(self, value: Any, kind: type, name: str) -> Any:
        if _is_array_value(value) and value.size == 1:
            value = value.item()
        if kind is bool and isinstance(value, bool):
            return value
        if kind is str and isinstance(value, str):
            return value
        if isinstance(value, bool | str) or value is None:
            raise self._wrong(name, WORDS[kind], value)
        if kind is int and (isinstance(value, int) or (isinstance(value, float) and value.is_integer())):
            return int(value)
        if kind in (float, complex) and isinstance(value, int | float):
            return kind(value)
        if kind is complex and isinstance(value, complex):
            return value
        raise self._wrong(name, WORDS[kind], value)

    def _one_of(self, value: Any, members: tuple[Any, ...], name: str) -> Tree:
        ordered = sorted(members, key=lambda member: _fit(value, member))
        best = [member for member in ordered if _fit(value, member) < 9]
        for member in best[:-1]:
            try:
                return self.convert(value, member, name)
            except errors.InputError:
                continue
        if not best:
            raise self._wrong(name, " or ".join(short(member) for member in members), value)
        return self.convert(value, best[-1], name)

    def _items(self, value: Any, annotation: Any, name: str) -> list[tuple[Any, Any, str]]:
        if _is_array_value(value) and value.ndim:
            value = list(value) if _tensor_kind(annotation) is not NO_TENSOR else value.tolist()
        if not isinstance(value, list | tuple):
            raise self._wrong(name, "a list", value)
        return [(item, annotation, f"{name}.{index}") for index, item in enumerate(value)]

    def _tuple(self, value: Any, members: tuple[Any, ...], name: str) -> tuple[Tree, ...]:
        items = self._items(value, Any, name)
        if not members or (len(members) == 2 and members[1] is Ellipsis):
            members = (members[0] if members else Any,) * len(items)
        if len(items) != len(members):
            raise self._wrong(name, f"{len(members)} values", value)
        return tuple(self.convert(item, member, path) for (item, _, path), member in zip(items, members))

    def _mapping(self, value: Any, annotation: Any, name: str) -> dict[str, Tree]:
        if not isinstance(value, dict):
            raise self._wrong(name, "an object", value)
        return {key: self.convert(item, annotation, f"{name}.{key}") for key, item in value.items()}

    def _object(self, value: Any, kind: type, name: str) -> Tree:
        if not isinstance(value, dict):
            raise self._wrong(name, f"an object with the fields of {kind.__name__}", value)
        fields, required = _fields(kind) or ({}, set())
        for key in value:
            if key not in fields:
                raise errors.InputUnknown(f"{name}.{key}", self.signature, [f"{name}.{known}" for known in fields])
        missing = [f"{name}.{key}" for key in fields if key in required and key not in value]
        if missing:
            raise self._wrong(name, f"an object with {errors.listing(missing)}", value)
        trees = {key: self.convert(item, fields[key], f"{name}.{key}") for key, item in value.items()}
        return trees if typing.is_typeddict(kind) else Built(kind, trees)

    def _wrong(self, name: str, expected: str, value: Any) -> errors.InputType:
        return errors.InputType(name, expected, describe(value), self.signature)


NO_TENSOR = "no tensor"
NUMBER = "number"
LARGEST = 2**1000
WORDS = {int: "an integer", float: "a number", bool: "true or false", str: "a string", complex: "a number"}


def describe(value: Any) -> str:
    """Describe a value in a message: `"abc"`, `3.5`, `float32 of shape (2, 3)`.

    >>> describe([1, 2, 3])
    'a list of 3'
    """
    if _is_array_value(value):
        return f"{value.dtype} of shape {value.shape}"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, dict):
        return f"an object with {errors.listing(list(value)[:5])}" if value else "an empty object"
    if isinstance(value, str):
        return f'the string "{value[:40]}"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and abs(value) > 10**40:
        return f"an integer of {value.bit_length()} bits"
    return repr(value)


def takes_mapping(annotation: Any) -> bool:
    """Return True if a parameter with this annotation may be an object."""
    members = typing.get_args(annotation) if typing.get_origin(annotation) in UNIONS else (annotation,)
    return any(_fit({"key": 0.0}, member) < 9 for member in members)


def _kinds(value: Any) -> set[str]:
    """Return the kinds of elements in nested lists: NUMBER, or the name of a type."""
    if isinstance(value, list | tuple):
        return set().union(*map(_kinds, value))
    return {NUMBER if isinstance(value, bool | int | float | complex) else type(value).__name__}


def _is_array_value(value: Any) -> bool:
    return hasattr(value, "dtype") and hasattr(value, "shape")


def _is_array(annotation: Any) -> bool:
    kind = typing.get_origin(annotation) or annotation
    return isinstance(kind, type) and kind.__module__ == "numpy" and kind.__name__ == "ndarray"


def _tensor_kind(annotation: Any) -> str | None:
    """Return the dtype that a tensor annotation asks for, or NO_TENSOR.

    None stands for the dtype of the value.
    """
    if isinstance(annotation, type):
        for base in annotation.__mro__:
            if base.__name__ in TENSORS:
                return TENSORS[base.__name__]
    if isinstance(annotation, NamedTensor):
        return TENSORS[annotation.name]
    return NO_TENSOR


class NamedTensor:
    """Tensor annotation of which only the name is known."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def _by_name(text: str) -> Any:
    word = text.strip().rpartition(".")[2]
    if word in TENSORS:
        return NamedTensor(word)
    return {kind.__name__: kind for kind in (int, float, bool, str, list, dict, tuple)}.get(word, Any)


def _fields(kind: type) -> tuple[dict[str, Any], set[str]] | None:
    """Return (field -> annotation, required fields) of a class, or None.

    A dataclass, NamedTuple or TypedDict has fields.
    """
    if hasattr(kind, "__dataclass_fields__"):
        import dataclasses  # a script that has any has loaded it

        names = [field.name for field in dataclasses.fields(kind) if field.init]
        required = {
            field.name
            for field in dataclasses.fields(kind)
            if field.init and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        }
    elif typing.is_typeddict(kind):
        names, required = list(kind.__annotations__), set(kind.__required_keys__)  # type: ignore[attr-defined]
    elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
        names = list(kind._fields)
        required = set(names) - set(kind._field_defaults)  # type: ignore[attr-defined]
    else:
        return None
    try:
        hints = typing.get_type_hints(kind)
    except Exception:
        hints = {}
    return {name: hints.get(name, Any) for name in names}, required


def _nested(union: Any) -> tuple[Any, ...]:
    """Return the members of a union; a bare `list`, `tuple` or `dict` holds the union again: `int | list` is a tree.

    >>> _nested(int | list)
    (<class 'int'>, list[int | list])
    """
    members = typing.get_args(union)
    held = {list: (union,), tuple: (union, ...), dict: (str, union)}
    if all(member in held or member is type(None) for member in members):
        return members
    return tuple(types.GenericAlias(member, held[member]) if member in held else member for member in members)


def _fit(value: Any, member: Any) -> int:
    """Return how well a value fits one member of a union: 0 best, 9 not at all."""
    kind = typing.get_origin(member) or (_by_name(member) if isinstance(member, str) else member)
    is_tensor = _tensor_kind(kind) is not NO_TENSOR
    is_object = isinstance(kind, type) and _fields(kind) is not None
    if kind is Any or kind is typing.Literal:
        return 5
    if value is None or kind in (None, type(None)):
        return 0 if value is None and kind in (None, type(None)) else 9
    if isinstance(value, bool):
        return {bool: 0, int: 9}.get(kind, 4 if is_tensor else 9)
    if isinstance(value, str):
        return 0 if kind is str else 9
    if isinstance(value, int):
        return {int: 0, float: 2, complex: 3}.get(kind, 1 if is_tensor else 9)
    if isinstance(value, complex):
        return {complex: 1}.get(kind, 0 if is_tensor else 9)
    if isinstance(value, float):
        return {float: 1, complex: 2, int: 4}.get(kind, 0 if is_tensor else 9)
    if isinstance(value, dict):
        known = is_tensor or kind in (int, float, complex, bool, str, tuple) or kind in SEQUENCES
        return 0 if is_object else 1 if kind in MAPPINGS else 9 if known else 5
    if is_tensor:
        return 0 if _is_array_value(value) or _kinds(value) <= {NUMBER} else 3
    return 1 if kind in SEQUENCES or kind is tuple or is_object or _is_array(kind) else 9


def _raggedness(value: Any) -> str:
    """Say where nested lists stop being rectangular."""
    level: list[tuple[str, Any]] = [("", value)]
    while True:
        lists = [(at, item) for at, item in level if isinstance(item, list | tuple)]
        if len(lists) != len(level):
            number = next(at for at, item in level if not isinstance(item, list | tuple))
            return f"{lists[0][0]} is a list and {number} is a number"
        (first, head), *others = lists
        for at, item in others:
            if len(item) != len(head):
                return f"{first} has {len(head)} items and {at} has {len(item)}"
        level = [(f"{at}[{index}]", item) for at, items in lists for index, item in enumerate(items)]
