"""The comparisons whose results were kept so far in a run, found again where their truth is tested."""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache
from typing import NamedTuple

from dyncli.instrument.program import Program
from dyncli.instrument.transform.builder import truth_of
from dyncli.recorder.provenance.call_frames import Comparison
from dyncli.records.text import expression

_ANSWERING = ("<lambda>", "forward", "__call__")  # functions that are called by another name


class Latest(NamedTuple):
    """A comparison whose result was kept last.

    at: the length of the log then.  function: that returned it.  target: what it was assigned to, empty if that is left
    to a `return`.
    """

    comparison: Comparison
    at: int
    function: str | None = None
    target: str | None = None


class Comparisons:
    """Follow the comparisons of a log, whose calls are known by their ids.

    A plain truth is known by the name that holds it in the same call, or as what was returned, or assigned to an
    attribute or item, right before the test.
    of_tensor: by the number of a tensor, the comparison that made it.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.of_tensor: dict[int, Comparison] = {}
        self._latest: Latest | None = None
        self._kept: dict[int, dict[str, Comparison]] = {}  # by call and by the name that holds it

    def keep(self, comparison: Comparison, name: str, call: int, function: int, end: int) -> None:
        """Keep a comparison that is assigned to `name`; its entry in the log ends at `end`."""
        if not name.isidentifier():  # nobody knows who else sets an attribute or an item
            self._latest = Latest(comparison, end, target=name)
        elif (function, name) not in self.program.other_values:
            self._kept.setdefault(call, {})[name] = comparison

    def begin_step(self, call: int, loop: int) -> None:
        """Drop what the constants that are set in each step of a loop may have replaced."""
        kept = self._kept.get(call)
        if kept:
            for name in self.program.constants.get(loop, ()):
                kept.pop(name, None)

    def leave(self, call: int, function: int, source: str, at: int, end: int) -> None:
        """Follow the value that a call returns, whose entry in the log goes from `at` to `end`."""
        found = self._held(call, source, at)
        name = self.program.functions[function].name.rpartition(".")[2]
        self._latest = None if found is None else Latest(found, end, function=name)

    def end(self, call: int) -> None:
        """Drop what a call held that is over."""
        self._kept.pop(call, None)

    def of_result(self, number: int, truth: bool) -> Comparison | None:
        """Return the comparison that made a tensor, None if its memory was written since, as by NumPy."""
        found = self.of_tensor.get(number)
        return found if found is not None and found.outcome is truth else None

    def of_truth(self, call: int, source: str, at: int, truth: bool) -> Comparison | None:
        """Return the comparison whose result a tested expression is, whose test begins at `at` in the log."""
        found = self._held(call, source, at)
        return found if found is not None and found.outcome is truth else None

    def _held(self, call: int, source: str, at: int) -> Comparison | None:
        latest, kept = self._latest, self._kept.get(call)
        if latest is None and kept is None:  # as of most
            return None
        text, function, takes_results = _value(source)
        if latest is not None and latest.at == at:
            by_other_name = latest.function in _ANSWERING and function and not hasattr(builtins, function)
            if text == latest.target or function == latest.function or (by_other_name and not takes_results):
                return latest.comparison
        return None if kept is None else kept.get(text)


@lru_cache(maxsize=4096)
def _value(source: str) -> tuple[str, str, bool]:
    """Return the source of the value whose truth an expression has, and what is called for it, if anything may be.

    The last is whether that may be given what another call returns.
    """
    if not source:
        return "", "", False
    try:
        node = truth_of(expression(f"({source}\n)"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source, "", False
    match node:
        case ast.NamedExpr(target=ast.Name(id=name)):
            return name, "", False
        case ast.Call(func=function, args=args, keywords=keywords):
            inner = (each for given in (*args, *keywords) for each in ast.walk(given))
            takes_results = any(isinstance(each, ast.Call | ast.Lambda) for each in inner)
            return ast.unparse(node), ast.unparse(function).rpartition(".")[2], takes_results
        case ast.Attribute(attr=name):  # which may be a property
            return ast.unparse(node), name, False
    return ast.unparse(node), "", False
