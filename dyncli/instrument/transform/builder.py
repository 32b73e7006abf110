"""The base of all parts of the transformation: questions about nodes, source by position, points, sites, probes."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import NamedTuple, TypeVar

from dyncli.instrument.program import CALL_ID, Construct, Function, Point, Program, Role
from dyncli.records.digest import blake2b
from dyncli.records.model import Site

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
#: The builtins that list the variables of the frame that calls them.
LISTING = frozenset({"locals", "vars", "dir"})
_FLAGS = ("TYPE_CHECKING", "__debug__")


def is_constant(test: ast.expr) -> bool:
    """Return whether a test is decided before the run: `True`, `not 0`, `1 < 2`, `TYPE_CHECKING`, `__debug__`."""
    match test:
        case ast.Constant():
            return True
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(), attr=name):
            return name in _FLAGS
        case ast.UnaryOp(operand=operand):
            return is_constant(operand)
        case ast.BoolOp(values=values):
            return all(map(is_constant, values))
        case ast.Compare(left=left, comparators=comparators):
            return all(isinstance(part, ast.Constant) for part in (left, *comparators))
    return False


def known_truth(test: ast.expr) -> bool | None:
    """Return the truth of a test that the compiler knows, such as `True or x`; None if it does not."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.Name(id="__debug__"):
            return __debug__
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            known = known_truth(operand)
            return None if known is None else not known
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=ast.Constant(value=int() | float() | complex() as value)):
            return bool(value)
        case ast.BoolOp(op=operator, values=values):
            conjoined = isinstance(operator, ast.And)
            return next((known for value in values if (known := known_truth(value)) is not conjoined), conjoined)
    return None


def is_silent(node: ast.stmt) -> bool:
    """Return whether there are no instructions for a statement of a function."""
    return isinstance(node, ast.Global | ast.Nonlocal) or (
        isinstance(node, ast.AnnAssign) and node.value is None and isinstance(node.target, ast.Name)
    )


def is_quiet(node: ast.expr | None) -> bool:
    """Return whether evaluating `node` can neither run an op nor call anything."""
    match node:
        case None | ast.Constant() | ast.Name() | ast.Lambda():
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.BoolOp(values=parts):
            return all(map(is_quiet, parts))
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and is_quiet(key) for key in keys) and all(map(is_quiet, values))
        case ast.NamedExpr(value=value):
            return is_quiet(value)
    return False


