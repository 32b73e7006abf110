"""Where ops stand in the source, and what tensors, modules and outputs are called there."""

from __future__ import annotations

import ast
import linecache
import opcode
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from types import CodeType, FrameType, TracebackType
from typing import Any

from dyncli.recorder.engine import AccumulateGrad, Place, Tensor, spanned
from dyncli.records.digest import blake2b
from dyncli.records.model import Site
from dyncli.records.text import parse
from dyncli.script.paths import display

DEEPEST = 200
#: What users write, of ops that are recorded under another name.
_WRITTEN = {
    "_to_copy": "to", "batch_norm_with": "batch_norm", "__getitem__": "getitem", "__setitem__": "setitem",
    "add_scaled": "add", "sub_scaled": "sub", "rsub_scaled": "rsub", "times": "mul", "sampled": "grid_sample",
    "reflection_pad": "pad", "replication_pad": "pad", "circular_pad": "pad", "nearest": "interpolate",
}  # fmt: skip


def op_name(op: Any) -> str:
    """Return an op's name as users write it."""
    name: str = op.name
    return _WRITTEN.get(name, name)


def modules(entry: Any) -> dict[int, str]:
    """Map the id of each module to its path below the entry, such as `encoder.0`; the entry's own is its class."""
    holder = entry if hasattr(type(entry), "named_modules") else getattr(entry, "__self__", None)
    if holder is None or not hasattr(type(holder), "named_modules"):
        return {}
    return {id(module): name or type(module).__name__ for name, module in holder.named_modules()}


def module_variables(names: Mapping[str, Any]) -> dict[int, str]:
    """Map the id of each module to the variable that holds it, or to its path below the one held.

    Of one that several hold the longest path counts.
    """
    found: dict[int, str] = {}
    for name, value in names.items():
        if name.startswith("_") or isinstance(value, type) or not hasattr(type(value), "named_modules"):
            continue
        for path, module in value.named_modules():
            if len(path) >= len(found.get(id(module), "")):
                found[id(module)] = path or name
    return found


def holder(wanted: Any, frame: FrameType | None) -> tuple[Any, dict[int, str]]:
    """Return the largest module that holds a module or parameter, and names of those in it.

    It has the name of the outermost caller's variable.
    A model of which a method other than `forward` calls a layer, as `self.encode(x)`, is found by `self`.
    """
    listing = "named_parameters" if isinstance(wanted, Tensor) else "named_modules"
    largest, most, found = None, 0, {}
    while frame is not None:
        for name, value in frame.f_locals.items():
            for path, held in _modules_of(name, value):
                size = sum(1 for _ in held.named_modules())
                if size >= most and any(each is wanted for _, each in getattr(type(held), listing)(held)):
                    largest, most, found = held, size, module_variables({path: held})
        frame = frame.f_back
    return largest, found


