"""The calls that enclose ops: of modules, and of the user's own autograd functions."""

from __future__ import annotations

from types import FrameType
from typing import Any, NamedTuple

from dyncli.recorder.engine import Tensor
from dyncli.recorder.sites import naming

MOST_MODULES = 100  # modules called from outside any other, whose parameters are named


class ModuleCalls:
    """The modules that were called.  names: by id.  outermost: those called from outside any other, by id."""

    __slots__ = ("names", "outermost", "depth", "outer")

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.outermost: dict[int, Any] = {}
        self.depth = 0
        self.outer: Any = None

    def enter(self, module: Any) -> None:
        """Begin a call of a module."""
        if not self.depth:
            self.outer = module
            if id(module) not in self.outermost and len(self.outermost) < MOST_MODULES:
                self.outermost[id(module)] = module
        self.depth += 1

    def exit(self) -> None:
        """End the newest call."""
        self.depth -= 1

    def roots(self) -> list[Any]:
        """Return the outermost modules that are in no other of them."""
        held = {id(each) for one in self.outermost.values() for name, each in one.named_modules() if name}
        return [one for number, one in self.outermost.items() if number not in held]

    def name(self, module: Any, frame: FrameType) -> str:
        """Return the variable of a module not met before, or its path below the outermost that runs.

        frame: the user's that called it; the path may be new, as modules may be made at any time.
        """
        found = naming.modules(self.outer)
        if module is self.outer:
            found |= naming.module_variables({**frame.f_globals, **frame.f_locals})
            holder, names = naming.holder(module, frame)
            if holder is not None:
                self.outermost.pop(id(module), None)
                self.outermost[id(holder)] = holder
                found |= names
        self.names = found | self.names
        return self.names.setdefault(id(module), type(module).__name__)


class FunctionCall(NamedTuple):
    """A call of a function of the user's: its first and last op, what it gave, its node's name, what that saved."""

    first: int
    last: int
    number: int
    title: str
    saved: tuple[int, ...]


class FunctionCalls:
    """The calls of the user's autograd functions, by the rank of their node.  begun: how many ops each ran after."""

    __slots__ = ("by_rank", "begun")

    def __init__(self) -> None:
        self.by_rank: dict[int, FunctionCall] = {}
        self.begun: list[int] = []


def saved_by(node: Any, result: Tensor) -> list[Tensor]:
    """Return the tensors that a function of the user's saved, as they are: not what a hook made of them."""
    held = [each for each in node._saved if each is not None and each.array is not None]
    return [result if each.tensor is None else each.tensor for each in held]