def tests_quietly(test: ast.expr) -> bool:
    """Return whether nothing runs in a test before its first probe: `a < b`, `not done`, `a and f(b)`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return tests_quietly(operand)
        case ast.BoolOp(values=[first, *_]):
            return tests_quietly(first)
        case ast.Compare(left=left, comparators=[right, *_]):
            return is_quiet(left) and is_quiet(right)
    return is_quiet(test)


def same_scope(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield every node below `nodes` that runs in the same function, without nested functions and classes."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, SCOPES):
            waiting.extend(ast.iter_child_nodes(node))


def may_leave(statement: ast.stmt) -> bool:
    """Return whether an arm of `statement` may leave the block it stands in.

    Return, raise, or break or continue outwards.
    """
    waiting: list[tuple[ast.AST, bool]] = [(statement, False)]
    while waiting:
        node, in_loop = waiting.pop()
        if isinstance(node, ast.Return | ast.Raise):
            return True
        if isinstance(node, ast.Break | ast.Continue) and not in_loop:
            return True
        if isinstance(node, (*SCOPES, ast.expr)):
            continue
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            waiting += [(child, True) for child in node.body] + [(child, in_loop) for child in node.orelse]
        else:
            waiting += [(child, in_loop) for child in ast.iter_child_nodes(node)]
    return False


def returns_inside(statements: Iterable[ast.stmt]) -> bool:
    """Return whether a `return` stands among `statements`, at any depth of this function."""
    return any(isinstance(node, ast.Return) for node in same_scope(statements))


def is_irrefutable(case: ast.match_case) -> bool:
    """Return whether a case always matches, so that nothing may follow it."""
    return case.guard is None and always_matches(case.pattern)


def always_matches(pattern: ast.pattern) -> bool:
    """Return whether a pattern takes anything."""
    match pattern:
        case ast.MatchAs(pattern=None):
            return True
        case ast.MatchAs(pattern=ast.pattern() as inner):
            return always_matches(inner)
        case ast.MatchOr(patterns=patterns):
            return any(map(always_matches, patterns))
    return False


def short_circuits(node: ast.expr) -> bool:
    """Return whether Python asks parts of an expression for their truth when it is tested, and then not the whole."""
    match node:
        case ast.BoolOp(values=[*tested, last]):
            return not all(map(is_constant, tested)) or short_circuits(last)
        case ast.Compare(ops=operators):
            return len(operators) > 1
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return short_circuits(operand)
        case ast.IfExp(body=body, orelse=orelse):
            return short_circuits(body) or short_circuits(orelse)
    return False


def truth_of(node: ast.expr) -> ast.expr:
    """Return the expression that has the truth of another: `x` of `bool(x)` and of `x.item()`."""
    match node:
        case (
            ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[])
            | ast.Call(func=ast.Attribute(value=inner, attr="item"), args=[], keywords=[])
        ):
            return truth_of(inner)
    return node


def affirmed(node: ast.expr) -> tuple[ast.expr, bool]:
    """Return the expression that has the truth of another or, if the second is True, the opposite: `x` of `not x`."""
    node, negated = truth_of(node), False
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node, negated = truth_of(node.operand), not negated
    return node, negated


#: The measured operators, each with the one that has the opposite outcome but of NaN.
OPPOSITES = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_MEASURED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def comparison_of(value: ast.expr) -> ast.Compare | None:
    """Return the comparison whose truth or its opposite a value has, None if it has that of anything else."""
    match affirmed(value)[0]:
        case ast.Compare(ops=[operator]) as node if isinstance(operator, _MEASURED):
            return node
    return None


def otherwise_bound(body: list[ast.stmt]) -> set[str]:
    """Return the names in a function that may hold neither their last comparison nor a constant from above it."""
    known: set[int] = set()  # ids of targets
    first: dict[str, int] = {}  # the line of a name's first comparison
    constants: list[tuple[str, int]] = []
    found: set[str] = set()
    for node in (each for statement in body for each in ast.walk(statement)):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name) as target], value=value)
                | ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value)
                | ast.NamedExpr(target=ast.Name(id=name) as target, value=value)
            ):
                if isinstance(value, ast.Constant):
                    constants.append((name, node.lineno))
                elif comparison_of(value) is not None:
                    first[name] = min(node.lineno, first.get(name, node.lineno))
                else:
                    found.add(name)
                known.add(id(target))
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if id(node) not in known:
                found.add(name)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                found.update(names)
            case ast.alias(name=name, asname=alias):
                found.add(alias or name)
            case (
                ast.ExceptHandler(name=str() as name)
                | ast.MatchAs(name=str() as name)
                | ast.MatchStar(name=str() as name)
                | ast.MatchMapping(rest=str() as name)
                | ast.FunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                found.add(name)
    return found.union(name for name, line in constants if name in first and line > first[name])


_DECIDING = (
    ast.If, ast.IfExp, ast.While, ast.For, ast.AsyncFor, ast.Match, ast.Try, ast.TryStar, ast.Assert, ast.BoolOp,
    ast.comprehension,
)  # fmt: skip


def may_decide(code: ast.expr) -> bool:
    """Return whether code made of a text may decide something, or list variables; if the text is not known, it may."""
    if not isinstance(code, ast.Constant) or not isinstance(code.value, str):
        return True
    try:
        nodes = ast.walk(ast.parse(code.value.strip()))
        return any(isinstance(node, _DECIDING) or (isinstance(node, ast.Name) and node.id in LISTING) for node in nodes)
    except (SyntaxError, ValueError, RecursionError):
        return True


def is_docstring(node: ast.stmt) -> bool:
    """Return whether a statement is a text alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def needs_close(node: ast.stmt) -> bool | None:
    """Return whether something may run in `node` before its first report.

    None if it neither runs nor reports anything.
    """
    match node:
        case ast.Pass() | ast.Global() | ast.Nonlocal():
            return None
        case ast.FunctionDef(decorator_list=[], args=ast.arguments(defaults=[], kw_defaults=[])):
            return None
        case ast.Assign(targets=targets, value=value):
            return None if is_quiet(value) and all(isinstance(target, ast.Name) for target in targets) else True
        case ast.Break() | ast.Continue():
            return False
        case ast.Return(value=value):
            return not is_quiet(value)
        case ast.If(test=test) | ast.Assert(test=test):
            return is_constant(test) or not tests_quietly(test)
        case ast.For(iter=iterable):
            return not is_quiet(iterable)
        case ast.While():
            return False
    return True


