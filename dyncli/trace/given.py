"""What the source gives to names: the tables that `reading` fills from the files of a program and `flow` asks."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from dyncli.load.instrument.source import Span


@dataclass(slots=True, eq=False)
class Parameter:
    """A parameter of a function: its place among those given by position, -1 if it is given by name alone.

    stars: 1 for `*args`, which takes all from its place on; 2 for `**kwargs`.
    """

    index: int
    stars: int = 0


@dataclass(slots=True, eq=False)
class Scope:
    """The names a function, a comprehension, or the module gives values to.

    function: its name, empty for a lambda, whose identity is node; owner: the class it stands in, whose object it is
    bound to.  elsewhere: the scopes of names that are `global` or `nonlocal` here.
    """

    outer: Scope | None
    is_comprehension: bool = False
    function: str = ""
    node: int = 0
    owner: str = ""
    bound: bool = False
    values: dict[str, list[Given]] = field(default_factory=lambda: defaultdict(list))
    fillings: dict[str, list[Given]] = field(default_factory=lambda: defaultdict(list))
    parameters: dict[str, Parameter] = field(default_factory=dict)
    elsewhere: dict[str, Scope] = field(default_factory=dict)

    def home(self, name: str) -> Scope | None:
        """The nearest scope that gives a name anything."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.elsewhere:
                return scope.elsewhere[name]
            if name in scope.values or name in scope.parameters or name in scope.fillings:
                return scope
            scope = scope.outer
        return None

    @property
    def top(self) -> Scope:
        """The scope of the module."""
        scope = self
        while scope.outer is not None:
            scope = scope.outer
        return scope


#: An expression with its scope and its file.
Given = tuple[ast.expr, Scope, str]
#: A call with its scope and its file.
Called = tuple[ast.Call, Scope, str]


class Tables:
    """The assignments, returns and calls of all files of a program, by name."""

    def __init__(self) -> None:
        self.nodes: dict[tuple[str, Span], tuple[ast.expr, Scope]] = {}
        self.inside: dict[int, Scope] = {}  # of each comprehension and lambda, by its identity
        self.attributes: dict[str, list[Given]] = defaultdict(list)
        self.returns: dict[str, list[Given]] = defaultdict(list)
        self.yields: dict[str, list[Given]] = defaultdict(list)
        self.methods: dict[tuple[str, str], list[Given]] = defaultdict(list)  # what those of a class return and yield
        self.calls: dict[str, list[Called]] = defaultdict(list)
        self.handed: dict[str | int, list[tuple[int | str, Called]]] = defaultdict(list)  # names and lambdas, to what
        self.lambdas: dict[int, set[str]] = defaultdict(set)  # what those that have a name are called
        self.functions: dict[str, list[Scope]] = defaultdict(list)
        self.modules: dict[str, str] = {}
        self.tops: dict[str, Scope] = {}  # by file
        self.classes: dict[str, tuple[ast.ClassDef, str]] = {}
        self.named: dict[str, set[str]] = defaultdict(set)  # what the objects of a class are called
        self.handlers: list[tuple[Scope, str, ast.expr | None]] = []
        self.raised: list[Given] = []

    def bases(self, kind: str) -> Iterator[str]:
        """A class of the script's and those it inherits from, by name."""
        kinds = [kind]
        for each in kinds:  # which its bases are added to
            if each in self.classes:
                yield each
                kinds += [name for name in map(called, self.classes[each][0].bases) if name not in kinds]

    def heirs(self, kind: str) -> Iterator[str]:
        """A class of the script's and those that inherit from it, by name."""
        return (each for each in self.classes if kind in self.bases(each))


def called(function: ast.expr) -> str:
    """The last name of what is called."""
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
