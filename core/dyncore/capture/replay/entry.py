"""A whole replay as one function: guards, arguments, the plan and the results.

If its tests are not sure, it leaves the call to `CompiledFunction.__call__`, which tests again, tries other recordings
and explains.  It is several times as fast as `Arguments`, `Root.fits` and `Root.play` (tests/bench, replay: branch).
The lines that compare arguments accept what `Arguments.key` has the same key for, but not all of it: keys of
dicts and attributes have to be the same strings, tensors must not have attributes, numbers that compare equal and are
not alike have to be the same object.
"""

from __future__ import annotations

import sys
import types
from enum import Enum
from typing import Any

import numpy as np

from dyncore.errors.source import calling
from dyncore.graph import events, versions
from dyncore.graph.modes import GRAD, NO_GRAD, current, nondefault_modes
from dyncore.graph.node import AccumulateGrad, Output, next_rank
from dyncore.nn.module import Module
from dyncore.tensors.tensor import Tensor

from ..arguments import Unfit, special
from ..guards import (
    MOST_TERMS,
    PLAIN_VALUES,
    Expression,
    environment_terms,
    is_plain,
    reads_all,
    tensor_terms,
)
from ..steps import Made, Returned
from .node import Lease, node_class
from .writing import Scope, Text, branched, kept

MOST_NODES = 500
_FIXED = (Module, types.FunctionType, types.BuiltinFunctionType, type)


class Untestable(Exception):
    """Arguments that are compared by their key alone."""


