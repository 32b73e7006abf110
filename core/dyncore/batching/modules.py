"""Modules of the user's as one lazy op: those that the capture finds to be nothing but ops on their arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType, SimpleNamespace
from typing import Any

from dyncore.creation.trees import unflatten
from dyncore.graph.modes import current, nondefault_modes
from dyncore.nn import calling
from dyncore.nn.containers import Sequential

from .calls import ones
from .groups import Group, Part, Signature
from .lazy import Lazy, force
from .once import Once, Plan, at_once
from .scheduler import Scheduler, running

WARM = 1000  # calls of a module with arguments of one kind before it is judged, which costs as much as a plan saves
MOST = 64  # kinds of arguments after which a module is called op by op
ATTEMPTS = 4  # calls that are recorded in vain: the first of a kind may only find the names that a module uses
CALL = calling.Calling.__call__
PLAIN = CALL.__code__
ORDINARY = FunctionType(PLAIN, CALL.__globals__)
_CALLED = """
def call(self, *args, **kwargs):
    judged = getattr(self._modules, "judged", None)
    if judged is not None and judged.is_off and events.listener is None and not self._hooked:
        return self.forward(args[0]) if len(args) == 1 and not kwargs else self.forward(*args, **kwargs)
    return together(self, args, kwargs)
"""
CODE = compile(_CALLED, "<dyncore>", "exec").co_consts[0]
_NO_ARGUMENTS = SimpleNamespace(tensors=(), parts=())


class Planned:
    """A module's plan for arguments of one kind.  holds: returns whether all that it depends on is as it was."""

    def __init__(self, plan: Plan, structure: Any, holds: Callable[[], bool]) -> None:
        self.plan, self.holds = plan, holds
        made = unflatten(structure, plan.makes)
        is_flat = made.__class__ is tuple and list(map(id, made)) == list(map(id, plan.makes))
        self.pack: Any = tuple if is_flat else lambda leaves: unflatten(structure, leaves)
        if made is plan.makes[0]:
            self.pack = None

    def single(self, *tensors: Any) -> list[Any]:
        """Compute one call."""
        return [each.squeeze(0) for each in self.plan.run(*[tensor.unsqueeze(0) for tensor in tensors])]


class Judged:
    """Counts and plans of a module's calls in batches; they lie with the module's table of submodules.

    calls: by kind of arguments.  plans: with their kind, the last one first.
    is_off: whether the module is called op by op: it is a layer of the engine's, or does what a plan leaves out.
    """

    __slots__ = ("is_off", "attempts", "compiled", "calls", "plans")

    def __init__(self, module: Any) -> None:
        kind = type(module)
        self.is_off = kind.__module__.startswith("dyncore.") and kind is not Sequential
        self.attempts = 0
        self.compiled: Any = None
        self.calls: dict[Any, int] = {}
        self.plans: list[tuple[Any, Planned]] = []


def called(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a module while a batch runs: as one lazy op where a plan of it fits, or op by op."""
    children = module.__dict__["_modules"]
    judged = getattr(children, "judged", None)
    if judged is None:
        judged = children.judged = Judged(module)
    scheduler = None if judged.is_off else running.get()
    if scheduler is None or scheduler.paused or scheduler.rows or kwargs or module._hooked:
        return ORDINARY(module, *args, **kwargs)
    key: list[Any] = [module]  # with the homes of tensors, and how many a tuple has
    rows: list[int] = []
    for each in args:
        if each.__class__ is Lazy:
            key.append(each.home)
            rows.append(each.row)
        elif each.__class__ is tuple:
            key.append(len(each))
            for tensor in each:
                if tensor.__class__ is not Lazy:
                    return ORDINARY(module, *args)
                key.append(tensor.home)
                rows.append(tensor.row)
        else:
            return ORDINARY(module, *args)
    if not rows or (nondefault_modes and current() is not scheduler.mode):
        return ORDINARY(module, *args)
    found = tuple(key)
    part, holds = scheduler.table.get(found, (None, None))
    if part is not None and holds():
        return part.append(rows)
    homes = [each for each in key if each.__class__ is Group]
    if any(home.scheduler is not scheduler for home in homes):
        return ORDINARY(module, *args)
    kind = scheduler.mode.grad, *[each.made if each.__class__ is Group else each for each in key[1:]]
    planned = next((planned for of, planned in judged.plans if of == kind and planned.holds()), None)
    if planned is not None:
        part, _ = scheduler.table[found] = _part(scheduler, module, planned, homes), planned.holds
        return part.append(rows)
    calls = judged.calls[kind] = judged.calls.get(kind, 0) + 1
    judged.is_off = len(judged.calls) > MOST or len(judged.plans) > MOST
    if calls < WARM or judged.is_off:
        return ORDINARY(module, *args)
    return _judge(scheduler, module, judged, kind, args)


def _part(scheduler: Scheduler, module: Any, planned: Planned, homes: list[Group]) -> Part:
    signature = scheduler.signatures.get(planned)
    if signature is None:
        plan, name, grad = planned.plan, type(module).__name__, scheduler.mode.grad
        scheduler.kept.append((planned,))
        signature = scheduler.signatures[planned] = Signature(
            name, len(homes), plan.makes, plan.run, planned.single, planned.pack, grad
        )
    return scheduler.open(signature, homes)


def _judge(scheduler: Scheduler, module: Any, judged: Judged, kind: Any, args: Any) -> Any:
    """Call a module on one example now, and plan its calls if a recording of that leaves nothing out."""
    from dyncore.capture.function import CompiledFunction

    tensors: list[Any] = []
    for each in args:
        tensors += each if each.__class__ is tuple else (each,)
    scheduler.flush()
    for tensor in tensors:
        force(tensor)
    compiled = judged.compiled = judged.compiled or CompiledFunction(module.forward)
    before = compiled.recorded()
    judged.is_off = scheduler.paused = True
    try:
        made = compiled(*args)
    finally:
        scheduler.paused = False
    roots = [root for _, root in compiled.recorded() if all(root is not each for _, each in before)]
    planned = _planned(module.forward, roots[0], args, tensors) if roots and _is_pure(roots[0]) else None
    if planned is not None:
        judged.plans.insert(0, (kind, planned))
    else:
        judged.attempts += 1
    judged.is_off = planned is None and (bool(roots or compiled._log.refused) or judged.attempts == ATTEMPTS)
    return made


def _is_pure(root: Any) -> bool:
    """Return whether a recording has ops alone: no decision, no write, no random number."""
    _, _, paths, writes, random = root.plan
    return len(paths) == 1 and not paths[0].decisions and not writes and not random


def _planned(function: Any, root: Any, args: Any, tensors: list[Any]) -> Planned | None:
    """Return what the module does with such arguments; None if an op of it has no rule or is on no argument."""
    scheduler = Once(2)
    pairs = [ones((2, *each.shape), each._array.dtype, each.requires_grad) for each in tensors]
    slices = iter([scheduler.slices(pair, 0) for pair in pairs])
    given = [tuple([next(slices) for _ in each]) if each.__class__ is tuple else next(slices) for each in args]
    found = at_once(scheduler, lambda: function(*given))
    if found is NotImplemented or not scheduler.has_only(root.environment.tensors):
        return None
    return Planned(Plan(scheduler, len(tensors)), found[1], partial(root.fits, _NO_ARGUMENTS))
