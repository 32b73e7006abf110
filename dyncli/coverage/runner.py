"""One script, loaded once and run on input after input: forward, backward, and what the observer says of it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass, field
from io import TextIOBase
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from dyncli import errors
from dyncli.analysis.coverage import Function, Settings, Subject, Tally
from dyncli.coverage.checkpoint import Part
from dyncli.coverage.chunk_tally import Account
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.fast_arguments import Arguments, Broken, Feed
from dyncli.coverage.magnitudes import gradient_norm, is_finite, outputs_of
from dyncli.coverage.observe import Observer
from dyncli.coverage.path_summary import function_key, taken
from dyncli.coverage.state_reset import Pristine
from dyncli.coverage.timeout import Counting, Watch
from dyncli.coverage.together import NotTogether, Turns
from dyncli.instrument.program import Function as ProgramFunction, Role
from dyncli.instrument.runtime.importer import Importer, versions
from dyncli.instrument.runtime.live_functions import LiveFunctions
from dyncli.recorder.engine import Parameter, Size, Tensor, dtypes, events, grad_mode, random, walk
from dyncli.recorder.settings import Stopped, recursion_limit_restored, reseed, seeded
from dyncli.records.model import Source
from dyncli.records.text import one_line
from dyncli.script import script
from dyncli.script.frames import user_frames
from dyncli.script.script import signature_of

LONGEST_NOTE = 160


@dataclass(frozen=True, slots=True)
class Spec:
    """A run of a model on many inputs.  display: the name the script is shown by, if not as it is named."""

    model: str
    entry: str | None = None
    display: str | None = None
    settings: Settings = field(default_factory=Settings)


class NullStream(TextIOBase):
    """Where the prints of 100,000 runs go."""

    def write(self, text: str) -> int:
        return len(text)


class Runner:
    """A loaded script.  Raises the DyncliErrors of loading.

    has_backward: whether backward is run from the outputs.
    """

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self._begin(spec.settings, Importer(script.argv(spec.model, spec.settings.arguments)))
        with self._surroundings(), self.importer.recording(self.log, READERS):
            loaded = script.load(spec.model, spec.entry, with_inputs=True, execute=self._execute)
            if loaded.function is None:  # `script.py:__main__`
                raise errors.NoEntry(loaded.target.display)
            self.loaded = loaded
            function: Any = loaded.function
            if isinstance(function, type):
                function = function()
        self._loaded(function, self._modules())
        self.feed = Feed(self.own_signature, self.settings.dtype, self.settings.given, self.settings.no_grad)

    def _begin(self, settings: Settings, importer: Importer | LiveFunctions) -> None:
        """Set the state of a runner of which nothing is loaded yet."""
        self.settings = settings
        self.importer = importer
        self.log: list[Any] = []
        self.turn: int | None = None
        self.parent: int | None = None
        self.observer = Observer(importer.program)
        self.has_backward = not settings.no_grad

    def _loaded(self, function: Any, modules: list[ModuleType]) -> None:
        """Set what follows from what was loaded, `self.loaded`."""
        target = self.loaded.target
        self.function = function
        self.path = str(target.path)
        self.display = self.spec.display or target.display
        self.observer.begin()
        self.observer.follow(self.log)
        self.loading = taken(self.importer.program, self.observer.path)
        self.called = [function_key(self.importer.program, n) for n, times in enumerate(self.observer.calls) if times]
        self.own_signature = signature_of(self.loaded.function or function, self.loaded.entry)
        self.signature = self.own_signature.text
        self.pristine = Pristine(modules, function, self.importer.program.sources.values())
        self.account = Account(self.observer)
        self.seeds_all = any(_draws(text) for text in self.importer.program.sources.values())
        self.ones: dict[tuple[Any, Any], Any] = {}
        self.turns = Turns(self) if self.settings.batch > 1 else None
        self.together = False

    def _execute(self, path: Path, display: str, name: str) -> ModuleType:
        assert isinstance(self.importer, Importer)
        return self.importer.execute(path, self.spec.display or display, name)

    @property
    def subject(self) -> Subject:
        """Return what is run, as far as it is known before any input."""
        return subject_of(self)

    def run(self, chunk: Chunk, part: Part | None = None) -> Tally:
        """Return what the inputs of a chunk did, or of its beginning, if `progress` ended it.

        part: where each input that is done is written down.
        """
        with self.opened() as watch:
            return self.run_opened(chunk, watch, part)

    @contextmanager
    def opened(self) -> Iterator[Watch]:
        """Let the script run and be recorded while the context lasts; to open it takes as long as a short run."""
        watch = Watch(self.settings.timeout, self.log, self._drain, self.parent)
        readers = READERS if self.turns is None else {**READERS, self.turns.kind: _read_lazy}
        graph = grad_mode.no_grad() if self.settings.no_grad else nullcontext()
        with self._surroundings(), self.importer.recording(self.log, readers), watch.ticking(), graph:
            yield watch

    def run_opened(self, chunk: Chunk, watch: Watch, part: Part | None = None) -> Tally:
        """Run a chunk, as `run` does, while `opened` lasts, which gave `watch`."""
        self.account.open(chunk, part)
        run = self._run_all if self.turns is None else self._run_together
        run(chunk, watch)
        return self.account.close()

    def _run_all(self, chunk: Chunk, watch: Watch) -> None:
        at: Any = self.progress
        for position, make in self._items(chunk):
            if not at(position):
                self.account.cut(position)
                return
            arguments = self._made(position, make)
            if arguments is not None:
                self._run(position, arguments, watch)
            self.account.done(position)

    def _items(self, chunk: Chunk) -> Iterator[tuple[int, Callable[[], Arguments]]]:
        return _items(chunk, self.feed)

    def counts(self, function: ProgramFunction) -> bool:
        """Return whether the decisions of a function belong to the coverage."""
        return function.kind != "module"

    def _run_together(self, chunk: Chunk, watch: Watch) -> None:
        assert self.turns is not None
        items = self._items(chunk)
        while batch := list(islice(items, self.settings.batch)):
            if not self.progress(batch[0][0]):
                self.account.cut(batch[0][0])
                return
            given = {position: arguments for position, make in batch if (arguments := _tried(make)) is not None}
            self.together = True
            runs = self.turns.run(given, watch)
            self.together = False
            for position, make in batch:
                if not self.progress(position):
                    self.account.cut(position)
                    return
                if position in runs:
                    self._ran(position, given[position], *runs[position])
                else:
                    arguments = self._made(position, make)
                    if arguments is not None:
                        self._run(position, arguments, watch)
                self.account.done(position)

    def _made(self, position: int, make: Any) -> Arguments | None:
        """Return the arguments of an input; None, and its outcome is counted, if it has none."""
        try:
            arguments: Arguments = make()
        except Broken as error:
            self.account.outcome("broken", position, str(error))
        except errors.InputError as error:
            self.account.outcome("misfit", position, error.message)
        else:
            return arguments
        return None

    def _ran(self, position: int, arguments: Arguments, log: list[Any], value: Any) -> None:
        """Count an input that ran together with others; its parameters have no gradient of its own."""
        self.observer.begin()
        self.observer.follow(log)
        self.account.outcome("ok", position)
        norms = self.account.ran(position, "ok")
        if norms is not None:
            self._outputs(position, value)
            self._gradients(position, norms, [(arguments.tensors, 0, "an input")])

    def _drain(self, log: list[Any]) -> None:
        """Read the log of a run that goes on, so that it does not grow without bound."""
        if self.together:
            raise NotTogether
        turn, self.turn = self.turn, None
        self.observer.feed_all(log, turn)

    def progress(self, position: int) -> bool:
        """Return whether to go on: called before each input; whoever wants to know replaces it."""
        return True

    def prepare(self) -> None:
        """Put back what a run before left behind."""
        self.pristine.restore()
        (reseed if self.seeds_all else random.manual_seed)(self.settings.seed)
        self.log.clear()
        self.turn = None

    def _run(self, position: int, arguments: Arguments, watch: Watch) -> None:
        log, observer, account = self.log, self.observer, self.account
        self.prepare()
        observer.begin()
        outcome, value, error = "ok", None, None
        try:
            if watch.has_timer and not self.settings.max_ops:
                watch.begin()
                value = self.function(*arguments.positional, **arguments.named)
                self.backward(value, arguments.tensors)
                watch.end()
            else:
                with ExitStack() as stack:
                    stack.enter_context(watch.alone())
                    if self.settings.max_ops:
                        stack.enter_context(events.listen(Counting(self.settings.max_ops)))
                    watch.begin()
                    value = self.function(*arguments.positional, **arguments.named)
                    self.backward(value, arguments.tensors)
        except BaseException as raised:
            error = raised
        watch.end()
        observer.follow(log, self.turn)
        if error is not None:
            outcome = self._ended(position, error)
        else:
            account.outcome("ok", position)
        norms = account.ran(position, outcome)
        if norms is not None:
            self._outputs(position, value)
            leaves = [(arguments.tensors, 0, "an input"), (self.pristine.parameters, 1, "a parameter")]
            self._gradients(position, norms, leaves)

    def backward(self, value: Any, tensors: list[Tensor]) -> None:
        """Run backward from all outputs, unless the script has already done so.

        tensors: those of the arguments that require grad.
        """
        if not self.has_backward:
            return
        for tensor in tensors:
            if tensor._edge.grad is not None:
                return
        for tensor in self.pristine.parameters:
            edge = tensor._edge
            if edge is not None and edge.grad is not None:
                return
        if value.__class__ is Tensor:
            roots = [value] if value._edge is not None else []
        else:
            roots = [tensor for tensor in outputs_of(value) if tensor._edge is not None]
        if roots:
            self.turn = len(self.log)
            walk([(root._edge, self._one(root)) for root in roots], False, False, None, accumulate=True, roots=roots)

    def _one(self, root: Tensor) -> Any:
        """Create ones in the shape of an output, as backward's starting gradient."""
        array = root._array
        known = self.ones.get((array.shape, array.dtype))
        if known is None:
            if len(self.ones) > 1000:
                self.ones.clear()
            known = self.ones[array.shape, array.dtype] = (
                np.ones(array.shape, array.dtype) if array.ndim else array.dtype.type(1)
            )
        return known

    def _outputs(self, position: int, value: Any) -> None:
        """Count outputs that are not finite."""
        if value.__class__ is float:
            if not math.isfinite(value):
                self.account.reason("output is NaN" if value != value else "output is Inf", position)
        else:
            for tensor in (value,) if value.__class__ is Tensor else outputs_of(value):
                if not is_finite(tensor._array):
                    kind = "NaN" if np.isnan(tensor._array).any() else "Inf"
                    self.account.reason(f"output holds {kind}", position)
                    break

    def _gradients(self, position: int, norms: Any, leaves: list[tuple[list[Tensor], int, str]]) -> None:
        """Count the norms of gradients: of tensors, 0 for inputs or 1 for parameters, and what one is called."""
        if not self.has_backward:
            return
        for tensors, which, what in leaves:
            if tensors:
                norm = gradient_norm(tensors)
                self.account.gradient(norms, which, norm)
                if norm is not None and not norm < math.inf:
                    self.account.reason(f"gradient of {what} holds {'NaN' if norm != norm else 'Inf'}", position)

    def _ended(self, position: int, error: BaseException) -> str:
        """Return what an exception makes of the input."""
        if isinstance(error, Stopped):
            self.account.outcome(error.status, position)
            return error.status
        frames = user_frames(error.__traceback__, {self.path: self.display})
        name = type(error).__name__
        where = f" at {frames[-1].file}:{frames[-1].line}" if frames else ""
        message = f"sys.exit({error.code!r})" if isinstance(error, SystemExit) else errors.first_line(error)
        note = one_line(message.partition("\n")[0], LONGEST_NOTE)
        self.account.reason(f"{name}{where}", position, note)
        self.account.outcome("raised", position, f"{name}: {note}" if note else name)
        return "raised"

    @contextmanager
    def _surroundings(self) -> Iterator[None]:
        before = dtypes.get_default_dtype()
        dtypes.set_default_dtype(getattr(dtypes, self.settings.dtype))
        try:
            with seeded(self.settings.seed), redirect_stdout(NullStream()), recursion_limit_restored():
                yield
        finally:
            dtypes.set_default_dtype(before)

    def _modules(self) -> list[ModuleType]:
        """List the script's module and the modules imported from its folder."""
        found = [self.loaded.module] if self.loaded.module is not None else []
        paths = {function.path for function in self.importer.program.functions}
        for module in list(sys.modules.values()):
            if getattr(module, "__file__", None) in paths and module not in found:
                found.append(module)
        return found


