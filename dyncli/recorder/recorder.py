"""An entry and its inputs become a Record: the model runs once, forward and backward, and everything is recorded."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, redirect_stdout
from functools import cache
from time import perf_counter_ns as now, process_time_ns
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from dyncli import errors
from dyncli.instrument.runtime import probes
from dyncli.instrument.runtime.importer import Importer, versions
from dyncli.recorder import failure_notes, naming
from dyncli.recorder.decisions.decision_log import Decided, Decisions
from dyncli.recorder.engine import Tensor, autograd, dtypes, exchange, grad_mode, listen, process
from dyncli.recorder.events.collectors import collectors_for
from dyncli.recorder.events.event_log import EventLog
from dyncli.recorder.naming import Places
from dyncli.recorder.provenance.call_frames import Draft
from dyncli.recorder.provenance.provenance import Provenance
from dyncli.recorder.request import Request
from dyncli.recorder.settings import Stopped, modules_changed, recursion_limit_restored, seeded, time_limit
from dyncli.recorder.tables.assemble import Assembly, cotangents, unrecorded
from dyncli.records.model import Choice, Decision, Failure, Op, Output, Record
from dyncli.script import inputs as load_inputs, script
from dyncli.script.convert import DTYPES, Bound, Leaf
from dyncli.script.execute import silenced, uncollected
from dyncli.script.paths import display as shown_path
from dyncli.script.script import Signature, candidates, needs_arguments, preferred, signature_of

if TYPE_CHECKING:
    from dyncli.instrument.program import Program
    from dyncli.instrument.runtime.live_functions import LiveFunctions
    from dyncli.recorder.debug.watchpoints import DebugProbes
    from dyncli.recorder.sensitivity.dual_numbers import Slopes
    from dyncli.recorder.tables.missing_gradients import Reasons

STOPPED = ("timeout", "limit", "interrupted")
MADE_BY_EXEC = "<string>"  # the file name of code that `exec` or `eval` makes
FREED = "no gradient came back: `autograd.grad` freed what backward needs, `retain_graph=True` keeps it"


def record_model(request: Request) -> Iterator[Record]:
    """Record each case of the request, from a freshly loaded script.

    Raises the DyncliErrors of loading and of the inputs before anything runs; what happens in a run is in its record.
    """
    process.keep_memory()
    if request.dtype not in DTYPES:
        raise errors.UnknownDtype(request.dtype, DTYPES)
    run = Run(request)
    if run.stopped is not None:
        yield run.never_loaded(run.stopped)
        return
    if run.loaded.is_script:
        record = run.script()
        request = request._replace(entry=run.only_defines(record))
        if request.entry is None:
            yield _measured(request, run, record, None)
            return
        with silenced():
            run = Run(request)  # what the script prints has been printed
    cases = run.cases()
    for number, bound in enumerate(cases):
        if number:
            run = Run(request)
            if run.stopped is not None:
                yield run.never_loaded(run.stopped)
                return
        yield _measured(request, run, run.entry(bound), bound)


def _measured(request: Request, run: Run, record: Record, bound: Bound | None) -> Record:
    """Add the sensitivities to a record if they are asked for; that runs the model again, output hidden."""
    if not request.sensitivity:
        return record
    if record.status in STOPPED:
        note = "how near the other arms are was not looked for: the run was stopped"
        return record._replace(warnings=(*record.warnings, note))
    from dyncli.recorder.sensitivity.sensitivity import LARGEST, sensitivities

    def again(slopes: Slopes | None = None, moved: Any = None) -> Any:
        with silenced():
            other = Run(request.baseline._replace(force=request.force, patches=request.patches, sensitivity=True))
            other.slopes, other.moved = slopes, moved or {}
            return other, other.script() if bound is None else other.entry(bound)

    largest = LARGEST if request.trials else math.inf
    movable = bound is not None and request.trials
    return record._replace(sensitivities=sensitivities(record, run, again, movable, largest))


class RunState:
    """The state of a run from which its record is made.

    known: by the id of a tensor its name and role.  variables: by the id of a tensor the variable that holds it.
    names: the variables of the script at its end, or where it raised.
    defined: the entries that a script defines and could have run.
    """

    def __init__(self) -> None:
        self.named_inputs: list[tuple[str, Any]] = []
        self.named_outputs: list[tuple[str, Any]] = []
        self.known: dict[int, tuple[str, str]] = {}
        self.variables: dict[int, str] = {}
        self.names: dict[str, Any] = {}
        self.status = "ok"
        self.is_stopped = False  # by a limit, by `--steps` or by a key: loops that were open did not raise
        self.failure: Failure | None = None
        self.warnings: list[str] = []
        self.defined: list[str] = []
        self.elapsed_ns = 0
        self.processor_ns = 0


class Outcome:
    """Turns what ends a run into its status and failure; errors of ours go through."""

    def __init__(self, run: Run, log: EventLog, started: int) -> None:
        self.run, self.log, self.started, self.worked = run, log, started, process_time_ns()
        self.mode = grad_mode.current()

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> bool:
        state = self.run.state
        state.elapsed_ns, state.processor_ns = now() - self.started, process_time_ns() - self.worked
        if error is None:
            return True
        from dyncli.script.frames import user_frames

        if isinstance(error, RecursionError):
            probes.end_at_the_limit(error)

        if isinstance(error, errors.DyncliError):
            return False
        if isinstance(error, SystemExit) and error.code in (None, 0):
            return True
        state.is_stopped = isinstance(error, (Stopped, KeyboardInterrupt))
        if state.is_stopped:
            grad_mode.set_mode(self.mode)  # it may have struck where a `no_grad` ended
        if isinstance(error, Stopped) and error.status == "ok":
            state.warnings.append(error.message)
            state.names = naming.module_names(traceback, str(self.run.loaded.target.path))
            return True
        state.status = (
            error.status if isinstance(error, Stopped)
            else "interrupted" if isinstance(error, KeyboardInterrupt)
            else "error"
        )  # fmt: skip
        target = self.run.loaded.target
        decisions = self.run.decisions
        state.names = naming.module_names(traceback, str(target.path))
        notes, found = failure_notes.plain_value(error, state.named_inputs), errors.notes(error)
        others = errors.parted(found)[1] if notes else found
        failed = len(self.log.ops) - 1 if self.log.ops.error == errors.first_line(error) else None
        state.failure = Failure(
            type="Stopped" if isinstance(error, Stopped) else type(error).__name__,
            message=f"the script called sys.exit({error.code!r})"
            if isinstance(error, SystemExit)
            else errors.first_line(error),
            notes=(
                *notes,
                *(self._shown(note) for note in others),
                *failure_notes.ambiguous_truth(error, traceback, decisions.importer.program, self.log),
                *failure_notes.refused_arguments(error, traceback, decisions.importer.argv[1:]),
            ),
            frames=user_frames(traceback, self.run.places.names),
            op=failed if isinstance(error, Exception) else None,
        )
        return True

    def _shown(self, text: str) -> str:
        """Replace the files in a text by the names they are shown by: `In[3]` for a cell of a notebook."""
        for file, name in self.run.places.names.items():
            text = text.replace(f"{file}:", f"{name}:")
        return text


class Run:
    """One script, loaded to be run once."""

    stopped: Stopped | None = None

    def __init__(self, request: Request) -> None:
        importer = Importer(script.argv(request.model, request.arguments))
        self._begin(request, importer)
        try:
            with self._settings(), self.decisions.loading(), time_limit(request.timeout):
                self.loaded = script.load(
                    request.model, request.entry, with_inputs=bool(request.inputs), execute=self.decisions.execute
                )
        except errors.ScriptRaised as error:
            self._explain(error)
            raise
        except Stopped as error:
            self.stopped = error
            found = script.find(request.model)
            self.loaded = script.Loaded(found, request.entry or "", None, None, self.decisions.execute)
        target = self.loaded.target
        if self.loaded.is_script and self.stopped is None:
            self.decisions.prepare(target.path, target.display)
        self.places = Places({str(target.path): target.display}, self.decisions.maker.texts)

    def _begin(self, request: Request, importer: Importer | LiveFunctions) -> None:
        """Set the state of a run of which nothing is loaded yet."""
        self.request = request
        self.decisions = Decisions(
            request.force,
            keep=request.sensitivity,
            make_debug_probes=self._make_debug_probes(request),
            importer=importer,
        )
        self.slopes: Slopes | None = None
        self.moved: Mapping[str, Any] = {}
        self.index: Mapping[int, int] = {}
        self.default, self.dtype = dtypes.get_default_dtype(), request.dtype
        self.state = RunState()

    def _explain(self, raised: errors.ScriptRaised) -> None:
        """Add to an error of loading what is known of the test that raised it."""
        error = raised.error
        found = failure_notes.ambiguous_truth(
            error, error.__traceback__, self.decisions.importer.program, self._new_log()
        )
        if found:
            (raised.hint,), others = errors.parted(found)
            raised.detail += tuple(others)

    def _new_log(self) -> EventLog:
        """Return an event log with the collectors that the request needs."""
        if self.slopes is not None:
            from dyncli.recorder.events.collectors.saved_memory import SavedMemory
            from dyncli.recorder.events.collectors.values import Times, Values

            return EventLog(self.decisions.log, (Values(), Times(), SavedMemory(), self.slopes))
        collectors = collectors_for(self.request)
        debug_probes = self.decisions.debug_probes
        if debug_probes is not None and debug_probes.needs_ops:
            from dyncli.recorder.debug.watchpoints import Watchpoints

            collectors += (Watchpoints(debug_probes),)
        return EventLog(self.decisions.log, collectors, self.request.max_ops, self.request.steps)

    def _settings(self) -> ExitStack:
        """Set the seed, the default dtype and the destination of prints; closing the stack restores them."""
        stack = ExitStack()
        stack.callback(dtypes.set_default_dtype, self.default)
        dtypes.set_default_dtype(getattr(dtypes, self.request.dtype))
        stack.enter_context(seeded(self.request.seed))
        if self.request.quiet_stdout:
            stack.enter_context(redirect_stdout(sys.stderr))
        stack.enter_context(recursion_limit_restored())
        hide_recorder(stack)
        return stack

    def cases(self) -> tuple[Bound, ...]:
        """Load the inputs of every case: those of the request, else the bundled model's sample."""
        assert self.loaded.function is not None
        signature: Signature = signature_of(self.loaded.function, self.loaded.entry)
        given = list(self.request.inputs)
        sample = self.loaded.target.sample
        if not given and sample is not None:
            given = [f"@{sample}"]
        instead = self.loaded.target.display if self.loaded.target.entry and not given else None
        return load_inputs.bind(given, signature, case=self.request.case, dtype=self.request.dtype, script=instead)

    def _make_debug_probes(self, request: Request) -> Callable[[Program], DebugProbes | None] | None:
        """Return the function that makes the probes of `--watch`, `--break` and `--patch`; None without these."""
        if not (request.watches or request.breaks or request.patches):
            return None
        from dyncli.instrument.breakpoint_spec import read
        from dyncli.recorder.debug.watchpoints import DebugProbes

        debug_request = read(request.watches, request.breaks, request.patches)
        return lambda program: None if debug_request is None else DebugProbes(debug_request, program, self._display)

    def _display(self, file: str) -> str:
        """Return a file's name for display."""
        return shown_path(file, self.decisions.importer.names)

    @property
    def drafts(self) -> Sequence[Draft | Decision]:
        """Return what the decisions were made from, if that was to be kept."""
        return self.decisions.kept[0] if self.decisions.kept is not None else ()

    @property
    def provenance(self) -> Provenance:
        """Return what knows where tested values came from, if that was to be kept."""
        assert self.decisions.kept is not None
        return self.decisions.kept[1]

    # -- the two kinds of run

    def entry(self, bound: Bound) -> Record:
        """Call the entry with one case's inputs, run backward from its outputs, and return the record."""
        self.log = log = self._new_log()
        function: Any = self.loaded.function
        state = self.state
        with self._settings():
            parameters = self._named(log, function, vars(self.loaded.module) if self.loaded.module else {})
            positional, named = bound.map_leaves(lambda leaf: self._tensor(leaf, log))
            state.named_inputs += [*zip(bound.names, positional, strict=False), *named.items()]
            self._call(log, function, parameters, positional, named)
        return self._record(log, bound.case)

    def _named(self, log: EventLog, function: Any, variables: Mapping[str, Any]) -> list[tuple[Tensor, str, str]]:
        """Note the names of the tensors and modules that are there before the run; return parameters and buffers."""
        parameters = list(naming.parameters(variables, function))
        self.state.known |= {id(tensor): (name, role) for tensor, name, role in parameters}
        self.state.variables.update(naming.variables(variables))
        log.modules.names.update(naming.module_variables(variables) | naming.modules(function))
        return parameters

    def _call(self, log: EventLog, function: Any, parameters: Any, positional: Any, named: Any) -> None:
        """Call the entry, and run backward from its outputs unless it did that itself."""
        for tensor, _, role in parameters:
            if role == "parameter" and tensor.requires_grad:
                log.tensors.number(tensor)
        with self._recording(log):
            with self.decisions.importer.recursion.counted(2):
                value = function(*positional, **named)
            self.state.named_outputs += naming.outputs(value)
            if all(one.by == "grad" for one in log.backward.passes) and not self.request.no_grad:
                self._backward(log)

    def script(self) -> Record:
        """Run the script as `python script.py` does, and return the record."""
        self.log = log = self._new_log()
        state = self.state
        with self._settings():
            with self._recording(log):
                module = self.loaded.run_script()
                state.names = vars(module)
                state.defined = [name for name in candidates(module) if not needs_arguments(state.names[name])]
            self.dtype = str(dtypes.get_default_dtype()).rpartition(".")[2]
        names = state.names
        state.variables.update(naming.variables(names))
        state.known.update({id(tensor): (name, role) for tensor, name, role in naming.parameters(names, None)})
        state.named_outputs += [
            (name, value)
            for name, value in names.items()
            if isinstance(value, Tensor) and not name.startswith("_") and value._edge is not None and not value.is_leaf
        ]
        return self._record(log, None)

    def unrecorded(self, bound: Bound | None) -> None:
        """Call the entry with one case's inputs, or run the script, with no listener and no backward."""
        with self._settings(), grad_mode.set_grad_enabled(not self.request.no_grad), time_limit(self.request.timeout):
            if bound is None:
                self.loaded.run_script()
                return
            function: Any = self.loaded.function
            log = self._new_log()
            positional, named = bound.map_leaves(lambda leaf: self._tensor(leaf, log))
            function(*positional, **named)

    def only_defines(self, record: Record) -> str | None:
        """Return the entry of a script that ran to its end without an op on a tensor; None if it is the run itself."""
        computes = record.backwards or any(op.inputs for op in record.ops)
        if computes or record.status != "ok" or script.SCRIPT_ITSELF in (self.request.entry, self.loaded.target.entry):
            return None
        return preferred(self.state.names)

    def never_loaded(self, stopped: Stopped) -> Record:
        """Build the record of a script that was stopped while it was loaded."""
        log = self._new_log()
        with Outcome(self, log, now()):
            raise stopped
        return self._record(log, None)

    def _tensor(self, leaf: Leaf, log: EventLog) -> Tensor:
        array = leaf.array
        if leaf.name in self.moved:
            array = np.asarray(array + self.moved[leaf.name], array.dtype)
        made: Tensor = exchange.from_numpy(array).clone()
        if leaf.is_floating and not self.request.no_grad:
            made.requires_grad_()
        self.state.known[id(made)] = (leaf.name, "input")
        log.tensors.number(made)
        return made

    def _recording(self, log: EventLog) -> ExitStack:
        """Attach all listeners, and turn an exception of the script into the run's status."""
        stack = ExitStack()
        log.started = started = now()
        stack.enter_context(Outcome(self, log, started))
        stack.enter_context(time_limit(self.request.timeout))
        if self.request.no_grad:
            stack.enter_context(grad_mode.no_grad())
            log.grad_modes.append(~0)
        stack.enter_context(self.decisions.recording(log))
        stack.enter_context(log.active())
        stack.enter_context(listen(log))
        return stack

    def _backward(self, log: EventLog) -> None:
        roots = [
            (name, tensor)
            for output, value in self.state.named_outputs
            for name, tensor in naming.leaves(value, output)
            if tensor._edge is not None
        ]
        if not roots:
            values = [value for _, value in self.state.named_outputs]
            if any(isinstance(value, Tensor) for value in values):
                self.state.warnings.append("no output requires grad: nothing to go backward from")
            elif len(values) == 1 and len(log.ops) and not log.backward.passes:
                self.state.warnings += self._left_the_graph(values[0])
            return
        seeds = cotangents(self.request.grad_output, roots)
        try:
            self._run_backward([tensor for _, tensor in roots], seeds)
        except RuntimeError as error:
            if not log.backward.passes[:-1] or "second time" not in str(error):
                raise
            del log.backward.passes[-1]
            self.state.warnings.append(FREED)

    def _left_the_graph(self, value: Any) -> Iterator[str]:
        """Yield why there is no gradient where a function computed with tensors and returned none."""
        if value is None:
            yield f"`{self.loaded.entry}` returned None: a `return` may be missing"
        elif isinstance(value, float | np.ndarray):
            kind = "a float" if isinstance(value, float) else "a NumPy array"
            yield f"`{self.loaded.entry}` returned {kind}, which has no gradient: return the tensor"

    def _run_backward(self, roots: list[Tensor], seeds: list[Tensor], keep: bool = False) -> None:
        autograd.backward(roots, seeds, retain_graph=keep)

    # -- the record

    def _assembly(self, log: EventLog) -> Assembly:
        """Return the tables of the run, with the names of its parameters and inputs."""
        state = self.state
        log.backward.end_sums(log.tensors)
        outer = log.modules.roots()
        prefixes: dict[int, str] = {}
        for module in outer:
            prefix = "" if len(outer) == 1 else f"{log.modules.names.get(id(module), type(module).__name__)}."
            prefixes[id(module)] = prefix
            held = [*naming.parameters({}, module)]
            for tensor, name, role in held:
                state.known.setdefault(id(tensor), (prefix + name, role))
            log.backward.add_unread([tensor for tensor, _, role in held if role == "parameter"], log.tensors)
        if self.decisions.debug_probes is not None:
            state.known.update({id(leaf): (name, "input") for name, leaf in self.decisions.debug_probes.leaves})
        paths = {
            number: prefixes[id(module)] + path
            for number, (module, path) in log.modules.held.items()
            if id(module) in prefixes
        }
        return Assembly(log, self.places, state.known, state.variables, paths)

    def _shown_outputs(self, assembly: Assembly) -> tuple[Output, ...]:
        return tuple(
            _shown(assembly, name, value, None)
            for output, inner in self.state.named_outputs
            for name, value in (naming.leaves(inner, output) if any(naming.leaves(inner, "")) else [(output, inner)])
        )

    @uncollected()
    def _record(self, log: EventLog, case: str | None) -> Record:
        """Return the record of the run that is over."""
        state, target = self.state, self.loaded.target
        assembly = self._assembly(log)
        shown_inputs = tuple(_shown(assembly, name, value, "input") for name, value in state.named_inputs)
        shown_outputs = self._shown_outputs(assembly)
        self.index = assembly.index
        if state.status in STOPPED:
            self.decisions.shorten()
        decided = self.decisions.replayed(log, assembly, stopped=state.is_stopped)
        ops = assembly.ops(decided.op_scopes, decided.op_under)
        made = {item.tensor for item in shown_outputs if item.tensor is not None}
        made |= {assembly.index[n] for one in log.backward.passes for n in one.roots if n in assembly.index}
        spans = unrecorded(log.grad_modes, len(ops))

        @cache
        def reasons() -> Reasons:
            from dyncli.recorder.tables.missing_gradients import Reasons

            return Reasons(
                assembly.tensors, ops, decided.decisions, made, self.decisions.sources, assembly.through_data,
                assembly.functions, spans,
            )  # fmt: skip

        backwards = assembly.backwards(reasons)
        self._warn(log, decided, has_ops=bool(ops))
        return Record(
            model=target.display,
            entry=self.loaded.entry,
            status=state.status,
            case=case,
            seed=self.request.seed,
            dtype=self.dtype,
            sources=self.decisions.sources,
            versions=versions(torch=self.decisions.importer.imports_torch),
            sites=self.decisions.sites,
            scopes=decided.scopes,
            calls=decided.calls,
            tensors=tuple(assembly.tensors),
            ops=ops,
            decisions=decided.decisions,
            loading=decided.loading,
            choices=_choices(log, assembly, ops, decided.decisions),
            inputs=shown_inputs,
            outputs=shown_outputs,
            backwards=backwards,
            edges=tuple(assembly.edges),
            written=tuple(assembly.written),
            unrecorded=spans,
            signature=decided.signature,
            forced=self.decisions.reached,
            notices=tuple(self.decisions.debug_probes.notices) if self.decisions.debug_probes is not None else (),
            warnings=(*state.warnings, *self.decisions.warnings, *self._unmet(), *self._trends(decided.decisions)),
            failure=state.failure,
            elapsed_ns=state.elapsed_ns,
            processor_ns=state.processor_ns,
        )

    def _warn(self, log: EventLog, decided: Decided, *, has_ops: bool) -> None:
        """Add warnings on scripts that record nothing, or run code that was made of text."""
        state, target = self.state, self.loaded.target
        if not has_ops and state.status == "ok":
            state.warnings += failure_notes.nothing_recorded(state.defined, target.display)
        hidden = sum(escape[4].co_filename == MADE_BY_EXEC and not _has_probes(escape[4]) for escape in log.escapes)
        if decided.made or hidden:
            state.warnings.append(failure_notes.code_without_probes(decided.made, hidden, target.display))

    def _unmet(self) -> tuple[str, ...]:
        return () if self.decisions.debug_probes is None else tuple(self.decisions.debug_probes.unmet)

    def _trends(self, decisions: tuple[Decision, ...]) -> list[str]:
        if self.state.status not in STOPPED:
            return []
        from dyncli.recorder.decisions.trend import trends

        return trends(decisions, self.decisions.left_out)


