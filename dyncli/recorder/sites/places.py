"""Sites of ops: from a code object and an instruction to file, line, columns and source text."""

from __future__ import annotations

import ast
import linecache
import opcode
from collections.abc import Iterable, Mapping
from itertools import islice
from types import CodeType

from dyncli.recorder.engine import Place, spanned
from dyncli.records.digest import blake2b
from dyncli.records.model import Site
from dyncli.records.text import parse
from dyncli.script.paths import display

#: First line, last line, first column, column after the last; None where it is not known.
Position = tuple[int | None, int | None, int | None, int | None]
LONG = 4096  # bytes of a table of lines
MOST = 8  # long functions whose positions are kept
_NOWHERE: Position = (None, None, None, None)
_known: dict[int, tuple[CodeType, list[Position]]] = {}


def position(code: CodeType, lasti: int) -> Position:
    """Return the source span of the instruction at `lasti`."""
    if len(code.co_linetable) < LONG:
        return next(islice(code.co_positions(), lasti // 2, None), _NOWHERE)
    known = _known.get(id(code))
    if known is None:
        if len(_known) == MOST:
            _known.clear()
        known = _known[id(code)] = code, [*code.co_positions()]  # the code as well: its number is not given anew
    return known[1][lasti // 2] if lasti // 2 < len(known[1]) else _NOWHERE


def placed(code: CodeType, lasti: int) -> Place:
    """Return the place of the instruction at `lasti`: span, file and function."""
    return spanned(code, position(code, lasti))


Span = tuple[int, int, int, int]
#: The instruction before a call, and how many bytes it takes: Python 3.11 has it.
_PREPARES = opcode.opmap.get("PRECALL")
_PREPARED = 4
_LOOPS = (b"for ", b"async for ", b"[", b"(", b"{")


class Places:
    """The op sites of one run, each made once.  names: a file -> the name it is shown by.

    texts: of code that was made of a text, by the identity of the code, the name it is shown by and the text.
    """

    def __init__(self, names: dict[str, str], texts: Mapping[int, tuple[str, str]] | None = None) -> None:
        self.names = names
        self._texts = {} if texts is None else texts
        self._known: dict[tuple[CodeType, int], Site] = {}
        self._ids: dict[tuple[str, str, str], int] = {}
        self._looped: dict[str, dict[Span, Span]] = {}

    def site(self, code: CodeType, lasti: int) -> Site:
        """Return the site of the instruction at `lasti`."""
        key = (code, lasti)
        found = self._known.get(key)
        if found is None:
            whole = _call(code, lasti)
            found = self._known[key] = self._made(code, lasti) if whole == lasti else self.site(code, whole)
        return found

    def _made(self, code: CodeType, lasti: int) -> Site:
        where = placed(code, lasti)
        name, made = self._texts.get(id(code), (None, ""))
        where = self._at_the_iterable(where, made if name is not None else None)
        file = display(where.file, self.names) if name is None else name
        end_line = where.end_line or where.line
        if name is None:
            text = segment(where.file, where.line, where.col, end_line, where.end_col)
        else:
            text = between(made.split("\n")[where.line - 1 : end_line], where.col, where.end_col)
        function = _around(where.function)
        ordinal = self._ids[(file, function, text)] = self._ids.get((file, function, text), -1) + 1
        digest = blake2b(f"{file}\0{function}\0op\0{text}\0{ordinal}".encode("utf-8", "replace"), digest_size=6)
        return Site(
            id=digest.hexdigest(),
            file=file,
            line=where.line,
            col=where.col or 0,
            end_line=end_line,
            end_col=where.end_col or 0,
            kind="op",
            text=text,
            function=function,
        )

    def _at_the_iterable(self, where: Place, made: str | None) -> Place:
        """Replace a loop's span by its iterable's; before Python 3.13 the instruction's span has the body in it."""
        if where.end_line is None or where.col is None or where.end_col is None:
            return where
        lines = linecache.getlines(where.file) if made is None else made.split("\n")
        own = [line.encode() for line in lines[where.line - 1 : where.end_line]]
        if not own or not own[0][where.col :].startswith(_LOOPS) or not any(b"for " in line for line in own):
            return where  # so a file without such an op is not read once more
        key = where.file if made is None else made
        if key not in self._looped:
            self._looped[key] = _iterables(made if made is not None else "".join(lines))
        span = where.line, where.end_line, where.col, where.end_col
        line, end_line, col, end_col = self._looped[key].get(span, span)
        return where._replace(line=line, end_line=end_line, col=col, end_col=end_col)


def _call(code: CodeType, lasti: int) -> int:
    """Find the call that an instruction before it prepares; `lasti` if none.

    Python 3.11 calls a builtin, as in `abs(x)`, in the first of the two once it has seen it a few times.
    """
    return lasti + _PREPARED if _PREPARES is not None and code.co_code[lasti] == _PREPARES else lasti


def _iterables(source: str) -> dict[Span, Span]:
    """Map the span of each loop and comprehension to the span of its iterable."""
    found: dict[Span, Span] = {}
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return found  # a file that was written anew since it was read
    for node in ast.walk(tree):
        match node:
            case ast.For(iter=iterable) | ast.AsyncFor(iter=iterable):
                found[_span(node)] = _span(iterable)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                found[_span(node)] = _span(node.generators[0].iter)
    return found


def _span(node: ast.expr | ast.stmt) -> Span:
    return node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0


def _around(function: str) -> str:
    """Return the function around a comprehension, which has a frame of its own before Python 3.12."""
    for inner in ("<listcomp>", "<setcomp>", "<dictcomp>"):
        function = function.replace(f"{inner}.", "").removesuffix(f".<locals>.{inner}").removesuffix(f".{inner}")
        function = "<module>" if function == inner else function
    return function


def segment(file: str, line: int, col: int | None, end_line: int, end_col: int | None) -> str:
    """Return the source between two places of a file."""
    return between([linecache.getline(file, number) for number in range(line, end_line + 1)], col, end_col)


def between(texts: Iterable[str], col: int | None, end_col: int | None) -> str:
    """Return the source from `col` of the first line to `end_col` of the last, white space collapsed.

    Columns count UTF-8 bytes.
    """
    lines = [text.encode("utf-8", "replace") for text in texts]
    if not lines or col is None or end_col is None:
        return " ".join(b" ".join(lines).decode("utf-8", "replace").split())
    lines[-1] = lines[-1][:end_col]
    lines[0] = lines[0][col:]
    return " ".join(b" ".join(lines).decode("utf-8", "replace").split())
