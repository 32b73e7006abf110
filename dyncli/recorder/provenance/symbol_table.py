"""Values that a source assigns to names, attributes, parameters and functions, read from the files of a program."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from dyncli.instrument.transform.builder import Span, span_of


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
    growing: what decided how often something was put into a container.  choosing: into which of those that it holds.
    moving: the arms of `if`s in which a name is given values.  flags: the tests of those in which it is set as one.
    """

    outer: Scope | None
    is_comprehension: bool = False
    function: str = ""
    node: int = 0
    owner: str = ""
    bound: bool = False
    values: dict[str, list[Given]] = field(default_factory=lambda: defaultdict(list))
    fillings: dict[str, list[Given]] = field(default_factory=lambda: defaultdict(list))
    growing: dict[str, list[Step]] = field(default_factory=lambda: defaultdict(list))
    choosing: dict[str, list[Step]] = field(default_factory=lambda: defaultdict(list))
    moving: dict[str, list[Arm]] = field(default_factory=lambda: defaultdict(list))
    flags: dict[str, list[Step]] = field(default_factory=lambda: defaultdict(list))
    parameters: dict[str, Parameter] = field(default_factory=dict)
    elsewhere: dict[str, Scope] = field(default_factory=dict)

    def home(self, name: str) -> Scope | None:
        """Find the nearest scope that assigns to a name."""
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
#: The same, and whether only its length matters.
Step = tuple[ast.expr, Scope, str, bool]
#: The test of an `if`, its scope and file, and `then` or `else`.
Arm = tuple[ast.expr, Scope, str, str]
#: A call with its scope and its file.
Called = tuple[ast.Call, Scope, str]


class Tables:
    """The assignments, returns and calls of all files of a program, by name."""

    def __init__(self) -> None:
        self.nodes: dict[tuple[str, Span], tuple[ast.expr, Scope]] = {}
        self.inside: dict[int, Scope] = {}  # of each comprehension and lambda, by its identity
        self.attributes: dict[str, list[Given]] = defaultdict(list)
        self.filled: dict[str, list[Given]] = defaultdict(list)  # what is put into the containers of attributes
        self.growing: dict[str, list[Step]] = defaultdict(list)  # what decided how often
        self.choosing: dict[str, list[Step]] = defaultdict(list)  # into which of the containers in them
        self.moving: dict[str, list[Arm]] = defaultdict(list)  # of `if`s in which attributes are set
        self.flags: dict[str, list[Step]] = defaultdict(list)  # the tests of those in which they are set as flags
        self.returns: dict[str, list[Given]] = defaultdict(list)
        self.deciding: dict[str, list[Step]] = defaultdict(list)  # which of its constants a function returns
        self.yields: dict[str, list[Given]] = defaultdict(list)
        self.yielding: dict[str, list[Step]] = defaultdict(list)  # what decided how often
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
        """Yield a class of the script's and its bases, by name."""
        kinds = [kind]
        for each in kinds:  # which its bases are added to
            if each in self.classes:
                yield each
                kinds += [name for name in map(called, self.classes[each][0].bases) if name not in kinds]

    def subclasses(self, kind: str) -> Iterator[str]:
        """Yield a class of the script's and its subclasses, by name."""
        return (each for each in self.classes if kind in self.bases(each))


class Part(ast.Subscript):
    """One item of what a call returned, or a name stands for, where it was unpacked."""


def part_of(value: ast.expr, index: int) -> Part:
    """Return the item of a value that an unpacking gives a name."""
    return ast.copy_location(Part(value, ast.Constant(index), ast.Load()), value)


def called(function: ast.expr) -> str:
    """Return the last name of the called expression; "" if it has none."""
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_LEAVING = ast.Break | ast.Continue | ast.Return
_FILLING = frozenset({"append", "appendleft", "add", "extend", "insert", "update", "setdefault", "put", "put_nowait"})
_LISTS = frozenset({"list", "sorted", "zeros", "ones", "full", "empty"})  # that make lists or arrays
_PUSHING = frozenset({"heappush", "insort", "insort_left", "insort_right"})  # into their first argument
_EVERYTHING = frozenset({"Exception", "BaseException", ""})


