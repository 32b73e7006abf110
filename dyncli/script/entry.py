"""Choice of the callable that is run.

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
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

from dyncli import errors
from dyncli.records.syntax import parse

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
        return value  # type: ignore[no-any-return]
    if needs_arguments(value):
        signature = inspect.signature(value)
        required = [each.name for each in signature.parameters.values() if each.default is each.empty and each.kind < 2]
        raise errors.EntryNeedsArguments(value.__name__, str(signature), required)
    return value()  # type: ignore[no-any-return]


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
