"""The model under check: loaded in float64, called again and again with the same seed and the same state.

subject = Subject(settings)
for bound in subject.cases():
    call = Call(subject, bound)
    outputs = call(call.start)                       # the outputs by name, and the tensors they were made of
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dyncli import errors
from dyncli.gradchecking import module_sites
from dyncli.gradchecking.settings import Settings
from dyncli.gradchecking.state import fingerprint
from dyncli.instrument.runtime.importer import Importer
from dyncli.instrument.runtime.live_functions import LiveFunctions
from dyncli.recorder import naming
from dyncli.recorder.engine import Tensor, autograd, dtypes, exchange, storage, wrap
from dyncli.recorder.settings import reseed, restore, rng_state, seeded
from dyncli.records.text import parse
from dyncli.script import inputs as load_inputs, script
from dyncli.script.convert import Bound, Leaf
from dyncli.script.script import choose_named, names_forward_or_model, signature_of

FLOATS = (
    "gradients are checked in float64: for a tensor made as float32 by name write `dtype=x.dtype` or `.to(x.dtype)`"
)


class Source(NamedTuple):
    """An input or parameter with respect to which derivatives are checked."""

    name: str
    role: str
    array: Any


class Subject:
    """One script, loaded; loaded again where it keeps state.

    most_upkeep: the most that a `Call` may do before a call.
    """

    most_upkeep = "reload"
    importer: Importer | LiveFunctions

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.importer = Importer(script.argv(settings.model, settings.arguments))
        self.importer.program.pinned = True
        self.log: list[Any] = []
        self.rng_state: tuple[Any, Any, Any] | None = None
        with self.in_double():
            self.loaded = self._load()
            self.settle()

    def _load(self) -> script.Loaded:
        """Return the script with its entry; raise NothingToCheck if it has none, before a long script has run."""
        settings = self.settings
        target = script.find(settings.model)
        name = settings.entry or target.entry
        has_inputs = settings.inputs or target.sample is not None
        if name == script.SCRIPT_ITSELF or not (
            name or has_inputs or names_forward_or_model(script.read_source(target))
        ):
            raise _nothing(target)
        try:
            return script.load(settings.model, settings.entry, with_inputs=True, execute=self.execute)
        except errors.NoEntry:
            raise _nothing(target) from None
        except errors.ScriptRaised as raised:
            if mixes_floats(raised.error) and not errors.parted(errors.notes(raised.error))[0]:
                raised.hint = FLOATS
            raise

    def execute(self, path: Any, display: str, name: str) -> Any:
        """Run the script with probes, and note which line builds each module."""
        assert isinstance(self.importer, Importer)
        module_sites.forget()
        with module_sites.noted():
            return self.importer.execute(path, display, name)

    @property
    def display(self) -> str:
        """The name the script is shown by."""
        return self.loaded.target.display

    @property
    def names(self) -> dict[str, Any]:
        """The script's variables."""
        return vars(self.loaded.module) if self.loaded.module is not None else {}

    @contextmanager
    def in_double(self) -> Iterator[None]:
        """Make float64 the default and set the seed; afterwards restore the default."""
        default = dtypes.get_default_dtype()
        dtypes.set_default_dtype(dtypes.float64)
        try:
            with seeded(self.settings.seed):
                yield
        finally:
            dtypes.set_default_dtype(default)

    def reload(self) -> None:
        """Execute the script again, so that its state is that before the first call."""
        reseed(self.settings.seed)
        target, entry = self.loaded.target, self.loaded.entry
        module = self.execute(target.path, target.display, script.module_name(target.path))
        function = choose_named(module, entry, target.display)
        self.loaded = script.Loaded(target, entry, function, module, self.loaded.execute)
        self.settle()

    def settle(self) -> None:
        """Convert the script's own tensors to float64, and keep the state of the random numbers."""
        for tensor in self.tensors():
            if tensor._array.dtype in (np.float32, np.float16):
                tensor.data = wrap(np.asarray(tensor._array, np.float64), None)
        self.rng_state = rng_state()

    def tensors(self) -> list[Tensor]:
        """List the parameters, buffers and other tensors that the script holds."""
        found = {id(tensor): tensor for tensor, _, _ in naming.parameters(self.names, self.loaded.function)}
        for name, value in self.holders():
            found.update({id(tensor): tensor for _, tensor in naming.leaves(value, name)})
        return list(found.values())

    def holders(self) -> list[tuple[str, Any]]:
        """Return what may hold tensors, by name.

        The script's variables, the attributes of its modules and of its objects.
        """
        held = [*self.names.items(), *(item for each in self.modules() for item in vars(each).items())]
        for name, value in [("", getattr(self.loaded.function, "__self__", None)), *self.names.items()]:
            if type(value).__module__ == self.names.get("__name__") and not hasattr(type(value), "named_modules"):
                inner = getattr(value, "__dict__", {})
                held += [(f"{name}.{attribute}".lstrip("."), each) for attribute, each in inner.items()]
        return [(name, value) for name, value in held if not name.startswith("__")]

    def modules(self) -> list[Any]:
        """List the script's nn.Modules, submodules included."""
        held = [self.loaded.function, getattr(self.loaded.function, "__self__", None), *self.names.values()]
        outer = [each for each in held if hasattr(type(each), "named_modules")]
        return [inner for each in outer for _, inner in each.named_modules()]

    def state(self) -> bytes:
        """Hash all that the script keeps between calls."""
        return fingerprint(self.names, self.loaded.function)

    def cases(self) -> tuple[Bound, ...]:
        """Load the inputs of every case: `--input`, else the bundled model's sample."""
        assert self.loaded.function is not None
        signature = signature_of(self.loaded.function, self.loaded.entry)
        given = list(self.settings.inputs)
        sample = self.loaded.target.sample
        if not given and sample is not None:
            given = [f"@{sample}"]
        return load_inputs.bind(given, signature, case=self.settings.case, dtype="float64")