class Reader:
    """Reads one file into tables.  uncalled: the lines of functions whose bodies did not run."""

    def __init__(self, tables: Tables, file: str, uncalled: Collection[int]) -> None:
        self.tables = tables
        self.file = file
        self.uncalled = uncalled
        self.controls: list[Step] = []  # tests and loops around what is read
        self.arms: list[Arm] = []  # of the `if`s around it

    def module(self, statements: list[ast.stmt]) -> None:
        """Read the file's statements into the tables."""
        scope = self.tables.tops[self.file] = Scope(None)
        self._body(statements, scope)

    def _body(self, statements: list[ast.stmt], scope: Scope, owner: str = "") -> None:
        for statement in statements:
            self._node(statement, scope, owner)

    def _node(self, node: ast.AST, scope: Scope, owner: str = "") -> None:
        """Read a node and all below it.  owner: the class that it stands in."""
        if isinstance(node, ast.expr):
            self.tables.nodes.setdefault((self.file, span_of(node)), (node, scope))
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._function(node, scope, name, owner)
                if any(called(decorator).endswith("property") for decorator in node.decorator_list):
                    self.tables.attributes[name] += self.tables.returns[name]
            case ast.ClassDef(name=name):
                self.tables.classes[name] = node, self.file
                for given in [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]:
                    self._node(given, scope)
                self._body(node.body, scope, name)
            case ast.Lambda():
                self._function(node, scope, "", "")
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, scope)
            case _:
                self._names(node, scope)
                self._binding(node, scope)
                self._transfer(node, scope)
                around = len(self.controls)
                self.controls += ((test, scope, self.file, length) for test, length in _controls(node))
                if isinstance(node, ast.If):
                    self._if(node, scope)
                else:
                    for child in ast.iter_child_nodes(node):
                        self._node(child, scope)
                del self.controls[around:]

    def _if(self, node: ast.If, scope: Scope) -> None:
        self._node(node.test, scope)
        for arm, body in (("then", node.body), ("else", node.orelse)):
            self.arms.append((node.test, scope, self.file, arm))
            self._body(body, scope)
            self.arms.pop()

    def _names(self, node: ast.AST, scope: Scope) -> None:
        """Read what says where a name belongs: `global`, `nonlocal` and imports."""
        match node:
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                for name in names:
                    scope.elsewhere[name] = _other(name, scope, isinstance(node, ast.Global))
            case ast.Import(names=names):
                for alias in names:
                    self.tables.modules[alias.asname or alias.name] = alias.name
            case ast.ImportFrom(module=module, names=names):
                for alias in names:
                    self.tables.modules[alias.asname or alias.name] = f"{module or ''}.{alias.name}"

    def _binding(self, node: ast.AST, scope: Scope) -> None:
        """Read what binds a name to a value."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._give(target, value, scope)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                self._give(target, value, scope)
            case ast.NamedExpr(target=target, value=value):
                home = scope
                while home.is_comprehension and home.outer is not None:
                    home = home.outer
                self._give(target, value, home)
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._give_each(target, value, scope)
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._give(target, value, scope)
                for how in ("__enter__", "__aenter__"):
                    self._give(target, _asked(value, how), scope)
            case ast.Match(subject=value, cases=cases):
                for part in (part for each in cases for part in ast.walk(each.pattern)):
                    for captured in (getattr(part, "name", None), getattr(part, "rest", None)):
                        if captured is not None:
                            self._give_name(captured, value, scope)

    def _transfer(self, node: ast.AST, scope: Scope) -> None:
        """Read what passes a value to another function: calls, `return`, `yield`, `raise` and `except`."""
        match node:
            case ast.Return(value=ast.expr() as value) if scope.function:
                self.tables.returns[scope.function].append((value, scope, self.file))
                parts = value.elts if isinstance(value, ast.Tuple) else [value]
                is_constant = any(isinstance(part, ast.Constant) for part in parts)
                self.tables.deciding[scope.function] += self.controls if is_constant else []
                self.tables.methods[scope.owner, scope.function].append((value, scope, self.file))
            case ast.Yield(value=ast.expr() as value) | ast.YieldFrom(value=value) if scope.function:
                self.tables.yields[scope.function].append((value, scope, self.file))
                passed_on = [(value, scope, self.file, True)] if isinstance(node, ast.YieldFrom) else []
                self.tables.yielding[scope.function] += [*self.controls, *passed_on]
                self.tables.methods[scope.owner, scope.function].append((value, scope, self.file))
            case ast.Raise(exc=ast.expr() as value):
                self.tables.raised.append((value, scope, self.file))
            case ast.ExceptHandler(type=kinds, name=str() as name):
                self.tables.handlers.append((scope.elsewhere.get(name, scope), name, kinds))
            case ast.Call():
                self._call(node, scope)

    def _comprehension(self, node: ast.expr, outer: Scope) -> None:
        home, inside = outer, Scope(outer, is_comprehension=True)
        self.tables.inside[id(node)] = inside
        for clause in node.generators:  # type: ignore[attr-defined]
            self._node(clause.iter, home)
            self._give_each(clause.target, clause.iter, inside)
            home = inside
            for test in clause.ifs:
                self._node(test, inside)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._node(child, inside)

    def _function(self, node: _FUNCTIONS, outer: Scope, name: str, owner: str) -> None:
        decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
        bound = bool(owner) and not any(called(each) == "staticmethod" for each in decorators)
        scope = Scope(outer, function=name, owner=owner, bound=bound)
        if isinstance(node, ast.Lambda):
            self.tables.inside[id(node)] = scope
            scope.node = id(node)
        else:
            self.tables.functions[name].append(scope)
        arguments = node.args
        named = [*arguments.posonlyargs, *arguments.args]
        for index, argument in enumerate(named):
            scope.parameters[argument.arg] = Parameter(index)
        for argument in arguments.kwonlyargs:
            scope.parameters[argument.arg] = Parameter(-1)
        if arguments.vararg is not None:
            scope.parameters[arguments.vararg.arg] = Parameter(len(named), 1)
        if arguments.kwarg is not None:
            scope.parameters[arguments.kwarg.arg] = Parameter(-1, 2)
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self._node(default, outer)
        for argument, default in zip(reversed(named), reversed(arguments.defaults)):
            scope.values[argument.arg].append((default, outer, self.file))
        for argument, given in zip(arguments.kwonlyargs, arguments.kw_defaults):
            if given is not None:
                scope.values[argument.arg].append((given, outer, self.file))
        if isinstance(node, ast.Lambda):
            self._node(node.body, scope)
        else:
            for decorator in node.decorator_list:
                self._node(decorator, outer)
            if node.lineno not in self.uncalled:
                self._body(node.body, scope)

    def _give_each(self, target: ast.expr, iterable: ast.expr, scope: Scope) -> None:
        """Give names what a loop goes over: of `enumerate` the number is Python's own, of `zip` each has its list."""
        match target, iterable:
            case ast.Tuple(elts=[number, item]), ast.Call(func=ast.Name(id="enumerate"), args=[items, *start]):
                for name in ast.walk(number):
                    if isinstance(name, ast.Name):
                        for given in start + [each.value for each in iterable.keywords]:
                            self._give_name(name.id, given, scope)
                        scope.elsewhere.get(name.id, scope).values[name.id] += []
                self._give_each(item, items, scope)
            case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id="zip"), args=lists) if len(parts) == len(lists):
                for part, items in zip(parts, lists):
                    self._give_each(part, items, scope)
            case _:
                self._give(target, iterable, scope)

    def _give(self, target: ast.expr, value: ast.expr, scope: Scope) -> None:
        if isinstance(target, ast.Name | ast.Attribute):
            if isinstance(value, ast.Call):
                self.tables.named[called(value.func)].add(called(target))
            elif isinstance(value, ast.Lambda):
                self.tables.lambdas[id(value)].add(called(target))
        match target:
            case ast.Name(id=name):
                self._give_name(name, value, scope)
            case ast.Attribute(attr=name):
                self.tables.attributes[name].append((value, scope, self.file))
                self.tables.moving[name] += self.arms
                self.tables.flags[name] += self._flags(value)
            case ast.Subscript(value=base, slice=key):
                values = [value, key] if isinstance(value, ast.Constant) else [value]  # which flag or count, too
                keeps = isinstance(base, ast.Subscript) or self._is_list(base, scope)
                self._fill(base, values, scope, grows=isinstance(key, ast.Slice) or not keeps)
            case ast.Starred(value=base):
                self._give(base, value, scope)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                paired = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(parts)
                unpacked = isinstance(value, ast.Call | ast.Name) and not any(
                    isinstance(part, ast.Starred) for part in parts
                )
                for index, part in enumerate(parts):
                    one = value.elts[index] if paired else value  # type: ignore[attr-defined]
                    self._give(part, part_of(value, index) if unpacked else one, scope)

    def _give_name(self, name: str, value: ast.expr, scope: Scope) -> None:
        home = scope.elsewhere.get(name, scope)
        home.values[name].append((value, scope, self.file))
        home.moving[name] += self.arms
        home.flags[name] += self._flags(value)

    def _flags(self, value: ast.expr) -> list[Step]:
        """Return the tests that a flag was set under: a truth or a word, that says nothing of them itself."""
        is_flag = isinstance(value, ast.Constant) and isinstance(value.value, bool | str)
        return [(test, scope, file, False) for test, scope, file, _ in self.arms] if is_flag else []

    def _fill(self, container: ast.expr, values: list[ast.expr], scope: Scope, *, grows: bool = True) -> None:
        """Record values put into the container that a name or attribute holds, in an outer scope if it is there.

        grows: whether it has more items then.
        """
        controls = self.controls if grows else []
        match container:
            case ast.Name(id=name):
                home = scope.home(name) or scope.top
                home.fillings[name] += [(value, scope, self.file) for value in values]
                home.growing[name] += controls
            case ast.Attribute(attr=name):
                self.tables.filled[name] += [(value, scope, self.file) for value in values]
                self.tables.growing[name] += controls
            case ast.Subscript(value=base, slice=key):  # one of several containers
                self._fill(base, values, scope, grows=False)
                if grows and called(base):
                    self._choose(base, key, scope)

    def _choose(self, container: ast.expr, key: ast.expr, scope: Scope) -> None:
        """Record what chose the container, of those in another, that something was put into."""
        name, chosen = called(container), (key, scope, self.file, False)
        tables = self.tables if isinstance(container, ast.Attribute) else scope.home(name) or scope.top
        tables.choosing[name].append(chosen)
        if not self._is_list(container, scope):  # a `defaultdict` has a new one for a new key
            tables.growing[name].append(chosen)

    def _is_list(self, container: ast.expr, scope: Scope) -> bool:
        """Return whether a name or attribute holds lists or arrays alone, which have no more items when one is set."""
        match container:
            case ast.Name(id=name) if (home := scope.home(name)) is not None and name not in home.parameters:
                given = home.values[name]
            case ast.Attribute(attr=name):
                given = self.tables.attributes[name]
            case _:
                return False
        return bool(given) and all(_makes_list(value) for value, _, _ in given)

    def _call(self, node: ast.Call, scope: Scope) -> None:
        place = node, scope, self.file
        name = called(node.func)
        self.tables.calls[name].append(place)
        if isinstance(node.func, ast.Call):  # of an object that was just made
            self.tables.calls[f"{called(node.func.func)}()"].append(place)
        if name == "partial" and node.args:
            later = ast.copy_location(ast.Call(node.args[0], node.args[1:], node.keywords), node)
            self.tables.calls[called(node.args[0])].append((later, scope, self.file))
        given: list[tuple[int | str, ast.expr]] = list(enumerate(node.args))
        given += [(each.arg or "", each.value) for each in node.keywords]
        for index, argument in given:
            match argument:
                case ast.Name(id=handed) | ast.Attribute(attr=handed):
                    self.tables.handed[handed].append((index, place))
                case ast.Lambda():
                    self.tables.handed[id(argument)].append((index, place))
        if isinstance(node.func, ast.Attribute) and node.func.attr in _FILLING:
            self._fill(node.func.value, node.args, scope)
        if name in _PUSHING and node.args:
            self._fill(node.args[0], node.args[1:], scope)
        if name == "shuffle":  # of what it is given
            for argument in node.args[:1]:
                self._fill(argument, [node], scope, grows=False)


