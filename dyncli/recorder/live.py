"""A call, or a block, of the running process becomes a Record; functions and gradients are left as they were."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from inspect import BoundArguments, getattr_static, unwrap
from pathlib import Path
from types import FrameType, FunctionType, MethodType
from typing import Any

from dyncli import errors
from dyncli.instrument.runtime.importer import is_engine
from dyncli.instrument.runtime.live_functions import LiveFunctions, shown_name
from dyncli.recorder import naming
from dyncli.recorder.engine import AccumulateGrad, Tensor, dtypes, is_grad_enabled, random
from dyncli.recorder.events.event_log import EventLog
from dyncli.recorder.naming import Places
from dyncli.recorder.recorder import Run, hide_recorder
from dyncli.recorder.request import Request
from dyncli.records.model import Record
from dyncli.script.execute import execute_plain
from dyncli.script.script import Loaded, Target, called

_warned: set[tuple[str, str, int]] = set()  # functions without a source that were named already


class LiveRun(Run):
    """One run in this process.  error: what it raised."""

    def __init__(self, live: LiveFunctions, loaded: Loaded) -> None:
        target = loaded.target
        request = Request(
            model=target.display, entry=loaded.entry, dtype=default_dtype(),
            seed=random.initial_seed(), no_grad=not is_grad_enabled(), saved=True,
        )  # fmt: skip
        self._begin(request, live)
        self.functions = live
        self.loaded = loaded
        self.places = Places({**live.names, str(target.path): target.display}, self.decisions.maker.texts)
        self.error: BaseException | None = None
        self.state.warnings += warn_without_source(live.without_source)

    def _settings(self) -> ExitStack:
        """Change nothing of the process: seed, dtype and streams are its own."""
        stack = ExitStack()
        hide_recorder(stack)
        return stack

    def _recording(self, log: EventLog) -> ExitStack:
        stack = super()._recording(log)
        stack.enter_context(self._noticed())
        return stack

    @contextmanager
    def _noticed(self) -> Iterator[None]:
        try:
            yield
        except BaseException as error:
            self.error = error
            raise

    def _run_backward(self, roots: list[Tensor], seeds: list[Tensor], keep: bool = True) -> None:
        """Run backward; `.grad` of every leaf, and graphs recorded before, are afterwards as they were."""
        kept = [(leaf, leaf.grad) for leaf in _leaves(roots)]
        for leaf, _ in kept:
            leaf.grad = None
        try:
            super()._run_backward(roots, seeds, keep)
        finally:
            for leaf, grad in kept:
                leaf.grad = grad

    def call(self, arguments: BoundArguments, named: list[tuple[str, Any]]) -> Record:
        """Call the function, run backward from its outputs unless it did that itself, and return the record.

        named: (name, value) of each input.
        """
        self.log = log = self._new_log()
        function: Any = self.loaded.function
        with self._settings():
            parameters = self._named(log, function, self.functions.variables)
            self.state.named_inputs += named
            for name, value in named:
                for path, tensor in naming.leaves(value, name):
                    self.state.known[id(tensor)] = (path, "input")
                    log.tensors.number(tensor)
            self._call(log, function, parameters, arguments.args, arguments.kwargs)
        return self._record(log, None)

    @contextmanager
    def block(self, variables: Callable[[], Mapping[str, Any]]) -> Iterator[None]:
        """Record what runs while the context lasts; `finished` has the record afterwards.

        variables: returns those of the block, by name.  Its outputs are what `returned` was given, else the tensors
        with a graph that the block assigns to variables.
        """
        self.log = log = self._new_log()
        before = {**self.functions.variables, **variables()}
        with self._settings():
            self._named(log, None, before)
            with self._recording(log):
                yield
            assigned = {name: value for name, value in variables().items() if value is not before.get(name)}
            self.state.variables.update(naming.variables(assigned))
            for tensor, name, role in naming.parameters(assigned, None):
                self.state.known.setdefault(id(tensor), (name, role))
            if not self.state.named_outputs:
                self.state.named_outputs += [
                    (name, value)
                    for name, value in assigned.items()
                    if isinstance(value, Tensor) and not name.startswith("_") and value._edge is not None
                    if not value.is_leaf
                ]

    def returned(self, value: Any) -> None:
        """Take a value as the output of the block, and run backward from it unless the block did that itself."""
        self.state.named_outputs += naming.outputs(value)
        if not self.request.no_grad and not any(one.by == "backward" for one in self.log.backward.passes):
            self._backward(self.log)

    def finished(self) -> Record:
        """Return the record of the block."""
        return self._record(self.log, None)


def call_of(function: Any, name: str) -> LiveRun:
    """Return the run of a function or Module, which has not begun."""
    return LiveRun(*functions_of(function, name))


def functions_of(function: Any, name: str, *, pinned: bool = False) -> tuple[LiveFunctions, Loaded]:
    """Return what a function or Module may call, and itself as what is run.  pinned: as of a Program."""
    target = code_of(function)
    file = target.__code__.co_filename if target is not None else f"<{type(function).__module__}>"
    live = LiveFunctions([function], {file}, pinned=pinned)
    return live, _loaded(live, file, name, function)


def block_in(frame: FrameType) -> LiveRun:
    """Return the run of a block that begins in a frame."""
    code = frame.f_code
    names = {name: frame.f_globals[name] for name in code.co_names if name in frame.f_globals}
    names.update((name, value) for name, value in frame.f_locals.items() if name in {*code.co_names, *code.co_varnames})
    entry = "" if code.co_name == "<module>" else code.co_qualname
    return block_of(names, code.co_filename, entry)


def block_of(names: Mapping[str, Any], file: str, entry: str, display: str | None = None) -> LiveRun:
    """Return the run of a block that uses these variables.  display: the name to show its file by."""
    live = LiveFunctions(names.values(), {file})
    live.variables.update(names)
    if display is not None:
        live.names[file] = display
    return LiveRun(live, _loaded(live, file, entry, None))


def _loaded(live: LiveFunctions, file: str, entry: str, function: Any) -> Loaded:
    display = live.names.get(file) or shown_name(file).strip("<>")
    return Loaded(Target(Path(file), display), entry, function, None, execute_plain)


def default_dtype() -> str:
    """Return the name of what floats become in this process."""
    return str(dtypes.get_default_dtype()).rpartition(".")[2]


def code_of(function: Any) -> FunctionType | None:
    """Return the Python function that runs when a function, method, partial or Module is called; None if none does."""
    target = called(getattr(function, "func", function))
    if not isinstance(target, FunctionType | MethodType):
        target = getattr_static(type(target), "__call__", None)
    target = unwrap(getattr(target, "__func__", target))
    return target if isinstance(target, FunctionType) and not is_engine(str(target.__module__)) else None


def _leaves(roots: list[Tensor]) -> list[AccumulateGrad]:
    """Return the leaves of the graph of some tensors."""
    found: list[AccumulateGrad] = []
    pending: list[Any] = [tensor._edge for tensor in roots]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, AccumulateGrad):
            found.append(node)
        else:
            pending.extend(node.edges())
    return found


def warn_without_source(functions: list[FunctionType]) -> list[str]:
    """Return the warning on functions whose decisions are not recorded; Python's own warning names each once."""
    if not functions:
        return []
    names = list(
        dict.fromkeys(f"`{each.__qualname__}` in {shown_name(each.__code__.co_filename)}" for each in functions)
    )
    words = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    text = f"no source fits {words}: ops and gradients are recorded, decisions there are not"
    keys = {(each.__code__.co_filename, each.__qualname__, each.__code__.co_firstlineno) for each in functions}
    if not keys <= _warned:
        _warned.update(keys)
        advice = "; define the function in a file, IPython or a notebook, which keep its source"
        warnings.warn(text + advice, errors.DecisionsNotRecorded, stacklevel=_outside())
    return [text]


def _outside() -> int:
    """Return the level of the first frame that is not the tool's, for a warning."""
    frame: Any = sys._getframe(1)
    level = 1
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in ("dyncli", "contextlib"):
        frame, level = frame.f_back, level + 1
    return level
