"""`batched`: the call, and the functions that are exchanged while it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from threading import RLock
from types import CodeType
from typing import Any

from dyncore.autograd import functional_call
from dyncore.autograd.function import Function
from dyncore.creation.trees import flatten, unflatten
from dyncore.dispatch.registry import TABLE, Op
from dyncore.dispatch.specialize import cache
from dyncore.dispatch.specialize.cache import Specialized
from dyncore.graph import events, versions
from dyncore.graph.modes import GRAD, NO_GRAD, current
from dyncore.nn import calling, functional as F
from dyncore.rng.generator import Generator, default_generator
from dyncore.tensors.parameter import Parameter

from . import modules
from .blocks import APPLY, BLOCKS, forced
from .calls import OF_PARAMETERS, bind_operators, function_of
from .kept_state import state_of, warn_of_changes
from .lazy import Lazy, force
from .quick import code_of, globals_of
from .scheduler import Scheduler, running
from .streams import DROPOUT, Streamed, dropout

FEW = 4  # examples that are not worth a batch: most models take longer for three (tests/bench, batches)


def batched(model: Callable[[Any], Any], *, chunk_size: int | None = None) -> Callable[[Any], list[Any]]:
    """Return a function of many examples that gives `[model(example) for example in examples]`, sooner.

    The model runs on each example with the branches, loops and recursion that it takes there; equal ops of different
    examples are computed together. The results can be differentiated as those of the loop.

    model: a function or Module of one argument, any nested structure of tensors and other values.
    chunk_size: how many examples are computed together, which bounds the memory; None: all.

    Raises what the example of the lowest index raises, with a note of the index, after all have ended.
    """
    if chunk_size is not None and (not isinstance(chunk_size, int) or chunk_size < 1):
        raise ValueError(f"batched: chunk_size should be None or greater than 0. (got {chunk_size})")

    def run(examples: Any) -> list[Any]:
        given = list(examples)
        if len(given) < FEW or not possible():
            return [model(example) for example in given]
        size = chunk_size or len(given)
        results: list[Any] = []
        for at in range(0, len(given), size):
            results += _chunk(model, given[at : at + size], at)
        return results

    return run


def possible() -> bool:
    """Return whether nothing looks at each op as it runs, and no batch runs around."""
    mode = current()
    quiet = events.listener is None and not events.tapes and versions.guard in (None, before_write)
    return quiet and (mode is GRAD or mode is NO_GRAD) and running.get() is None


def _chunk(model: Callable[[Any], Any], examples: list[Any], first: int) -> list[Any]:
    scheduler, before = Scheduler(), state_of(model)
    results = _run(scheduler, model, examples)
    if scheduler.suspended:
        warn_of_changes(before)
    for number, (_, error) in enumerate(results, first):
        if error is not None:
            error.add_note(f"in example {number} of batched()")
            raise error
    return [result for result, _ in results]


def together(
    model: Callable[[Any], Any], examples: list[Any], resumed: Callable[[int], None]
) -> list[tuple[Any, Exception | None]]:
    """Return the result of each example, or what it raised.

    resumed: called with the number of an example each time that its steps begin or go on.
    """
    return _run(Scheduler(resumed), model, examples)


def _run(scheduler: Scheduler, model: Callable[[Any], Any], examples: list[Any]) -> list[tuple[Any, Exception | None]]:
    with exchange.on():
        results = scheduler.run(model, examples)
    for number, (result, error) in enumerate(results):
        if error is None:
            try:
                results[number] = _computed(result), None
            except Exception as raised:
                results[number] = None, raised
    return results


def _computed(result: Any) -> Any:
    """Return a result with its lazy tensors made ordinary."""
    if result.__class__ is Lazy:
        force(result)
        return result
    leaves, shape = flatten(result)
    for leaf in leaves:
        if leaf.__class__ is Lazy:
            force(leaf)
    return unflatten(shape, leaves)


def _restore_compiled() -> None:
    from .compiled import CALL

    sys.modules["dyncore.capture.function"].CompiledFunction.__call__ = CALL


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let no other example go on inside the block."""
    scheduler = running.get()
    if scheduler is None:
        yield
        return
    before, scheduler.alone = scheduler.alone, True
    try:
        yield
    finally:
        scheduler.alone = before


