"""MODEL: which file it names, and which callable in it is run, with its signature.

loaded = load("nets/tree.py:forward", with_inputs=True, execute=importer.execute)
loaded.function(...)            # or, when the script itself is the run: loaded.run_script()

1. The one that is named: `script.py:entry`, or `--entry`.
2. When inputs are given, `forward` or `model`; else the only public function or nn.Module class that needs no
   arguments.  A bundled model has inputs: its sample.
3. Otherwise the script itself, as under `python script.py`.  If it ran to its end without an op on a tensor and has a
   `forward` or `model`, it only defines that, which is run then: without inputs, or the error says which it needs.

`load` decides between 1, 2 and 3; `recorder.record_model` takes the second half of 3.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import sys
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from dyncli import errors
from dyncli.records.text import parse
from dyncli.script import paths
from dyncli.script.execute import Execute, execute_plain
from dyncli.script.paths import beside, display, is_file, is_record
from dyncli.script.readers import READERS

SCRIPT_ITSELF = "__main__"
LARGEST_SCRIPT_BYTES = 10_000_000
_COLON = r"(?P<file>.+):(?P<entry>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"


class Target(NamedTuple):
    """File that MODEL names, its shown name, the entry, and a bundled model's sample.

    typed: the file as the user wrote it; None for a bundled model.
    """

    path: Path
    display: str
    entry: str | None = None
    sample: Path | None = None
    typed: str | None = None


class Loaded(NamedTuple):
    """A script ready to run.

    entry: the name of what is run, `__main__` when the script itself is.  function, module: the callable and the
    executed module; both None when the script itself is the run, because it has not run yet.
    """

    target: Target
    entry: str
    function: Callable[..., Any] | None
    module: ModuleType | None
    execute: Execute

    @property
    def is_script(self) -> bool:
        """True if the script itself is the run, as under `python script.py`."""
        return self.function is None

    def run_script(self) -> ModuleType:
        """Run the script as `__main__` and return its module.

        Its exceptions pass through, SystemExit too.
        """
        return self.execute(self.target.path, self.target.display, SCRIPT_ITSELF)


def load(
    model: str, entry: str | None = None, *, with_inputs: bool = False, execute: Execute = execute_plain
) -> Loaded:
    """Load the script that `model` names, and resolve its entry.

    It is executed unless it is itself the run.
    with_inputs: the user gave inputs; with none and no entry the script itself is the run.
    Raises ScriptNotFound, UnknownModel, ScriptUnreadable, ScriptSyntax, ScriptRaised, ScriptExited, and the errors of
    `choose` and `choose_named`.
    """
    target = find(model)
    if entry and target.entry and entry != target.entry:
        raise errors.EntryTwice(target.entry, entry)
    name = entry or target.entry
    read_source(target)
    with_inputs = with_inputs or target.sample is not None
    if name == SCRIPT_ITSELF or (name is None and not with_inputs):
        return Loaded(target, SCRIPT_ITSELF, None, None, execute)
    with _users_errors(target):
        module = execute(target.path, target.display, module_name(target.path))
        if name is not None:
            return Loaded(target, name, choose_named(module, name, target.display), module, execute)
        entry, function = choose(module, target.display)
    return Loaded(target, entry, function, module, execute)


def find(model: str) -> Target:
    """Return the file that MODEL names: a path, `path:entry`, or a bundled name.

    A bundled name is found even if a folder of that name stands here; a file of that very name comes first.
    """
    for file, entry in _splits(model):
        path = Path(file)
        if is_file(file):
            _refuse_data(file)
            return Target(path.resolve(), display(str(path.absolute()), {}), entry, typed=file)
        known = paths.find(file)
        if known is not None:
            return Target(known.path, known.display, entry, known.sample, file if known.is_script else None)
    file = _splits(model)[-1][0]
    if os.path.isdir(file):
        raise errors.ScriptUnreadable(file, "it is a folder")
    names = [known.name for known in paths.models()]
    here = beside(file, [".py"])
    if file.endswith(".py") or "/" in file or "\\" in file:
        raise errors.ScriptNotFound(file, [*names, *here])
    raise errors.UnknownModel(file, [*names, *here])


def argv(model: str, arguments: Sequence[str]) -> list[str]:
    """Return the `sys.argv` of the script that `model` names, as under `python script.py arguments`.

    Raises ArgumentsUnused for a bundled model, which reads none, and the errors of `find`.
    """
    target = find(model)
    if target.typed is None and arguments:
        raise errors.ArgumentsUnused(target.display, "a bundled model", arguments)
    return [target.typed or str(target.path), *arguments]


def _refuse_data(file: str) -> None:
    """Raise ScriptUnreadable for a notebook, a record or inputs, by the suffix."""
    if file.endswith(".ipynb"):
        hint = f"write its cells into a script: `jupyter nbconvert --to script {file}`"
        raise errors.ScriptUnreadable(file, "it is a notebook", hint)
    if is_record(file):
        raise errors.ScriptUnreadable(file, "it is a saved record, which holds no code to run")
    if Path(file).suffix.lower() in READERS:
        raise errors.ScriptUnreadable(file, "it holds inputs, not a model")


def read_source(target: Target) -> bytes:
    """Return the script's bytes, if they are Python that compiles."""
    try:
        if target.path.stat().st_size > LARGEST_SCRIPT_BYTES:
            raise errors.ScriptUnreadable(target.display, "it is larger than 10 MB")
        source = target.path.read_bytes()
    except OSError as error:
        raise errors.ScriptUnreadable(target.display, errors.reason(error)) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are shown when the script is compiled to be run
            compile(source, str(target.path), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise syntax_error(error, target.display) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise errors.ScriptUnreadable(target.display, str(error) or type(error).__name__) from None
    return source


def module_name(path: Path) -> str:
    """Return the name that a script is imported by.

    That of its file, unless another module has it (`random.py`, `numpy.py`).
    """
    name = path.stem
    if name.isidentifier() and name not in sys.stdlib_module_names:
        known = sys.modules.get(name)
        spec = None if known else find_spec(name)
        file = getattr(known, "__file__", None) if known else spec and spec.origin
        if file == str(path) or not (known or spec):
            return name
    return f"script_{re.sub(r'[^0-9A-Za-z_]', '_', name)}"


def syntax_error(error: SyntaxError, file: str) -> errors.ScriptSyntax:
    """Convert the user's syntax error to one of ours."""
    line = error.text.strip() if error.text else None
    return errors.ScriptSyntax(f"{file}:{error.lineno}" if error.lineno else file, error.msg, line)


def _splits(model: str) -> list[tuple[str, str | None]]:
    match = re.fullmatch(_COLON, model) if ":" in model else None
    whole: tuple[str, str | None] = (model, None)
    return [whole, (match["file"], match["entry"])] if match else [whole]


@contextmanager
def _users_errors(target: Target) -> Iterator[None]:
    """Convert exceptions of a script that is loaded, with the user's own frames."""
    names = {str(target.path): target.display}
    try:
        yield
    except errors.DyncliError:
        raise
    except SystemExit as error:
        raise errors.ScriptExited(error.code, _frame_lines(error, names)) from None
    except SyntaxError as error:  # of a module that the script imports
        raise syntax_error(error, display(error.filename or target.display, names)) from None
    except Exception as error:
        raise errors.ScriptRaised(error, _frame_lines(error, names)) from error
    finally:
        sys.stdout.flush()


def _frame_lines(error: BaseException, names: dict[str, str]) -> list[str]:
    from dyncli.script.frames import frame_line, user_frames

    return list(map(frame_line, user_frames(error.__traceback__, names)))


EMPTY = inspect.Parameter.empty


class Parameter(NamedTuple):
    """One parameter; annotation is a type, or `typing.Any` where there is none that can be understood."""

    name: str
    kind: inspect._ParameterKind
    annotation: Any
    default: Any

    @property
    def is_required(self) -> bool:
        """True if the entry cannot be called without it."""
        return self.default is EMPTY and not self.is_variadic

    @property
    def is_variadic(self) -> bool:
        """True for `*args` and `**kwargs`."""
        return self.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Signature(NamedTuple):
    """An entry's parameters and `text`, as in `forward(x: Tensor, steps: int = 3)`."""

    text: str
    parameters: tuple[Parameter, ...]

    @property
    def names(self) -> list[str]:
        """Names of the parameters that can be given by name."""
        return [parameter.name for parameter in self.parameters if not parameter.is_variadic]

    @property
    def positional(self) -> list[Parameter]:
        """Parameters that unnamed inputs fill, in order."""
        keyword = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
        return [parameter for parameter in self.parameters if parameter.kind not in keyword]

    @property
    def rest(self) -> Parameter | None:
        """`*args`."""
        return self._of_kind(inspect.Parameter.VAR_POSITIONAL)

    @property
    def keywords(self) -> Parameter | None:
        """`**kwargs`."""
        return self._of_kind(inspect.Parameter.VAR_KEYWORD)

    def takes(self, name: str) -> bool:
        """Return True if a value of that name can be given."""
        return name in self.names or self.keywords is not None

    def _of_kind(self, kind: inspect._ParameterKind) -> Parameter | None:
        return next((parameter for parameter in self.parameters if parameter.kind is kind), None)


def signature_of(function: Callable[..., Any], name: str) -> Signature:
    """Return the signature of an entry; of an nn.Module that of its `forward`."""
    target = called(function)
    try:
        found = inspect.signature(target)
    except (TypeError, ValueError):  # a builtin that does not say
        rest = inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL)
        found = inspect.Signature([rest])
    hints = _hints(target)
    parameters = tuple(
        Parameter(each.name, each.kind, hints.get(each.name, Any), each.default) for each in found.parameters.values()
    )
    text = ", ".join(_parameter_text(each) for each in found.parameters.values())
    return Signature(f"{name}({text})", parameters)