def breaks_plainly(body: list[ast.stmt]) -> bool:
    """Return whether every `break` of this loop leaves it at once, with no `finally` or `with` to pass."""
    for statement in body:
        match statement:
            case ast.Try() | ast.TryStar() | ast.With() | ast.AsyncWith():
                if any(isinstance(node, ast.Break) for node in ast.walk(statement)):
                    return False
            case ast.If():
                if not (breaks_plainly(statement.body) and breaks_plainly(statement.orelse)):
                    return False
            case ast.Match():
                if not all(breaks_plainly(case.body) for case in statement.cases):
                    return False
            case ast.For() | ast.AsyncFor() | ast.While():
                if not breaks_plainly(statement.orelse):
                    return False
    return True


#: The builtins that make code of a text, and where a source gives one of them another name.
MAKERS = frozenset({"exec", "eval", "compile"})
_RENAMED = r"{}(?: +as +(\w+)| *[,;)#\n])"  # of one name, as a word to begin with is found 50 times faster
_NAME_BEFORE = r"(\w+) *= *(?:builtins\.)?$"
_FAR = 100  # characters before

Span = tuple[int, int, int, int]


class SourceText:
    """The lines of one file; columns count UTF-8 bytes, as `ast` does."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        # ast ends lines at \n alone (\r\n and \r are translated before); str.splitlines also splits at \f and others.
        self.lines = [line.encode() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
        self._text = text

    @cached_property
    def makers(self) -> frozenset[str]:
        """The names by which the source may call what makes code of a text: `exec`, `run` after `run = exec`."""
        text, found = f"{self._text}\n", set(MAKERS)
        hints = ("= {}", "={}", "{} as ", "builtins.{}")
        if not any(hint.format(name) in text for name in MAKERS for hint in hints):
            return MAKERS
        for name in MAKERS:
            for each in re.finditer(_RENAMED.format(name), text):
                before = re.search(_NAME_BEFORE, text[max(0, each.start() - _FAR) : each.start()])
                found |= {each[1] or (before[1] if before is not None else name)}
        return frozenset(found)

    def between(self, span: Span) -> str:
        """Return the source of a span unchanged, newlines included."""
        line, col, end_line, end_col = span
        if line == end_line:
            return self.lines[line - 1][col:end_col].decode()
        parts = [self.lines[line - 1][col:], *self.lines[line : end_line - 1], self.lines[end_line - 1][:end_col]]
        return b"\n".join(parts).decode()

    def one_line(self, span: Span) -> str:
        """Return the source of a span on one line: comments removed, white space collapsed."""
        text = self.between(span)
        if "\n" in text:
            text = (without_comments(text) if "#" in text else text).replace("\\\n", " ")
        return " ".join(text.split())

    def starts(self, node: ast.stmt, word: bytes) -> bool:
        """Return whether the source at `node` begins with `word`."""
        return self.lines[node.lineno - 1][node.col_offset :].startswith(word)

    def word_before(self, word: bytes, line: int, col: int) -> tuple[int, int]:
        """Find the last `word` before a position."""
        at = self.lines[line - 1].rfind(word, 0, col)
        while at < 0 and line > 1:
            line -= 1
            at = self.lines[line - 1].rfind(word)
        return line, max(at, 0)


def span_of(node: ast.expr | ast.stmt | ast.pattern) -> Span:
    """Return the span of a node."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def without_comments(text: str) -> str:
    """Remove the comments from `text`, an expression over several lines."""
    lines = f"({text}\n)".split("\n")
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline):
            if token.type == tokenize.COMMENT:
                line, col = token.start
                lines[line - 1] = lines[line - 1][:col]
    except (tokenize.TokenError, SyntaxError):
        return text
    return "\n".join(lines)[1:-1]


