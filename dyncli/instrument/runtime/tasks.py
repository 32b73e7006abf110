"""Which asyncio task is running, as a small number; asked of functions in C alone, which no trace function hears."""

from __future__ import annotations

import itertools
import sys
from typing import Any
from weakref import ref

_numbers: dict[ref[Any], int] = {}
_next = itertools.count(1).__next__


def task_number() -> int | None:
    """Return the number of the running asyncio task; None outside of any.  Never imports asyncio."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return None
    try:
        loop = asyncio._get_running_loop()
        task = None if loop is None else asyncio.tasks._current_tasks.get(loop)
    except AttributeError:  # it is being imported, or another Python keeps this elsewhere
        task = None
    if task is None:
        return None
    number = _numbers.get(ref(task))
    if number is None:
        number = _numbers[ref(task, _numbers.pop)] = _next()
    return number
