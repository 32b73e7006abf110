"""Compile the text written for an op once it is called often, and exchange it when a listener comes or goes."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any

from dyncore.graph.events import recorder

WARM = 30  # calls on the general path before a text is compiled, so that a short script compiles nothing
Names = dict[str, Any]
_STUB, UNWRITTEN = (
    compile(f"def entry(*args, **kwargs): return {call}", "<dyncore>", "exec").co_consts[0]
    for call in ("warm(args, kwargs)", "general(*args, **kwargs)")
)
_compiled: dict[str, CodeType] = {}
created: Callable[[Any, Specialized], None] | None = None  # called with each op whose function is made


class Specialized:
    """A function of an op: a stub that counts calls, then the text written for the op, until a listener comes or goes.

    The function object stays the same, so whoever holds it gets the faster code.

    general: takes every call of the op.
    write: returns the text for an attached listener, or for none; None where the general path stays.
    bind: returns the globals of the text.  warm: the call at which each variant is compiled.
    target: the function that runs the op: `function`, or while that is diverted `copy`.
    """

    __slots__ = ("function", "general", "write", "bind", "names", "calls_left", "codes", "target", "copy")

    def __init__(
        self, op: Any, general: Callable[..., Any], write: Callable[[bool], str | None], bind: Callable[[], Names],
        warm: int = WARM,
    ) -> None:  # fmt: skip
        self.general, self.write, self.bind = general, write, bind
        self.names: Names = {"__name__": __package__, "__dyncore__": True, "op": op, "warm": self.warm}
        self.function = self.target = FunctionType(_STUB, self.names, op.name)
        self.copy: FunctionType | None = None
        self.calls_left = [warm, warm]
        self.codes: list[CodeType | None] = [None, None]
        if created is not None:
            created(op, self)

    def warm(self, args: tuple[Any, ...], kwargs: Names) -> Any:
        """Run the text for an attached listener, or for none, from now on; before it is compiled, the general path."""
        listening = recorder.listening
        if self.codes[listening] is None:
            self.calls_left[listening] -= 1
            if self.calls_left[listening] > 0:
                return self.general(*args, **kwargs)
            self.compile(listening)
        recorder.add(self)
        self.target.__code__ = self.codes[listening]  # type: ignore[assignment]
        if recorder.listening is not listening:  # another thread attached a listener meanwhile
            self.stop()
        return self.target(*args, **kwargs)

    def compile(self, listening: bool) -> None:
        """Compile one variant."""
        if self.codes == [None, None]:
            self.names.update(self.bind())
        text = self.write(listening)
        if text is None:
            self.codes[listening] = UNWRITTEN
            return
        made = function_of(text, self.names)
        for each in (self.function, self.copy):
            if each is not None:
                each.__defaults__, each.__kwdefaults__ = made.__defaults__, made.__kwdefaults__
        self.codes[listening] = made.__code__.replace()

    def stop(self) -> None:
        """Find at the next call which variant is to run."""
        self.target.__code__ = _STUB

    def divert(self, code: CodeType, names: Callable[[Callable[..., Any]], Names]) -> None:
        """Run other code until `restore`.

        names: returns the globals of the code for the function that runs the op meanwhile.
        """
        function, copy = self.function, self.copy
        if copy is None:
            copy = self.copy = FunctionType(function.__code__, self.names, function.__name__, function.__defaults__)
            copy.__kwdefaults__ = function.__kwdefaults__
            copy.__qualname__ = function.__qualname__  # errors of wrong arguments name it
            self.names.update(names(copy))
        elif copy.__code__ is not function.__code__:
            copy.__code__ = function.__code__
        self.target = copy
        function.__code__ = code

    def restore(self) -> None:
        """Let the function run the op again."""
        self.target = self.function
        self.function.__code__ = self.copy.__code__  # type: ignore[union-attr]


def specialized_of(function: Any) -> Specialized | None:
    """Return what exchanges the code of an op's function, None for a function of another kind."""
    return getattr(getattr(function, "__globals__", {}).get("warm"), "__self__", None)


def specialized(
    op: Any, family: str, general: Callable[..., Any], operator: bool = False, **options: bool
) -> Callable[..., Any]:
    """Return the function of an op, whose text a family writes once it is called often.

    family: the module of this package that writes the text.
    """

    def module() -> Any:
        return import_module(f".{family}", __package__)

    return Specialized(
        op,
        general,
        lambda listening: module().write(op, operator, listening, **options),
        lambda: module().names_of(op, general, **options),
        # A record shows the nodes of `linear` and the arguments of lists in one form, so there is one path.
        warm=1 if family in ("lists", "linear") else WARM,
    ).function


def structured(op: Any, general: Callable[..., Any], within: bool = False) -> Callable[..., Any]:
    """Return the function of an op of any signature.

    within: whether `general` takes more than the op does, which is run for a tensor alone.
    """
    return specialized(op, "structured", general, within=within)


def function_of(text: str, names: Names) -> FunctionType:
    """Compile `text`, which defines `entry`; equal texts are compiled once.

    A caller that runs the function gives it a copy of the code: CPython's inline caches lie in the code object.
    """
    code = _compiled.get(text)
    if code is None:
        code = _compiled[text] = compile(text, "<dyncore>", "exec")
    space: Names = {}
    exec(code, names, space)
    return space["entry"]
