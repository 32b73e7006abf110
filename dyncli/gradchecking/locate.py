"""Which op has the wrong derivative: every op of the run is checked by itself, on the inputs it had.

The user's own autograd functions count as ops, and what happens inside their forward does not.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from math import inf
from time import process_time
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from dyncli.gradchecking.elements import Elements, Found
from dyncli.gradchecking.function_at_point import Problem
from dyncli.gradchecking.listener import before
from dyncli.gradchecking.module_sites import users_instruction
from dyncli.gradchecking.second_order import SecondOrder
from dyncli.gradchecking.settings import Settings
from dyncli.gradchecking.subject import Source, double
from dyncli.recorder.engine import Listener, Tensor, autograd, is_engine, is_grad_enabled, wrap
from dyncli.recorder.settings import restore, rng_state
from dyncli.records.gradcheck import Place

MOST_ELEMENTS = 24  # of an op's inputs; of more, random directions
EVERY = 4000  # the same of a function of the user's
MOST_BYTES = 2**29  # of copies of what the engine's ops are given; of the user's functions every call is kept
SECONDS = 20.0  # of a processor, to look for a wrong op of the engine; all functions of the user are looked at before


class Step(NamedTuple):
    """One op, or one call of the user's function `function`, with copies of its arguments.

    made: a copy of its one result, and the version that had, where it has a history.
    unrecorded: it wrote into what has a history while gradients were off.
    """

    op: Any
    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any
    saved: dict[str, Any]
    node: Any
    code: CodeType
    lasti: int
    inplace: bool
    made: tuple[Any, int] | None = None
    unrecorded: bool = False

    @property
    def name(self) -> str:
        """Return what it is called."""
        return str(self.function.__name__ if self.function is not None else self.op.name)


class Copied(NamedTuple):
    """A tensor argument as it was."""

    array: Any
    live: bool


class Steps(Listener):
    """Hears every op outside the user's functions, and those functions.

    through: the engine's own functions, such as a checkpoint, are looked into.
    """

    def __init__(self, through: bool = False) -> None:
        self.through = through
        self.steps: list[Step] = []
        self.depth = 0
        self.held = 0
        self._open: list[tuple[Any, Any, Any] | None] = []

    def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        if self.depth or self.held > MOST_BYTES:
            return
        instruction = users_instruction(sys._getframe(2))
        node = _node(result)
        saved = {name: _frozen(value) for name, value in node.saved().items()} if node is not None else {}
        inplace = "_inplace" in kwargs
        plain = {key: _copied(value) for key, value in kwargs.items() if key != "_inplace"}
        self.held += 200 + sum(each._array.nbytes for each in (*args, result) if isinstance(each, Tensor))
        self.steps.append(
            Step(
                op,
                None,
                _copied((_before(result, args[0]), *args[1:]) if inplace else args),
                plain,
                result,
                saved,
                node,
                *instruction,
                inplace,
                (np.array(result._array), result._version) if isinstance(result, Tensor) and node is not None else None,
                inplace and node is not None and not is_grad_enabled(),
            )
        )

    def begin_function(self, function: Any, args: Any, node: Any) -> None:
        if self.through and is_engines(function):
            self._open.append(None)
            return
        self.depth += 1
        self._open.append((function, _copied(args), node))

    def end_function(self, node: Any, result: Any) -> None:
        opened = self._open.pop()
        if opened is None:
            return
        self.depth -= 1
        function, args, node = opened
        if not self.depth and result is not None:
            self.steps.append(Step(None, function, args, {}, result, {}, node, node.code, node.lasti, False))


def _before(result: Any, given: Any) -> Any:
    """Return what an op in place was given, where that is known.

    Else what it left: its derivative holds there as well.
    """
    if not isinstance(result, Tensor) or not isinstance(given, Tensor):
        return given
    return Copied(np.array(before(result, given._array)), True)


def _node(result: Any) -> Any:
    first = result[0] if isinstance(result, (tuple, list)) and result else result
    edge = getattr(first, "_edge", None)
    return None if edge is None else edge.node


def _frozen(value: Any) -> Any:
    return np.array(value) if isinstance(value, (np.ndarray, np.generic)) else None


def _copied(value: Any) -> Any:
    """Replace each tensor in arguments by a `Copied`."""
    if type(value) is Copied:
        return value
    if isinstance(value, Tensor):
        return Copied(np.array(value._array), value._edge is not None)
    if type(value) in (list, tuple):
        return type(value)(_copied(each) for each in value)
    return value


class Local:
    """One step as a function of its differentiable inputs.  wrapped: gives what the step gets instead of each."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self.start: list[Source] = []
        self._collect(step.args)
        self._collect(tuple(step.kwargs.values()))
        self._rng_state = rng_state()
        self.wrapped: Callable[[int, Tensor], Tensor] | None = None

    def _collect(self, value: Any) -> None:
        if isinstance(value, Copied):
            if value.live:
                self.start.append(Source(f"input {len(self.start)}", "input", double(value.array)))
        elif type(value) in (list, tuple):
            for each in value:
                self._collect(each)

    def __call__(self, values: list[Any]) -> tuple[list[tuple[str, Tensor]], list[Tensor]]:
        """Run the step alone at other inputs; return its outputs and those inputs."""
        restore(self._rng_state)
        sources: list[Tensor] = []

        def made(value: Any) -> Any:
            if isinstance(value, Copied):
                array = value.array
                if value.live:
                    array = np.array(values[len(sources)])
                    tensor = wrap(array, None)
                    tensor.requires_grad_()
                    sources.append(tensor)
                    if self.wrapped is not None:
                        return self.wrapped(len(sources) - 1, tensor)
                    # A function of the user's may write into what it is given, which a leaf does not allow.
                    return tensor if self.step.function is None and not self.step.inplace else tensor.clone()
                return wrap(np.array(array), None)
            if type(value) in (list, tuple):
                return type(value)(made(each) for each in value)
            return value

        args = made(self.step.args)
        kwargs = {key: made(value) for key, value in self.step.kwargs.items()}
        run = self.step.function.apply if self.step.function is not None else self.step.op.entry
        result = run(*args, **kwargs)
        given = result if isinstance(result, (tuple, list)) else (result,)
        outputs = [
            (f"output {number}", each)
            for number, each in enumerate(given)
            if isinstance(each, Tensor) and each._array.dtype.kind in "fc"
        ]
        return outputs, sources