def short(annotation: object) -> str:
    """Return an annotation as one writes it: `Tensor`, `list[Tensor]`, `int | None`."""
    if annotation is type(None):
        return "None"
    if isinstance(annotation, str):
        text = annotation
    elif isinstance(annotation, type) and not typing.get_args(annotation):
        text = annotation.__name__
    else:
        text = str(annotation).replace("NoneType", "None")
    words = []
    word = ""
    for letter in text + " ":
        if letter.isalnum() or letter in "_.":
            word += letter
        else:
            words += [word if word.startswith(".") else word.rpartition(".")[2], letter]
            word = ""
    return "".join(words)[:-1]


def called(function: Any) -> Any:
    """Return what runs when an entry is called: of an nn.Module its `forward`."""
    forward = getattr(function, "forward", None)
    is_instance = not inspect.isroutine(function) and not isinstance(function, type)
    if is_instance and callable(forward) and type(function).__call__ is not type(function).__dict__.get("__call__"):
        return forward
    return function


def _hints(target: Any) -> dict[str, Any]:
    """Return the annotations as types.

    One that cannot be evaluated (a name only a type checker sees) stays text.
    """
    function = inspect.unwrap(target if inspect.isroutine(target) else getattr(target, "__call__", target))  # noqa: B004
    try:
        return typing.get_type_hints(function)
    except Exception:
        names = getattr(function, "__globals__", {})
        return {name: _evaluated(text, names) for name, text in getattr(function, "__annotations__", {}).items()}


