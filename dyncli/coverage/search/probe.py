"""Runs of single inputs: which arms they take, how near they come to others, and the gradients of the margins."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from dyncli import errors
from dyncli.analysis.coverage import Settings
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.runner import Runner, Spec
from dyncli.coverage.search.operands import Operands
from dyncli.coverage.timeout import Watch
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record
from dyncli.script.execute import silenced

_DECIDES_BACKWARD = re.compile(r"def backward\b|hook")  # in a source whose code may run in backward

Arm = tuple[str, int]  # a site and the place of the arm among its arms


@dataclass(frozen=True, slots=True)
class Seen:
    """The result of one input.

    near: site -> how near the nearest evaluation of its test came to the other arm.
    conditions: site -> how many of the comparisons of its test were evaluated, where it has several.
    """

    arms: frozenset[Arm]
    sites: frozenset[str]
    near: dict[str, float]
    conditions: dict[str, int]
    outcome: str


NOTHING = Seen(frozenset(), frozenset(), {}, {}, "broken")


class Probe:
    """One model, loaded once for quick runs and afresh for every proof.  Raises the DyncliErrors of loading.

    called: the functions that quick runs called, by key.
    """

    def __init__(self, model: str, entry: str | None, settings: Settings) -> None:
        self.model, self.entry, self.settings = model, entry, settings
        self.runner = Runner(Spec(model, entry, settings=settings))
        self.parameters = self.runner.feed.signature.parameters
        self.sources = [source.text for source in self.runner.subject.sources]
        self.runner.has_backward &= any(map(_DECIDES_BACKWARD.search, self.sources))
        self.operands = Operands(self.runner.observer.tables)
        self.runner.observer.look = self.operands.look
        self.called: set[str] = set()
        self.count = 0
        self.stack = ExitStack()
        self.watch: Watch | None = None

    def run(self, value: Any) -> Seen:
        """Return what an input does."""
        self.count += 1
        text = text_of(value)
        if text is None:
            return NOTHING
        if self.watch is None:
            self.watch = self.stack.enter_context(self.runner.opened())
        tally = self.runner.run_opened(Chunk("search", self.count, self.count + 1, "lines", [text]), self.watch)
        self.called |= tally.calls.keys()
        arms = frozenset(tally.arms)
        near = {site: nears[0].distance for site, nears in tally.nearest.items() if nears}
        conditions = Counter(site for site, _ in {(site, index) for site, index, _ in tally.conditions})
        outcome = next(iter(tally.outcomes), "broken")
        return Seen(arms, frozenset(site for site, _ in arms), near, dict(conditions), outcome)

    def close(self) -> None:
        """End what quick runs need; the next one begins it again."""
        self.watch = None
        self.stack.close()

    def record(self, value: Any, *, slopes: bool) -> Record | None:
        """Record the run of one input; None if it cannot run.  slopes: with the gradients of margins."""
        text = text_of(value)
        if text is None:
            return None
        settings = self.settings
        request = Request(
            self.model,
            (text, *settings.given),
            entry=self.entry,
            dtype=settings.dtype,
            seed=settings.seed,
            no_grad=settings.no_grad and not slopes,
            timeout=settings.timeout,
            max_ops=settings.max_ops,
            sensitivity=slopes,
            trials=False,
            arguments=settings.arguments,
        )
        self.close()
        try:
            with silenced():
                return next(iter(record_model(request)))
        except errors.DyncliError:
            return None

    def proves(self, value: Any, arm: Arm) -> bool:
        """Return whether an input takes an arm when it is run on its own, in a script that was loaded for it alone."""
        record = self.record(value, slopes=False)
        if record is None:
            return False
        for decision in record.decisions:
            if decision.site.id == arm[0]:
                is_loop = decision.trips is not None
                if decision.trips if is_loop else decision.arm == decision.site.arms[arm[1]]:
                    return True
        return False


def text_of(value: Any) -> str | None:
    """Format an input as JSON; None if JSON cannot hold it."""
    try:
        return json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return None
