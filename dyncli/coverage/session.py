"""A whole run over a data set: what is left to do is done, written down and added up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from dyncli import errors
from dyncli.analysis.coverage import Settings, Subject, Tally
from dyncli.analysis.coverage.coding import subject_in
from dyncli.coverage.checkpoint import Parts
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.data import DataSet
from dyncli.coverage.journal import Journal
from dyncli.script import script

FINISH_SECONDS = 3.0  # for what is running when a run is stopped


@dataclass(frozen=True, slots=True)
class Plan:
    """Options of a session, as on the command line.  jobs: processes on this machine.  scheduler: of a Dask cluster."""

    model: str
    inputs: tuple[str, ...] = ()
    entry: str | None = None
    settings: Settings = field(default_factory=Settings)
    jobs: int = 1
    journal: Path | None = None
    scheduler: str | None = None
    strict: bool = False


class Workers(Protocol):
    """Who runs the chunks: processes here, or a cluster."""

    subject: Any
    parameters: list[str]
    parts: Parts | None

    def results(self, take: Any) -> Iterator[Tally | None]:
        """Yield the tallies of all chunks that `take` returns, None in between."""

    def end(self) -> None:
        """Tell the workers to end as soon as nothing is lost by it."""

    def close(self) -> None:
        """End the workers."""


class Session:
    """One run.  tally: of everything so far, what the journal held included; `resumed` inputs came from there.

    Raises the DyncliErrors of loading, of the data and of the journal.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        sample = None if plan.inputs else _sample(plan.model)
        paths = list(plan.inputs) if sample is None else [str(sample)]
        names = {} if sample is None else {str(sample): sample.name}
        self.workers = _workers(plan)
        self.journal: Journal | None = None
        self.stopped_at: float | None = None
        try:
            self.subject: Subject = subject_in(self.workers.subject)
            self._named = paths, names
            probe = self.again()
            self.tally = Tally()
            if plan.journal is not None:
                self.journal = Journal(plan.journal, self.subject, probe.identities)
                self.tally = self.journal.tally
                self.workers.parts = self.journal.parts
            self.resumed = self.tally.inputs
            self.data = DataSet(paths, dict(self.tally.ranges), self.workers.parameters, names)
        except BaseException:
            self.close()
            raise

    def again(self) -> DataSet:
        """Open the data set again from its beginning."""
        paths, names = self._named
        return DataSet(paths, {}, self.workers.parameters, names)

    def run(self) -> Iterator[None]:
        """Run the remaining inputs, yielding after each chunk and in between.  Raises DataBroken if strict."""
        self._check()
        for tally in self.workers.results(self._take):
            if tally is not None:
                self.tally.absorb(tally)
                if self.journal is not None and tally.ranges:
                    self.journal.add(tally)
                self._check()
            if self.stopped_at is not None and monotonic() - self.stopped_at > FINISH_SECONDS:
                return
            yield
        if not self.tally.inputs and self.stopped_at is None:
            raise errors.DataEmpty(self.data.names)

    def stop(self) -> None:
        """Finish the inputs that are running, so that they are counted and not run again."""
        self.stopped_at = monotonic()
        self.workers.end()

    def _take(self, most: int) -> Chunk | None:
        return None if self.stopped_at is not None else self.data.take(most)

    @property
    def expected(self) -> float | None:
        """Return how many inputs there will be in all, as far as can be told from what was read."""
        fraction = self.data.fraction
        return (self.resumed + self.data.given) / fraction if fraction else None

    def close(self) -> None:
        """End the processes and close the journal, which receives what they finished."""
        self.workers.close()
        data = getattr(self, "data", None)
        if data is not None:
            data.close()
        if self.journal is not None:
            if data is not None:
                with suppress(errors.DyncliError, OSError):  # what cannot be taken in now is left for the next run
                    self.tally.absorb(self.journal.gather(self.tally))
            self.journal.close()

    def _check(self) -> None:
        if not self.plan.strict:
            return
        wrong = [self.tally.outcomes[word].examples for word in ("broken", "misfit") if word in self.tally.outcomes]
        if wrong:
            example = min(examples[0] for examples in wrong)
            raise errors.DataBroken(example.place, example.note)


def _sample(model: str) -> Path:
    """Return the sample file of a bundled model.  Raises NoInputs."""
    target = script.find(model)
    if target.sample is None:
        raise errors.NoInputs(model)
    return target.sample


def _workers(plan: Plan) -> Workers:
    if plan.scheduler is not None:
        from dyncli.coverage.cluster import Cluster

        return Cluster(plan.scheduler, plan.model, plan.entry, plan.settings)
    from dyncli.coverage.local import Pool

    return Pool(plan.model, plan.entry, plan.settings, plan.jobs)
