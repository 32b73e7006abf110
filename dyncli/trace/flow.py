"""Where a value may come from, by the source alone: a backward slice through names, attributes, arguments and returns.

The slice over-approximates: every assignment to a name counts, whether it ran or not.  `provenance` asks of the places
it finds only those where a value really left a tensor in this run.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from dyncli.load.instrument.source import Span, span_of
from dyncli.record.slotted import Slotted, fresh
from dyncli.record.syntax import parse

Spot = tuple[str, int, int]  # a file and where an expression ends in it
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_FILLING = frozenset({"append", "appendleft", "add", "extend", "insert", "update", "setdefault", "put"})
_SAME_LENGTH = frozenset({
    "enumerate", "zip", "reversed", "sorted", "list", "tuple", "iter", "map", "gather", "copy", "deepcopy", "deque",
})  # fmt: skip
_SHAPES = frozenset({"shape", "size", "ndim", "dim", "numel", "nelement"})
_NUMBERS = frozenset({"int", "float", "bool", "item"})
_KINDS = frozenset({"isinstance", "issubclass", "type", "callable", "hasattr", "id"})  # which ask for no value
_CHANCE = ("random.", "numpy.random.", "secrets.", "os.urandom", "uuid.")
_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Constant, ast.JoinedStr)


class Scope(Slotted):
    """The names a function, a comprehension, or the module gives values to."""

    outer: Scope | None
    is_comprehension: bool = False
    values: dict[str, list[ast.expr]] = fresh(factory=lambda: defaultdict(list))
    fillings: dict[str, list[ast.expr]] = fresh(factory=lambda: defaultdict(list))
    parameters: dict[str, tuple[str, int]] = fresh(factory=dict)


class Sources(Slotted):
    """What a value may come from: the places that were looked at, each with whether only a length matters there.

    spots: in the order they were found, so that of two values that left a tensor together it is always the same one.
    names: the same of names, where a tensor is asked for nothing but its truth or, for a length, its items.
    chance: whether a random number was among them.
    """

    spots: dict[tuple[Spot, bool], None] = fresh(factory=dict)
    names: dict[tuple[Spot, bool], None] = fresh(factory=dict)
    chance: bool = False


#: An expression to look behind, its scope, its file, and whether only its length matters.
Step = tuple[ast.expr, Scope, str, bool]


class Flow:
    """The assignments, returns and calls of all files of a program."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.nodes: dict[tuple[str, Span], tuple[ast.expr, Scope]] = {}
        self.inside: dict[int, Scope] = {}  # of each comprehension, by its identity
        self.attributes: dict[str, list[tuple[ast.expr, Scope, str]]] = defaultdict(list)
        self.returns: dict[str, list[tuple[ast.expr, Scope, str]]] = defaultdict(list)
        self.calls: dict[str, list[tuple[ast.Call, Scope, str]]] = defaultdict(list)
        self.modules: dict[str, str] = {}
        self.classes: dict[str, tuple[ast.ClassDef, str]] = {}
        self._answers: dict[tuple[str, tuple[str, ...]], list[tuple[str, Span]]] = {}
        for file, text in sources.items():
            _Reader(self, file).body(parse(text).body, Scope(None))

    def sources_of(self, file: str, span: Span, *, length: bool = False) -> Sources:
        """The sources of the expression at `span`; with `length`, of how many items it has."""
        found = Sources()
        start = self.nodes.get((file, span))
        if start is None:
            return found
        waiting: list[Step] = [(*start, file, length)]
        seen: set[tuple[int, bool]] = set()
        while waiting:
            node, scope, where, by_length = waiting.pop()
            if (id(node), by_length) in seen:
                continue
            seen.add((id(node), by_length))
            if by_length and isinstance(node, ast.Call) and _called(node.func) in _NUMBERS:
                continue  # which has no length
            spot = where, node.end_lineno or 0, node.end_col_offset or 0
            if not isinstance(node, ast.Name | ast.Constant):
                found.spots[spot, by_length] = None
            elif by_length or node is not start[0]:  # the truth of what is tested itself is no news of it
                found.names[spot, by_length] = None
            if isinstance(node, ast.Call) and self._is_chance(node.func):
                found.chance = True
            waiting += self._behind(node, scope, where, by_length)
        return found

    def answers(self, kind: str, names: tuple[str, ...]) -> list[tuple[str, Span]]:
        """The file and the place of what the methods of these names return, of a class of the script's or its bases."""
        found = self._answers.get((kind, names))
        if found is None:
            found = self._answers[kind, names] = list(self._given(kind, names))
        return found

    def _given(self, kind: str, names: tuple[str, ...]) -> Iterator[tuple[str, Span]]:
        kinds = [kind]
        for each in kinds:  # which its bases are added to
            if each not in self.classes:
                continue
            node, file = self.classes[each]
            kinds += [name for name in map(_called, node.bases) if name not in kinds]
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name in names:
                    given = (part for part in ast.walk(method) if isinstance(part, ast.Return))
                    yield from ((file, span_of(part.value)) for part in given if part.value is not None)

    def _behind(self, node: ast.expr, scope: Scope, where: str, length: bool) -> Iterator[Step]:
        """What one expression gets its value, or its length, from."""
        match node:
            case ast.Name(id=name):
                yield from ((value, home, where, length) for value, home in _values(name, scope, length))
                yield from self._arguments(name, scope, length)
            case ast.Attribute(value=base, attr=name):
                known = self.attributes.get(name, ())
                yield from ((value, home, file, length) for value, home, file in known)
                if not known:
                    yield base, scope, where, name in _SHAPES
            case ast.Call():
                yield from self._call(node, scope, where, length)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                inside, home = self.inside[id(node)], scope
                for clause in node.generators:
                    yield clause.iter, home, where, length
                    yield clause.iter, home, where, True  # how often it goes round; 3.13 asks for it at the name
                    home = inside
                    yield from ((test, inside, where, False) for test in clause.ifs)
                if not length:
                    yield from ((child, inside, where, False) for child in _elements(node))
            case _ if length and isinstance(node, _DISPLAYS):
                return
            case ast.Subscript(value=base, slice=index) if length and not isinstance(index, ast.Slice):
                yield base, scope, where, False  # how many items an item has
            case ast.Lambda() | ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                return
            case ast.Yield():  # gives what is sent
                sent = self.calls.get("send", [])
                yield from ((argument, home, file, length) for call, home, file in sent for argument in call.args)
            case ast.BinOp(op=ast.Mult(), left=left, right=right) if length and _is_list(left) | _is_list(right):
                yield from ((side, scope, where, True) for side in (left, right) if _is_list(side))
                yield from ((side, scope, where, False) for side in (left, right) if not _is_list(side))
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        yield child, scope, where, length

    def _call(self, node: ast.Call, scope: Scope, where: str, length: bool) -> Iterator[Step]:
        name = _called(node.func)
        returned = self.returns.get(name, ())
        yield from ((value, home, file, length) for value, home, file in returned)
        by_length = name == "len" or (length and name in _SAME_LENGTH)
        if (returned and not by_length) or (name in _KINDS and isinstance(node.func, ast.Name)):
            return
        yield from ((argument, scope, where, by_length) for argument in node.args)
        yield from ((keyword.value, scope, where, by_length) for keyword in node.keywords)
        if isinstance(node.func, ast.Attribute):
            yield node.func.value, scope, where, length or name in _SHAPES

    def _arguments(self, name: str, scope: Scope | None, length: bool) -> Iterator[Step]:
        """What callers pass for a parameter."""
        while scope is not None and name not in scope.parameters:
            scope = scope.outer
        if scope is None:
            return
        function, index = scope.parameters[name]
        for call, home, file in self.calls.get(function, ()):
            shift = 1 if isinstance(call.func, ast.Attribute) and "self" in scope.parameters else 0
            if 0 <= index - shift < len(call.args):
                yield call.args[index - shift], home, file, length
            yield from ((keyword.value, home, file, length) for keyword in call.keywords if keyword.arg == name)

    def _is_chance(self, function: ast.expr) -> bool:
        parts: list[str] = []
        while isinstance(function, ast.Attribute):
            parts.append(function.attr)
            function = function.value
        if not isinstance(function, ast.Name) or function.id not in self.modules:
            return False
        dotted = ".".join([self.modules[function.id], *reversed(parts)])
        return dotted.startswith(_CHANCE)