class ArgumentTests:
    """lines: what is asked.  tensors: (the name of a tensor, the tensor), in the order in which `Arguments` has them.

    Each container and object has to be met once where it was met once, and must not be one that the function reaches
    by a name.
    """

    def __init__(self, made: Expression, names: set[str]) -> None:
        self.made = made
        self.lines: list[str] = []
        self.tensors: list[tuple[str, Any]] = []
        self._names = names
        self._parts: list[str] = []
        self._seen: dict[int, str] = {}
        self._count = 0
        self._alone: Any = None  # the only argument that is no tensor and no number

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any], known: dict[int, Any], seen: set[int]) -> None:
        """Test all arguments.

        known: tensors that the function reaches by a name, seen: whatever it reaches so.
        """
        others = [each for each in (*args, *kwargs.values()) if not isinstance(each, (*PLAIN_VALUES, Tensor))]
        self._alone = others[0] if len(others) == 1 else None
        self._miss(f"len(args) != {len(args)}")
        self._each("args", args)
        if kwargs:
            self._keys("kwargs", kwargs)
            self._each("kwargs.values()", tuple(kwargs.values()))
        tensors = [name for name, _ in self.tensors]
        self._apart(tensors)
        if known:
            self.made.names["known"] = known
            self._miss(" or ".join(f"id({name}) in known" for name in tensors))
        self._apart(self._parts)
        if self._parts:
            self.made.names["seen"] = seen
            self._miss(" or ".join(f"id({name}) in seen" for name in self._parts))

    def _miss(self, test: str) -> None:
        if test:
            self.lines.append(f"if {test}: return MISS")

    def _apart(self, names: list[str]) -> None:
        """Test that no two are the same object."""
        if len(names) < 4:
            self._miss(" or ".join(f"{a} is {b}" for n, a in enumerate(names) for b in names[:n]))
        else:
            self._miss(f"len({{{', '.join(f'id({name})' for name in names)}}}) != {len(names)}")

    def _name(self) -> str:
        self._count += 1
        if self._count > MOST_NODES:
            raise Untestable
        return f"c{self._count}"

    def _each(self, text: str, values: tuple[Any, ...]) -> None:
        """Name the elements of an iterable of known length, then test each."""
        if not values:
            return
        names = [self._name() for _ in values]
        self.lines.append(f"({''.join(f'{name}, ' for name in names)}) = {text}")
        for name, value in zip(names, values, strict=True):
            self._value(name, value)

    def _keys(self, name: str, given: dict[Any, Any]) -> None:
        if any(key.__class__ is not str for key in given):
            raise Untestable
        self._miss(f"len({name}) != {len(given)}")
        if given:
            keys = [self._name() for _ in given]
            self.lines.append(f"({''.join(f'{key}, ' for key in keys)}) = {name}")
            same = zip(keys, given, strict=True)
            self._miss(" or ".join(f"{key} is not {self.made.name(each)}" for key, each in same))

    def _value(self, name: str, value: Any) -> None:
        kind = value.__class__
        if is_plain(value):
            own = self.made.name(value)
            alike = kind in (int, str) or (kind is float and value == value and value != 0)
            equal = f" and ({name}.__class__ is not {kind.__name__} or {name} != {own})" if alike else ""
            self._miss(f"{name} is not {own}{equal}")
            return
        if id(value) in self._seen:
            self._miss(f"{name} is not {self._seen[id(value)]}")
            return
        self._seen[id(value)] = name
        if isinstance(value, Tensor):
            self._tensor(name, value)
        elif isinstance(value, (Enum, *_FIXED)):
            self._miss(f"{name} is not {self.made.name(value)}")
        elif isinstance(value, types.MethodType):
            whose = f"{name}.__self__ is not {self.made.name(value.__self__)}"
            what = f"{name}.__func__ is not {self.made.name(value.__func__)}"
            self._miss(f"{name}.__class__ is not {self.made.name(kind)} or {what} or {whose}")
        elif kind is tuple and unchanging(value):
            self._numbers(name, value)
        else:
            self._parts.append(name)
            self._container(name, value, kind)

    def _numbers(self, name: str, value: tuple[Any, ...]) -> None:
        """Test for the same tuple of numbers, or for an equal one.

        Its key would take longer (tests/bench, tree).
        """
        own = self.made.name(value)
        before = self.lines, self._parts, self._count
        self.lines, self._parts = [], [name]
        try:
            if self._alone is not value:  # what stands in it may stand elsewhere, too
                raise Untestable
            self._container(name, value, tuple)
            self._apart(self._parts)
            lines = [f"if {name} is not {own}:", *(f"    {line}" for line in self.lines)]
        except Untestable:
            self._count = before[2]
            lines = [f"if {name} is not {own}: return MISS"]
        self.lines, self._parts = before[0] + lines, before[1]

    def _container(self, name: str, value: Any, kind: Any) -> None:
        own = self.made.name(kind)
        if kind is dict:
            self._miss(f"{name}.__class__ is not {own}")
            self._keys(name, value)
            self._each(f"{name}.values()", tuple(value.values()))
        elif isinstance(value, (list, tuple)):
            more = f" or {name}.__dict__" if hasattr(value, "__dict__") else ""
            self._miss(f"{name}.__class__ is not {own} or len({name}) != {len(value)}{more}")
            self._each(name, tuple(value))
        else:
            self._object(name, value, kind)

    def _object(self, name: str, value: Any, kind: Any) -> None:
        """Compare an object by the attributes whose names are in use."""
        own, every = value.__dict__, reads_all(value, self._names)
        self._miss(f"{name}.__class__ is not {self.made.name(kind)}")
        attributes = self._name()
        self.lines.append(f"{attributes} = {name}.__dict__")
        self._keys(attributes, own)
        if own:
            names = [self._name() for _ in own]
            self.lines.append(f"({''.join(f'{each}, ' for each in names)}) = {attributes}.values()")
            for each, (key, held) in zip(names, own.items(), strict=True):
                if every or key in self._names:
                    self._value(each, held)

    def _tensor(self, name: str, tensor: Any) -> None:
        n = len(self.tensors)
        self.tensors.append((name, tensor))
        array, edge = tensor._array, tensor._edge
        kind = self.made.name(tensor.__class__)
        self.made.names["odd"] = odd
        self._miss(f"{name}.__class__ is not {kind} or {name}._meta is not None and odd({name}) or {name}.__dict__")
        self.lines += [f"a{n} = {name}._array", f"e{n} = {name}._edge"]
        tests = [f"a{n}.__class__ is not {self.made.name(array.__class__)}"]
        if array.__class__ is np.ndarray:
            tests += [f"a{n}.dtype is not {self.made.name(array.dtype)}", f"a{n}.shape != {array.shape!r}"]
            tests.append(f"a{n}.strides != {array.strides!r}")
        if edge is None:
            tests.append(f"e{n} is not None")
        elif edge.__class__ is AccumulateGrad:
            tests.append(f"e{n}.__class__ is not AccumulateGrad")
        else:
            tests.append(f"e{n} is None or e{n}.__class__ is AccumulateGrad")
        self._miss(" or ".join(tests))


def odd(tensor: Any) -> bool:
    """Return whether a tensor's flags keep it from being replayed."""
    try:
        special(tensor)
    except Unfit:
        return True
    return False


def unchanging(value: Any) -> bool:
    """Return whether the very same object is always the same value: a number, a text, or a tuple of such."""
    stack, count = [value], 0
    while stack:
        each = stack.pop()
        count += 1
        if each.__class__ is tuple:
            stack += each
        elif each.__class__ not in (int, float, bool, str, type(None)) or count > 10_000:
            return False
    return True


