"""A whole replay as one function: its guards, its arguments, the plan and the tensors it returns, written out flat.

What it cannot say yes to it leaves to `CompiledFunction.__call__`, which asks again, finds other recordings and
explains.  A call of four ops takes 2 us so and 5.3 by way of `Arguments`, `Root.fits` and `Root.play` (bench, replay:
branch); one of two arguments by name 4 instead of 11.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from dyncore.dispatch import entries as dispatch
from dyncore.errors.source import calling
from dyncore.graph import versions
from dyncore.graph.modes import GRAD, NO_GRAD, current, nondefault_modes
from dyncore.graph.node import AccumulateGrad, Output, next_rank
from dyncore.tensors.tensor import Tensor

from ..node import Lease, node_class
from ..outside import Made, Returned
from .asking import Asking, Unasked
from .branches import branched, kept
from .quick import MOST, Expression, tensor_terms, world_terms
from .writing import Scope, Text

MISS: Any = object()
MOST_PATHS = 16
MOST_STEPS = 200  # of a plan that is written into the entry: its call and what it hands over take 0.3 us


def entry_of(root: Any, args: Any, kwargs: Any, grad: bool, names: set[str], given: dict[str, Any]) -> Any:
    """`entry(args, kwargs)`, which replays `root` for arguments like these or returns MISS; None if there is none.

    names: those in use, of which attributes are looked at.  given: what `roots.py` has for it.
    """
    run, pool, paths, writes, random = root.plan
    if len(paths) > MOST_PATHS or any(each is not None for each in root.shared):
        return None
    made = Expression()
    if not world_terms(made, root.world.entries, given["missing"]):
        return None
    tensor_terms(made, root.tensors, root.states, given["plain"])
    if len(made.terms) > MOST:
        return None
    made.names.update(
        MISS=MISS, GRAD=GRAD, NO_GRAD=NO_GRAD, nondefault_modes=nondefault_modes, current=current,
        dispatch=dispatch, Tensor=Tensor,
        AccumulateGrad=AccumulateGrad, run=run, free=pool.free, take=pool.take, give=pool.give, pool=pool, root=root,
        new=object.__new__, next_rank=next_rank, getframe=sys._getframe, Lease=Lease, Undo=given["undo"],
        calling=calling, theirs=None, most=pool.most, Output=Output, bump=versions.bump, shares=shares,
    )  # fmt: skip
    asking = Asking(made, names)
    try:
        asking.call(args, kwargs, root.world.tensors, root.world.seen)
    except Unasked:
        return None
    if len(asking.tensors) != root.count:
        return None
    writer = _Writer(made, root, [name for name, _ in asking.tensors])
    other = "nondefault_modes and current() is not GRAD" if grad else "not nondefault_modes or current() is not NO_GRAD"
    lines = [
        f"if {other} or dispatch.listener is not None: return MISS",
        "try:",
        *_indented([*asking.lines, *_guards(made)]),
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
    """Whether an array looks at memory of one of the others, which own theirs."""
    return any(np.may_share_memory(array, other) for other in others if other.__class__ is np.ndarray)


def _guards(made: Expression) -> list[str]:
    """The lines that ask whether everything else is as it was."""
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
        """The lines that look whether others see what is written, and keep what may have to be put back."""
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
        """The lines that call the plan, and end each path."""
        lines = [f"found = run(({''.join(f'{each}, ' for each in self.arrays)}), W.arrays)", "number = found[0]"]
        for path in self.root.plan[2]:
            outs = [f"found[1][{n}]" for n in range(len(path.outputs))]
            lines += [f"if number == {path.number}:", *_indented(self.ended(path, outs, "found[2]"))]
        return [*lines, *self.undone, "give(W)", "return MISS"]

    def inside(self) -> list[str]:
        """The lines of the plan itself, with what ends each path where it ends."""
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
        """The lines that make what a path returns, with the nodes that lead back.  values: what these keep, as text."""
        lines = [f"{self.made.name(path.hits)}[0] += 1"]
        lines += [f"bump({self.arrays[position]}, {count})" for position, count in path.writes]
        if not path.graph or not path.holds:
            lines.append("if len(free) < most: free.append(W)")  # as `give` does, 0.05 us sooner
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
        """The name of what leads to an output of a segment."""
        return f"node{segment}" if len(path.segments[segment].outputs) == 1 else f"out{segment}_{output}"

    def _result(self, tree: Any, positions: list[int]) -> str:
        """The text of what is returned: new containers with the tensors in them."""
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