def _evaluated(annotation: Any, names: dict[str, Any]) -> Any:
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(names))  # the script's own text, which is run anyway
    except Exception:
        return annotation


def _parameter_text(parameter: inspect.Parameter) -> str:
    stars = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + "**" * (parameter.kind is parameter.VAR_KEYWORD)
    text: str = stars + parameter.name
    if parameter.annotation is not EMPTY:
        text += f": {short(parameter.annotation)}"
    if parameter.default is not EMPTY:
        text += f"{' = ' if ':' in text else '='}{_default_text(parameter.default)}"
    return text


def _default_text(value: object) -> str:
    if value is None or isinstance(value, bool | int | float | str):
        text = repr(value)
        return text if len(text) <= 30 else "..."
    return "..."


PREFERRED = ("forward", "model")


def preferred(variables: Mapping[str, Any]) -> str | None:
    """Return the name of the entry that needs no choice among a script's variables: `forward`, else `model`."""
    return next((name for name in PREFERRED if is_entry(variables.get(name))), None)


def choose(module: ModuleType, file: str) -> tuple[str, Callable[..., Any]]:
    """Return the entry that takes the inputs of a script that names none: (name, callable).

    Raises EntryAmbiguous, EntryNeedsArguments, and NoEntry when nothing takes them.
    """
    name = preferred(module.__dict__)
    if name is not None:
        return name, built(module.__dict__[name], name)
    names = candidates(module)
    ready = [name for name in names if not needs_arguments(module.__dict__[name])]
    if len(ready) == 1:
        return ready[0], built(module.__dict__[ready[0]], ready[0])
    if ready:
        raise errors.EntryAmbiguous(file, ready)
    if names:
        return names[0], built(module.__dict__[names[0]], names[0])  # raises: it needs arguments
    raise errors.NoEntry(file)


