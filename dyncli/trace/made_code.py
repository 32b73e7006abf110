"""Some code that a script makes by `exec` or `eval` has no probes: what it decides is missing, and a run says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any

MADE_BY_EXEC = "<string>"  # the file name of such code
MOST_MADE = 3  # places where code is made that are named


def notes(made: Sequence[tuple[str, int, str]], escapes: Sequence[Any], script: str) -> Iterator[str]:
    """What to say of such code in a run: nothing if none was made that may decide something.

    made: where, by the name of the file shown, the line and the function.  escapes: of the event log.
    """
    hidden = sum(escape[4].co_filename == MADE_BY_EXEC and not _has_probes(escape[4]) for escape in escapes)
    if not made and not hidden:
        return
    places = [f"`{how}` at {f'line {line}' if file == script else f'{file}:{line}'}" for file, line, how in made]
    if len(places) > MOST_MADE:
        places[MOST_MADE:] = [f"{len(places) - MOST_MADE} more"]
    where = " and ".join([", ".join(places[:-1]), places[-1]] if len(places) > 1 else places or ["`exec` or `eval`"])
    asked = f" asked tensors for values {hidden:,} {'time' if hidden == 1 else 'times'}:" if hidden else ":"
    yield f"code made by {where}{asked} what it decides is not in the log"


def _has_probes(code: CodeType) -> bool:
    return any(name.startswith("@") for name in code.co_names)
