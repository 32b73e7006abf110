"""A whole replay as one function: its guards, its arguments, the plan and the tensors it returns, written out flat.

It is made for calls whose arguments are plain tensors, numbers or trees of numbers, and whose paths neither write nor
draw.  What it cannot say yes to it leaves to `CompiledFunction.__call__`, which asks again, finds other recordings and
explains.  A call of four ops takes 2 us so and 5.3 by way of `Arguments`, `Root.fits` and `Root.play` (bench, replay:
branch).
"""

from __future__ import annotations

import itertools
import sys
from typing import Any

import numpy as np

from dyncore import dispatch
from dyncore.compiled.branches import branched, kept
from dyncore.compiled.node import Lease, node_class
from dyncore.compiled.quick import MOST, Expression, tensor_terms, world_terms
from dyncore.compiled.writing import Scope, Text
from dyncore.grad_mode import GRAD, NO_GRAD, current, unusual
from dyncore.graph import AccumulateGrad, next_rank
from dyncore.sites import calling
from dyncore.tensor import Tensor

MISS: Any = object()
MOST_PATHS = 16
MOST_STEPS = 200  # of a plan that is written into the entry: its call and what it hands over take 0.3 us


def entry_of(root: Any, args: list[Any], grad: bool, missing: Any, plain: Any, rebuilt: Any) -> Any:
    """`entry(args)`, which replays `root` for arguments like these or returns MISS; None if it cannot be made."""
    run, pool, paths, writes, random = root.plan
    if writes or random or len(paths) > MOST_PATHS or any(each is not None for each in root.shared):
        return None
    made = Expression()
    if not world_terms(made, root.world.entries, missing):
        return None
    tensor_terms(made, root.tensors, root.states, plain)
    if len(made.terms) > MOST:
        return None
    made.names.update(
        MISS=MISS, GRAD=GRAD, NO_GRAD=NO_GRAD, unusual=unusual, current=current, dispatch=dispatch, Tensor=Tensor,
        AccumulateGrad=AccumulateGrad, run=run, free=pool.free, take=pool.take, give=pool.give, pool=pool, root=root,
        new=object.__new__, next_rank=next_rank, getframe=sys._getframe, Lease=Lease,
        rebuilt=rebuilt, known=root.world.tensors, calling=calling, theirs=None, most=pool.most,
    )  # fmt: skip
    lines = [*_arguments(made, args, grad, bool(root.world.tensors)), *_guards(made)]
    lines += ["    try: W = free.pop()", "    except IndexError: W = take()", "    try:"]
    tree, buffers = root.text
    lines += _inside(made, root, tree, buffers) if tree.size() <= MOST_STEPS else _called(made, root, paths)
    source = "\n".join(["def entry(args):", "    global theirs", *lines, "    except Exception: return MISS"])
    exec(compile(source, "<dyncore replay>", "exec"), made.names)
    return made.names["entry"]


_LEASE = {
    False: ["node.lease = None"],
    True: ["node.lease = lease = new(Lease)", "lease.pool = pool", "lease.workspace = W"],
}


def unchanging(value: Any) -> bool:
    """Whether the very same object is always the same value: a number, a text, or a tuple of such."""
    stack, count = [value], 0
    while stack:
        each = stack.pop()
        count += 1
        if each.__class__ is tuple:
            stack += each
        elif each.__class__ not in (int, float, bool, str, type(None)) or count > 10_000:
            return False
    return True


def _arguments(made: Expression, args: list[Any], grad: bool, known: bool) -> list[str]:
    """The lines that ask whether the arguments are like those recorded.

    A tree that cannot change has to be the same object: its key takes 1 us a node (bench, tree).
    """
    tensors = [each for each in args if each.__class__ is Tensor]
    count = len(args)
    other = "unusual and current() is not GRAD" if grad else "not unusual or current() is not NO_GRAD"
    lines = [f"    if {other} or dispatch.listener is not None or len(args) != {count}: return MISS"]
    if count:
        numbers = itertools.count()
        names = [f"t{next(numbers)}" if each.__class__ is Tensor else f"c{n}" for n, each in enumerate(args)]
        lines.append(f"    ({''.join(f'{name}, ' for name in names)}) = args")
        same = zip(names, args, strict=True)
        lines += [f"    if {name} is not {made.name(each)}: return MISS" for name, each in same if name[0] == "c"]
    for n, tensor in enumerate(tensors):
        array, edge = tensor._array, tensor._edge
        lines += [
            f"    if t{n}.__class__ is not Tensor or t{n}._meta is not None or t{n}.__dict__: return MISS",
            f"    a{n} = t{n}._array",
            f"    e{n} = t{n}._edge",
        ]
        tests = [f"a{n}.__class__ is not {made.name(array.__class__)}"]
        if array.__class__ is np.ndarray:
            tests += [f"a{n}.dtype is not {made.name(array.dtype)}", f"a{n}.shape != {array.shape!r}"]
            tests.append(f"a{n}.strides != {array.strides!r}")
        if edge is None:
            tests.append(f"e{n} is not None")
        elif edge.__class__ is AccumulateGrad:
            tests.append(f"e{n}.__class__ is not AccumulateGrad")
        else:
            tests.append(f"e{n} is None or e{n}.__class__ is AccumulateGrad")
        tests += [f"t{n} is t{k}" for k in range(n)]
        if known:
            tests.append(f"id(t{n}) in known")
        lines.append(f"    if {' or '.join(tests)}: return MISS")
    return lines