MISS: Any = object()
MOST_PATHS = 16
MOST_STEPS = 200  # of a plan that is written into the entry


def entry_of(root: Any, args: Any, kwargs: Any, grad: bool, names: set[str], given: dict[str, Any]) -> Any:
    """Return `entry(args, kwargs)`, which replays `root` or returns MISS; or None.

    For arguments like these.
    names: those in use, whose attributes are compared.  given: helpers of `recording.py`.
    """
    run, pool, paths, writes, random = root.plan
    if len(paths) > MOST_PATHS or any(each is not None for each in root.shared):
        return None
    made = Expression()
    if not environment_terms(made, root.environment.entries, given["missing"]):
        return None
    tensor_terms(made, root.tensors, root.states, given["plain"])
    if len(made.terms) > MOST_TERMS:
        return None
    made.names.update(
        MISS=MISS, GRAD=GRAD, NO_GRAD=NO_GRAD, nondefault_modes=nondefault_modes, current=current,
        events=events, Tensor=Tensor,
        AccumulateGrad=AccumulateGrad, run=run, free=pool.free, take=pool.take, give=pool.give, pool=pool, root=root,
        new=object.__new__, next_rank=next_rank, getframe=sys._getframe, Lease=Lease, Undo=given["undo"],
        calling=calling, theirs=None, most=pool.most, Output=Output, bump=versions.bump, shares=shares,
    )  # fmt: skip
    arguments = ArgumentTests(made, names)
    try:
        arguments.call(args, kwargs, root.environment.tensors, root.environment.seen)
    except Untestable:
        return None
    if len(arguments.tensors) != root.count:
        return None
    writer = _Writer(made, root, [name for name, _ in arguments.tensors])
    other = "nondefault_modes and current() is not GRAD" if grad else "not nondefault_modes or current() is not NO_GRAD"
    lines = [
        f"if {other} or events.listener is not None: return MISS",
        "try:",
        *_indented([*arguments.lines, *_guards(made)]),
        "except (LookupError, ValueError): return MISS",
        *writer.before(writes, random),
        "try: W = free.pop()",
        "except IndexError: W = take()",
        "try:",
        *_indented(writer.inside() if root.text[0].size() <= MOST_STEPS else writer.called()),
        f"except Exception: {'; '.join([*writer.undone, 'return MISS'])}",
    ]
    source = "\n".join(["def entry(args, kwargs):", "    global theirs", *_indented(lines)])
    exec(compile(source, "<dyncore replay>", "exec"), made.names)
    return made.names["entry"]


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def shares(array: Any, others: Any) -> bool:
    """Return whether an array looks at memory of one of the others, which own theirs."""
    return any(np.may_share_memory(array, other) for other in others if other.__class__ is np.ndarray)


def _guards(made: Expression) -> list[str]:
    """Return the lines that ask whether everything else is as it was."""
    if not made.terms:
        return []
    joined = "\n      and ".join(dict.fromkeys(made.terms))
    return [*made.lines, f"if not ({joined}): return MISS"]


