"""Functions that code which runs names: of those never called, the only ones that an input can lead to.

A name is taken wherever it stands, as a variable, an attribute or a text, so that a table of functions and a method of
any object count.  With `getattr` and the like, every function does.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

from dyncli.analysis.coverage import Report
from dyncli.analysis.coverage.tally import Function
from dyncli.records.text import expression, parse

_BY_TEXT = frozenset({"getattr", "globals", "locals", "vars", "eval", "exec"})
_ANY = "*"  # stands for a name that is known only as the code runs
_UNDECORATED = ("staticmethod", "classmethod", "property", "no_grad", "inference_mode")  # these call nothing

Lines = dict[int, set[str]]  # line -> the names on it


def unnamed(report: Report) -> set[tuple[str, str]]:
    """Return (file, name) of the functions never called that nothing which runs names, nor those it names."""
    names = {source.file: _names(source.text) for source in report.subject.sources}
    called = report.tally.calls.keys() | set(report.subject.called)
    functions = report.subject.functions
    words = _outside(names, functions)
    for function in functions:
        if function.key in called:
            words |= _words(names.get(function.file, {}), function)
    left = list(report.missing)
    while named := [each for each in left if _is_named(each, words)]:
        for function in named:
            left.remove(function)
            words |= _words(names.get(function.file, {}), function)
    return set() if _ANY in words else {(function.file, function.name) for function in left}


def _is_named(function: Function, words: set[str]) -> bool:
    """Return whether a function is named, or the class is of a method that Python or a module calls by itself."""
    *outer, name = function.name.split(".")
    is_implicit = name in ("forward", "backward") or name.startswith("__")
    return name in words or (is_implicit and bool(outer) and outer[-1] in words)


def _words(names: Lines, function: Function) -> set[str]:
    """Return the names on the lines of a function."""
    return set().union(*(names.get(line, ()) for line in range(function.line, function.end_line + 1)))


def _outside(names: dict[str, Lines], functions: Iterable[Function]) -> set[str]:
    """Return the names that stand in no function, which loading comes to."""
    inside: dict[str, set[int]] = defaultdict(set)
    for function in functions:
        inside[function.file].update(range(function.line, function.end_line + 1))
    return set().union(
        *(words for file, lines in names.items() for line, words in lines.items() if line not in inside[file])
    )


def _names(source: str) -> Lines:
    """Return the names that a source uses, by line, without what runs only as a script of its own."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: Lines = defaultdict(set)
    left_out: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and any(map(_is_module_name, ast.walk(node.test))):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        for line, name in _names_in(node):
            found[line].add(name)
    return {line: words for line, words in found.items() if line not in left_out}


def _is_module_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "__name__"


def _names_in(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield (line, name) of what a node itself names; a decorated function names itself, as others may keep it."""
    match node:
        case ast.Name(id=name) if name in _BY_TEXT:
            yield node.lineno, _ANY
        case ast.Attribute(attr="__dict__"):
            yield node.end_lineno or node.lineno, _ANY
        case ast.Name(id=name) | ast.Constant(value=str(name)):
            yield node.lineno, name
        case ast.ImportFrom(names=aliases):
            yield from ((node.lineno, alias.name) for alias in aliases if alias.asname is not None)
        case ast.Attribute(attr=name):
            yield node.end_lineno or node.lineno, name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            for decorator in node.decorator_list:
                if not any(word in ast.unparse(decorator) for word in _UNDECORATED):
                    yield decorator.lineno, name


def calls(text: str) -> bool:
    """Return whether a test calls anything of which its margin says nothing: `is_prime(n)`, not `len(xs) > 3`."""
    try:
        test: ast.expr = expression(text)
    except (SyntaxError, ValueError):
        return True
    waiting = [test]
    while waiting:
        match waiting.pop():
            case ast.BoolOp(values=values):
                waiting += values
            case ast.UnaryOp(operand=value) | ast.NamedExpr(value=value):
                waiting.append(value)
            case ast.Call(func=ast.Name(id="isinstance" | "hasattr" | "callable" | "len")):
                pass
            case ast.Call():
                return True
    return False
