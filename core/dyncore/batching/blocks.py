"""Functions that are one lazy op as a whole: cells of recurrent networks, and losses that look at shapes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

from dyncore.autograd.function import Function
from dyncore.nn import functional as F
from dyncore.nn.recurrent_cells import GRUCell, LSTMCell, RNNCell

from .calls import function_of
from .lazy import Lazy, force
from .quick import code_of, globals_of
from .rules import RULES, Arguments, Operand, Run, call


class Block:
    """A function with the attributes of an op that calls of lazy tensors need.

    lazily: the function while a batch runs.
    """

    variadic = None
    view = False
    returns: tuple[str, ...] = ()

    def __init__(self, owner: Any, name: str, batching: str) -> None:
        self.owner, self.name, self.batching = owner, name, batching
        self.entry: Callable[..., Any] = vars(owner)[name]
        parameters = inspect.signature(self.entry).parameters
        self.names = tuple(parameters)
        self.lazily = FunctionType(code_of(self), globals_of(self, diverted=function_of(self, self.entry)), name)
        self.positional = len(self.names)
        self.defaults = {n: p.default for n, p in parameters.items() if p.default is not p.empty}


def forced(cls: Any, *args: Any, **kwargs: Any) -> Any:
    """Apply a Function of the user's, whose node must be newer than those of what it is given."""
    for each in (*args, *kwargs.values()):
        if each.__class__ is Lazy:
            force(each)
    return APPLY.__func__(cls, *args, **kwargs)


APPLY = vars(Function)["apply"]


def cell(op: Any, given: Arguments) -> Run | None:
    """One step of a recurrent network: examples are rows of its batch, or several rows each."""
    input, states = given["input"], given["hx"]
    states = [state for state in (states if isinstance(states, list) else [states]) if state is not None]
    weights = [each for name, each in given.items() if name.startswith(("weight", "bias")) and each is not None]
    if not all(isinstance(each, Operand) and each.lazy and each.ndim == input.ndim for each in (input, *states)):
        return None
    if any(each.lazy for each in weights):
        return None
    if input.ndim == 1:
        return call

    def run(**arguments: Any) -> Any:
        count = arguments["input"]._array.shape[0]
        flat = {name: _each(lambda t: t.flatten(0, 1), arguments[name]) for name in ("input", "hx")}
        return _each(lambda t: t.unflatten(0, (count, -1)), call(op, {**arguments, **flat}))

    return run


def _each(function: Callable[[Any], Any], value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [function(each) for each in value]
    return function(value) if hasattr(value, "_array") else value


RULES["cell"] = cell

BLOCKS = [
    *[Block(owner, "step", "cell") for owner in (RNNCell, GRUCell, LSTMCell)],
    *[Block(F, name, "classes") for name in ("cross_entropy", "nll_loss")],
    *[Block(F, name, "loss") for name in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")],
    *[Block(F, name, "loss") for name in ("binary_cross_entropy", "binary_cross_entropy_with_logits")],
]
