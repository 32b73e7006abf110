"""Functions under `compile` as one lazy op: called once for many examples, where the capture finds them pure."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

from dyncore.capture.function import CompiledFunction

from .calls import join, ones
from .lazy import Lazy
from .once import Once, Plan, at_once
from .rules import RULES, Arguments, Operand, Run
from .scheduler import running

CALL = CompiledFunction.__call__
MOST = 8  # states of what a function names after which it is called op by op
_NO_ARGUMENTS = SimpleNamespace(tensors=(), parts=())


class Compiled:
    """A compiled function with the attributes of an op that calls of lazy tensors need.

    holds: returns whether what the function names is as it was when it was judged.
    """

    batching = "function"
    variadic = None
    view = False
    returns: tuple[str, ...] = ()

    def __init__(self, function: CompiledFunction) -> None:
        self.function = function
        self.holds: Callable[[], bool] = lambda: True
        self.name = getattr(function, "__name__", "function")
        parameters = inspect.signature(function._function).parameters
        self.fits = all(each.kind is each.POSITIONAL_OR_KEYWORD for each in parameters.values())
        self.names = tuple(parameters)
        self.positional = len(self.names)
        self.defaults = {n: p.default for n, p in parameters.items() if p.default is not p.empty}

    def entry(self, *args: Any, **kwargs: Any) -> Any:
        """Call the compiled function on one example."""
        return CALL(self.function, *args, **kwargs)

    def is_pure(self, arguments: Arguments) -> bool:
        """Return whether the capture recorded such a call, which it does if nothing else depends on it."""
        log = self.function._log
        before = log.eager, sum(log.refused.values())
        self.entry(**arguments)
        root = next((root for _, root in self.function.recorded() if root.fits(_NO_ARGUMENTS)), None)
        if root is None or (log.eager, sum(log.refused.values())) != before:
            return False
        self.holds = partial(root.fits, _NO_ARGUMENTS)
        return True


def _op_of(function: CompiledFunction) -> Compiled | None:
    """Return a compiled function as an op, None for one whose arguments cannot be told by name."""
    known = vars(function).setdefault("_ops", [])  # lives as long as the function
    for each in known:
        if each.holds():
            return each if each.fits else None
    if len(known) == MOST:
        return None
    try:
        known.append(Compiled(function))
    except (TypeError, ValueError):  # no signature
        return None
    return known[-1] if known[-1].fits else None


def called(self: CompiledFunction, *args: Any, **kwargs: Any) -> Any:
    """Call a compiled function: with lazy tensors as one lazy op, or op by op."""
    scheduler = running.get()
    if scheduler is None or scheduler.paused or not any(each.__class__ is Lazy for each in (*args, *kwargs.values())):
        return CALL(self, *args, **kwargs)
    op = _op_of(self)
    made = NotImplemented if op is None else join(scheduler, op, op.entry, args, kwargs)
    return self._function(*args, **kwargs) if made is NotImplemented else made


def function_rule(op: Any, given: Arguments) -> Run | None:
    """Run the ops of one call of the function for all examples; None if that would leave something out."""
    lazy = [name for name, value in given.items() if isinstance(value, Operand) and value.lazy]
    fixed = {name: value for name, value in given.items() if name not in lazy}
    if not lazy or any(isinstance(value, (Operand, list, tuple)) for value in fixed.values()):
        return None
    if not op.is_pure({**fixed, **{name: ones(given[name].shape, given[name].dtype) for name in lazy}}):
        return None

    scheduler = Once(2)
    pairs = {name: ones((2, *given[name].shape), given[name].dtype, given[name].dtype.kind == "f") for name in lazy}
    slices = {name: scheduler.slices(pair, 0) for name, pair in pairs.items()}
    if at_once(scheduler, lambda: op.function._function(**fixed, **slices)) is NotImplemented:
        return None
    plan = Plan(scheduler, len(lazy))

    def run(**arguments: Any) -> Any:
        made = plan.run(*[arguments[name] for name in lazy])
        return made[0] if len(made) == 1 else made

    return run


RULES["function"] = function_rule