def _controls(node: ast.AST) -> Iterator[tuple[ast.expr, bool]]:
    """Yield what decides how often the body of a statement runs, each with whether only its length counts."""
    match node:
        case ast.If(test=test):
            yield test, False
        case ast.While() | ast.For() | ast.AsyncFor():
            yield (node.test, False) if isinstance(node, ast.While) else (node.iter, True)
            for inner in ast.walk(node):
                if isinstance(inner, ast.If) and any(isinstance(each, _LEAVING) for each in inner.body + inner.orelse):
                    yield inner.test, False


def _makes_list(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(left=left, right=right):
            return _makes_list(left) or _makes_list(right)
        case ast.Call(func=function):
            return called(function) in _LISTS
    return isinstance(node, (ast.List, ast.ListComp))


def _asked(value: ast.expr, how: str) -> ast.expr:
    """Build the call of a method that the language calls implicitly."""
    method = ast.copy_location(ast.Attribute(value, how, ast.Load()), value)
    return ast.copy_location(ast.Call(method, [], []), value)


def _other(name: str, scope: Scope, is_global: bool) -> Scope:
    """Find the scope of a name that is `global` or `nonlocal` in another."""
    if is_global or scope.outer is None:
        return scope.top
    outer: Scope | None = scope.outer
    while outer is not None and (name not in outer.values and name not in outer.parameters):
        if name in outer.elsewhere:
            return outer.elsewhere[name]
        outer = outer.outer
    return outer or scope.outer


def give_raised(tables: Tables) -> None:
    """Give the names of handlers what is raised of the kinds they handle."""
    for scope, name, kinds in tables.handlers:
        handled = {called(kind) for kind in (kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]) if kind}
        for value, home, file in tables.raised:
            kind = called(value.func if isinstance(value, ast.Call) else value)
            if handled & _EVERYTHING or not handled.isdisjoint([kind, *tables.bases(kind)]):
                scope.values[name].append((value, home, file))
