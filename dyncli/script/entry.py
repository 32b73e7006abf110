"""Choice of the callable that is run, and its signature: parameters, their types, and one line of text.

1. The one that is named: `script.py:entry`, or `--entry`.
2. When inputs are given, `forward` or `model`; else the only public function or nn.Module class that needs no
   arguments.  A bundled model has inputs: its sample.
3. Otherwise the script itself, as under `python script.py`.  If it ran to its end without an op on a tensor and has a
   `forward` or `model`, it only defines that, which is run then: without inputs, or the error says which it needs.

`script.load` decides between 1, 2 and 3; `recorder.record_model` takes the second half of 3.
"""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from dyncli import errors
from dyncli.records.syntax import parse

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
    """Return the callable of that name, a dotted one too (`net.encode`).

    Raises EntryNotFound, EntryNotCallable, EntryNeedsArguments.
    """
    value: Any = module
    for part in name.split("."):
        if not hasattr(value, part):
            raise errors.EntryNotFound(name, file, candidates(module))
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
