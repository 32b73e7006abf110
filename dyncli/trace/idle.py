"""What to say of a run in which nothing was computed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence


def notes(defined: Sequence[str], script: str) -> Iterator[str]:
    """Why no op was recorded, where that can be told.

    defined: the functions and nn.Module classes of a script that was itself the run.
    """
    if "torch" in sys.modules:
        yield "no op was recorded: the script runs on torch; write `import dyncore as torch`"
    elif defined:
        yield f"no op was recorded: the script itself was run; `{script}:{defined[0]}` with an input runs that alone"