def _guards(made: Expression) -> list[str]:
    """The lines that ask whether everything else is as it was."""
    if not made.terms:
        return []
    joined = "\n      and ".join(dict.fromkeys(made.terms))
    return [
        "    try:",
        *(f"        {line}" for line in made.lines),
        f"        if not ({joined}): return MISS",
        "    except (LookupError, ValueError): return MISS",
    ]


def _outside(made: Expression, root: Any) -> list[str]:
    """The texts of the arrays that come from outside."""
    return [f"a{n}" for n in range(root.count)] + [f"{made.name(each)}._array" for each in root.tensors]


def _called(made: Expression, root: Any, paths: Any) -> list[str]:
    """The lines that call the plan, and end each path."""
    lines = [
        f"        found = run(({''.join(f'{each}, ' for each in _outside(made, root))}), W.arrays)",
        "        number = found[0]",
    ]
    for path in paths:
        outs = [f"found[1][{n}]" for n in range(len(path.outputs))]
        ended = _ended(made, path, root, outs, "found[2]")
        lines += [f"        if number == {path.number}:", *(f"            {line}" for line in ended)]
    return [*lines, "        give(W)", "        return MISS"]


def _inside(made: Expression, root: Any, tree: Any, buffers: Any) -> list[str]:
    """The lines of the plan itself, with what ends each path where it ends."""
    text = Text()
    scope = Scope(text, buffers, outside=_outside(made, root).__getitem__)
    scope.indent = "        "
    scope.put(buffers.unpacked("W.arrays").lstrip())

    def ended(scope: Scope, path: Any) -> None:
        outs = [scope.slot(each.slot) for each in path.outputs]
        for line in _ended(made, path, root, outs, kept(scope, path)):
            scope.put(line)

    branched(scope, tree, ended, ["give(W)", "return MISS"])
    made.names.update({name: value for name, value in text.names.items() if name not in made.names})
    return text.lines


def _ended(made: Expression, path: Any, root: Any, outs: list[str], values: str) -> list[str]:
    """The lines that make what a path returns, with the node that leads back.  outs, values: the texts of these."""
    lines = [f"{made.name(path.hits)}[0] += 1"]
    if len(path.segments) > 1 or (path.segments and len(path.segments[0].outputs) > 1):
        tensors = "".join(f"{each}, " for each in _tensors(made, path, root))
        found = f"(0, ({''.join(f'{each}, ' for each in outs)}), {values})"
        return [*lines, f"return root.finished({made.name(path)}, {found}, [{tensors}], pool, W, 1)"]
    recorded = bool(path.graph)
    if not path.graph or not path.holds:
        lines.append("if len(free) < most: free.append(W)")  # as `give` does, 0.05 us sooner
    if recorded:
        (segment,) = path.segments
        names = _tensors(made, path, root)
        lines += [
            "frame = getframe(2)",  # 1 is the `__call__` of the compiled function
            "code = frame.f_code",
            "if code is not theirs:",
            "    frame, code = calling(frame)",
            "    theirs = code",
            f"node = {made.name(node_class(segment))}()",
            "node.rank = next_rank()",
            "node.code = code",
            "node.lasti = frame.f_lasti",
            "node.extra = None",
            f"node.values = {values}",
            *_LEASE[path.holds],
            f"node.to = ({''.join(f'{names[place]}._edge, ' for place in segment.sources)})",
        ]
    for n, returned in enumerate(path.outputs):
        edge = "node" if recorded and returned.segment >= 0 else "None"
        lines += [
            f"o{n} = new(Tensor)",
            f"o{n}._array = {outs[n]}",
            f"o{n}._edge = {edge}",
            f"o{n}._meta = None",
        ]
    if path.result.__class__ is int:
        return [*lines, f"return o{path.result}"]
    results = "".join(f"o{n}, " for n in range(len(path.outputs)))
    tensors = "".join(f"{each}, " for each in _tensors(made, path, root))
    shape, places = made.name(path.result), made.name(path.positions)
    return [*lines, f"return rebuilt({shape}, [{results}], [{tensors}], {places})"]


def _tensors(made: Expression, path: Any, root: Any) -> list[str]:
    """The names of the arguments and of the tensors met by name, as `Root.play` has them in one list."""
    count = root.count
    return [*(f"t{n}" for n in range(count)), *(made.name(each) for each in root.tensors)]
