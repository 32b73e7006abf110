"""Input values, written as literals or in files: one value, named values, or cases line by line.

A literal is read as JSON first, then in Python's own spelling of the same things; a file by its suffix.
"""

from __future__ import annotations

import ast
import io
import json
import math
import os
import re
import stat
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from dyncli import errors
from dyncli.script import arrays
from dyncli.script.paths import beside

DEEPEST = 200  # nested levels; the entry's own recursion needs Python's stack too
NAMES = {
    "nan": math.nan,
    "NaN": math.nan,
    "inf": math.inf,
    "Inf": math.inf,
    "Infinity": math.inf,
    "true": True,
    "false": False,
    "null": None,
}
SUMS = r"[\w.+*-]+"  # numbers, and what is put together of them
IMAGINARY = r"(?<![A-Za-z_])[ijIJ]+(?!\w)"


def parse(text: str, where: str) -> Any:
    """Return the value of a literal: `[1, -2.5]`, `{"x": nan}`, `'a'`, `1+2j`.

    Raises InputSyntax.

    >>> parse("[1, -inf, (2, 3)]", "--input")
    [1, -inf, [2, 3]]
    """
    try:
        return parse_json(text, where)
    except json.JSONDecodeError as error:
        why = mistake(text, error)
    except ValueError as error:  # an integer of more digits than Python reads
        raise errors.InputSyntax(where, text, str(error)) from None
    try:
        return _evaluated(ast.parse(text.strip(), mode="eval").body)
    except _NoLiteral as error:
        why = f"unexpected `{errors.shown(str(ast.get_source_segment(text.strip(), error.node)))}`"
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    raise errors.InputSyntax(where, text, _unlike_complex(text) or why)


def _unlike_complex(text: str) -> str | None:
    """Say what is wrong with a text that only looks like a complex number.

    >>> _unlike_complex("[1+2i]")
    '`1+2i` is no complex number, which is written `1+2j`'
    """
    for found in re.findall(SUMS, "" if "'" in text or '"' in text else text):
        if not re.search(IMAGINARY, found):
            continue
        try:
            _evaluated(ast.parse(found, mode="eval").body)
        except (SyntaxError, ValueError):
            return f"`{found}` is no complex number, which is written `1+2j`"
    return None


def mistake(text: str, error: json.JSONDecodeError) -> str:
    """Say what is wrong with a text that is no JSON, alike under every Python.

    >>> mistake('[1, "two]', json.JSONDecodeError("", "", 0))
    'it ends too early'
    """
    if not text.strip():
        return "it is empty"
    rest, open_string, _ = re.sub(r'"(?:[^"\\]|\\.)*"', "", text, flags=re.DOTALL).partition('"')
    if open_string or rest.count("[") > rest.count("]") or rest.count("{") > rest.count("}"):
        return "it ends too early"
    place = f"line {error.lineno}, column {error.colno}" if "\n" in text.strip() else f"column {error.colno}"
    return f"unexpected `{text[error.pos : error.pos + 1]}` at {place}"


def parse_json(text: str, where: str) -> Any:
    """Return the value of a JSON text.

    NaN and Infinity are numbers, a key that stands twice is an error.
    Raises JSONDecodeError, InputTwice, InputTooLarge.
    """
    try:
        value = json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise errors.InputTooLarge(where, "it is nested too deep", f"{DEEPEST} levels") from None
    if depth(value) > DEEPEST:
        raise errors.InputTooLarge(where, "it is nested too deep", f"{DEEPEST} levels")
    return value


def depth(value: Any) -> int:
    """Return how many levels of lists and dicts a value has; 0 for a number."""
    levels = 0
    level = [value]
    while level := [item for item in level if isinstance(item, list | dict)]:
        levels += 1
        level = [inner for item in level for inner in (item.values() if isinstance(item, dict) else item)]
    return levels


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            raise errors.InputTwice(key)
        value[key] = item
    return value


class _NoLiteral(ValueError):
    """A part of an expression that is no literal."""

    def __init__(self, node: ast.expr) -> None:
        self.node = node


def _evaluated(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() | complex() | str() | None as value):
            return value
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=ast.Constant(value=complex() as imaginary)):
            value = _evaluated(left)
            if isinstance(value, int | float) and not isinstance(value, bool):
                return complex(value, imaginary.imag if isinstance(sign, ast.Add) else -imaginary.imag)
        case ast.Name(id=name) if name in NAMES:
            return NAMES[name]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            value = _evaluated(operand)
            if isinstance(value, int | float | complex) and not isinstance(value, bool):
                return -value if isinstance(sign, ast.USub) else value
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_evaluated(item) for item in items]
        case ast.Dict(keys=keys, values=values) if all(isinstance(key, ast.Constant) for key in keys):
            names = [str(_evaluated(key)) for key in keys if key is not None]
            return _object(list(zip(names, map(_evaluated, values))))
    raise _NoLiteral(node)


LARGEST_TEXT_BYTES = 2**28
LARGEST_TEXT = "256 MiB"
LARGEST_BINARY = "1 GiB"
LARGEST_CELL = 1 << 24  # characters between two commas


class Held(NamedTuple):
    """Contents of an input.

    value: a plain value, an array, or name -> array.  lines: whether it is a list of cases, one a line.
    table: whether its names may be ignored, so that all columns together are one value: `whole`.
    """

    value: Any
    origin: str
    lines: bool = False
    whole: Any = None