def _items(chunk: Chunk, feed: Feed) -> Iterator[tuple[int, Any]]:
    """Yield (position, function that makes the arguments) of each input; blank lines are skipped."""
    if chunk.form == "lines":
        for position, text in enumerate(chunk.items, chunk.first):
            if text is None:
                yield position, _not_text
            elif text and not text.isspace():
                yield position, lambda text=text: feed.of_text(text)
    elif chunk.form == "arrays":
        arrays = chunk.arrays()
        for row in range(len(chunk)):
            values = {name: array[row] for name, array in arrays.items()}
            yield chunk.first + row, lambda values=values: feed.of_arrays(values)
    elif chunk.form == "rows":
        for position, cells in enumerate(chunk.items, chunk.first):
            yield position, _not_text if cells is None else lambda cells=cells: feed.of_cells(chunk.head, cells)
    else:
        for position, (suffix, data) in enumerate(chunk.items, chunk.first):
            yield position, lambda suffix=suffix, data=data: feed.of_file(suffix, data)


def _tried(make: Any) -> Arguments | None:
    """Return the arguments of an input, None if it has none."""
    try:
        arguments: Arguments = make()
    except (Broken, errors.InputError):
        return None
    return arguments


def _not_text() -> Arguments:
    raise Broken("it is not UTF-8 text")