Node = TypeVar("Node", ast.expr, ast.stmt, ast.arg, ast.pattern, ast.Name, ast.Call, ast.Constant, ast.Expr)
Located = ast.expr | ast.stmt | ast.pattern


class Place(NamedTuple):
    """Where the visitor stands.

    function: its number.  name: its qualified name, and the prefix for what is defined in it.  module: the constant
    call id of module-level code, None inside functions.  parent: the site id and arm around.  chain: as in `Point`.
    loop: the key of the innermost loop.
    in_with: inside a `with`, the chain at it: a `return` runs its `__exit__` first.
    unbound: inside a lambda that cannot assign its call id, because it stands in the iterable of a comprehension.
    """

    function: int
    name: str
    prefix: str
    module: int | None
    parent: tuple[str, str] | None = None
    chain: frozenset[int] = frozenset()
    loop: int | None = None
    in_with: frozenset[int] | None = None
    unbound: bool = False


class Scribe:
    """Numbers points and constructs of one file and builds the calls that report them."""

    def __init__(self, program: Program, source: SourceText, file: str, identity: str, place: Place) -> None:
        self.program = program
        self.source = source
        self.file = file
        self.identity = identity
        self.place = place
        self.loops: list[int] = []  # around this place: their keys
        self.passing = 0  # how many `with` and `try ... finally` a `break` passes here on its way out of its loop
        self.left_late: set[ast.stmt] = set()
        self.fstring: ast.JoinedStr | None = None
        self.groups = 0
        self.iterables = 0  # how many iterables of comprehensions this place stands in
        self._equals: dict[tuple[str, str, str], int] = {}

    # Points and probes

    def point(self, role: Role, key: int = -1, index: int = 0) -> int:
        """Add a point at this place and return its number."""
        chain = self.place.chain
        self.program.points.append(Point(role, key, chain, index, self.place.function))
        return len(self.program.points) - 1

    def call_id(self, at: Located) -> ast.expr:
        """Return the expression for the id of the running call."""
        if self.place.module is not None:
            return constant(self.place.module, at)
        if self.place.unbound:
            return call("@within", at)
        return placed(ast.Name(CALL_ID, ast.Load()), at)

    def probe(self, name: str, point: int | ast.expr, at: Located, *arguments: ast.expr) -> ast.Call:
        """Return a call of a probe that stands where `at` stands."""
        number = constant(point, at) if isinstance(point, int) else point
        return call(name, at, number, self.call_id(at), *arguments)

    def report(self, name: str, point: int, at: Located) -> ast.Expr:
        """Create a statement that calls a probe, on the line where `at` begins."""
        return placed(ast.Expr(self.probe(name, point, at)), at)

    # Constructs and sites

    def construct(
        self, kind: str, span: Span, text: str, arms: tuple[str, ...], arm_lines: tuple[tuple[int, int] | None, ...]
    ) -> int:
        """Add a construct that decides something, and return its key."""
        site = self._site(kind, span, text, arms, arm_lines)
        return self._add(Construct(kind, span[0], text, self.place.function, site, loop=self.place.loop))

    def _site(
        self, kind: str, span: Span, text: str, arms: tuple[str, ...], arm_lines: tuple[tuple[int, int] | None, ...]
    ) -> Site:
        name = self.place.name
        count = self._equals.get((name, kind, text), 0)
        self._equals[name, kind, text] = count + 1
        parent, parent_arm = self.place.parent or (None, None)
        return Site(
            id=site_id(self.identity, name, kind, text, count),
            file=self.file,
            line=span[0],
            col=span[1],
            end_line=span[2],
            end_col=span[3],
            kind=kind,
            text=text,
            function=name,
            arms=arms,
            arm_lines=arm_lines,
            parent=parent,
            parent_arm=parent_arm,
        )

    def silent_loop(self, at: ast.While, text: str) -> int:
        """Add a loop that decides nothing, `while True`, and return its key."""
        stands = self._site("while", span_of(at.test), text, (), ())
        return self._add(Construct("while", at.lineno, text, self.place.function, loop=self.place.loop, stands=stands))

    def value(self, kind: str, at: ast.expr, text: str) -> int:
        """Add a value that a test may ask for later, `valued` or `returned`, and return its key."""
        return self._add(Construct(kind, at.lineno, text, self.place.function, spans=(self.span(at),)))

    def function(self, name: str, kind: str, at: Located) -> int:
        """Add a function of this file and return its number."""
        line, _, end_line, _ = span_of(at)
        self.program.functions.append(Function(name, self.file, self.source.path, line, end_line, kind))
        return len(self.program.functions) - 1

    def site(self, key: int) -> Site:
        """Return the site of a construct, which must have one."""
        site = self.program.constructs[key].site
        assert site is not None
        return site

    @contextmanager
    def within(self, key: int, arm: str, loop: bool = False) -> Iterator[None]:
        """Enter an arm of a construct."""
        site = self.program.constructs[key].site
        before = self.place
        self.place = before._replace(
            chain=before.chain | {key},
            parent=(site.id, arm) if site is not None else before.parent,
            loop=key if loop else before.loop,
        )
        try:
            yield
        finally:
            self.place = before

    def text(self, node: ast.expr) -> str:
        """Return the source of an expression on one line."""
        return self.source.one_line(span_of(node)) if self.is_placed(node) else ast.unparse(node)

    def span(self, node: ast.expr) -> Span:
        """Return the span of an expression, or of the f-string around it where Python has no better one."""
        return span_of(node if self.fstring is None or self.is_placed(node) else self.fstring)

    def is_placed(self, node: ast.expr) -> bool:
        """Return whether `node`, not rewritten yet, stands where it says; inside f-strings 3.11 may be wrong."""
        if self.fstring is None:
            return True
        try:
            there = ast.parse(f"({self.source.between(span_of(node))}\n)", mode="eval").body
        except (SyntaxError, ValueError, IndexError):
            return False
        return ast.dump(there) == ast.dump(node)

    def _add(self, construct: Construct) -> int:
        self.program.constructs.append(construct)
        return len(self.program.constructs) - 1


