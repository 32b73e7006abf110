"""`breakpoint()` in a script: Python's debugger, to which the recorder is not there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def hidden_recorder() -> Iterator[None]:
    """Lets `breakpoint()` step through the script alone; what the user has set up himself stays."""
    before = sys.breakpointhook
    if before is sys.__breakpointhook__ and not os.environ.get("PYTHONBREAKPOINT"):
        sys.breakpointhook = _stop
    try:
        yield
    finally:
        sys.breakpointhook = before


def _stop(*arguments: Any, **named: Any) -> None:
    from dyncli.trace.script_pdb import ScriptPdb

    ScriptPdb().set_trace(sys._getframe(1))
