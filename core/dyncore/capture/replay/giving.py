"""`loss.backward()` of a replayed call as one function: what may stand in the way, the plan, and the leaves' gradients.

Asked and given in loops, with the plan called, a backward of two ops takes 1.8 us more (bench replay, branch).
"""

from __future__ import annotations

import sys
from typing import Any

from dyncore.dispatch import entries as dispatch
from dyncore.engine import sequence
from dyncore.engine.accumulation import accumulate
from dyncore.errors.source import calling
from dyncore.graph import versions
from dyncore.graph.modes import GRAD, NO_GRAD, current, nondefault_modes
from dyncore.graph.node import FREED, AccumulateGrad
from dyncore.graph.running import running
from dyncore.tensors.tensor import Tensor

MOST_LINES = 200  # of a plan that is written into the function
_WORLD = {
    "__name__": "dyncore.capture.straight", "__dyncore__": True, "AccumulateGrad": AccumulateGrad, "Tensor": Tensor,
    "accumulate": accumulate, "new": object.__new__, "FREED": FREED, "GRAD": GRAD, "NO_GRAD": NO_GRAD,
    "current": current, "nondefault_modes": nondefault_modes, "versions": versions, "dispatch": dispatch,
    "sequence": sequence,
    "running": running, "calling": calling, "getframe": sys._getframe, "theirs": None,
}  # fmt: skip


def straight_function(plan: Any, one: Any, kind: Any, frees: bool, own: list[bool], other: Any) -> Any:
    """`straight(node, root)`: whether that was the whole of `root.backward()`.

    one: the gradient of `root`, a scalar of this dtype.  kind: the class of `root`'s number; for those of another,
    `other` is called, unless it has asked.  own: which gradients a leaf may keep as they are.
    A backward while another runs in the same context finds `nondefault_modes` filled.
    """
    names = {**_WORLD, **plan.run.__globals__, **_WORLD, "KIND": kind, "one": one, "other": other, "plan": plan}
    names.update(free=plan.free, make=plan.buffers.make, run=plan.run)
    leaves = [f"l{n}" for n in range(len(plan.targets))]
    lines = [
        "global theirs",
        "if not asked and root._array.__class__ is not KIND: return other(node, root)",
        "S = node.values",
        "if (S is FREED or versions.newest < node.rank or node.extra is not None or dispatch.listener is not None"
        " or sequence.used or nondefault_modes and (running.get() is not None"
        " or current() is not GRAD and current() is not NO_GRAD)): return False",
        *_leaves(leaves, plan.targets),
        *_planned(plan),
    ]
    for leaf, grad, kept in zip(leaves, plan.grads, own, strict=True):
        lines += _given(leaf, grad, kept)
    if plan.buffers.layouts:  # only now, as another thread may take them and write there
        lines.append("free.append(B)")
    if frees:
        lines += [
            "node.values = FREED",
            "node.lease = None",
            # The node's own note: only leaves come before it, and `note_freed` takes 0.6 us more.
            "frame = getframe(2)",
            "code = frame.f_code",
            "if code is not theirs:",
            "    frame, code = calling(frame)",
            "    theirs = code",
            "node.freed = code, frame.f_lasti",
        ]
    source = "\n    ".join(["def straight(node, root, asked=False):", *lines, "return True"])
    exec(compile(source, "<dyncore replay>", "exec"), names)
    return names["straight"]


def _leaves(names: list[str], places: list[int]) -> list[str]:
    """The lines that pick the edges at these places, and go on if all are leaves at which no hook waits.

    A leaf is met once only, and its gradient must not have a graph.
    """
    if not names:
        return []
    lines = ["to = node.to", *(f"{name} = to[{place}]" for name, place in zip(names, places, strict=True))]
    tests = [
        f"{l}.__class__ is not AccumulateGrad or {l}.extra is not None or {l}.post_accumulate is not None"
        f" or ({l}.grad is not None and {l}.grad._edge is not None)"
        for l in names
    ]  # fmt: skip
    if 1 < len(names) < 4:
        tests += [f"{a} is {b}" for n, a in enumerate(names) for b in names[:n]]
    elif len(names) > 1:
        tests.append(f"len({{{', '.join(names)}}}) != {len(names)}")
    return [*lines, *(f"if {test}: return False" for test in tests)]


def _planned(plan: Any) -> list[str]:
    """The lines that compute the gradients, by what `plan.grads` names."""
    short = len(plan.lines) <= MOST_LINES
    lines = []
    if plan.buffers.layouts:
        lines += ["try: B = free.pop()", "except IndexError: B = make()"]
    else:
        lines.append("B = ()")
    if plan.placed:
        lines += ["P = node.lease.workspace", "P = P.selections.get(plan) or P.some(plan)"]
    else:
        lines.append("P = ()")
    names = "".join(f"{grad}, " for grad in plan.grads)
    if not short:
        called = [f"({names}) = run((one,), S, P, B)"] if names else []
    else:
        called = [line[4:] for line in plan.lines if line.strip() != "pass"]
        called += [f"{grad} = {text}" for grad, text in zip(plan.grads, plan.shown, strict=True)]
    if called:
        lines += ["try:", *(f"    {line}" for line in called), "except Changed: return False"]
    return lines


def _given(leaf: str, grad: str, kept: bool) -> list[str]:
    """The lines that give a leaf its gradient, which it may keep as it is or not."""
    added = f"accumulate({leaf}, {grad}, {grad} is not one, False)"
    if not kept:
        return [added]
    return [  # what `accumulate` does with it, without its questions
        f"if {leaf}.grad is None:",
        "    held = new(Tensor)",
        f"    held._array = {grad}",
        "    held._edge = held._meta = None",
        f"    {leaf}.grad = held",
        f"else: {added}",
    ]