def _draws(source: str) -> bool:
    """Return whether a script may draw numbers from NumPy's or Python's own generator."""
    return "random" in source or "shuffle" in source


def _read_tensor(tensor: Any) -> tuple[Any, None]:
    array = tensor._array
    return (array.item() if array.size == 1 else None), None


def _read_lazy(tensor: Any) -> tuple[Any, None]:
    return (tensor.item() if tensor.numel() == 1 else None), None


def _read_number(number: Any) -> tuple[Any, None]:
    value = number.item()
    return (value if type(value) in (bool, int, float) else None), None


READERS: Any = {
    Tensor: _read_tensor,
    Parameter: _read_tensor,
    Size: lambda size: (None, None),
    np.ndarray: lambda array: (None, None),
    np.generic: _read_number,
}


def subject_of(runner: Runner) -> Subject:
    """Build the part of a report that is known before any run."""
    program = runner.importer.program
    counted = {number for number, function in enumerate(program.functions) if runner.counts(function)}
    inside = [each for each in program.constructs if each.site is not None and each.function in counted]
    sites = {each.site.id: each.site for each in inside if each.site is not None}
    entered = {point.function for point in program.points if point.role is Role.ENTER} & counted
    functions = tuple(
        Function(
            function_key(program, number), function.name, function.file, function.line, function.end_line,
            function.kind in ("function", "async"),
        )
        for number, function in enumerate(program.functions)
        if number in entered and function.kind in ("function", "async", "lambda")
    )  # fmt: skip
    return Subject(
        model=runner.display,
        entry=runner.loaded.entry,
        signature=runner.signature,
        sources=tuple(Source(file, files_digest(text), text) for file, text in program.sources.items()),
        sites=tuple(sorted(sites.values(), key=lambda site: (site.file, site.line, site.col, site.end_line))),
        functions=functions,
        conditions={
            each.site.id: tuple(condition.text for condition in each.conditions)
            for each in inside
            if each.site is not None and len(each.conditions) > 1 - (each.kind in ("and", "or"))
        },
        loading=tuple(sorted(runner.loading.arms)),
        called=tuple(sorted(runner.called)),
        settings=runner.settings,
        versions=versions(torch=runner.importer.imports_torch),
    )


def files_digest(text: str) -> str:
    """Return 16 hex digits that identify a source."""
    from dyncli.records.digest import blake2b

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