def site_id(file: str, function: str, kind: str, text: str, count: int) -> str:
    """Return 12 hex digits that stay the same when lines are added above; `count` tells equal ones apart."""
    digest = blake2b(
        "\0".join((file, function, kind, text, str(count))).encode("utf-8", "surrogatepass"), digest_size=6
    )
    return digest.hexdigest()


def placed(node: Node, at: Located) -> Node:
    """Give a new node the position of `at`."""
    node.lineno, node.col_offset = at.lineno, at.col_offset
    node.end_lineno = at.end_lineno or at.lineno
    node.end_col_offset = at.end_col_offset or at.col_offset
    return node


def constant(value: int | str | None, at: Located) -> ast.Constant:
    """Create a constant with the position of `at`."""
    return placed(ast.Constant(value), at)


def call(name: str, at: Located, *arguments: ast.expr) -> ast.Call:
    """Create a call of the builtin `name` with the position of `at`."""
    return placed(ast.Call(placed(ast.Name(name, ast.Load()), at), list(arguments), []), at)


def beginning(at: Located) -> ast.Pass:
    """Return a place without width where `at` begins: that of the probe that a function begins with."""
    line, col = at.lineno, at.col_offset
    return ast.Pass(lineno=line, col_offset=col, end_lineno=line, end_col_offset=col)


def lines_of(body: list[ast.stmt]) -> tuple[int, int] | None:
    """Return the first and last line of a block, None for an empty one."""
    return (body[0].lineno, body[-1].end_lineno or body[-1].lineno) if body else None
