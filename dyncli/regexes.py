"""The regular expressions of modules whose byte code is kept: compiled once, not at each start.

Python compiles them in Python, at 0.2 to 2.4 M instructions each; what comes of that is a list of numbers.
A module that is started finds its own where `re` keeps those it compiled lately, as if they had been compiled before.
"""

from __future__ import annotations

import marshal
import re
import warnings
from collections.abc import Iterator
from contextlib import suppress
from types import ModuleType
from typing import Any

#: Of an expression: the flags it is asked for with, and what makes it in C.
Compiled = tuple[int, tuple[Any, ...]]
#: How many may be kept at once, which is less than what `re` keeps.
MOST = 250


def ready(expressions: tuple[Compiled, ...]) -> None:
    """Puts expressions where `re` looks before it compiles."""
    cache = vars(re).get("_cache")
    if type(cache) is dict and len(cache) < MOST:
        for flags, (pattern, *others) in expressions:
            key = type(pattern), pattern, flags
            if key not in cache:
                cache[key] = vars(re)["_compiler"]._sre.compile(pattern, *others)


def compiled(module: ModuleType) -> tuple[Compiled, ...]:
    """The expressions that a module and its classes have by name, as far as `re` still knows how it was asked."""
    cache = vars(re).get("_cache")
    if type(cache) is not dict:
        return ()
    asked = {id(expression): key for key, expression in cache.items()}
    keys = dict.fromkeys(asked[id(each)] for each in _expressions(module) if id(each) in asked)
    return tuple(made for key in keys if (made := _compiled(key[1], key[2], cache[key])) is not None)


def _expressions(module: ModuleType) -> Iterator[re.Pattern[Any]]:
    for value in list(vars(module).values()):
        if isinstance(value, re.Pattern):
            yield value
        elif isinstance(value, type) and value.__module__ == module.__name__:
            yield from (each for each in list(vars(value).values()) if isinstance(each, re.Pattern))


def _compiled(pattern: Any, flags: int, expression: re.Pattern[Any]) -> Compiled | None:
    """What makes an expression equal to this one; None where that would not be so, or Python has something to say."""
    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("error")
        parser, compiler = vars(re)["_parser"], vars(re)["_compiler"]
        parsed = parser.parse(pattern, flags)
        groups = dict(parsed.state.groupdict)
        names = {number: name for name, number in groups.items()}
        code = [int(each) for each in compiler._code(parsed, flags)]
        count = parsed.state.groups
        made = pattern, flags | parsed.state.flags, code, count - 1, groups, tuple(map(names.get, range(count)))
        again = compiler._sre.compile(*marshal.loads(marshal.dumps(made)))
        if again == expression and again.groupindex == expression.groupindex and not again.flags & re.LOCALE:
            return flags, made
    return None
