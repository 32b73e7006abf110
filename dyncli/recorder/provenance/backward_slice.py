"""Where a value may come from, by the source alone: a backward slice through names, attributes, arguments and returns.

The slice over-approximates: every assignment to a name counts, whether it ran or not.  `provenance` asks of the places
it finds only those where a value really left a tensor in this run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, TypeVar

from dyncli.instrument.transform.builder import Span, span_of
from dyncli.recorder.provenance.symbol_table import (
    Arm,
    Called,
    Given,
    Part,
    Reader,
    Scope,
    Step,
    Tables,
    called,
    give_raised,
)
from dyncli.records.text import parse

ExpressionEnd = tuple[str, int, int]  # a file and where an expression ends in it
_SAME_LENGTH = frozenset({
    "enumerate", "zip", "reversed", "sorted", "list", "tuple", "iter", "map", "gather", "copy", "deepcopy", "deque",
    "dict", "OrderedDict", "DataLoader", "TensorDataset", "RandomSampler", "SequentialSampler",
    "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "Sequential",
})  # fmt: skip
#: What has as many items as are different of those it is given.
_DISTINCT = frozenset({"set", "frozenset", "Counter"})
#: Functions of PyTorch's and NumPy's whose result has a shape that values decide: those they are given, or a tensor's.
_SIZED = frozenset({
    "zeros", "ones", "full", "empty", "rand", "randn", "randint", "randperm", "arange", "linspace", "logspace", "eye",
    "nonzero", "argwhere", "masked_select", "unique", "unique_consecutive", "repeat_interleave", "bincount", "where",
    "histc", "flatnonzero", "extract", "compress", "delete", "repeat", "tile",
    "intersect1d", "setdiff1d", "union1d", "setxor1d",
})  # fmt: skip
#: Those that cut their first argument into as many parts as its shape and the other arguments say.
_CUTTING = frozenset({"chunk", "split", "tensor_split"})
_SHAPES = frozenset({"shape", "size", "ndim", "dim", "numel", "nelement"})
#: Calls whose result has no length, and those whose length no value decides.
_NUMBERS = frozenset({
    "int", "float", "bool", "item", "grad", "parameters", "named_parameters", "state_dict", "modules", "children",
    "random_split",
})  # fmt: skip
_KINDS = frozenset({"isinstance", "issubclass", "type", "callable", "hasattr", "id"})  # which ask for no value
_TENSOR_KINDS = frozenset({"is_tensor", "is_complex", "is_floating_point"})  # neither do these of `torch`
#: What an object says of itself whatever it holds.
_DESCRIPTIONS = frozenset({
    "requires_grad", "is_leaf", "grad_fn", "dtype", "device", "layout", "is_cuda", "is_sparse", "is_quantized",
    "training",
})  # fmt: skip
_LOADED = ("dataset", "sampler", "batch_sampler")  # by which a `DataLoader` knows how much it loads
_DRAWING = ("sample", "choices")  # that have as many items as is asked for, whatever they are drawn from
_DRAWN = ("integers", "randint", "choice")  # of NumPy, whose last argument or `size` says how many
_APPLYING = ("map", "filter", "reduce")  # their first argument to the others
_CHOOSING = ("random.choice", "secrets.choice")  # whose result may be a list of any length
_CHANCE = ("random.", "numpy.random.", "secrets.", "os.urandom", "uuid.")
#: By what an object gives what a loop, `next` or an index takes from it.
_GIVING = ("__iter__", "__next__", "__getitem__", "__aiter__", "__anext__", "__getattr__")
_ANSWERING = ("forward", "__call__")  # when an object is called
_MAKING = ("__init__", "__new__")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Constant, ast.JoinedStr)


@dataclass(slots=True, eq=False)
class Sources:
    """The sources of a value: the places that were looked at, each with whether only a length matters there.

    expressions: in the order they were found, so that of two values that left a tensor together one is always taken.
    names: the same of names, where a tensor is asked for nothing but its truth or, for a length, its items.
    chance: `rng` if a random number is drawn there itself, `rng~` if one may have come there, else empty.
    """

    expressions: dict[tuple[ExpressionEnd, bool], None] = field(default_factory=dict)
    names: dict[tuple[ExpressionEnd, bool], None] = field(default_factory=dict)
    chance: str = ""


_Found = TypeVar("_Found")


class Flow(Tables):
    """The origins of values, as the source of a program shows them.

    uncalled: file and line of functions whose bodies did not run.
    """

    def __init__(self, sources: dict[str, str], uncalled: Collection[tuple[str, int]] = ()) -> None:
        super().__init__()
        self._answers: dict[tuple[str, tuple[str, ...]], list[tuple[str, Span]]] = {}
        self._known: dict[object, list[Any]] = {}  # what was found before; the nodes that were made for it live here
        for file, text in sources.items():
            Reader(self, file, {line for name, line in uncalled if name == file}).module(parse(text).body)
        give_raised(self)

    def sources_of(
        self,
        file: str,
        span: Span,
        *,
        length: bool = False,
        is_end: Callable[[ExpressionEnd], bool] = lambda end: False,
    ) -> Sources:
        """Find the sources of the expression at `span`; with `length`, those of its number of items.

        is_end: whether a shape that is asked for at a place is a tensor's, so that nothing behind it counts.
        """
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
            if by_length and isinstance(node, ast.Call) and called(node.func) in _NUMBERS:
                continue
            if isinstance(node, ast.Lambda):  # ends where its body does, which has not run here
                continue
            end = where, node.end_lineno or 0, node.end_col_offset or 0
            if not isinstance(node, ast.Name | ast.Constant):
                found.expressions[end, by_length] = None
            elif by_length or node is not start[0]:  # the truth of what is tested itself is no news of it
                found.names[end, by_length] = None
            if isinstance(node, ast.Call) and self._is_chance(node.func, by_length):
                found.chance = "rng" if found.chance == "rng" or _is_within(node, where, file, span) else "rng~"
            asks_shape = by_length or called(node.func if isinstance(node, ast.Call) else node) in _SHAPES
            if asks_shape and is_end(end):
                waiting += self._conditions(node, where)  # before Python 3.13 a comprehension asks for the length
                continue
            behind = partial(self._behind, node, scope, where, by_length)
            waiting += self._once((id(node), by_length), behind)
        return found

    def movers(
        self, file: str, span: Span, taken: Mapping[tuple[str, Span], Collection[str]]
    ) -> list[tuple[str, Span]]:
        """Find the tests on data in whose arms the value at `span` was set, or what it was set by: `bad += 1`.

        taken: by the place of a test on data, the arms that ran; through other tests the search goes on.
        """
        found: dict[tuple[str, Span], None] = {}
        start = self.nodes.get((file, span))
        waiting: list[Given] = [] if start is None else [(*start, file)]
        seen: set[int] = set()
        while waiting:
            node, scope, where = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            for test, home, other, arm in self._moving(node, scope):
                place = other, span_of(test)
                if place not in taken:
                    waiting.append((test, home, other))
                elif arm in taken[place]:
                    found[place] = None
            behind = self._once((id(node), False), partial(self._behind, node, scope, where, False))
            waiting += (step[:3] for step in behind)
        return [*found]

    def _moving(self, node: ast.expr, scope: Scope) -> list[Arm]:
        """Return the arms of `if`s in which a name or an attribute is set."""
        match node:
            case ast.Name(id=name) if (home := scope.home(name)) is not None:
                return home.moving.get(name, [])
            case ast.Attribute(attr=name):
                return self.moving.get(name, [])
        return []

    def answers(self, kind: str, names: tuple[str, ...]) -> list[tuple[str, Span]]:
        """Find the return expressions of these methods of a class of the script's or its bases: (file, span) each."""
        found = self._answers.get((kind, names))
        if found is None:
            found = self._answers[kind, names] = list(self._given(kind, names))
        return found

    def _given(self, kind: str, names: tuple[str, ...]) -> Iterator[tuple[str, Span]]:
        for each in self.bases(kind):
            node, file = self.classes[each]
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name in names:
                    given = (part for part in ast.walk(method) if isinstance(part, ast.Return))
                    yield from ((file, span_of(part.value)) for part in given if part.value is not None)

    def _behind(self, node: ast.expr, scope: Scope, where: str, length: bool) -> Iterator[Step]:
        """Return what one expression gets its value, or its length, from."""
        match node:
            case ast.Name(id=name):
                yield from _steps(self._values(name, scope, where, length), length)
                yield from _steps(self._arguments(name, scope, length), length)
                if (home := scope.home(name)) is not None:
                    yield from (home.growing if length else home.flags).get(name, ())
            case ast.Attribute(attr=name) if name in _DESCRIPTIONS and name not in self.attributes:
                return
            case ast.Attribute(attr="param_groups") if length:  # of an optimizer, as many as the script wrote
                return
            case ast.Attribute(value=base, attr=name):
                known = self.attributes.get(name, ())
                yield from _steps(known, length)
                if length:
                    yield from self.growing.get(name, ())
                else:
                    yield from self.flags.get(name, ())
                    elsewhere = self._once(name, lambda: self._filled_elsewhere(name))
                    yield from _steps([*self.filled.get(name, ()), *elsewhere], length)
                of_module = self._of_module(f"{self.modules.get(called(base), '')}.{name}")
                yield from _steps(of_module, length)
                if not known and name not in self.filled and not of_module:
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
            case Part(value=ast.Call() as call, slice=ast.Constant(value=int() as place)):
                yield from _steps(self._returned(call, place) or [(call, scope, where)], length)
            case Part(value=ast.Name() as whole, slice=ast.Constant(value=int() as place)) if parts := self._parts(
                whole, scope, where, place
            ):
                yield from _steps(parts, length)
            case ast.Subscript(value=base, slice=index) if length and not isinstance(index, ast.Slice):
                yield from self._items_of_item(base, scope, where)
            case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                return
            case ast.Yield():  # gives what is sent
                sent = [*self.calls.get("send", ()), *self.calls.get("asend", ())]
                yield from ((argument, home, file, length) for call, home, file in sent for argument in call.args)
            case ast.BinOp(op=ast.Mult(), left=left, right=right) if length and _is_list(left) | _is_list(right):
                yield from ((side, scope, where, True) for side in (left, right) if _is_list(side))
                yield from ((side, scope, where, False) for side in (left, right) if not _is_list(side))
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        yield child, scope, where, length

    def _returned(self, call: ast.Call, place: int) -> list[Given]:
        """Return what stands at a place of the tuple that a call returns; [] if it may return anything else.

        Which of several tuples it returns may be decided by what stands beside.
        """
        returned = [] if self._is_library(call.func) else self.returns.get(called(call.func), [])
        for node, home, file in returned if len(returned) == 1 else ():
            if isinstance(node, ast.Tuple) and not any(isinstance(each, ast.Starred) for each in node.elts):
                return [(each, home, file) for each in node.elts[place : place + 1]]
        return []

    def _conditions(self, node: ast.expr, where: str) -> Iterator[Step]:
        """Yield the conditions of a comprehension, and what it goes through besides."""
        if isinstance(node, _COMPREHENSIONS):
            inside = self.inside[id(node)]
            yield from ((test, inside, where, False) for clause in node.generators for test in clause.ifs)
            yield from ((clause.iter, inside, where, True) for clause in node.generators[1:])

    def _parts(self, name: ast.Name, scope: Scope, where: str, place: int) -> list[Given]:
        """Return what stands at a place of the tuples that a name is given; [] if it may be given anything else."""
        given = [*self._values(name.id, scope, where, False), *self._arguments(name.id, scope, False)]
        tuples = [(node, home, file) for node, home, file in given if isinstance(node, ast.Tuple)]
        if len(tuples) < len(given) or any(
            isinstance(each, ast.Starred) for node, _, _ in tuples for each in node.elts
        ):
            return []
        return [(each, home, file) for node, home, file in tuples for each in node.elts[place : place + 1]]

    def _items_of_item(self, base: ast.expr, scope: Scope, where: str) -> Iterator[Step]:
        """Return what the number of items of an item of `base` comes from: of `[a, b]` that of `a` and of `b`."""
        values: Iterable[Given] = [(base, scope, where)]
        if isinstance(base, ast.Name) and (home := scope.home(base.id)) is not None:
            if base.id not in home.parameters:
                values = home.values.get(base.id, ())
                yield from _steps(home.fillings.get(base.id, ()), True)
                yield from home.choosing.get(base.id, ())
        elif isinstance(base, ast.Attribute) and base.attr in self.attributes:
            values = self.attributes[base.attr]
            yield from _steps(self.filled.get(base.attr, ()), True)
            yield from self.choosing.get(base.attr, ())
        for value, holder, file in values:
            match value:
                case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
                    yield from ((part, holder, file, True) for part in parts)
                case _:
                    yield value, holder, file, False

    def _call(self, node: ast.Call, scope: Scope, where: str, length: bool) -> Iterator[Step]:
        name = called(node.func)
        own = () if self._is_library(node.func) else self.returns.get(name, ())
        returned = own or self._once(id(node.func), lambda: self._results(node.func, scope, where))
        yield from _steps(returned, length)
        if isinstance(node.func, ast.Subscript):  # which of several functions
            yield node.func.slice, scope, where, False
        dotted = self._dotted(node.func) if length else ""
        of_arrays = dotted.startswith(("torch.", "dyncore.", "numpy.")) and not dotted.startswith("numpy.random.")
        cut = node.args[:1] if of_arrays and name in _CUTTING else []
        keeps = name in _SAME_LENGTH or (of_arrays and name not in _SIZED and not cut)
        by_length = name == "len" or (length and keeps)
        if not length:
            yield from self.deciding.get(name, ()) if own else ()
            yield from _steps(self.yields.get(name, ()), length)
            for kind in self.bases(name):
                yield from (step for method in _GIVING for step in _steps(self.methods.get((kind, method), ()), length))
        elif counts := self._counts(name):
            yield from _steps(counts, False)
            return
        elif name in self.yields and not self._is_library(node.func):
            yield from self.yielding[name]
            return
        asks_kind = name in _TENSOR_KINDS or (name in _KINDS and isinstance(node.func, ast.Name))
        if (returned and not by_length) or asks_kind:
            return
        if length and name in _DRAWN and (sizes := _sizes(node)):
            yield from ((size, scope, where, False) for size in sizes)
            return
        drawn = length and (name in _DRAWING and self._is_library(node.func)) | (name == "WeightedRandomSampler")
        loads = length and name == "DataLoader"
        given = node.args[1 if drawn else 0 : 1 if loads else None]
        yield from ((each, scope, where, by_length or each in cut) for each in given)
        yield from ((each, scope, where, True) for each in given if length and name in _DISTINCT)
        if not length:
            yield from _steps(self._applied(node, where), False)
        keywords = (each for each in node.keywords if not loads or each.arg in _LOADED)
        yield from ((each.value, scope, where, by_length) for each in keywords)
        if isinstance(node.func, ast.Attribute):
            yield node.func.value, scope, where, length or name in _SHAPES

    def _applied(self, call: ast.Call, where: str) -> Iterator[Given]:
        """Yield what the functions return that `map`, or `max` with its `key`, applies to what it is given."""
        functions = [each.value for each in call.keywords if each.arg == "key"]
        functions += call.args[:1] if called(call.func) in _APPLYING else []
        for function in functions:
            if isinstance(function, ast.Lambda):
                yield function.body, self.inside[id(function)], where
            else:
                yield from self.returns.get(called(function), ())

    def _counts(self, kind: str) -> list[Given]:
        """Return what `__len__` of a class of the script's returns, if its objects are gone through by index."""
        own = [method for each in self.bases(kind) if (method := self.methods.get((each, "__len__")))]
        return own[0] if own and not any(self.methods.get((each, "__iter__")) for each in self.bases(kind)) else []

    def _once(self, key: object, find: Callable[[], Iterable[_Found]]) -> list[_Found]:
        """Return what is found under a key, looked for once: of a large program 20x sooner."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = []  # what asks for itself finds nothing more
            known += find()
        return known

    def _results(self, function: ast.expr, scope: Scope, where: str) -> list[Given]:
        """Return what a call gives whose function has no name of its own.

        A lambda's, a closure's, an object's, a table's.
        """
        found: list[Given] = []
        waiting: list[Given] = [(function, scope, where)]
        seen: set[int] = set()
        while waiting:
            node, home, file = waiting.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            name = called(node)
            if isinstance(node, ast.Lambda):
                found.append((node.body, self.inside[id(node)], file))
            elif self.returns.get(name) and node is not function:
                found += self.returns[name]
            elif isinstance(node, ast.Name):
                waiting += [*self._values(name, home, file, False), *self._arguments(name, home, False)]
            elif isinstance(node, ast.Attribute):
                waiting += [*self.attributes.get(name, ()), *self.filled.get(name, ())]
            elif isinstance(node, ast.Call):
                kinds = list(self.bases(called(node.func)))
                found += [each for kind in kinds for how in _ANSWERING for each in self.methods.get((kind, how), ())]
                made = self.returns.get(called(node.func), ())
                waiting += made or [(argument, home, file) for argument in (node.args if not kinds else ())]
            elif not isinstance(node, ast.Constant):
                children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
                waiting += [(child, home, file) for child in children]
        return found

    def _values(self, name: str, scope: Scope, where: str, length: bool) -> Iterator[Given]:
        """Return what a name is given in the nearest scope that gives it anything, or in the module it comes from."""
        home = scope.home(name)
        if home is None:
            yield from self._of_module(self.modules.get(name, ""))
            return
        yield from home.values.get(name, ())
        if not length:
            yield from home.fillings.get(name, ())
            yield from self._once(name, lambda: self._filled_elsewhere(name))

    def _of_module(self, dotted: str) -> list[Given]:
        """Return what a name of another module of the program is given there."""
        module, _, name = dotted.rpartition(".")
        ends = f"{module.rpartition('.')[2]}.py"
        tops = [top for file, top in self.tops.items() if module and file.replace("\\", "/").split("/")[-1] == ends]
        return [each for top in tops for given in (top.values, top.fillings) for each in given.get(name, ())]

    def _filled_elsewhere(self, name: str) -> Iterator[Given]:
        """Return what functions put into what they are handed by this name."""
        for place, (call, _, _) in self.handed.get(name, ()):
            for callee in self._callees(call):
                parameter = _parameter_at(callee, place, call)
                if parameter is not None:
                    yield from callee.fillings.get(parameter, ())

    def _arguments(self, name: str, scope: Scope, length: bool) -> Iterator[Given]:
        """Return what callers pass for a parameter."""
        function = scope.home(name)
        if function is None or name not in function.parameters:
            return
        found = self._once((id(function), name, length), lambda: self._passed(name, function, length))
        yield from found

    def _passed(self, name: str, function: Scope, length: bool) -> Iterator[Given]:
        parameter = function.parameters[name]
        for (call, home, file), shift in self._once(id(function), lambda: self._calls_of(function)):
            index = parameter.index - shift
            for place, argument in enumerate(call.args):
                takes = not length and place >= index if parameter.stars == 1 else place == index
                if takes or (isinstance(argument, ast.Starred) and place <= index):
                    yield argument, home, file
            for keyword in call.keywords:
                others = parameter.stars == 2 and not length and keyword.arg not in function.parameters
                if keyword.arg == name or others or keyword.arg is None:
                    yield keyword.value, home, file

    def _calls_of(self, function: Scope) -> Iterator[tuple[Called, int]]:
        """Yield the calls of a function, each with the number of parameters that precede its arguments."""
        name = function.function
        for each in self.lambdas.get(function.node, (name,)):
            for call in self.calls.get(each, ()):
                if not self._is_library(call[0].func) and self._may_reach(call, function):
                    yield call, 1 if function.bound and isinstance(call[0].func, ast.Attribute) else 0
        if function.owner and name in (*_MAKING, *_ANSWERING):
            for kind in self.subclasses(function.owner):
                names = [kind] if name in _MAKING else [*self.named.get(kind, ()), f"{kind}()"]
                yield from ((call, 1) for named in names for call in self.calls.get(named, ()))
        for place, (handing, home, file) in self.handed.get(function.node if function.node else name, ()):
            if function.owner and _is_variable(handing, place, home):
                continue
            callees = self._callees(handing)
            for callee in callees:
                parameter = _parameter_at(callee, place, handing)
                yield from ((called_so, 0) for called_so in self.calls.get(parameter or "", ()))
            if not callees and called(handing.func) != "partial":  # such as `map`, which passes parts of the others on
                others = [argument for argument in handing.args if not isinstance(argument, ast.Lambda)]
                parts: list[ast.expr] = [ast.Starred(each) for each in others if called(each) != (name or None)]
                yield (ast.copy_location(ast.Call(handing.func, parts, []), handing), home, file), 0

    def _callees(self, call: ast.Call) -> list[Scope]:
        """Return the functions of that name, or what makes objects of the class."""
        name = called(call.func)
        kinds = list(self.bases(name))
        making = (each for how in _MAKING for each in self.functions.get(how, ()) if each.owner in kinds)
        return [*self.functions.get(name, ()), *making]

    def _may_reach(self, call: Called, method: Scope) -> bool:
        """Return whether a call may be of a class's method: `super().f()` is of one that the object has besides."""
        receiver = getattr(call[0].func, "value", None)
        kind = call[1].owner
        if not (method.owner and kind and isinstance(receiver, ast.Call) and called(receiver.func) == "super"):
            return True
        return any(method.owner in self.bases(each) for each in self.subclasses(kind))

    def _is_library(self, function: ast.expr) -> bool:
        """Return whether a function is of an imported module that is not of the program: `random.sample`."""
        if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
            return False
        name = self.modules.get(function.value.id, "").rpartition(".")[2]
        return bool(name) and name not in self.classes and name not in self._own_modules

    @cached_property
    def _own_modules(self) -> set[str]:
        """The names of the program's files and of their folders, which are packages."""
        return {part.removesuffix(".py") for file in self.tops for part in file.replace("\\", "/").split("/")}

    def _is_chance(self, function: ast.expr, length: bool) -> bool:
        """Return whether a function draws what it returns; with `length`, how many items that has."""
        dotted = self._dotted(function)
        return dotted in _CHOOSING if length else dotted.startswith(_CHANCE)

    def _dotted(self, function: ast.expr) -> str:
        """Return the full name of what is reached from an imported name, empty if it is not."""
        parts: list[str] = []
        while isinstance(function, ast.Attribute):
            parts.append(function.attr)
            function = function.value
        if not isinstance(function, ast.Name) or function.id not in self.modules:
            return ""
        return ".".join([self.modules[function.id], *reversed(parts)])


