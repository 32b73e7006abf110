"""Modules of the user's as one lazy op: those that the capture finds to be nothing but ops on their arguments."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import FunctionType, SimpleNamespace
from typing import Any

from dyncore.creation.trees import unflatten
from dyncore.graph.modes import current
from dyncore.nn import calling
from dyncore.nn.containers import Sequential

from .calls import ones
from .groups import Part, Signature
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
    if type(self) in plain and events.listener is None and not self._hooked:
        return self.forward(*args, **kwargs)
    return together(self, args, kwargs)
"""
CODE = compile(_CALLED, "<dyncore>", "exec").co_consts[0]
_NO_ARGUMENTS = SimpleNamespace(tensors=(), parts=())


class Planned:
    """A module's plan for arguments of one kind.  holds: returns whether all that it depends on is as it was."""

    def __init__(self, plan: Plan, structure: Any, holds: Callable[[], bool]) -> None:
        self.plan, self.holds = plan, holds
        is_tensor = unflatten(structure, plan.makes) is plan.makes[0]
        self.pack = None if is_tensor else lambda leaves: unflatten(structure, leaves)

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
        if self.is_off:
            calling.plain.add(kind)
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
    tensors = _lazy(scheduler, args)
    if not tensors or current() is not scheduler.mode:
        return ORDINARY(module, *args)
    shape = tuple([len(each) if each.__class__ is tuple else None for each in args])
    key = module, shape, *[each.home for each in tensors]
    part, holds = scheduler.table.get(key, (None, None))
    if part is not None and holds():
        return part.append([each.row for each in tensors])
    kind = scheduler.mode.grad, shape, *[each.home.made for each in tensors]
    planned = next((planned for of, planned in judged.plans if of == kind and planned.holds()), None)
    if planned is not None:
        part, _ = scheduler.table[key] = _part(scheduler, module, planned, tensors), planned.holds
        return part.append([each.row for each in tensors])
    calls = judged.calls[kind] = judged.calls.get(kind, 0) + 1
    judged.is_off = len(judged.calls) > MOST or len(judged.plans) > MOST
    if calls < WARM or judged.is_off:
        return ORDINARY(module, *args)
    return _judge(scheduler, module, judged, kind, args, tensors)


def _lazy(scheduler: Scheduler, args: tuple[Any, ...]) -> list[Lazy] | None:
    """Return the arguments, with those in tuples, if all are lazy tensors."""
    tensors: list[Lazy] = []
    for each in args:
        tensors += each if each.__class__ is tuple else (each,)
    if all(each.__class__ is Lazy and each.home.scheduler is scheduler for each in tensors):
        return tensors
    return None


def _part(scheduler: Scheduler, module: Any, planned: Planned, tensors: list[Lazy]) -> Part:
    signature = scheduler.signatures.get(planned)
    if signature is None:
        plan, name, grad = planned.plan, type(module).__name__, scheduler.mode.grad
        scheduler.kept.append((planned,))
        signature = scheduler.signatures[planned] = Signature(
            name, len(tensors), plan.makes, plan.run, planned.single, planned.pack, grad
        )
    return scheduler.open(signature, [each.home for each in tensors])


def _judge(scheduler: Scheduler, module: Any, judged: Judged, kind: Any, args: Any, tensors: list[Lazy]) -> Any:
    """Call a module on one example now, and plan its calls if a recording of that leaves nothing out."""
    from dyncore.capture.function import CompiledFunction

    scheduler.flush()
    for each in tensors:
        force(each)
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