def read(path: str) -> Held:
    """Return the contents of the file `path`, by its suffix.

    Raises one of the InputErrors.
    """
    suffix = Path(path).suffix.lower()
    if os.path.isdir(path):
        raise errors.InputUnopened(path, "it is a folder")
    if suffix not in READERS:
        raise errors.InputFileKind(path, READERS)
    return READERS[suffix](read_bytes(path, suffix), path)


@lru_cache(maxsize=1)
def _read_once(stream: TextIO) -> bytes:
    """Return all bytes of a stream that can be read but once.

    The runs that `--force` compares have the same inputs so.
    """
    return stream.buffer.read(arrays.LARGEST_BYTES + 1)


def read_stdin() -> Held:
    """Return the contents of standard input.

    Its first bytes tell `.npy`, `.npz`, JSON, JSON lines, or CSV.
    """
    origin = "standard input"
    data = _read_once(sys.stdin)
    if len(data) > arrays.LARGEST_BYTES:
        raise errors.InputTooLarge(origin, "it has more bytes", LARGEST_BINARY)
    if data.startswith((arrays.NPY_MAGIC, arrays.PICKLE_MAGIC)):
        return _npy(data, origin)
    if data.startswith(arrays.ZIP_MAGIC):
        return _npz(data, origin)
    text = _text(data, origin).strip()
    try:
        return Held(parse_json(text, origin), origin)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
    return _jsonl(data, origin) if len(lines) > 1 and lines[0][:1] in "[{" else _json_or_csv(data, origin)


def read_bytes(path: str, suffix: str) -> bytes:
    """Return the bytes of a file, no more than its kind may have.

    Raises one of the InputErrors.
    """
    limit, words = (LARGEST_TEXT_BYTES, LARGEST_TEXT) if suffix in TEXTS else (arrays.LARGEST_BYTES, LARGEST_BINARY)
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno())
            if stat.S_ISREG(size.st_mode) and size.st_size > limit:
                raise errors.InputTooLarge(path, f"it has {size.st_size:,} bytes", words)
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise errors.InputFileMissing(path, beside(path, READERS)) from None
    except (OSError, ValueError) as error:
        raise errors.InputUnopened(path, getattr(error, "strerror", None) or str(error)) from None
    if len(data) > limit:
        raise errors.InputTooLarge(path, "it has more bytes", words)
    return data


def _text(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise errors.InputBroken(path, f"it is not UTF-8 text (byte {error.start})") from None


def _json(data: bytes, path: str) -> Held:
    return Held(_parsed(_text(data, path), path, 0), path)


def _jsonl(data: bytes, path: str) -> Held:
    lines = enumerate(_text(data, path).splitlines(), 1)
    values = [_parsed(line, path, number) for number, line in lines if line.strip()]
    if not values:
        raise errors.InputBroken(path, "it is empty")
    return Held(values, path, lines=True)


def _parsed(text: str, path: str, line: int) -> Any:
    where = f"{path}, line {line}" if line else path
    try:
        return parse_json(text, where)
    except json.JSONDecodeError as error:
        raise errors.InputBroken(where, mistake(text, error)) from None
    except ValueError as error:
        raise errors.InputBroken(where, str(error)) from None


def _json_or_csv(data: bytes, path: str) -> Held:
    text = _text(data, path)
    return _json(data, path) if text.lstrip()[:1] in ("", "[", "{", '"') else _csv(data, path)


def _npy(data: bytes, path: str) -> Held:
    return Held(arrays.read_npy(data, path), path)


def _npz(data: bytes, path: str) -> Held:
    held = arrays.read_npz(data, path)
    return Held(held, path, whole=_only(held))


def _safetensors(data: bytes, path: str) -> Held:
    held = arrays.read_safetensors(data, path)
    return Held(held, path, whole=_only(held))


def _only(held: dict[str, Any]) -> Any:
    return next(iter(held.values())) if len(held) == 1 else None


def _csv(data: bytes, path: str) -> Held:
    """Return numbers in rows; a first row of words names the columns.

    One row or one column is a vector.
    """
    import csv

    import numpy as np

    csv.field_size_limit(LARGEST_CELL)
    reader = csv.reader(io.StringIO(_text(data, path), newline=None))
    try:
        rows = [row for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise errors.InputBroken(path, f"row {reader.line_num}: {error}") from None
    if not rows:
        raise errors.InputBroken(path, "it is empty")
    header = None if all(map(is_number, rows[0])) else [cell.strip() for cell in rows.pop(0)]
    first = 1 if header is None else 2
    width = len(header or rows[0])
    for number, row in enumerate(rows, first):
        if len(row) != width:
            cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
            raise errors.InputBroken(path, f"row {number} has {cells}, the others have {width}")
        for cell in row:
            if not is_number(cell):
                raise errors.InputBroken(path, f"row {number}: `{cell.strip()[:40]}` is not a number")
    table = np.array([[float(cell) for cell in row] for row in rows], dtype=np.float64).reshape(len(rows), width)
    whole = table.reshape(-1) if 1 in table.shape else table
    if header is None:
        return Held(whole, path)
    return Held({name: table[:, column].copy() for column, name in enumerate(header)}, path, whole=whole)


def is_number(cell: str) -> bool:
    """Return True if a cell of a table holds a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return "_" not in cell


READERS: dict[str, Callable[[bytes, str], Held]] = {
    ".json": _json,
    ".jsonl": _jsonl,
    ".npy": _npy,
    ".npz": _npz,
    ".csv": _csv,
    ".safetensors": _safetensors,
}
TEXTS = (".json", ".jsonl", ".csv")