class Call:
    """The entry with one case's inputs.  start: the values of everything that derivatives are taken by.

    tangents: what the inputs carry in forward mode.  made: the inputs of the last call.
    upkeep: what is done before each call: `reload` the script, or put the `tensors` back that the last one changed.
    """

    def __init__(self, subject: Subject, bound: Bound) -> None:
        self.subject = subject
        self.bound = bound
        self.upkeep = "none"
        self.uses_rng = True
        self._floating = [leaf for leaf in bound.leaves() if leaf.is_floating]
        self.start = [Source(leaf.name, "input", double(leaf.array)) for leaf in self._floating]
        self.start += [Source(name, "parameter", double(each._array)) for each, name in self._parameters()]
        self.tangents: list[Any] | None = None
        self.made: list[Tensor] = []
        self._kept: list[tuple[Tensor, Any]] = []
        self._dirty: set[int] = set()
        self.keep()

    @property
    def inputs(self) -> int:
        """Return how many of `start` are inputs."""
        return len(self._floating)

    @property
    def taken(self) -> list[Tensor]:
        """The tensors that the last call took its values by: inputs, as far as they are made, and parameters."""
        return [*self.made, *self._held] if len(self.made) == len(self._floating) else self.made

    def _parameters(self) -> list[tuple[Tensor, str]]:
        found = naming.parameters(self.subject.names, self.subject.loaded.function)
        named = {id(each): (each, name) for each, name, role in found if role == "parameter"}
        for name, holder in self.subject.holders():
            for path, tensor in naming.leaves(holder, name):
                if tensor.is_leaf:
                    named.setdefault(id(tensor), (tensor, path))
        inputs = {leaf.name for leaf in self._floating}
        return [
            (each, f"{name} (of the script)" if name in inputs else name)
            for each, name in named.values()
            if each._edge is not None
        ]

    def keep(self) -> None:
        """Store the values of the script's tensors."""
        self._kept = [(tensor, np.array(tensor._array)) for tensor in self.subject.tensors()]
        self._held = [each for each, _ in self._parameters()]

    def renew(self) -> None:
        """Restore the script's state before its first call, as far as `upkeep` requires."""
        if self.upkeep == "reload":
            self.made, self._held = [], []
            self.subject.reload()
            self._held = [each for each, _ in self._parameters()]
        elif self.upkeep == "tensors":
            for tensor, array in self._kept:
                storage(tensor)[...] = array

    def __call__(self, values: list[Any]) -> tuple[list[tuple[str, Tensor]], list[Tensor]]:
        """Call the entry; return its floating-point outputs by name, and the tensors made from `values`."""
        self.renew()
        if self.uses_rng:
            restore(self.subject.rng_state)
        count = len(self._floating)
        sources: list[Tensor] = []
        self.made = sources

        def tensor(leaf: Leaf) -> Tensor:
            if not leaf.is_floating:
                return exchange.from_numpy(leaf.array).clone()
            value = values[len(sources)]
            own = value is self.start[len(sources)].array  # any other was made for this call
            made = wrap(np.array(value) if own else value, None)
            made.requires_grad_()
            sources.append(made)
            if self.tangents is not None:
                return autograd.forward_ad.make_dual(made, wrap(self.tangents[len(sources) - 1], None))
            return made

        self._set_parameters(values[count:])
        positional, named = self.bound.map_leaves(tensor)
        function: Any = self.subject.loaded.function
        returned = function(*positional, **named)
        return floating(returned), [*sources, *self._held]

    def _set_parameters(self, values: list[Any]) -> None:
        """Write into the parameters only the values that changed since the last call."""
        for number, (parameter, value) in enumerate(zip(self._held, values)):
            start = self.start[len(self._floating) + number].array
            if value is not start or number in self._dirty:
                storage(parameter)[...] = value
                (self._dirty.discard if value is start else self._dirty.add)(number)
            if parameter._edge is not None:
                parameter._edge.grad = None


def _nothing(target: script.Target) -> errors.NothingToCheck:
    return errors.NothingToCheck(target.display, functions_of(target.path))


def functions_of(path: Path) -> list[tuple[str, list[str]]]:
    """List the public functions at a script's top level that return something, with their parameter names."""
    return [
        (node.name, [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)])
        for node in parse(path.read_bytes()).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        if any(isinstance(each, ast.Return) and each.value is not None for each in ast.walk(node))
    ]


def mixes_floats(error: BaseException) -> bool:
    """Return whether an op was given tensors of float32 and float64."""
    return {"float", "double"} <= set(re.findall(r"\w+", str(error).lower()))


def double(array: Any) -> Any:
    """Copy an array in double precision, complex128 if it is complex."""
    given = np.asarray(array)
    return np.array(given, np.complex128 if given.dtype.kind == "c" else np.float64)


def floating(value: Any) -> list[tuple[str, Tensor]]:
    """List the floating-point tensors in an entry's return value, by name."""
    if type(value) is Tensor:
        return [("output", value)] if value._array.dtype.kind in "fc" else []
    return [
        (name, tensor)
        for output, inner in naming.outputs(value)
        for name, tensor in naming.leaves(inner, output)
        if tensor._array.dtype.kind in "fc"
    ]
