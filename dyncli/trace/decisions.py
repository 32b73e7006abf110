"""The decision log of one run: loading a script with probes, and the log replayed into decisions and scopes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dyncli.load.importer import Importer
from dyncli.record.model import Decision, Scope, Site, Source
from dyncli.trace.provenance import Provenance
from dyncli.trace.replay import Mark, replay
from dyncli.trace.tape import Tape
from dyncore.nn.parameter import Parameter
from dyncore.tensor import Tensor

if TYPE_CHECKING:
    from dyncli.trace.assemble import Assembly


@dataclass(frozen=True, slots=True)
class Decided:
    """What the log says.  op_scopes, op_under: for each op of the tape, its scope and its controlling decision."""

    decisions: tuple[Decision, ...]
    scopes: tuple[Scope, ...]
    signature: str
    op_scopes: list[int]
    op_under: list[int | None]


class Decisions:
    """The log of one run."""

    def __init__(self, force: tuple[str, ...] = ()) -> None:
        self.log: list[Any] = []
        self.importer = Importer()
        self.force = force

    def execute(self, path: Path, display: str, name: str) -> ModuleType:
        """Runs a script with probes in it."""
        return self.importer.execute(path, display, name)

    @contextmanager
    def recording(self, tape: Tape) -> Iterator[None]:
        """Lets the script write to the log; tensors it tests are read as `tape` numbers them."""

        def read(tensor: Any) -> tuple[Any, int | None]:
            array = tensor._array
            number = tape.number(tensor)
            if array.ndim == 0:
                return array.item(), number
            return {"type": "Tensor", "shape": tuple(array.shape)}, number

        with self.importer.recording(self.log, {Tensor: read, Parameter: read}):
            yield

    def replayed(self, tape: Tape, assembly: Assembly) -> Decided:
        """The log as decisions, with the scope and the controlling decision of every op."""
        marks = _marks(tape)
        program = self.importer.program
        found = replay(program, self.log, marks, Provenance(program, assembly.op_of, tape.escapes))
        places = [place for place, mark in zip(found.places, marks, strict=True) if mark[1] == "op"]
        return Decided(
            found.decisions,
            found.scopes,
            found.signature,
            [0 if place is None else place.scope for place in places],
            [None if place is None else place.under for place in places],
        )

    @property
    def sites(self) -> tuple[Site, ...]:
        """Every decision site of the script and its neighbours, reached or not."""
        return self.importer.program.sites

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files that ran."""
        return tuple(
            Source(file, blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(), text)
            for file, text in self.importer.program.sources.items()
        )


def _marks(tape: Tape) -> list[Mark]:
    """What the tape noted between two entries of the log, in the order in which it happened."""
    ops = [(noted[9], number, 1, "op", None) for number, noted in enumerate(tape.ops)]
    turns = [(at, count, 0, what, more) for at, count, what, more in tape.turns]
    return [(at, what, more) for at, _, _, what, more in sorted(ops + turns, key=lambda each: each[:3])]
