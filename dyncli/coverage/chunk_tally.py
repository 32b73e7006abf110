"""The runs of one chunk, gathered with little work for each and turned into a tally at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dyncli.analysis.coverage.tally import (
    MOST_EXAMPLES,
    MOST_NEAREST,
    STOPPED,
    Example,
    Group,
    Histogram,
    Near,
    Norms,
    Path,
    Reach,
    Tally,
    most_examples,
)  # fmt: skip
from dyncli.coverage.checkpoint import UNASKED, Part, profile_to_json
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.observe import FAR, Observer
from dyncli.coverage.path_summary import Taken, function_key, taken

MOST_TOKENS = 1_000_000  # of the paths that are remembered: some 10 MB


@dataclass(slots=True)
class _Runs:
    """The runs of a chunk that took one path."""

    taken: Taken
    count: int = 0
    raised: int = 0
    stopped: int = 0
    positions: list[int] = field(default_factory=list)
    inputs: Norms = field(default_factory=Norms)
    parameters: Norms = field(default_factory=Norms)


class Account:
    """The runs of one chunk after another.  `close` gives the tally of the chunk that was opened last."""

    def __init__(self, observer: Observer) -> None:
        self.observer = observer
        self.known: dict[tuple[Any, ...], Taken] = {}
        self.known_tokens = 0
        self.profile: int | None = None

    def open(self, chunk: Chunk, part: Part | None = None) -> None:
        """Begin a chunk.  part: the file for each finished input."""
        self.chunk = chunk
        self.part = part
        self._next()
        self.tally = Tally(ranges={chunk.source: ((chunk.first, chunk.last),)})
        self.runs: dict[tuple[Any, ...], _Runs] = {}
        self.tokens = 0
        self.near: dict[int, list[tuple[float, int, float, str]]] = {}
        self.observer.worst[:] = [FAR] * len(self.observer.worst)
        self.observer.calls[:] = [0] * len(self.observer.calls)

    def ran(self, position: int, outcome: str) -> tuple[Norms, Norms] | None:
        """Record the run that the observer has followed; returns where its gradients are counted, if anywhere."""
        observer = self.observer
        path = observer.path
        runs = self.runs.get(path)
        if runs is None:
            self.tokens += len(path)
            if self.tokens > MOST_TOKENS:
                self._fold()
                self.tokens = len(path)
            runs = self.runs[path] = _Runs(self._taken(path))
        if self.part is not None:
            self.profile = self._profile(self.part, path, runs.taken)
        if observer.near:
            self._nearest(position)
        if outcome in STOPPED:
            self.is_example, self.is_plain = True, False
            runs.stopped += 1
            self._reached(runs, position)
            return None
        runs.count += 1
        if len(runs.positions) < MOST_EXAMPLES:
            runs.positions.append(position)
            self.is_example, self.is_plain = True, False
        if observer.deepest:
            for function, depth in observer.deepest.items():
                key = function_key(observer.program, function)
                self.tally.depths.setdefault(key, Histogram()).add(depth)
        if outcome == "raised":
            runs.raised += 1
            return None
        return runs.inputs, runs.parameters

    def gradient(self, norms: tuple[Norms, Norms], which: int, norm: float | None) -> None:
        """Count a gradient norm of the run: of the inputs (`which` is 0) or of the parameters (1)."""
        norms[which].add(norm)
        self.norms[which] = norm

    def outcome(self, word: str, position: int, note: str = "") -> None:
        """Count the outcome of an input."""
        self.word, self.note = word, note
        if word != "ok":
            self.is_plain = False
        self._count(self.tally.outcomes, word, position, note, most_examples(word))

    def reason(self, words: str, position: int, note: str = "") -> None:
        """Count a reason to look at an input."""
        self.is_plain = False
        self.reasons.append((words, note))
        self._count(self.tally.reasons, words, position, note)

    def done(self, position: int) -> None:
        """Finish an input, and write its line into the chunk's part, which outlives a kill."""
        part = self.part
        if part is None:
            return
        if self.is_plain:
            part.plain(position, self.profile, self.norms)
        else:
            chunk = self.chunk
            example = (chunk.place(position), chunk.shown(position)) if self.is_example else None
            part.done(position, self.profile, self.norms, self.word, self.note, self.reasons, self.nears, example)
        self._next()

    def cut(self, position: int) -> None:
        """End the chunk before this position."""
        chunk = self.chunk
        self.tally.ranges = {chunk.source: ((chunk.first, position),)} if position > chunk.first else {}

    def close(self) -> Tally:
        """Add all that is pending and return the chunk's tally."""
        self._fold()
        tally, observer = self.tally, self.observer
        for key, nears in self.near.items():
            tally.nearest[self._site(key)] = tuple(
                Near(distance, self._example(position), margin, arm) for distance, position, margin, arm in nears
            )
        for number, times in observer.recall.calls().items():
            observer.calls[number] += times
        for number, times in enumerate(observer.calls):
            if times:
                name = function_key(observer.program, number)
                tally.calls[name] = tally.calls.get(name, 0) + times
        tally.bound()
        return tally

    def _next(self) -> None:
        """Reset what is kept of one input for its line in the part."""
        self.norms: list[float | bool | None] = [UNASKED, UNASKED]
        self.is_plain = True
        self.is_example = False
        self.profile = None
        self.word = self.note = ""
        self.reasons: list[tuple[str, str]] = []
        self.nears: list[tuple[str, float, float, str]] = []

    def _profile(self, part: Part, path: tuple[Any, ...], found: Taken) -> int:
        """Return the number of this run's profile in the part; write it if it is new."""
        observer = self.observer
        known = observer.known
        calls = observer.called() if known is None else known.calls

        def make() -> dict[str, Any]:
            named: dict[str, int] = {}
            for number, times in calls.items():
                key = function_key(observer.program, number)
                named[key] = named.get(key, 0) + times
            depths = [(function_key(observer.program, number), depth) for number, depth in observer.deepest.items()]
            return profile_to_json(found, named, depths)

        if known is not None:
            return part.profile(known, make)
        return part.profile((path, tuple(sorted(calls.items())), tuple(sorted(observer.deepest.items()))), make)

    def _taken(self, path: tuple[Any, ...]) -> Taken:
        found = self.known.get(path)
        if found is None:
            found = taken(self.observer.program, path)
            self.known_tokens += len(path) + 20
            if self.known_tokens > MOST_TOKENS:
                self.known.clear()
                self.known_tokens = len(path) + 20
            self.known[path] = found
        return found

    def _nearest(self, position: int) -> None:
        worst = self.observer.worst
        self.is_example, self.is_plain = True, False
        for key, (distance, margin, arm) in self.observer.near.items():
            if self.part is not None:
                self.nears.append((self._site(key), distance, margin, arm))
            kept = self.near.setdefault(key, [])
            kept.append((distance, position, margin, arm))
            kept.sort()
            del kept[MOST_NEAREST:]
            if len(kept) == MOST_NEAREST:
                worst[key] = kept[-1][0]

    def _site(self, key: int) -> str:
        site = self.observer.program.constructs[key].site
        assert site is not None
        return site.id

    def _reached(self, runs: _Runs, position: int) -> None:
        """Count only the arms that a stopped run reached."""
        for arm in runs.taken.arms:
            self.tally.arms.setdefault(arm, Reach()).absorb(Reach(0, 1, (self._example(position),)))

    def _fold(self) -> None:
        """Add the paths so far to the tally."""
        tally = self.tally
        for runs in self.runs.values():
            if runs.count:
                self._add(tally, runs)
        self.runs = {}
        if self.part is not None:
            self.part.profiles.clear()

    def _add(self, tally: Tally, runs: _Runs) -> None:
        found, count = runs.taken, runs.count
        examples = tuple(map(self._example, runs.positions))
        for arm, times in found.arms.items():
            tally.arms.setdefault(arm, Reach()).absorb(Reach(times * count, count, examples))
        for condition, times in found.conditions.items():
            tally.conditions[condition] = tally.conditions.get(condition, 0) + times * count
        for (loop, trips), times in Counter(found.trips).items():
            tally.trips.setdefault(loop, Histogram()).add(trips, times * count)
        path = Path(count, found.text, found.steps, runs.raised, examples, runs.inputs, runs.parameters)
        tally.paths.setdefault(found.signature, Path()).absorb(path)

    def _example(self, position: int, note: str = "") -> Example:
        chunk = self.chunk
        return Example(chunk.source, position, chunk.place(position), chunk.shown(position), note)

    def _count(self, groups: dict[str, Group], word: str, position: int, note: str, most: int = MOST_EXAMPLES) -> None:
        group = groups.get(word)
        if group is None:
            group = groups[word] = Group()
        group.count += 1
        if len(group.examples) < most:
            group.examples += (self._example(position, note),)
            self.is_example, self.is_plain = True, False