class Located(NamedTuple):
    """A step whose own derivative does not hold.  found: what its elements said."""

    step: Step
    place: Place | None
    found: Found
    verdict: str


def recorded(problem: Problem, backward: bool = False) -> list[Step]:
    """Record the steps of one evaluation at the point.

    Of a second-order check these are the forward steps, with `backward` those of the gradient too.
    """
    listener = Steps()
    function = problem.function
    if isinstance(function, SecondOrder) and not backward:
        function = function.forward
    with problem.session.listening(listener):
        function(problem.arrays)
    return listener.steps


def first(
    problem: Problem, steps: list[Step], settings: Settings, every: bool, verdict: str = "wrong"
) -> Located | None:
    """Find the first step whose derivative has `verdict`; among the user's own functions only, unless `every`.

    Of the engine's ops one of each line comes first, then a second one of each; with `--locate` all in order, however
    long it takes.
    """
    until = inf if settings.locate else process_time() + SECONDS
    wanted = steps if every else [step for step in steps if step.function is not None]
    for step in wanted if settings.locate else _in_turn(wanted):
        if process_time() > until:
            return None
        located = examined(problem, step, settings)
        if located is not None and located.verdict == verdict and not (step.inplace and verdict == "nan"):
            return _inside(problem, located, settings) or located
    return None