def _is_within(node: ast.expr, where: str, file: str, span: Span) -> bool:
    """Return whether an expression stands inside a span of a file."""
    line, col, end_line, end_col = span_of(node)
    first, last = (span[0], span[1]), (span[2], span[3])
    return where == file and first <= (line, col) and (end_line, end_col) <= last


def _is_variable(call: ast.Call, place: int | str, scope: Scope) -> bool:
    """Return whether the argument at a place is a variable, and so no method that has the same name."""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    argument = call.args[place] if isinstance(place, int) else keywords.get(place)
    return isinstance(argument, ast.Name) and scope.home(argument.id) is not None


def _steps(given: Iterable[Given], length: bool) -> Iterator[Step]:
    return ((value, home, file, length) for value, home, file in given)


def _parameter_at(function: Scope, place: int | str, call: ast.Call) -> str | None:
    """Return the parameter of a function that takes the argument at `place` of a call."""
    if isinstance(place, str):
        return place if place in function.parameters else None
    bound = function.bound and (isinstance(call.func, ast.Attribute) or function.function in _MAKING)
    index = place + (1 if bound else 0)
    return next((name for name, each in function.parameters.items() if each.index == index), None)


def _sizes(call: ast.Call) -> list[ast.expr]:
    """Return what says how many numbers are drawn: `size`, or the last of several arguments."""
    return [each.value for each in call.keywords if each.arg == "size"] or call.args[1:][-1:]


def _is_list(node: ast.expr) -> bool:
    """Return whether an expression is a list or a text written out, which `*` repeats."""
    return isinstance(node, _DISPLAYS) and not (isinstance(node, ast.Constant) and not isinstance(node.value, str))


def _elements(node: ast.expr) -> list[ast.expr]:
    """Return what a comprehension is made of at each step."""
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
