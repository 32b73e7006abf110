"""What some inputs did, as numbers that add up: merging is commutative and associative, whatever the parts.

Everything is bounded.  Of examples and nearest inputs the smallest are kept by their place in the data; of distinct
paths those with the smallest signatures.  What is among the smallest of all is among the smallest of every part, so
what is kept is exact, and the same however the inputs were divided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from dyncli.query.coverage.measures import Histogram, Norms
from dyncli.record.tuples import NamedTuple

MOST_EXAMPLES = 3
MOST_TOLD = 100  # examples of an outcome that somebody has to look at
MOST_NEAREST = 3
MOST_PATHS = 10_000
MOST_REASONS = 1_000

#: What can become of an input.  `misfit`: it does not fit the entry; `broken`: it cannot be read; `lost`: it ended the
#: process.  Only the first four were run to some end.
OUTCOMES = ("ok", "raised", "timeout", "limit", "lost", "misfit", "broken")
RUN = ("ok", "raised", "timeout", "limit", "lost")
STOPPED = ("timeout", "limit")  # where a run was stopped is chance: of these the arms that were reached count alone


class Example(NamedTuple):
    """One input: the name of its source, its position there, the place a person looks at, its text cut short.

    note: what is to be told of it, such as an exception's message.
    """

    source: str
    position: int
    place: str
    shown: str
    note: str = ""


class Near(NamedTuple):
    """An input close to taking the other arm of a site: by how much, and what it took."""

    distance: float
    example: Example
    margin: float
    arm: str


@dataclass(slots=True)
class Group:
    """Some inputs: how many, and the first of them."""

    count: int = 0
    examples: tuple[Example, ...] = ()

    def absorb(self, other: Group, most: int = MOST_EXAMPLES) -> None:
        """Adds another group of inputs."""
        self.count += other.count
        self.examples = first_of(self.examples, other.examples, most)


@dataclass(slots=True)
class Reach:
    """How often an arm was taken, by how many inputs, and by which first."""

    times: int = 0
    inputs: int = 0
    examples: tuple[Example, ...] = ()

    def absorb(self, other: Reach) -> None:
        """Adds another count of the same arm."""
        self.times += other.times
        self.inputs += other.inputs
        self.examples = first_of(self.examples, other.examples)


@dataclass(slots=True)
class Path:
    """The runs that took one path.

    text: the path for reading.  steps: how many decisions.  raised: how many of the runs raised.
    inputs, parameters: the gradients that came back to them.
    """

    count: int = 0
    text: str = ""
    steps: int = 0
    raised: int = 0
    examples: tuple[Example, ...] = ()
    inputs: Norms = field(default_factory=Norms)
    parameters: Norms = field(default_factory=Norms)

    def absorb(self, other: Path) -> None:
        """Adds other runs of the same path."""
        self.count += other.count
        self.raised += other.raised
        self.text = min(filter(None, (self.text, other.text)), default="")
        self.steps = max(self.steps, other.steps)
        self.examples = first_of(self.examples, other.examples)
        self.inputs.absorb(other.inputs)
        self.parameters.absorb(other.parameters)


@dataclass(slots=True)
class Tally:
    """What some inputs did.

    ranges: source -> the positions counted, [first, last).  outcomes: word of `OUTCOMES` -> inputs.
    arms: (site, index of the arm, -1 for a test that raised).  atoms: (site, index, outcome) -> how often.
    trips: loop -> trips; depths: recursive function -> inputs by depth; calls: function -> calls.
    nearest: site -> inputs.  paths: signature -> runs.  is_bounded: whether paths were left out.
    reasons: what was raised and where, `output NaN`, ... -> inputs.
    """

    ranges: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    outcomes: dict[str, Group] = field(default_factory=dict)
    arms: dict[tuple[str, int], Reach] = field(default_factory=dict)
    atoms: dict[tuple[str, int, bool], int] = field(default_factory=dict)
    trips: dict[str, Histogram] = field(default_factory=dict)
    depths: dict[str, Histogram] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    nearest: dict[str, tuple[Near, ...]] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)
    reasons: dict[str, Group] = field(default_factory=dict)
    is_bounded: bool = False

    def absorb(self, other: Tally) -> None:
        """Adds the tally of other inputs."""
        for source, ranges in other.ranges.items():
            self.ranges[source] = joined(self.ranges.get(source, ()), ranges)
        for word, group in other.outcomes.items():
            self.outcomes.setdefault(word, Group()).absorb(group, most_examples(word))
        for arm, reach in other.arms.items():
            self.arms.setdefault(arm, Reach()).absorb(reach)
        for atom, times in other.atoms.items():
            self.atoms[atom] = self.atoms.get(atom, 0) + times
        for mine, theirs in ((self.trips, other.trips), (self.depths, other.depths)):
            for key, histogram in theirs.items():
                mine.setdefault(key, Histogram()).absorb(histogram)
        for key, times in other.calls.items():
            self.calls[key] = self.calls.get(key, 0) + times
        for key, nears in other.nearest.items():
            self.nearest[key] = tuple(sorted((*self.nearest.get(key, ()), *nears))[:MOST_NEAREST])
        for signature, path in other.paths.items():
            self.paths.setdefault(signature, Path()).absorb(path)
        for reason, group in other.reasons.items():
            self.reasons.setdefault(reason, Group()).absorb(group)
        self.is_bounded |= other.is_bounded
        self.bound()

    def bound(self) -> None:
        """Drops the paths and reasons past the most that are kept."""
        if len(self.paths) > MOST_PATHS:
            for signature in sorted(self.paths)[MOST_PATHS:]:
                del self.paths[signature]
            self.is_bounded = True
        for reason in sorted(self.reasons)[MOST_REASONS:]:
            del self.reasons[reason]

    def count(self, *words: str) -> int:
        """Return how many inputs had one of these outcomes."""
        return sum(self.outcomes[word].count for word in words if word in self.outcomes)

    @property
    def runs(self) -> int:
        """How many inputs were run."""
        return self.count(*RUN)

    @property
    def inputs(self) -> int:
        """How many inputs there were, run or not."""
        return self.count(*OUTCOMES)


def merged(tallies: Iterable[Tally]) -> Tally:
    """Return one tally of all; its parts stay as they are."""
    whole = Tally()
    for tally in tallies:
        whole.absorb(tally)
    return whole


def most_examples(outcome: str) -> int:
    """Return how many examples are kept of an outcome."""
    return MOST_EXAMPLES if outcome == "ok" else MOST_TOLD


def first_of(one: tuple[Example, ...], other: tuple[Example, ...], most: int = MOST_EXAMPLES) -> tuple[Example, ...]:
    """Return the first examples of two groups, by their place in the data."""
    if not one or not other:
        return one or other
    return tuple(sorted((*one, *other))[:most])


def joined(one: Iterable[tuple[int, int]], other: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return two sets of ranges as one; raises ValueError where they overlap.

    >>> joined(((0, 3), (5, 6)), ((3, 5),))
    ((0, 6),)
    """
    whole: list[tuple[int, int]] = []
    for first, last in sorted((*one, *other)):
        if whole and first < whole[-1][1]:
            raise ValueError(f"{first} is in both")
        if whole and first == whole[-1][1]:
            whole[-1] = whole[-1][0], last
        else:
            whole.append((first, last))
    return tuple(whole)