def _values(name: str, scope: Scope | None, length: bool) -> Iterator[tuple[ast.expr, Scope]]:
    """What a name is given in the nearest scope that gives it anything."""
    while scope is not None:
        if name in scope.values or name in scope.parameters or name in scope.fillings:
            yield from ((value, scope) for value in scope.values.get(name, ()))
            if not length:
                yield from ((value, scope) for value in scope.fillings.get(name, ()))
            return
        scope = scope.outer


def _called(function: ast.expr) -> str:
    """The last name of what is called."""
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _is_list(node: ast.expr) -> bool:
    """Whether an expression is a list or a text written out, which `*` repeats."""
    return isinstance(node, _DISPLAYS) and not (isinstance(node, ast.Constant) and not isinstance(node.value, str))


def _elements(node: ast.expr) -> list[ast.expr]:
    """What a comprehension is made of at each step."""
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


class _Reader:
    """Reads one file into a flow."""

    def __init__(self, flow: Flow, file: str) -> None:
        self.flow = flow
        self.file = file

    def body(self, statements: list[ast.stmt], scope: Scope, function: str = "") -> None:
        """Reads a block in the function of that name."""
        for statement in statements:
            self._node(statement, scope, function)

    def _node(self, node: ast.AST, scope: Scope, function: str) -> None:
        if isinstance(node, ast.expr):
            self.flow.nodes.setdefault((self.file, span_of(node)), (node, scope))
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                self._function(node, scope, name)
                if any(_called(decorator).endswith("property") for decorator in node.decorator_list):
                    self.flow.attributes[name] += self.flow.returns[name]
                return
            case ast.ClassDef(name=name):
                self.flow.classes[name] = node, self.file
            case ast.Lambda():
                self._function(node, scope, "")
                return
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._give(target, value, scope)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.AugAssign(target=target, value=value):
                self._give(target, value, scope)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, scope, function)
                return
            case ast.NamedExpr(target=target, value=value):
                home = scope
                while home.is_comprehension and home.outer is not None:
                    home = home.outer
                self._give(target, value, home)
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._give_each(target, value, scope)
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                self._give(target, value, scope)
            case ast.Match(subject=value, cases=cases):
                for part in (part for each in cases for part in ast.walk(each.pattern)):
                    for captured in (getattr(part, "name", None), getattr(part, "rest", None)):
                        if captured is not None:
                            scope.values[captured].append(value)
            case ast.Return(value=ast.expr() as value) if function:
                self.flow.returns[function].append((value, scope, self.file))
            case ast.Call():
                self._call(node, scope)
            case ast.Import(names=names):
                for alias in names:
                    self.flow.modules[alias.asname or alias.name] = alias.name
            case ast.ImportFrom(module=str() as module, names=names):
                for alias in names:
                    self.flow.modules[alias.asname or alias.name] = f"{module}.{alias.name}"
        for child in ast.iter_child_nodes(node):
            self._node(child, scope, function)

    def _comprehension(self, node: ast.expr, outer: Scope, function: str) -> None:
        home, inside = outer, Scope(outer, is_comprehension=True)
        self.flow.inside[id(node)] = inside
        for clause in node.generators:  # type: ignore[attr-defined]
            self._node(clause.iter, home, function)
            self._give_each(clause.target, clause.iter, inside)
            home = inside
            for test in clause.ifs:
                self._node(test, inside, function)
        for child in _elements(node):
            self._node(child, inside, function)

    def _function(self, node: _SCOPES, outer: Scope, name: str) -> None:
        scope = Scope(outer)
        arguments = node.args
        named = [*arguments.posonlyargs, *arguments.args]
        for index, argument in enumerate(named):
            scope.parameters[argument.arg] = name, index
        for argument in arguments.kwonlyargs:
            scope.parameters[argument.arg] = name, -1
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self._node(default, outer, "")
        for argument, default in zip(reversed(named), reversed(arguments.defaults)):
            scope.values[argument.arg].append(default)
        if isinstance(node, ast.Lambda):
            self._node(node.body, scope, "")
        else:
            for decorator in node.decorator_list:
                self._node(decorator, outer, "")
            self.body(node.body, scope, name)

    def _give_each(self, target: ast.expr, iterable: ast.expr, scope: Scope) -> None:
        """Gives names what a loop goes over: of `enumerate` the number is Python's own, of `zip` each has its list."""
        match target, iterable:
            case ast.Tuple(elts=[number, item]), ast.Call(func=ast.Name(id="enumerate"), args=[items, *start]):
                for name in ast.walk(number):
                    if isinstance(name, ast.Name):
                        scope.values[name.id] += start + [each.value for each in iterable.keywords]
                self._give_each(item, items, scope)
            case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id="zip"), args=lists) if len(parts) == len(lists):
                for part, items in zip(parts, lists):
                    self._give_each(part, items, scope)
            case _:
                self._give(target, iterable, scope)

    def _give(self, target: ast.expr, value: ast.expr, scope: Scope) -> None:
        match target:
            case ast.Name(id=name):
                scope.values[name].append(value)
            case ast.Attribute(attr=name):
                self.flow.attributes[name].append((value, scope, self.file))
            case ast.Subscript(value=base):
                self._fill(base, [value], scope)
            case ast.Starred(value=base):
                self._give(base, value, scope)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                paired = isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(parts)
                for index, part in enumerate(parts):
                    self._give(part, value.elts[index] if paired else value, scope)  # type: ignore[attr-defined]

    def _fill(self, container: ast.expr, values: list[ast.expr], scope: Scope) -> None:
        match container:
            case ast.Name(id=name):
                scope.fillings[name] += values
            case ast.Attribute(attr=name):
                self.flow.attributes[name] += [(value, scope, self.file) for value in values]

    def _call(self, node: ast.Call, scope: Scope) -> None:
        self.flow.calls[_called(node.func)].append((node, scope, self.file))
        if isinstance(node.func, ast.Attribute) and node.func.attr in _FILLING:
            self._fill(node.func.value, node.args, scope)
        if _called(node.func) == "shuffle":  # of what it is given
            for argument in node.args[:1]:
                self._fill(argument, [node], scope)
