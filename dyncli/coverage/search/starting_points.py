"""Where a search starts: the first inputs of the data, those nearest to a flip, and an example of every arm."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dyncli.analysis.coverage import Report
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.data import DataSet
from dyncli.coverage.fast_arguments import Broken, cell, parsed
from dyncli.script.script import Parameter

FIRST = 32  # inputs of the data that are taken as they come
MOST = 400
LARGEST, LARGEST_ALL = 200_000, 4_000_000  # letters of one, and of all


def starts(data: DataSet, report: Report, parameters: Sequence[Parameter]) -> list[tuple[str, Any]]:
    """List (place, input) of the inputs to start from, each an object by parameter names."""
    wanted = set(_examples(report))
    found: list[tuple[str, Any]] = []
    names = [each.name for each in parameters if not each.is_variadic]
    count = letters = 0
    while (count < FIRST or wanted) and len(found) < MOST and letters < LARGEST_ALL:
        chunk = data.take(256)
        if chunk is None:
            break
        for position in range(chunk.first, chunk.last):
            here = (chunk.source, position)
            if count < FIRST or here in wanted:
                value = _bound(_value(chunk, position), names)
                size = LARGEST if value is None else len(json.dumps(value))
                if size < LARGEST and letters + size < LARGEST_ALL:
                    found.append((chunk.place(position), value))
                    letters += size
            wanted.discard(here)
            count += 1
    return found


def _examples(report: Report) -> Iterator[tuple[str, int]]:
    for row in report.sites:
        for near in row.nearest:
            yield near.example.source, near.example.position
        for arm in row.arms:
            yield from ((each.source, each.position) for each in arm.reach.examples[:2])


def _value(chunk: Chunk, position: int) -> Any:
    """Return one input of a chunk as a JSON value; None if it cannot be one."""
    place = position - chunk.first
    try:
        if chunk.form == "lines":
            text = chunk.items[place]
            return None if not text or text.isspace() else parsed(text)
        if chunk.form == "rows":
            cells = list(map(cell, chunk.items[place] or ()))
            if chunk.head is None:
                return cells
            return {name: each for name, each in zip(chunk.head, cells) if each is not None}
        if chunk.form == "arrays":
            return {name: _numbers(array[place]) for name, array in chunk.arrays().items()}
    except Broken:
        return None
    return _file(*chunk.items[place])


def _numbers(item: Any) -> Any:
    """Return a part of an array as lists; of a float32 the digits that tell it from others, not those of a float64."""
    return (item.astype(str).astype(float) if item.dtype == np.float32 else item).tolist()


def _file(suffix: str, data: str) -> Any:
    """Return what a file holds, as far as that is a JSON value."""
    import base64

    from dyncli import errors
    from dyncli.script.readers import READERS

    try:
        held = READERS[suffix](base64.b64decode(data), "the file")
        value = held.value if held.whole is None else held.whole
        return json.loads(json.dumps(value, default=lambda item: item.tolist()))
    except (errors.InputError, AttributeError, ValueError, TypeError):
        return None


def _bound(value: Any, names: Sequence[str]) -> dict[str, Any] | None:
    """Bind an input to parameter names; a value that names no parameter goes to the first one."""
    if value is None or not names:
        return None
    if isinstance(value, dict) and value.keys() <= set(names):
        return value
    if isinstance(value, dict) and len(value) == 1 and not value.keys() & set(names):
        (inner,) = value.values()
        return {names[0]: inner}
    return {names[0]: value}
