"""The model under export: each case runs as Python does, and once more as a path."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path as FilePath
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from dyncli import errors
from dyncli.export.engine import NotRecorded, Recording, Rounding, values_in
from dyncli.export.instrument import TRACER, instrumented
from dyncli.export.lists import RunAgain, without_rows
from dyncli.export.numbers import Number
from dyncli.export.state import State
from dyncli.export.tracer import Tracer
from dyncli.instrument.runtime.importer import Importer
from dyncli.recorder import naming
from dyncli.recorder.engine import Tensor, dtypes, exchange, grad_mode
from dyncli.recorder.settings import recursion_limit_restored, seeded
from dyncli.script import inputs as load_inputs, script
from dyncli.script.convert import Bound, Leaf
from dyncli.script.frames import frame_line, user_frames
from dyncli.script.paths import display as shown_path
from dyncli.script.script import signature_of

__dyncore__ = True  # the line that an op stands on is the script's

_OF_PYTHON = frozenset(("_parameters", "_modules", "__builtins__", "__warningregistry__", TRACER))


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its arrays by input name, its Python numbers by parameter, and what else it is called with."""

    bound: Bound
    arrays: dict[str, Any]
    numbers: dict[str, Any]
    fixed: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One case as a path.  outputs: the values of the path by output name.  results: their arrays in this run."""

    case: Case
    path: Any
    names: tuple[str, ...]
    outputs: dict[str, Any]
    results: dict[str, Any]


class _Importer(Importer):
    """Loads the script and its neighbours with our reports in them."""

    def __init__(self, tracer: Tracer) -> None:
        super().__init__()
        self._tracer = tracer

    def code(self, source: bytes, path: str) -> CodeType:
        """Return the code of a file."""
        return instrumented(source, FilePath(path), self._tracer.shared)

    def equip(self, module: ModuleType) -> None:
        """Give a module its builtins, and the tracer."""
        super().equip(module)
        module.__dict__[TRACER] = self._tracer


class _Plain(Importer):
    """Loads the script and its neighbours as Python does."""

    def code(self, source: bytes, path: str) -> CodeType:
        """Return the code of a file."""
        return compile(source, path, "exec", dont_inherit=True)


class Subject:
    """One model and its cases, loaded with our reports in it, and once more as it is: `plain`.

    inputs: groups of values as on the command line, each of one or more cases; none for the model's sample.
    """

    def __init__(
        self, model: str, entry: str | None, inputs: tuple[tuple[str, ...], ...], case: str | None, dtype: str,
        seed: int,
    ) -> None:  # fmt: skip
        self.tracer = Tracer()
        self.importer = _Importer(self.tracer)
        self.dtype, self._seed = dtype, seed
        self.loaded, self.function = self._load(self.importer, model, entry)
        self.cases = self._cases(inputs, case)
        self._repeats = False  # whether two runs of each case have done the same
        self._writes = False  # whether some run was seen to write in place
        self._before: dict[str, Any] = {}  # what the modules and globals hold before the runs
        self._plain = _Plain()
        with redirect_stderr(StringIO()):  # it has printed this before
            loaded, self.plain = self._load(self._plain, model, entry)
        other = self._parameters(loaded, self.plain)
        for name, array in self._parameters(self.loaded, self.function).items():
            if name not in other or not np.array_equal(array, other[name], equal_nan=True):
                raise errors.ExportRefused(f"has other weights each time it is loaded (`{name}`)", self.definition())

    def _load(self, importer: Importer, model: str, entry: str | None) -> tuple[script.Loaded, Any]:
        """Return the script and the function in it.  Raises NothingToExport."""
        with self._settings(self._seed, importer):
            loaded = script.load(model, entry, with_inputs=True, execute=importer.execute)
            if loaded.function is None:
                raise errors.NothingToExport(loaded.target.display)
            return loaded, loaded.function() if isinstance(loaded.function, type) else loaded.function

    @staticmethod
    def _parameters(loaded: script.Loaded, function: Any) -> dict[str, Any]:
        variables = vars(loaded.module) if loaded.module else {}
        return {name: tensor._array for tensor, name, _ in naming.parameters(variables, function)}

    def _cases(self, inputs: tuple[tuple[str, ...], ...], case: str | None) -> tuple[Case, ...]:
        signature = signature_of(self.loaded.function, self.loaded.entry)  # type: ignore[arg-type]
        sample = self.loaded.target.sample
        if not inputs:
            inputs = ((f"@{sample}",),) if sample is not None else ((),)
        bounds = [each for given in inputs for each in load_inputs.bind(given, signature, case=case, dtype=self.dtype)]
        defaults = {each.name: each.default for each in signature.parameters if type(each.default) in (int, float)}
        cases = [self._case(bound, defaults) for bound in bounds]
        varying = {
            name
            for name in set().union(*[each.numbers for each in cases])
            if len({repr(each.numbers.get(name)) for each in cases}) > 1
        }
        return tuple(
            Case(each.bound, each.arrays, {n: v for n, v in each.numbers.items() if n in varying}, each.fixed)
            for each in cases
        )

    @staticmethod
    def _case(bound: Bound, defaults: dict[str, Any]) -> Case:
        numbers = {**defaults, **{name: tree for name, tree in bound.items() if type(tree) in (int, float)}}
        numbers = {n: float(v) if type(defaults.get(n)) is float else v for n, v in numbers.items()}
        arrays = {leaf.name: leaf.array for leaf in bound.leaves()}
        return Case(bound, arrays, numbers, _shape_of(bound))

    @contextmanager
    def _settings(self, seed: int, importer: Importer | None = None) -> Iterator[None]:
        default = dtypes.get_default_dtype()
        dtypes.set_default_dtype(getattr(dtypes, self.dtype))
        try:
            with (
                seeded(seed),
                redirect_stdout(sys.stderr),
                recursion_limit_restored(),
                (importer or self.importer).finding(),
            ):
                yield
        finally:
            dtypes.set_default_dtype(default)

    def display(self, file: str) -> str:
        """Return the name that a file is shown by."""
        return shown_path(file, {str(self.loaded.target.path): self.loaded.target.display})

    @property
    def parameters(self) -> dict[int, str]:
        """The names of the model's parameters by their identity."""
        variables = vars(self.loaded.module) if self.loaded.module else {}
        return {id(tensor): name for tensor, name, _ in naming.parameters(variables, self.function)}

    # -- runs

    def eager(self, case: Case) -> dict[str, Any]:
        """Return the outputs of a plain run by name."""
        with self.calling(case) as call:
            return {name: _array(each) for name, each in _outputs(call(self.plain))}

    @contextmanager
    def calling(self, case: Case) -> Iterator[Callable[[Any], Any]]:
        """Return what calls a function with the inputs of a case, as often as it is asked to."""
        with redirect_stderr(StringIO()), self._settings(self._seed, self._plain), grad_mode.no_grad():
            positional, named = case.bound.map_leaves(lambda leaf: _tensor(leaf.array))
            names, kwargs = case.bound.names, dict(named)
            positional = [case.numbers.get(n, v) for n, v in zip(names, positional)]
            kwargs |= {n: v for n, v in case.numbers.items() if n not in names}
            yield lambda function: function(*positional, **kwargs)

    def runs(
        self, cases: Sequence[Case], lengths: Sequence[frozenset[int]], rounding: Rounding | None = None
    ) -> list[Run]:
        """Return each case as a path; `lengths` are the sizes in each that vary, `rounding` as `Recording` takes it.

        Raises NotRecorded, and ScriptRaised for what the script raises.
        """
        self._before = self._outer_state()
        each = list(zip(cases, lengths))
        first: list[Run] = []
        while len(first) < len(each):
            try:
                first.append(self._run(*each[len(first)], self._seed, writes=self._writes, rounding=rounding))
                again = self.tracer.contradicted or (first[-1].path.written and not self._writes)
                self._writes |= first[-1].path.written
            except (RunAgain, NotRecorded):
                again = self.tracer.lists.changed
                if not again:
                    raise
            if again:
                first = []
                self.tracer.start_anew()
        if not self._repeats:
            for one, run in zip(each, first):
                _compare(run, self._run(*one, self._seed + 1, writes=self._writes))
        self._repeats = True
        return first

    def _run(
        self, case: Case, lengths: frozenset[int], seed: int, *, writes: bool, rounding: Rounding | None = None
    ) -> Run:
        with self._settings(seed):
            tensors = {name: _tensor(array) for name, array in case.arrays.items()}
            tensors |= {name: _tensor(_number_array(value)) for name, value in case.numbers.items()}
            recording = Recording(list(tensors.values()), rounding)
            with self.tracer.tracing(recording, lengths, writes=writes):
                copies = {name: each.clone() for name, each in tensors.items()}
                numbers = {name: Number(recording, copies[name]) for name in case.numbers}
                positional, named = case.bound.map_leaves(lambda leaf: copies[leaf.name])
                names, kwargs = case.bound.names, dict(named)
                positional = [numbers.get(n, v) for n, v in zip(names, positional)]
                kwargs |= {n: v for n, v in numbers.items() if n not in names}
                value = without_rows(self._called(positional, kwargs))
                found = {name: self._result(recording, each) for name, each in _outputs(value)}
            path = recording.path(found)
            self._check_state()
        results = {name: np.array(path.arrays[each.number]) for name, each in path.result.items()}
        return Run(case, path, tuple(tensors), dict(path.result), results)

    def _called(self, positional: list[Any], kwargs: dict[str, Any]) -> Any:
        """Return what the model returns.  Raises NotRecorded for what it raises."""
        try:
            return self.function(*positional, **kwargs)
        except (NotRecorded, errors.DyncliError):
            raise
        except Exception as error:
            frames = user_frames(error.__traceback__, {str(self.loaded.target.path): self.loaded.target.display})
            text = str(error).partition("\n")[0]
            line = frame_line(frames[-1]).strip() if frames else self.loaded.target.display
            trains = "does not require grad" in text
            reason = "computes gradients" if trains else f"raises {type(error).__name__} ({text})"
            raise NotRecorded(reason, line.removeprefix("at ")) from None

    def _result(self, recording: Any, value: Any) -> Any:
        """Return the tensor that stands for a part of what the model returned."""
        if isinstance(value, Tensor):
            return value
        if isinstance(value, Number):
            return value.tensor
        if isinstance(value, bool):
            return recording.tape.constant(np.bool_(value))
        if isinstance(value, (int, float)):
            return recording.constant(value)
        raise NotRecorded(f"returns a {type(value).__name__}, which is no tensor", self.definition())

    def definition(self) -> str:
        """Return the line that the entry's definition begins at."""
        function = getattr(self.function, "forward", self.function)
        code = getattr(function, "__code__", None)
        return f"{self.display(code.co_filename)}:{code.co_firstlineno}" if code else self.loaded.target.display

    # -- what a run may not change

    def _outer_state(self) -> dict[str, Any]:
        """Return what the modules and globals hold besides the elements of tensors."""
        found: dict[str, Any] = {}
        for prefix, module in self._modules():
            for name, value in vars(module).items():
                if name not in _OF_PYTHON:
                    state = State(_NoRecording(), exact_shapes=True)
                    found[f"{prefix}{name}"] = state.add("", value)
            found[f"{prefix}<modules>"] = tuple(getattr(module, "_modules", ()))
            found[f"{prefix}<parameters>"] = tuple((n, id(p)) for n, p in getattr(module, "_parameters", {}).items())
        return found

    def _modules(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = [("", self.loaded.module)] if self.loaded.module else []
        roots = [self.function, *(vars(self.loaded.module).values() if self.loaded.module else ())]
        seen: set[int] = set()
        for root in roots:
            if not isinstance(root, (type, ModuleType)) and hasattr(root, "named_modules"):
                for name, each in root.named_modules():
                    if id(each) not in seen:
                        seen.add(id(each))
                        found.append((f"{name}." if name else "self.", each))
        return found

    def _check_state(self) -> None:
        before, after = self._before, self._outer_state()
        for name in before | after:
            if before.get(name) != after.get(name):
                raise NotRecorded(f"changes `{name}`, which outlives the call", self._line_of(name))

    def _line_of(self, name: str) -> str:
        """Return the line that assigns to an attribute or a global, as far as the text says it."""
        import re

        word = name.rpartition(".")[2].strip("<>")
        text = self.loaded.target.path.read_text(encoding="utf-8")
        kinds = {"modules": r"\.(append|add_module|insert|extend)\(|\bnn\.", "parameters": r"Parameter\("}
        pattern = kinds.get(
            word, rf"\b{re.escape(word)}\b\s*([-+*/|&]?=(?!=)|\[.*\]\s*=|\.(append|add|extend|update|pop)\()"
        )
        hits = [n for n, line in enumerate(text.splitlines(), 1) if re.search(pattern, line)]
        place = f"{self.loaded.target.display}:{hits[-1]}" if hits else self.loaded.target.display
        return f"{place}: `{text.splitlines()[hits[-1] - 1].strip()}`" if hits else place


class _NoRecording:
    """Stands for a recording where every tensor counts as outside."""

    def is_outside(self, tensor: Any) -> bool:
        return True


def _shape_of(bound: Bound) -> tuple[tuple[str, str], ...]:
    """Return the structure of the inputs by name: everything but their arrays and Python numbers."""
    found: list[tuple[str, str]] = []

    def leaf(each: Leaf) -> Any:
        found.append((each.name, f"{each.array.dtype} of {each.array.ndim} dimensions"))
        return each.name

    positional, named = bound.map_leaves(leaf)
    trees = [*zip(bound.names, positional), *named.items()]
    return (*found, *((name, repr(tree)) for name, tree in trees if type(tree) not in (int, float)))


def differing(one: Case, other: Case) -> str | None:
    """Return the name of an input whose structure differs in two cases, None if there is none."""
    first, second = dict(one.fixed), dict(other.fixed)
    return next((name for name in first | second if first.get(name) != second.get(name)), None)


def _tensor(array: Any) -> Tensor:
    return exchange.from_numpy(np.array(array))


def _number_array(value: float) -> Any:
    return np.float64(value) if isinstance(value, float) else np.int64(value)


def _outputs(value: Any) -> list[tuple[str, Any]]:
    return naming.outputs(value)


def _array(value: Any) -> Any:
    if isinstance(value, Tensor):
        return np.array(value._array)
    return np.array(value) if isinstance(value, (bool, int, float)) else value


def _compare(first: Run, again: Run) -> None:
    """Raise NotRecorded where two runs of one case, with two seeds, did not do the same."""
    constants = list(zip(first.path.constants, again.path.constants))
    other = {b.value.number for a, b in constants if a.array.tobytes() != b.array.tobytes()}
    for one, node in zip(first.path.nodes, again.path.nodes):
        if type(node).__name__ == "Mark":
            continue
        if getattr(node, "random", False):
            raise NotRecorded(f"draws random numbers (`{node.op}`)", _line(node))
        numbers = {each.number for each in values_in(dict(getattr(node, "arguments", {})))}
        if other & numbers or str(one) != str(node):
            raise NotRecorded("draws random numbers, or reads the time: two runs differ", _line(node))
    for name, array in first.results.items():
        if not np.array_equal(array, again.results[name], equal_nan=array.dtype.kind == "f"):
            raise NotRecorded(f"does not return the same `{name}` in two runs", "?")
    if other or len(first.path.nodes) != len(again.path.nodes):
        raise NotRecorded("does not do the same in two runs", "?")


def _line(node: Any) -> str:
    """Return where a node of a path stands in the script."""
    site = getattr(getattr(node, "decision", node), "site", None)
    return f"{site.file}:{site.line}: `{site.source}`" if site is not None else "?"
