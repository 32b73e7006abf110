"""The groups that `torch.batched` computes together: the model runs once more, with nobody listening to its ops.

Under a listener the examples run one after the other, so a record knows no groups.
"""

from __future__ import annotations

from contextlib import contextmanager
from linecache import getline
from typing import TYPE_CHECKING, Any

from dyncli.analysis.batched_groups import BatchedGroup
from dyncli.recorder.engine import caller_frame, observe_groups
from dyncli.recorder.recorder import Run
from dyncli.script.execute import silenced
from dyncli.script.script import SCRIPT_ITSELF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dyncli.recorder.request import Request
    from dyncli.records.model import Record


class _Seen:
    """Counts groups by op and line."""

    def __init__(self) -> None:
        self.lines: dict[Any, tuple[str, int]] = {}
        self.sizes: dict[tuple[str, int, str, bool], list[int]] = {}

    def opened(self, group: Any) -> None:
        frame = caller_frame(2)
        self.lines[group] = frame.f_code.co_filename, frame.f_lineno

    def computed(self, group: Any, together: bool) -> None:
        if isinstance(group.signature.name, str) and group in self.lines:
            key = (*self.lines.pop(group), group.signature.name, together)
            self.sizes.setdefault(key, []).append(group.count)


def batched_groups(request: Request, record: Record) -> list[BatchedGroup]:
    """Run a model once more and return its groups, those for most calls first.

    record: of the same run, which has what it raises.
    """
    seen = _Seen()
    with silenced():
        run = Run(request.baseline)
        if run.loaded.is_script and record.entry != SCRIPT_ITSELF:
            run = Run(request.baseline._replace(entry=record.entry))
        bound = None if run.loaded.is_script else next(each for each in run.cases() if each.case == record.case)
        with _tolerant(), observe_groups(seen):
            run.unrecorded(bound)
    names = {str(run.loaded.target.path): run.loaded.target.display}
    found = []
    for (file, line, op, together), sizes in seen.sizes.items():
        source = getline(file, line).strip()
        place = names.get(file, file), line, source, op
        found.append(BatchedGroup(*place, len(sizes), sum(sizes), max(sizes), together))
    return sorted(found, key=lambda each: (-each.calls, each.file, each.line, each.op))


@contextmanager
def _tolerant() -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