class _Writer:
    """Writes the plan and what comes of it.  tensors: the names of the arguments that are tensors."""

    def __init__(self, made: Expression, root: Any, tensors: list[str]) -> None:
        self.made = made
        self.root = root
        self.tensors: list[str] = [*tensors, *map(made.name, root.tensors)]
        self.arrays = [
            *(f"a{n}" for n in range(root.count)),
            *(f"{name}._array" for name in self.tensors[root.count :]),
        ]
        self.undone: list[str] = []

    def before(self, writes: list[int], random: bool) -> list[str]:
        """Return the lines that look whether others see what is written, and keep what may have to be put back."""
        lines = []
        count = self.root.count
        if writes:
            lines.append("if not (root.settle() if root.alone is None else root.alone): return MISS")
            own = [n for n, each in enumerate(self.root.asked) if each]
            inside = any(position < count for position in writes)
            written = "".join(f"{self.arrays[position]}, " for position in writes)
            tests = [f"a{n}.base is not None" + ("" if inside else f" and shares(a{n}, ({written}))") for n in own]
            tests += [f"id(a{n}) in root.ids" for n in own]
            tests += [f"a{n} is a{k}" for n in own for k in own if k < n]
            lines += [f"if {' or '.join(tests)}: return MISS"] if tests else []
        if writes or random:
            written = "".join(f"{self.arrays[position]}, " for position in writes)
            lines.append(f"undo = Undo(({written}), {random})")
            self.undone = ["undo()"]
        return lines

    def called(self) -> list[str]:
        """Return the lines that call the plan, and end each path."""
        lines = [f"found = run(({''.join(f'{each}, ' for each in self.arrays)}), W.arrays)", "number = found[0]"]
        for path in self.root.plan[2]:
            outs = [f"found[1][{n}]" for n in range(len(path.outputs))]
            lines += [f"if number == {path.number}:", *_indented(self.ended(path, outs, "found[2]"))]
        return [*lines, *self.undone, "give(W)", "return MISS"]

    def inside(self) -> list[str]:
        """Return the lines of the plan itself, with what ends each path where it ends."""
        tree, buffers = self.root.text
        text = Text()
        scope = Scope(text, buffers, outside=self.arrays.__getitem__)
        scope.indent = ""
        scope.put(buffers.unpacked("W.arrays").lstrip())

        def ended(scope: Scope, path: Any) -> None:
            outs = [scope.slot(each.slot) for each in path.outputs]
            for line in self.ended(path, outs, kept(scope, path)):
                scope.put(line)

        branched(scope, tree, ended, [*self.undone, "give(W)", "return MISS"])
        names = self.made.names
        names.update({name: value for name, value in text.names.items() if name not in names})
        return text.lines

    def ended(self, path: Any, outs: list[str], values: str) -> list[str]:
        """Return the lines that make the results of a path and their nodes.  values: the text of what these keep."""
        lines = [f"{self.made.name(path.hits)}[0] += 1"]
        lines += [f"bump({self.arrays[position]}, {count})" for position, count in path.writes]
        if not path.graph or not path.holds:
            lines.append("if len(free) < most: free.append(W)")  # as `give` does
        if path.graph:
            lines += [
                "frame = getframe(2)",  # 1 is the `__call__` of the compiled function
                "code = frame.f_code",
                "if code is not theirs:",
                "    frame, code = calling(frame)",
                "    theirs = code",
                f"values = {values}",
            ]
            if path.holds:
                lines += ["lease = new(Lease)", "lease.pool = pool", "lease.workspace = W"]
        for number, segment in enumerate(path.segments):
            lines += self._node(number, segment, path)
        for n, returned in enumerate(path.outputs):
            edge = "None" if returned.segment < 0 else self._edge(path, returned.segment, returned.output)
            lines += [
                f"o{n} = new(Tensor)",
                f"o{n}._array = {outs[n]}",
                f"o{n}._edge = {edge}",
                f"o{n}._meta = None",
            ]
        return [*lines, f"return {self._result(path.result, path.positions)}"]

    def _node(self, number: int, segment: Any, path: Any) -> list[str]:
        to = "".join(
            f"{f'{self.tensors[e]}._edge' if e.__class__ is int else self._edge(path, *e)}, " for e in segment.sources
        )
        lines = [
            f"node{number} = {self.made.name(node_class(segment))}()",
            f"node{number}.rank = next_rank()",
            f"node{number}.code = code",
            f"node{number}.lasti = frame.f_lasti",
            f"node{number}.extra = None",
            f"node{number}.values = values",
            f"node{number}.lease = {'lease' if path.holds else 'None'}",
            f"node{number}.to = ({to})",
        ]
        count = len(segment.outputs)
        if count > 1:
            lines += [f"out{number}_{n} = Output(node{number}, {n})" for n in range(count)]
        return lines

    def _edge(self, path: Any, segment: int, output: int) -> str:
        """Return the name of what leads to an output of a segment."""
        return f"node{segment}" if len(path.segments[segment].outputs) == 1 else f"out{segment}_{output}"

    def _result(self, tree: Any, positions: list[int]) -> str:
        """Return the text of what is returned: new containers with the tensors in them."""
        kind = tree.__class__
        if kind is int:
            return f"o{tree}"
        if kind is Returned:
            return f"{self.tensors[positions[tree.external]]}"
        if kind is dict:
            shown = ", ".join(f"{self.made.name(k)}: {self._result(each, positions)}" for k, each in tree.items())
            return f"{{{shown}}}"
        if kind is not Made and kind is not list and kind is not tuple:
            return self.made.name(tree.value)
        parts = "".join(f"{self._result(each, positions)}, " for each in (tree.parts if kind is Made else tree))
        if kind is list:
            return f"[{parts}]"
        if kind is tuple:
            return f"({parts})"
        name = self.made.name(tree.kind)
        return f"{name}._make(({parts}))" if tree.fields else f"{name}(({parts}))"
