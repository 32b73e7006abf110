"""Functions under `compile` as one lazy op: called once for many examples, where the capture finds them pure."""

from __future__ import annotations

import inspect
from typing import Any

from dyncore.capture.function import CompiledFunction

from .calls import join, ones
from .lazy import Lazy
from .once import Once, at_once
from .rules import RULES, Arguments, Operand, Run
from .scheduler import running

CALL = CompiledFunction.__call__


class Compiled:
    """A compiled function with the attributes of an op that calls of lazy tensors need."""

    batching = "function"
    variadic = None
    view = False
    returns: tuple[str, ...] = ()

    def __init__(self, function: CompiledFunction) -> None:
        self.function = function
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
        return (log.eager, sum(log.refused.values())) == before


def _op_of(function: CompiledFunction) -> Compiled | None:
    """Return a compiled function as an op, None for one whose arguments cannot be told by name."""
    known = vars(function)  # lives as long as the function
    if "_op" not in known:
        try:
            made = Compiled(function)
        except (TypeError, ValueError):  # no signature
            made = None
        known["_op"] = made if made is not None and made.fits else None
    return known["_op"]


def called(self: CompiledFunction, *args: Any, **kwargs: Any) -> Any:
    """Call a compiled function: with lazy tensors as one lazy op, or op by op."""
    scheduler = running.get()
    if scheduler is None or scheduler.paused or not any(each.__class__ is Lazy for each in (*args, *kwargs.values())):
        return CALL(self, *args, **kwargs)
    op = _op_of(self)
    made = NotImplemented if op is None else join(scheduler, op, op.entry, args, kwargs)
    return self._function(*args, **kwargs) if made is NotImplemented else made


def function_rule(op: Any, given: Arguments) -> Run | None:
    """Call the function once, each of its ops for all examples; None if that would leave something out."""
    lazy = [name for name, value in given.items() if isinstance(value, Operand) and value.lazy]
    fixed = {name: value for name, value in given.items() if name not in lazy}
    if not lazy or any(isinstance(value, (Operand, list, tuple)) for value in fixed.values()):
        return None
    if not op.is_pure({**fixed, **{name: ones(given[name].shape, given[name].dtype) for name in lazy}}):
        return None

    def run(**arguments: Any) -> Any:
        tensors = {name: arguments[name] for name in lazy}
        scheduler = Once(next(iter(tensors.values()))._array.shape[0])
        slices = {name: scheduler.slices(tensor, 0) for name, tensor in tensors.items()}
        made = at_once(scheduler, lambda: op.function._function(**{**arguments, **slices}))
        if made is NotImplemented:
            raise RuntimeError("the function asked for a value")
        return made[0][0] if len(made[0]) == 1 else made[0]

    try:
        run(**fixed, **{name: ones((2, *given[name].shape), given[name].dtype) for name in lazy})
    except RuntimeError:
        return None
    return run


RULES["function"] = function_rule
