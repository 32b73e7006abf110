"""What all parts of the instrumentation share: where the visitor stands, how a place becomes a point and a probe."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import NamedTuple, TypeVar

from dyncli.load.instrument.again import Again, Pads
from dyncli.load.instrument.beginning import Located, first_evaluated
from dyncli.load.instrument.program import Construct, Function, Point, Program, Role
from dyncli.load.instrument.source import SourceText, Span, span_of
from dyncli.load.instrument.unnamed import KNOWN, MARK, Prologue
from dyncli.record.digest import blake2b
from dyncli.record.model import Site

Node = TypeVar("Node", ast.expr, ast.stmt, ast.arg, ast.pattern, ast.Name, ast.Call, ast.Constant, ast.Expr)


class Place(NamedTuple):
    """Where the visitor stands.

    function: its number.  name: its qualified name, and the prefix for what is defined in it.  module: the constant
    activation of module-level code, None inside functions.  parent: the site id and arm around.  chain: as in `Point`.
    loop: the key of the innermost loop.
    in_with: inside a `with`, the chain at it: a `return` runs its `__exit__` first.
    unwinds: the `with` that a `return` goes on with first there, and not with itself.
    frame: the number of the code this runs in, and what stands there for its activation (`unnamed.py`).
    within: the frame around, from which this one has its activation; None if it has one of its own.
    """

    function: int
    name: str
    prefix: str
    module: int | None
    parent: tuple[str, str] | None = None
    chain: frozenset[int] = frozenset()
    loop: int | None = None
    in_with: frozenset[int] | None = None
    unwinds: Located | None = None
    frame: int = 0
    mark: str | None = MARK
    within: Place | None = None


class Scribe:
    """Numbers points and constructs of one file and builds the calls that report them."""

    def __init__(
        self, program: Program, source: SourceText, file: str, identity: str, place: Place, plain: CodeType
    ) -> None:
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
        self.frames = 0
        self.used: set[int] = set()  # frames that need the activation they run in
        self.known: set[int] = set()  # frames whose activation others ask for
        self.prologues: dict[str, Prologue] = {}
        self.again = Again(plain)
        self.pads: Pads = {}
        self._equals: dict[tuple[str, str, str], int] = {}

    # Points and probes

    def point(self, role: Role, key: int = -1, index: int = 0, chain: frozenset[int] | None = None) -> int:
        """The number of a new point at this place."""
        chain = self.place.chain if chain is None else chain
        self.program.points.append(Point(role, key, chain, index, self.place.function))
        return len(self.program.points) - 1

    def activation(self, at: Located) -> ast.expr:
        """The expression for the running activation's number."""
        if self.place.module is not None:
            return constant(self.place.module, at)
        self._use(self.place)
        return constant(self.place.mark, at) if self.place.mark is not None else call("_dy_within", at)

    def _use(self, place: Place) -> None:
        """Notes that a frame needs its activation, and that those around are asked for it."""
        around = place.within
        if around is not None and place.frame not in self.used:
            self.known.add(around.frame)
            self._use(around)
        self.used.add(place.frame)

    def framed(self, marked: bool = False) -> tuple[int, str]:
        """The number of a new frame, and its mark; marked: whether it is one of its own."""
        self.frames += 1
        return self.frames, f"{MARK}{self.frames}" if marked else MARK

    def known_as(self, name: str, frame: int) -> str:
        """The probe that gives a frame its activation, and keeps it for other frames if they ask."""
        return f"{name}{KNOWN}" if frame in self.known or self.program.wanted is not None else name

    def probe(self, name: str, point: int | ast.expr, at: Located, *arguments: ast.expr) -> ast.Call:
        """A call of a probe that stands where `at` stands.

        What it is called by stands where its first argument begins, so that the debugger comes to no other line first.
        """
        start = first_evaluated(arguments[0]) if arguments else at
        number = constant(point, start) if isinstance(point, int) else point
        probe = call(name, at, number, self.activation(start), *arguments)
        placed(probe.func, start)
        return probe

    def report(self, name: str, point: int, at: Located) -> ast.Expr:
        """A statement that calls a probe, on the line where `at` begins."""
        return placed(ast.Expr(self.probe(name, point, at)), at)

    # Constructs and sites

    def construct(
        self, kind: str, span: Span, text: str, arms: tuple[str, ...], arm_lines: tuple[tuple[int, int] | None, ...]
    ) -> int:
        """The key of a new construct that decides something."""
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
        """The key of a loop that decides nothing: `while True`."""
        stands = self._site("while", span_of(at.test), text, (), ())
        return self._add(Construct("while", at.lineno, text, self.place.function, loop=self.place.loop, stands=stands))

    def function(self, name: str, kind: str, at: Located) -> int:
        """The number of a new function of this file."""
        line, _, end_line, _ = span_of(at)
        self.program.functions.append(Function(name, self.file, self.source.path, line, end_line, kind))
        return len(self.program.functions) - 1

    def site(self, key: int) -> Site:
        """The site of a construct that has one."""
        site = self.program.constructs[key].site
        assert site is not None
        return site

    @contextmanager
    def within(self, key: int, arm: str, loop: bool = False) -> Iterator[None]:
        """Stands in an arm of a construct."""
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
        """The source of an expression on one line."""
        return self.source.one_line(span_of(node)) if self.is_placed(node) else ast.unparse(node)

    def span(self, node: ast.expr) -> Span:
        """Where an expression stands; where the f-string around it does, if Python does not know better."""
        return span_of(node if self.fstring is None or self.is_placed(node) else self.fstring)

    def is_placed(self, node: ast.expr) -> bool:
        """Whether `node`, not rewritten yet, stands where it says; inside f-strings 3.11 may be wrong."""
        if self.fstring is None or sys.version_info >= (3, 12):
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
    """12 hex digits that stay the same when lines are added above; `count` tells equal ones apart."""
    digest = blake2b(
        "\0".join((file, function, kind, text, str(count))).encode("utf-8", "surrogatepass"), digest_size=6
    )
    return digest.hexdigest()


def placed(node: Node, at: Located) -> Node:
    """`node`, a new one, where `at` stands."""
    node.lineno, node.col_offset = at.lineno, at.col_offset
    node.end_lineno = at.end_lineno or at.lineno
    node.end_col_offset = at.end_col_offset or at.col_offset
    return node


def constant(value: int | str | None, at: Located) -> ast.Constant:
    """A constant that stands where `at` stands."""
    return placed(ast.Constant(value), at)


def call(name: str, at: Located, *arguments: ast.expr) -> ast.Call:
    """A call of the builtin `name` that stands where `at` stands."""
    return placed(ast.Call(placed(ast.Name(name, ast.Load()), at), list(arguments), []), at)


def lines_of(body: list[ast.stmt]) -> tuple[int, int] | None:
    """The first and last line of a block, None for an empty one."""
    return (body[0].lineno, body[-1].end_lineno or body[-1].lineno) if body else None
