"""`diff`: two records, and what differs between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dyncli import errors
from dyncli.api.record import Record, data_of
from dyncli.api.shown import WIDTH, Shown, text_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from dyncli.analysis.diff import Diff as Found
    from dyncli.records import model
    from dyncli.render.drawing import Drawing

FEWEST = 0.15  # of two versions of a script so much must be in both


class Diff(Shown):
    """Two runs compared.  data: all that differs.

    It is true in a condition if something differs.  `print(found)` shows the tables of `dyncli diff`.
    """

    def __init__(self, data: Found) -> None:
        self.data = data

    @property
    def is_equal(self) -> bool:
        """True if nothing but the inputs differs."""
        return self.data.is_equal

    def __bool__(self) -> bool:
        return not self.is_equal

    @property
    def parting(self) -> tuple[model.Decision | None, model.Decision | None] | None:
        """The first decisions that differ, of either run, or None where all agree."""
        parting = self.data.parting
        if parting is None:
            return None
        a, b = self.data.a.decisions, self.data.b.decisions
        return None if parting.a is None else a[parting.a], None if parting.b is None else b[parting.b]

    def table(self, *, full: bool = False, width: int = WIDTH) -> str:
        """Return the tables as text; with `full` everything that differs."""
        from dyncli.render.reports.diff import DiffOptions, render

        return text_of(render(self.data, DiffOptions(full)), width)

    def graph(self) -> Drawing:
        """Return both runs drawn into one picture."""
        from dyncli.analysis.graph import DEFAULT
        from dyncli.render.drawing import Drawing

        return Drawing((self.data.a, self.data.b), DEFAULT)

    def _report(self) -> RenderableType:
        from dyncli.render.reports.diff import DiffOptions, render

        return render(self.data, DiffOptions())

    def __repr__(self) -> str:
        return f"<Diff {'no difference' if self.is_equal else 'differs'}>"


def diff(a: Record, b: Record, *, rtol: float = 0.0, atol: float = 0.0) -> Diff:
    """Compare two records: the first decision at which they part, then ops, outputs and gradients that differ.

    Values agree within `rtol` of the larger one, or within `atol`.
    Raises NotARecord, DifferentScripts, and BadOption for a tolerance that is none.
    """
    for name, value in (("rtol", rtol), ("atol", atol)):
        if not value >= 0:
            raise errors.BadOption(name, value, "a number from 0 on")
    return Diff(compared(data_of(a), data_of(b), rtol, atol))


def compared(a: model.Record, b: model.Record, rtol: float, atol: float) -> Found:
    """Return the comparison of two plain records.  Raises DifferentScripts."""
    from dyncli.analysis.diff import Tolerance, diff as compare

    found = compare(a, b, Tolerance(rtol, atol, dtypes=a.dtype == b.dtype))
    if found.share < FEWEST:
        raise errors.DifferentScripts(a.model, b.model)
    return found
