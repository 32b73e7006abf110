"""What to say of a run in which nothing was computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dyncli.trace import foreign


def notes(names: Mapping[str, Any], defined: Sequence[str], script: str) -> Iterator[str]:
    """Why no op was recorded, where that can be told.

    names: the variables of the script.  defined: the functions and nn.Module classes of one that was itself the run.
    """
    if foreign.is_used(names):
        yield "no op was recorded: the script runs on torch; write `import dyncore as torch`"
    elif defined:
        yield f"no op was recorded: the script itself was run; `{script}:{defined[0]}` with an input runs that alone"