def choose_named(module: ModuleType, name: str, file: str) -> Callable[..., Any]:
    """Return the callable of that name, a dotted one too: `net.encode`, or `Net.encode` of a module made for it.

    Raises EntryNotFound, EntryNotCallable, EntryNeedsArguments.
    """
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            raise errors.EntryNotFound(name, file, candidates(module))
        if is_module_class(value) and inspect.isfunction(inspect.getattr_static(value, part)):
            value = built(value, name)
        value = getattr(value, part)
    if not is_entry(value):
        raise errors.EntryNotCallable(name, _kind(value))
    return built(value, name)


def candidates(module: ModuleType) -> list[str]:
    """Return the public functions and nn.Module classes that the script defines.

    In the order of the script.
    A Module class that another of them is made of or inherits from still counts: only the user can tell them apart.
    """
    return [
        name
        for name, value in module.__dict__.items()
        if not name.startswith("_")
        and getattr(value, "__module__", None) == module.__name__
        and (isinstance(value, FunctionType) or is_module_class(value))
    ]


def is_entry(value: object) -> bool:
    """Return True for a function, a callable object, or an nn.Module class."""
    return is_module_class(value) if isinstance(value, type) else callable(value)


def is_module_class(value: object) -> bool:
    """Return True for a subclass of `nn.Module`.

    It is recognized by name, because the engine is not imported here.
    """
    return isinstance(value, type) and any(
        base.__name__ == "Module" and ".nn" in base.__module__ for base in value.__mro__[1:]
    )


def built(value: Any, name: str) -> Callable[..., Any]:
    """Return the callable itself; an nn.Module class is built without arguments.

    Raises EntryNeedsArguments, and EntryNotCallable for a function that does not run when it is called.
    """
    if inspect.iscoroutinefunction(value):
        raise errors.EntryNotCallable(name, "an async function")
    if inspect.isgeneratorfunction(value):
        raise errors.EntryNotCallable(name, "a generator function")
    if not isinstance(value, type):
        return value
    if needs_arguments(value):
        signature = inspect.signature(value)
        required = [each.name for each in signature.parameters.values() if each.default is each.empty and each.kind < 2]
        raise errors.EntryNeedsArguments(value.__name__, str(signature), required)
    return value()


def needs_arguments(value: object) -> bool:
    """Return True for an nn.Module class that cannot be built without arguments."""
    if not isinstance(value, type):
        return False
    try:
        inspect.signature(value).bind()
    except TypeError:
        return True
    except ValueError:
        return False
    return False


def names_forward_or_model(source: bytes) -> bool:
    """Return True if a script binds `forward` or `model` at its top level.

    The script is not run.  Plain constants do not count, nor bindings under `if __name__ == "__main__":`.
    """
    return any(name in PREFERRED for name in _bound_names(parse(source).body))


def _bound_names(body: list[ast.stmt]) -> Iterator[str]:
    for statement in body:
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from (alias.asname or alias.name for alias in names)
            case ast.Assign(targets=targets, value=value) if not _is_plain(value):
                yield from (node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None and not _is_plain(value):
                yield name
            case ast.If(test=test) if _is_main_guard(test):
                yield from _bound_names(statement.orelse)
            case ast.If() | ast.For() | ast.While() | ast.With() | ast.Try() | ast.TryStar():
                for field in ("body", "orelse", "finalbody"):
                    yield from _bound_names(getattr(statement, field, []))
                for handler in getattr(statement, "handlers", []):
                    yield from _bound_names(handler.body)


def _is_plain(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant | ast.List | ast.Dict | ast.Set | ast.JoinedStr | ast.UnaryOp)


def _is_main_guard(test: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(test))


def _kind(value: object) -> str:
    if isinstance(value, type):
        return "a class that is no nn.Module"
    if isinstance(value, ModuleType):
        return "a module"
    article = "an" if type(value).__name__[0].lower() in "aeiou" else "a"
    return f"{article} {type(value).__name__}"
