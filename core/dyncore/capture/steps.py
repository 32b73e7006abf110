"""Parts of a recording: steps on raw arrays, decisions, nodes, outside tensors.

A slot stands for one array or NumPy scalar of a run.  A step says which function makes which slots of which others;
its arguments are slots, plain values, and tuples, lists and dicts of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dyncore.dispatch.registry import Op
from dyncore.dtypes import dtypes
from dyncore.errors.source import Place, caller_frame, place


class Refused(Exception):
    """Call that cannot be replayed; the text says why."""


class Slot:
    """One value of a run.  `root` is the slot whose memory it looks at, itself unless it is a view.

    kind: "external" (a tensor's array, handed in), "constant" or "made".  fresh: a constant that is copied at each run.
    place: where an external slot's array is handed in.
    """

    __slots__ = ("number", "kind", "shape", "dtype", "strides", "scalar", "root", "value", "fresh", "place")

    def __init__(self, number: int, kind: str, value: Any, root: Slot | None) -> None:
        self.number = number
        self.kind = kind
        self.value = value
        self.shape = value.shape
        self.dtype = value.dtype
        self.scalar = value.__class__ is not np.ndarray
        self.strides = () if self.scalar else value.strides
        self.root = self if root is None else root
        self.fresh = False
        self.place = -1

    @property
    def nbytes(self) -> int:
        size = self.dtype.itemsize
        for n in self.shape:
            size *= n
        return int(size)

    def __repr__(self) -> str:
        return f"v{self.number}"


class Step:
    """One call of a run.

    kind: "ufunc", "operator", "method" (of the first argument), "attribute", "call", "write" (the second argument's
    elements into the first), or "fill" (one number in every element).  outs: a slot, or a tuple or dict of them and of
    None.  checked: the shapes of what it makes depend on values, so that each run compares them.  plain: values other
    than arrays that it keeps for backward; each run compares them, too.
    """

    __slots__ = ("kind", "function", "args", "kwargs", "outs", "checked", "plain")

    def __init__(
        self, kind: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], outs: Any, checked: bool = False
    ) -> None:
        self.kind = kind
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.outs = outs
        self.checked = checked
        self.plain: dict[str, Any] = {}

    def signature(self) -> Any:
        """Return what two steps have in common when they do the same."""
        outs = tuple((slot.number, slot.shape, slot.dtype, slot.strides) for slot in slots_in(self.outs))
        return self.kind, self.function, mark(self.args), mark(self.kwargs), outs


class Decision:
    """A value that left for Python.  outcome: its key in the tree of paths.  site: the user's line."""

    __slots__ = ("how", "slots", "value", "outcome", "site")

    def __init__(self, how: str, slots: tuple[Slot, ...], value: Any, site: Place) -> None:
        self.how = how
        self.slots = slots
        self.value = value
        self.outcome = outcome(value)
        self.site = site

    def signature(self) -> Any:
        return self.how, tuple(slot.number for slot in self.slots)


class Node:
    """One thing that the function did, and the steps that do it on arrays.

    kind: "call" (of an op), "draw" (of random numbers), "write" (args: target, source), "effect" (args: targets, then
    what is read), "read" (of a shape), "same" (another slot for a tensor) or "steps".  results: slots and None.
    """

    __slots__ = ("kind", "name", "op", "args", "kwargs", "results", "code", "lasti", "steps")

    def __init__(
        self,
        kind: str,
        name: str,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        results: tuple[Any, ...],
        steps: tuple[Step, ...],
        op: Op | None = None,
    ) -> None:
        frame = caller_frame(2)
        self.kind = kind
        self.name = name
        self.op = op
        self.args = args
        self.kwargs = kwargs
        self.results = results
        self.code = frame.f_code
        self.lasti = frame.f_lasti
        self.steps = steps


class Trace:
    """Slots and steps in the order they came."""

    def __init__(self) -> None:
        self.slots: list[Slot] = []
        self.steps: list[Any] = []
        self.random = False

    def slot(self, value: Any, kind: str = "made", root: Slot | None = None) -> Slot:
        """Return a new slot for `value`."""
        made = Slot(len(self.slots), kind, value, root)
        self.slots.append(made)
        return made

    def back_to(self, mark: tuple[int, int]) -> None:
        """Drop what came after `mark`."""
        del self.slots[mark[0] :], self.steps[mark[1] :]

    def here(self) -> tuple[int, int]:
        return len(self.slots), len(self.steps)

    def forget_values(self) -> None:
        """Drop the arrays of the run that was recorded; shapes and dtypes stay."""
        for slot in self.slots:
            if slot.kind != "constant":
                slot.value = None


def slots_in(tree: Any) -> list[Slot]:
    """Return the slots in a tree of tuples, lists, dicts and slices."""
    found: list[Slot] = []
    stack = [tree]
    while stack:
        each = stack.pop()
        kind = type(each)
        if kind is Slot:
            found.append(each)
        elif kind is dict:
            stack.extend(reversed(each.values()))
        elif kind is slice:
            stack += (each.step, each.stop, each.start)
        elif kind is tuple or kind is list or (kind not in _LEAVES and isinstance(each, (tuple, list))):
            stack.extend(reversed(each))
    return found


_LEAVES = frozenset((int, float, bool, str, type(None), np.ndarray))


def mapped(tree: Any, kind: type, change: Callable[[Any], Any]) -> Any:
    """Replace each value of the class `kind` in `tree` by `change` of it."""
    if type(tree) is kind:
        return change(tree)
    if isinstance(tree, tuple) and type(tree) is not tuple and hasattr(tree, "_fields"):
        return type(tree)(*[mapped(each, kind, change) for each in tree])
    if type(tree) in (tuple, list):
        return type(tree)([mapped(each, kind, change) for each in tree])
    if type(tree) is dict:
        return {key: mapped(each, kind, change) for key, each in tree.items()}
    if type(tree) is slice:
        parts = [mapped(each, kind, change) for each in (tree.start, tree.stop, tree.step)]
        return slice(*parts)
    return tree


def mark(tree: Any) -> Any:
    """Return a hashable key for a tree: numbers of its slots, plain values, the identity of anything else."""
    if tree.__class__ is Slot:
        return "slot", tree.number
    if isinstance(tree, (tuple, list)):
        return tree.__class__, tuple([mark(each) for each in tree])
    if isinstance(tree, dict):
        return "dict", tuple([(key, mark(each)) for key, each in tree.items()])
    if tree.__class__ is slice:
        return "slice", mark((tree.start, tree.stop, tree.step))
    if isinstance(tree, (np.ndarray, np.generic)):
        return tree.__class__, tree.shape, tree.dtype.str, tree.tobytes() if tree.size < 4096 else id(tree)
    if tree.__class__ in (int, float, bool, str, complex, type(None)):
        return tree.__class__, repr(tree)
    return "object", id(tree)


def same_bits(first: Any, second: Any) -> bool:
    """Return whether two arrays or scalars are alike in class, dtype, shape, order in memory and every bit."""
    if first.__class__ is not second.__class__ or not isinstance(first, (np.ndarray, np.generic)):
        return False
    if first.dtype != second.dtype or first.shape != second.shape:
        return False
    if first.__class__ is np.ndarray and not same_strides(first, second):
        return False
    return bool(first.tobytes() == second.tobytes())


def same_strides(first: Any, second: Any) -> bool:
    """Return whether two arrays of one shape lie alike in memory; dimensions of one element do not count."""
    return first.size == 0 or all(
        n == 1 or s == t for n, s, t in zip(first.shape, first.strides, second.strides, strict=True)
    )


class Entry:
    """A node of the recorded graph: its op, what it saved (slots and plain values) and where its gradients go.

    to: for each target None, ("node", entry, output number) or ("tensor", number of an external tensor).
    """

    __slots__ = ("number", "op", "targets", "to", "metas", "outs", "saved", "label", "place", "after")

    number: int
    op: Op
    targets: tuple[Any, ...]
    to: tuple[Any, ...]
    metas: tuple[Any, ...]
    outs: tuple[Any, ...]
    saved: tuple[Any, ...]
    label: str
    place: tuple[Any, int]
    after: int


class External:
    """A tensor from outside: an argument, or one that the function reaches by a name."""

    __slots__ = ("tensor", "array", "edge", "slot", "label", "argument", "writes")

    def __init__(self, tensor: Any, slot: Slot, label: str, argument: int | None) -> None:
        self.tensor = tensor
        self.array = tensor._array
        self.edge = tensor._edge
        self.slot = slot
        self.label = label
        self.argument = argument
        self.writes = 0


def placed(externals: list[External], registry: list[Any], arguments: int) -> list[int]:
    """Return where each external array is passed in.

    Arguments first, then tensors reached by names, which join `registry`.
    """
    positions = []
    for external in externals:
        if external.argument is not None:
            position = external.argument
        else:
            position = next((k for k, each in enumerate(registry) if each is external.tensor), len(registry))
            if position == len(registry):
                registry.append(external.tensor)
            position += arguments
        external.slot.place = position
        positions.append(position)
    return positions


class Returned:
    """A tensor in the tree of results: an external one, or a slot with the place in the graph that leads to it."""

    def __init__(
        self, external: int = -1, slot: Any = None, entry: Any = None, index: int = 0, tensor: int = 0
    ) -> None:
        self.tensor = tensor
        self.segment = self.output = -1
        self.external = external
        self.slot = slot
        self.entry = entry
        self.index = index


class Made:
    """A named tuple in the tree of results."""

    def __init__(self, kind: Any, parts: list[Any], fields: bool) -> None:
        self.kind = kind
        self.parts = parts
        self.fields = fields


ARRAYS = (np.ndarray, np.generic)
SHAPES = frozenset(("shape", "ndim", "numel", "__len__"))
VALUES = frozenset(
    ("__bool__", "item", "__float__", "__int__", "__index__", "__complex__", "tolist", "equal", "allclose")
)
PLAIN = frozenset((int, float, bool, str, complex, type(None), np.dtype, dtypes.dtype))


def drawn(function: Any, args: Any, kwargs: Any) -> Any:
    """Return a fresh random array, 0-d as a scalar like the one recorded."""
    array = function(*args, **kwargs)
    return array if array.ndim else array[()]


def overlap(first: Any, second: Any) -> bool:
    """Return whether two arrays may share memory."""
    return first is second or (
        first.__class__ is np.ndarray and second.__class__ is np.ndarray and np.may_share_memory(first, second)
    )


def numbers_only(tree: Any) -> bool:
    """Return whether nothing in `tree` is a tensor, an array or anything else whose values may change."""
    if isinstance(tree, (tuple, list)):
        return all(numbers_only(each) for each in tree)
    if isinstance(tree, dict):
        return all(numbers_only(each) for each in tree.values())
    return type(tree) in PLAIN or isinstance(tree, np.dtype) or type(tree).__name__ == "device"


def plain_tree(tree: Any) -> bool:
    """Return whether a tree holds plain values only."""
    return all(plain_tree(e) for e in tree) if isinstance(tree, (tuple, list)) else type(tree) in PLAIN


def has_array(tree: Any) -> bool:
    """Return whether a tree holds an array or anything else that is not plain."""
    if isinstance(tree, (tuple, list)):
        return any(has_array(each) for each in tree)
    if isinstance(tree, slice):
        return has_array((tree.start, tree.stop, tree.step))
    return isinstance(tree, ARRAYS) or not (
        type(tree) in PLAIN or tree is Ellipsis or isinstance(tree, (np.dtype, type))
    )


def matches(tree: Any, held: Any) -> bool:
    """Return whether the slots of `tree` stand for the arrays of `held`."""
    if type(tree) is Slot:
        return tree.value is held or (isinstance(held, ARRAYS) and same_bits(tree.value, held))
    if isinstance(held, (tuple, list)):
        return isinstance(tree, (tuple, list)) and len(tree) == len(held) and all(map(matches, tree, held))
    return tree is held or (not isinstance(held, ARRAYS) and type(tree) in PLAIN | {slice} and tree == held)


def outcome(value: Any) -> Any:
    """Return a key for a value that left for Python: equal for values that Python cannot tell apart."""
    return value if value.__class__ in (bool, int) else (value.__class__.__name__, repr(value))


def site() -> str:
    """Return the user's line that runs now."""
    frame = caller_frame(1)
    return str(place(frame.f_code, frame.f_lasti))
