"""The kinds of rows that `stub_table.py` is made of: names, and what makes the object of a name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any

from dyncore.errors.instead import hint_for

__capture__ = "replayed"

Row = tuple[str, Callable[[str, str], Any]]  # names, and what makes the object for a module's title and a name


def value(names: str, of: Any) -> Row:
    """Return a row of names that are `of`."""
    return names, lambda title, name: of


def found(names: str, place: str) -> Row:
    """Return a row of names that another module or object of the engine has, such as `"nn:Module"` or `"nn"`."""
    module, _, path = place.partition(":")

    def make(title: str, name: str) -> Any:
        owner = import_module(f"dyncore.{module}" if module else "dyncore")
        return functools.reduce(getattr, (path or name).split("."), owner)

    return names, make


def answers(names: str, answer: Any) -> Row:
    """Return a row of functions that return `answer`, a new one where it is a list, dict or set."""

    def make(title: str, name: str) -> Any:
        def function(*given: Any, **options: Any) -> Any:
            return answer.copy() if isinstance(answer, (list, dict, set)) else answer

        return _titled(function, title, name, f"Return {answer!r}.")

    return names, make


def nothing(names: str) -> Row:
    """Return a row of functions that do nothing."""
    return answers(names, None)


def same(names: str) -> Row:
    """Return a row of functions, also decorators with options, that return what they are given."""

    def make(title: str, name: str) -> Any:
        def function(*given: Any, **options: Any) -> Any:
            return given[0] if given and (callable(given[0]) or len(given) > 1) else lambda decorated: decorated

        return _titled(function, title, name, "Return what is given, unchanged.")

    return names, make


class _Block:
    """A call, a `with` block or a decorator that changes nothing."""

    def __init__(self, *given: Any, **options: Any) -> None:
        self.__dict__.update(options)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exc: object) -> None:
        return None

    def __call__(self, function: Any) -> Any:
        return function


def block(names: str) -> Row:
    """Return a row of classes for `with` blocks and decorators that change nothing."""
    return names, lambda title, name: type(name, (_Block,), {"__module__": title, "__doc__": _Block.__doc__})


def raises(names: str, error: Callable[[], Exception]) -> Row:
    """Return a row of names whose use raises `error()`."""
    return names, lambda title, name: refused(title, name, error)


class Switches:
    """Settings that remember what they are told; one that was never set is another such object, and false."""

    def __init__(self, **known: Any) -> None:
        self.__dict__.update(known)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.__dict__.setdefault(name, Switches())

    def __bool__(self) -> bool:
        return False


class _RefusedClass(type):
    """The class of classes that are not here: they can be named and derived from, not used."""

    error: Callable[[], Exception]

    def __call__(cls, *given: Any, **options: Any) -> Any:
        raise cls.error()

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise cls.error()


class _RefusedFunction:
    """A function or module that is not here: it can be named, not used."""

    def __init__(self, title: str, name: str, error: Callable[[], Exception]) -> None:
        self.__module__, self.__name__, self.__qualname__, self._error = title, name, name, error

    def __call__(self, *given: Any, **options: Any) -> Any:
        raise self._error()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise self._error()


def refused(title: str, name: str, error: Callable[[], Exception]) -> Any:
    """Return the stand-in of a name that is not here: a class if it is spelled like one, else a function."""
    if name.lstrip("_")[:1].isupper():
        return _RefusedClass(name, (), {"error": staticmethod(error), "__module__": title})
    return _RefusedFunction(title, name, error)


def _titled(function: Any, title: str, name: str, doc: str) -> Any:
    function.__name__ = function.__qualname__ = name
    function.__module__, function.__doc__ = title, doc
    return function


def not_here(title: str) -> NotImplementedError:
    """Return the error for the use of what PyTorch calls `title`."""
    error = NotImplementedError(f"{title} is not part of dyncore")
    if (hint := hint_for(title)) is not None:
        error.add_note(f"hint: {hint}")
    return error