def _modules_of(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the module that a variable is, or those among the attributes of `self`."""
    if isinstance(value, type) or name.startswith("_"):
        return
    if hasattr(type(value), "named_modules"):
        yield type(value).__name__ if name == "self" else name, value
    elif name == "self" and hasattr(value, "__dict__"):
        for key, each in list(vars(value).items()):
            if hasattr(type(each), "named_modules"):
                yield key, each


def parameters(names: Mapping[str, Any], entry: Any) -> Iterator[tuple[Tensor, str, str]]:
    """Yield (tensor, name, role) of the parameters and buffers of the entry and the script's modules, each once.

    The entry's own are named without a prefix, others by their variable: `encoder.weight`.
    """
    seen: set[int] = set()
    holders: list[tuple[str, Any]] = [("", entry), ("", getattr(entry, "__self__", None))]
    holders += [(f"{name}.", value) for name, value in names.items()]
    for prefix, holder in holders:
        if isinstance(holder, type):
            continue
        for role, listing in (("parameter", "named_parameters"), ("buffer", "named_buffers")):
            listed = getattr(type(holder), listing, None)
            for name, tensor in listed(holder) if listed is not None else ():
                if isinstance(tensor, Tensor) and id(tensor) not in seen:  # a module of PyTorch's has others
                    seen.add(id(tensor))
                    yield tensor, prefix + name, role


def source(
    tensor: Tensor, known: Mapping[int, tuple[str, str]], variables: Mapping[int, str]
) -> tuple[str | None, str]:
    """Name and role of what no op of a run made: a variable of the script that gets a gradient is a parameter."""
    name = variables.get(id(tensor))
    trained = name is not None and tensor._edge.__class__ is AccumulateGrad
    return known.get(id(tensor), (name, "parameter" if trained else "constant"))


def variables(names: Mapping[str, Any]) -> dict[int, str]:
    """Map the id of each tensor to the first variable that holds it, also inside lists and dicts."""
    found: dict[int, str] = {}
    for name, value in names.items():
        if not name.startswith("_"):
            for path, tensor in leaves(value, name):
                found.setdefault(id(tensor), path)
    return found


def leaves(value: Any, name: str, around: tuple[int, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Yield (name, tensor) of the tensors in nested lists, tuples, dicts, dataclasses: `tree.left.value`, `xs.0`.

    around: ids of what the value stands in, which is not entered again.
    """
    if isinstance(value, Tensor):
        yield name, value
    elif _has_items(value) and len(around) < DEEPEST and id(value) not in around:
        for key, inner in _items(value):
            yield from leaves(inner, f"{name}.{key}", (*around, id(value)))


def _has_items(value: Any) -> bool:
    return isinstance(value, (list, tuple, dict)) or _is_data(value)


def _is_data(value: Any) -> bool:
    return hasattr(type(value), "__dataclass_fields__")


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from ((str(key), inner) for key, inner in value.items())
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from zip(value._fields, value, strict=True)
    elif isinstance(value, (list, tuple)):
        yield from ((str(index), inner) for index, inner in enumerate(value))
    else:
        from dataclasses import fields  # a script that has any has loaded it

        yield from ((field.name, getattr(value, field.name)) for field in fields(value))


def outputs(value: Any) -> list[tuple[str, Any]]:
    """List (name, value) of everything an entry returned: `output`, `output.0`, its keys or its fields."""
    if isinstance(value, dict) or _is_data(value) or (isinstance(value, tuple) and hasattr(value, "_fields")):
        return [(str(key), inner) for key, inner in _flat(value, "")]
    if isinstance(value, (list, tuple)):
        return [(f"output{key}", inner) for key, inner in _flat(value, ".")]
    return [("output", value)]


def _flat(value: Any, prefix: str, around: tuple[int, ...] = ()) -> Iterator[tuple[str, Any]]:
    around = (*around, id(value))
    for key, inner in _items(value):
        path = f"{prefix}{key}"
        if id(inner) in around:
            continue
        if len(around) <= DEEPEST and _has_items(inner) and any(leaves(inner, "")):
            yield from _flat(inner, f"{path}.", around)
        else:
            yield path, inner


def assigned(file: str, line: int, col: int) -> str | None:
    """Return the one name that the statement at a place of a file assigns to: `w` of `w = torch.randn(3)`."""
    return target_of("".join(linecache.getlines(file)), line, col)


_Assignment = ast.Assign | ast.AnnAssign | ast.AugAssign


def target_of(source: str, line: int, col: int) -> str | None:
    """Return the one name that what stands at a place of a source is assigned to, the shortest of several.

    col: counts UTF-8 bytes.

    >>> target_of("self.w = torch.randn(3); b = 1", 1, 9), target_of("a, b = f(), g()", 1, 12)
    ('self.w', 'b')
    """
    found = [node for node in _assignments(source).get(line, ()) if _holds(node, line, col)]
    match found[-1] if found else None:
        case ast.Assign(targets=targets, value=value):
            names = [ast.unparse(each) for each in _targets(targets, value, line, col) if isinstance(each, _NAMED)]
            return min(names, key=len, default=None)
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None


_NAMED = ast.Name | ast.Attribute | ast.Subscript


@lru_cache(maxsize=4)
def _assignments(source: str) -> Mapping[int, Sequence[_Assignment]]:
    """Return the assignments of a source by each of their lines, inner ones last."""
    found: dict[int, list[_Assignment]] = {}
    try:
        tree = parse(source)
    except (SyntaxError, ValueError):
        return found
    for node in ast.walk(tree):
        if isinstance(node, _Assignment):
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                found.setdefault(line, []).append(node)
    return found


def _holds(node: ast.stmt | ast.expr, line: int, col: int) -> bool:
    end = node.end_lineno or node.lineno, node.end_col_offset or 0
    return (node.lineno, node.col_offset) <= (line, col) < end


def _targets(targets: Sequence[ast.expr], value: ast.expr, line: int, col: int) -> Iterator[ast.expr]:
    """Yield what a value is assigned to; of `a, b = f(), g()` the one whose part of the value stands at the place."""
    for target in targets:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            yield from (to for to, part in zip(target.elts, value.elts, strict=True) if _holds(part, line, col))
        else:
            yield target


def imported(file: str) -> frozenset[str]:
    """Return the names that the import statements of a file bind."""
    lines = [line for line in linecache.getlines(file) if re.match(r"\s*(?:import|from)\s", line)]
    return frozenset(re.findall(r"\w+", " ".join(lines)))


def operand(text: str, place: int, count: int, modules: frozenset[str]) -> str | None:
    """Return the name of the tensor at `place` among the `count` that an expression reads, if it is a name or an item.

    modules: names that hold no tensor.

    >>> operand("torch.dot(x, ws[0])", 1, 2, frozenset({"torch"}))
    'ws[0]'
    """
    try:
        tree = parse(text).body
    except (SyntaxError, ValueError):
        return None
    match tree:
        case [ast.Expr(value=ast.BinOp(left=left, right=right)) | ast.AugAssign(target=left, value=right)]:
            parts = [left, right]
        case [ast.Expr(value=ast.Call(func=ast.Attribute(value=base), args=arguments))]:
            parts = [*([] if ast.unparse(base).partition(".")[0] in modules else [base]), *arguments]
        case [ast.Expr(value=ast.Call(args=parts))]:
            pass
        case [ast.Expr(value=ast.UnaryOp(operand=base) | ast.Subscript(value=base))]:
            parts = [base]
        case _:
            return None
    parts = [part for part in parts if not isinstance(part, ast.Constant)][:count]
    named = place < len(parts) == count and isinstance(parts[place], _NAMED)
    return ast.unparse(parts[place]) if named else None


def plain_value(value: Any, depth: int = 0) -> Any:
    """Convert a value other than a tensor for a record: numbers, text, short containers; else its type."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if depth < 3 and isinstance(value, (list, tuple)) and len(value) <= 100:
        return tuple(plain_value(each, depth + 1) for each in value)
    if depth < 3 and isinstance(value, dict) and len(value) <= 100:
        return {str(key): plain_value(each, depth + 1) for key, each in value.items()}
    return f"<{type(value).__name__}>"


def module_names(traceback: TracebackType | None, path: str) -> dict[str, Any]:
    """Find the variables of the script at `path` that raised."""
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            return traceback.tb_frame.f_globals
        traceback = traceback.tb_next
    return {}


#: First line, last line, first column, column after the last; None where it is not known.
Position = tuple[int | None, int | None, int | None, int | None]
LONG_BYTES = 4096  # of the table of lines of a long function
MOST_LONG = 8  # long functions, each with the positions of all its instructions
MOST_SHORT = 4096  # instructions of other functions
_NOWHERE: Position = (None, None, None, None)
_of_long: dict[int, tuple[CodeType, list[Position]]] = {}
_of_short: dict[tuple[int, int], tuple[CodeType, Position]] = {}


def position(code: CodeType, lasti: int) -> Position:
    """Return the source span of the instruction at `lasti`."""
    if len(code.co_linetable) < LONG_BYTES:
        found = _of_short.get((id(code), lasti))
        if found is None:
            if len(_of_short) == MOST_SHORT:
                _of_short.clear()
            found = code, next(islice(code.co_positions(), lasti // 2, None), _NOWHERE)
            _of_short[id(code), lasti] = found
        return found[1]
    known = _of_long.get(id(code))
    if known is None:
        if len(_of_long) == MOST_LONG:
            _of_long.clear()
        known = _of_long[id(code)] = code, [*code.co_positions()]  # the code as well: its number is not given anew
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