def hide_recorder(stack: ExitStack) -> None:
    """Hide the recorder from users of `pdb` until the stack is closed, without importing either."""

    def hide(pdb: ModuleType) -> None:
        from dyncli.recorder.debug.script_pdb import ScriptPdb

        names = vars(pdb)
        if names.get("Pdb") is ScriptPdb.__base__:  # unless it is none of Python's
            stack.callback(names.update, Pdb=names["Pdb"])
            names["Pdb"] = ScriptPdb

    stack.enter_context(modules_changed({"pdb": hide}))


def _has_probes(code: CodeType) -> bool:
    return any(name.startswith("@") for name in code.co_names)


def _choices(log: EventLog, assembly: Assembly, ops: Sequence[Op], decisions: Sequence[Decision]) -> tuple[Choice, ...]:
    """Return what ops picked by index; most runs pick nothing."""
    if not log.picks:
        return ()
    from dyncli.recorder.tables.choices import choices

    deciding = {decision.predicate_op for decision in decisions if decision.site.kind != "assert"}
    return choices(log, assembly, ops, deciding)


def _shown(assembly: Assembly, name: str, value: Any, role: str | None) -> Output:
    """Describe an input or output: a tensor by number, anything else by its value."""
    if not isinstance(value, Tensor):
        return Output(name, value=naming.plain_value(value))
    number = assembly.of(value)
    assembly.name(number, name, role)
    assembly.values(number, value._array)
    return Output(name, tensor=number)
