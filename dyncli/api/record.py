"""`Record`: the account of one run, with values, tables and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dyncli import errors
from dyncli.api.shown import WIDTH, Shown, text_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from dyncli.analysis.graph import Words
    from dyncli.records import model
    from dyncli.render.drawing import Drawing

MOST_DRAWN = 400  # ops of a picture that a notebook shows unasked


class Value:
    """A tensor as it was recorded.

    values: all elements, flat and in C order; None of a large tensor, of which `stats` were kept.
    """

    def __init__(self, name: str, summary: model.TensorSummary) -> None:
        self.name = name
        self.shape = summary.shape
        self.dtype = summary.dtype
        self.values = None if summary.values is None else tuple(summary.values)
        self._summary = summary

    @property
    def stats(self) -> model.Stats | None:
        """Minimum, maximum, mean, norm, zeros, NaN and Inf; None of complex numbers."""
        from dyncli.analysis.values import stats_of

        return stats_of(self._summary)

    def tolist(self) -> Any:
        """Return the elements as nested lists, or as a number.  Raises NoValues."""
        return self.__array__().tolist()

    def item(self) -> Any:
        """Return the only element.  Raises NoValues, and ValueError of a tensor with several."""
        return self.__array__().item()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Return the elements as a NumPy array.  Raises NoValues."""
        import numpy as np

        if self.values is None:
            raise errors.NoValues(self.name, self.shape)
        values = [complex(value) if isinstance(value, str) else value for value in self.values]
        return np.array(values, dtype or self.dtype).reshape(self.shape)

    def __repr__(self) -> str:
        from dyncli.analysis.values import shape_text, tensor_text

        return f"{tensor_text(self._summary)} {shape_text(self.shape)} {self.dtype}"


class Record(Shown):
    """The account of one run.  data: the plain record, whose fields SCHEMA.md describes.

    `print(record)` shows the tables of `dyncli run`, a notebook the picture as well.
    """

    def __init__(self, data: model.Record | None = None) -> None:
        self._data = data

    @property
    def data(self) -> model.Record:
        """The plain record.  Raises RecordOpen inside the block that is being recorded."""
        if self._data is None:
            raise errors.RecordOpen
        return self._data

    @property
    def status(self) -> str:
        """`ok`, or how the run ended: `error`, `timeout`, `limit`, `interrupted`."""
        return self.data.status

    @cached_property
    def outputs(self) -> dict[str, Any]:
        """Results of the model by name: a `Value` for a tensor, anything else as it is recorded."""
        tensors = self.data.tensors
        return {
            each.name: each.value if each.tensor is None else Value(each.name, tensors[each.tensor])
            for each in self.data.outputs
        }

    @cached_property
    def gradients(self) -> dict[str, Value | None]:
        """The gradients of inputs and parameters, by name; None where none came back (`missing` has the reason).

        Of several backwards those of the one that `dyncli run` shows last.
        """
        return {name: value for name, value, _ in self._gradients()}

    @cached_property
    def missing(self) -> dict[str, str]:
        """The reason for each gradient that is None, by name."""
        return {name: reason or "" for name, value, reason in self._gradients() if value is None}

    def _gradients(self) -> list[tuple[str, Value | None, str | None]]:
        from dyncli.analysis.gradients import shown_backwards

        shown = shown_backwards(self.data)
        found = [each for each in shown[-1].gradients if each.role != "intermediate"] if shown else []
        tensors = self.data.tensors
        return [
            (each.name, None if each.value is None else Value(each.name, tensors[each.value]), each.reason)
            for each in found
        ]

    @property
    def decisions(self) -> Sequence[model.Decision]:
        """The decisions in the order in which they were made: `.site.line`, `.site.text`, `.arm`, `.margin`, ..."""
        return self.data.decisions

    @property
    def ops(self) -> Sequence[model.Op]:
        """The ops in the order in which they ran: `.name`, `.site.line`, `.inputs`, `.outputs`, ..."""
        return self.data.ops

    @property
    def warnings(self) -> Sequence[str]:
        """Sentences that a reader of the record should know."""
        return self.data.warnings

    def graph(
        self,
        *,
        expand: Words = (),
        collapse: Words = (),
        only: Words = (),
        depth: int | None = None,
        max_nodes: int | None = None,
        grads: bool = False,
        saved: bool = False,
        times: bool = False,
        values: bool = False,
    ) -> Drawing:
        """Return the drawing of the run: `.svg()`, `.html()`, `.dot()`, `.save("run.png")`.

        The options are those of `dyncli graph`.  Raises NothingFits.
        """
        from dyncli.analysis.graph import options_of
        from dyncli.render.drawing import Drawing

        wishes = options_of(
            expand=expand, collapse=collapse, only=only, depth=depth, max_nodes=max_nodes,
            grads=grads, saved=saved, times=times, values=values,
        )  # fmt: skip
        return Drawing((self.data,), wishes)

    def table(self, *parts: str, trace: bool = False, full: bool = False, width: int = WIDTH) -> str:
        """Return tables as text: those of `dyncli run`, or only some parts.

        parts: `outputs`, `gradients`, `decisions`, `ops`, `loading`, or names of tensors.  trace: every op as well.
        full: nothing folded.  Raises NothingToShow.
        """
        from dyncli.render.reports.run import RunOptions, check_shown, render

        check_shown(self.data, parts)
        return text_of(render(self.data, RunOptions(trace=trace, show=parts, full=full)), width)

    def save(self, path: str | Path) -> None:
        """Write the record to a `.dyn` file, which `dyncli.load` and all commands read."""
        from dyncli.records.files import write
        from dyncli.records.json import dump
        from dyncli.script.paths import RECORD, is_record

        target = Path(path)
        if not is_record(target):
            raise errors.UnknownSuffix(target, (RECORD,), "record")
        write(target, dump(self.data))

    def _report(self) -> RenderableType:
        from dyncli.render.reports.run import render

        return render(self.data)

    def __repr__(self) -> str:
        if self._data is None:
            return "<Record of a block that has not ended>"
        from dyncli.render.reports.run import heading

        return f"<Record {heading(self._data).plain}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return what a notebook shows: the picture, unless it is very large, above the tables."""
        bundle = super()._repr_mimebundle_(include, exclude)
        if 0 < len(self.ops) <= MOST_DRAWN:
            bundle["text/html"] = self.graph()._repr_mimebundle_()["text/html"] + bundle["text/html"]
        return bundle


def data_of(record: Record | model.Record) -> model.Record:
    """Return the plain record of either kind.  Raises NotARecord."""
    from dyncli.records.model import Record as Plain

    if isinstance(record, Record):
        return record.data
    if isinstance(record, Plain):
        return record
    raise errors.NotARecord(record)


def load(path: str | Path) -> Record:
    """Return the saved record in a file.  Raises RecordUnreadable, RecordNewer."""
    from dyncli.records.json import load as read

    return Record(read(path))
