"""Which asyncio task is running, as a small number."""

from __future__ import annotations

import itertools
import sys
from typing import Any
from weakref import WeakKeyDictionary

_numbers: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
_next = itertools.count(1).__next__


def task_number() -> int | None:
    """The number of the running task; None outside asyncio.  Never imports asyncio itself."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return None
    try:
        task = asyncio.current_task()
    except (RuntimeError, AttributeError):
        return None
    if task is None:
        return None
    number = _numbers.get(task)
    if number is None:
        number = _numbers[task] = _next()
    return number