def _inside(problem: Problem, located: Located, settings: Settings) -> Located | None:
    """Find the user's function at fault that an engine function calls: a checkpoint runs it again in backward."""
    if not is_engines(located.step.function):
        return None
    listener, local = Steps(through=True), Local(located.step)
    try:
        with problem.session.listening(listener):
            outputs, _ = local([source.array for source in local.start])
            roots = [tensor for _, tensor in outputs]
            autograd.backward(roots, [wrap(np.ones_like(root._array), None) for root in roots])
    except Exception:  # what it raises says nothing of the functions in it
        return None
    inner = [step for step in listener.steps if step.function is not None]
    return first(problem, inner, settings, every=False, verdict=located.verdict) if inner else None


def is_engines(function: Any) -> bool:
    """Return whether an autograd function is the engine's own."""
    return function is not None and str(function.__module__).startswith("dyncore.")


def _in_turn(steps: list[Step]) -> list[Step]:
    """Order steps for the search: user functions, the first op of each source place, the second of each, ..."""
    times: dict[tuple[CodeType, int], int] = {}
    rounds: list[tuple[int, int]] = []
    for number, step in enumerate(steps):
        key = (step.code, step.lasti)
        times[key] = times.get(key, 0) + 1
        rounds.append((times[key] if step.function is None else 0, number))
    return [steps[number] for _, number in sorted(rounds)]


def examined(problem: Problem, step: Step, settings: Settings) -> Located | None:
    """Return what is wrong with one step's derivative, None if nothing is."""
    local = Local(step)
    if not local.start or (step.op is not None and not step.op.differentiable):
        return None
    size = sum(source.array.size for source in local.start)
    most = MOST_ELEMENTS if step.function is None else EVERY
    few = Settings(settings.model, fast=size > most, directions=2, seed=settings.seed)
    tracer = Returns(step.function, "backward", "vjp")
    own = Problem(problem.session, local, local.start)
    try:
        own.begin()
        if settings.order == 2:
            gradient = SecondOrder(local, local.start, own.outputs, settings.seed)
            own = Problem(problem.session, gradient, gradient.start)
            own.begin()
        with tracer:
            found = Elements(own, few, None).checked()
    except Exception:
        return None
    verdicts = [check.verdict for check in found.checks]
    if found.failure is not None:
        return Located(step, place_of(problem, step, tracer), found, "raises")
    verdict = next((each for each in ("wrong", "nan", "jump", "kink") if each in verdicts), "")
    if not found.reentrant:
        verdict = "nondeterministic"
    return Located(step, place_of(problem, step, tracer), found, verdict) if verdict else None


def place_of(problem: Problem, step: Step, tracer: Returns) -> Place | None:
    """Return the line of an op, or for a user's function the line on which its method returned."""
    if step.function is not None and tracer.line is not None and tracer.code is not None:
        file = tracer.code.co_filename
        text = linecache.getline(file, tracer.line).strip()
        return Place(problem.session.shown(file), tracer.line, text, step.function.__name__)
    return problem.session.place(step.code, step.lasti, step.name)


class Returns:
    """Sees on which line the first of some methods returns that is the user's own."""

    def __init__(self, function: Any, *methods: str) -> None:
        self.code: CodeType | None = None
        for name in methods:
            method: Any = getattr(function, name, None)
            while hasattr(method, "__wrapped__"):
                method = method.__wrapped__
            if self.code is None and hasattr(method, "__globals__") and not is_engine(method.__globals__):
                self.code = getattr(method, "__code__", None)
        self.line: int | None = None
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = sys.gettrace()
        if self.code is not None:
            sys.settrace(self._call)

    def __exit__(self, *error: object) -> None:
        sys.settrace(self._before)

    def _call(self, frame: Any, event: str, more: Any) -> Any:
        return self._inside if frame.f_code is self.code else None

    def _inside(self, frame: Any, event: str, more: Any) -> Any:
        if event == "return":
            self.line = frame.f_lineno
        return self._inside