def before_write(root: Any) -> None:
    """Let the batch that runs here compute what may read the memory that is about to be written."""
    scheduler = running.get()
    if scheduler is not None:
        scheduler.before_write(root)


class Exchange:
    """The functions of ops with a rule, which look for lazy tensors while batches run, and what writes ask for then.

    batches: how many run, in any thread.  functions: those of all ops that are imported, once a batch has run.
    """

    def __init__(self) -> None:
        self.batches = 0
        self._lock = RLock()
        self._restored: Callable[[], None] = lambda: None
        self.functions: list[tuple[Op, Specialized, CodeType]] = []

    def add(self, op: Op, function: Specialized) -> None:
        """Exchange a function, also one that is made while a batch runs: rare ops are imported when first used."""
        if not op.batching or function.function is not op.__dict__.get("entry", function.function):
            return  # an operator's own
        self.functions.append((op, function, code_of(op)))
        if self.batches:
            self._divert(*self.functions[-1])

    def _divert(self, op: Op, function: Specialized, code: CodeType) -> None:
        function.divert(code, lambda ordinary: globals_of(op, diverted=function_of(op, ordinary)))

    def _find(self) -> None:
        """Prepare the functions that are there, and wait for others."""
        bind_operators()
        for op in set(TABLE.values()):
            function = cache.specialized_of(op.entry) if op.batching else None
            if function is not None:
                self.add(op, function)
        cache.created = self.add

    def before_change(self, root: Any) -> None:
        """Let the batch that runs here compute what may read a tensor that is about to be another."""
        scheduler = running.get()
        if scheduler is not None:
            scheduler.before_change(root)

    def at_once(self, entry: Callable[..., Any]) -> Callable[..., Any]:
        """Return an op's function that computes now: no example goes on between what a write reads and the write."""
        scheduler = running.get()
        return entry if scheduler is None or scheduler.paused else partial(scheduler.at_once, entry)

    @contextmanager
    def on(self) -> Iterator[None]:
        """Exchange the functions inside the block."""
        with self._lock:
            if not self.batches:
                self._begin()
            self.batches += 1
        try:
            yield
        finally:
            with self._lock:
                self.batches -= 1
                if not self.batches:
                    self._end()

    def _begin(self) -> None:
        if not self.functions:
            self._find()
        for each in self.functions:
            self._divert(*each)
        for block in BLOCKS:
            setattr(block.owner, block.name, block.lazily)
        for name, method in OF_PARAMETERS.items():
            setattr(Parameter, name, method)
        calling.together = modules.called
        functional_call.uninterrupted = uninterrupted
        modules.CALL.__code__ = modules.CODE
        Function.apply = classmethod(forced)  # type: ignore[assignment, method-assign]
        F.dropout = dropout
        default_generator.__class__ = Streamed
        if "dyncore.capture.function" in sys.modules:
            from .compiled import called

            sys.modules["dyncore.capture.function"].CompiledFunction.__call__ = called
            self._restored = _restore_compiled
        versions.guard, versions.batch = before_write, self

    def _end(self) -> None:
        versions.guard = versions.batch = None
        self._restored()
        functional_call.uninterrupted = nullcontext
        modules.CALL.__code__ = modules.PLAIN
        for name in OF_PARAMETERS:
            delattr(Parameter, name)
        default_generator.__class__ = Generator
        F.dropout = DROPOUT
        Function.apply = APPLY  # type: ignore[method-assign]
        for block in BLOCKS:
            setattr(block.owner, block.name, block.entry)
        for _, function, _ in self.functions:
            function.restore()


exchange = Exchange()
