"""Tallies of coverage that merge in any order, and the sources they are about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from dyncli.records.model import Site, Source

UNIT_BITS = 1074  # every float is a whole multiple of 2**-1074
EXACT_UP_TO = 64  # trip counts and depths are counted one by one up to here, in powers of two beyond


def exact(value: float) -> int:
    """Return a finite float as a number of units of 2**-1074: integers add up without rounding.

    >>> exact(5e-324), mean(exact(1.0) + exact(2.0), 2)
    (1, 1.5)
    """
    numerator, denominator = value.as_integer_ratio()
    return numerator << (UNIT_BITS + 1 - denominator.bit_length())


def mean(total: int, count: int) -> float | None:
    """Return the mean of `count` floats whose exact sum is `total`, correctly rounded; None of none."""
    return total / (count << UNIT_BITS) if count else None


def bucket(number: int) -> int:
    """Return the least number of the bucket that `number` falls into.

    >>> [bucket(number) for number in (0, 64, 65, 128, 129, 1000)]
    [0, 64, 65, 65, 129, 513]
    """
    if number <= EXACT_UP_TO:
        return number
    return (1 << (number - 1).bit_length() - 1) + 1


def bucket_text(first: int) -> str:
    """Return a bucket as it is shown.

    >>> bucket_text(3), bucket_text(65)
    ('3', '65-128')
    """
    return str(first) if first <= EXACT_UP_TO else f"{first}-{(first - 1) * 2}"


@dataclass(slots=True)
class Norms:
    """The norms of many gradients.

    runs: how many had a gradient.  finite: of these, how many norms are in `least`, `most` and `total`, an exact sum.
    zeros: all its elements 0.  broken: NaN or Inf in it.  absent: no gradient came back.
    """

    runs: int = 0
    finite: int = 0
    zeros: int = 0
    broken: int = 0
    absent: int = 0
    least: float | None = None
    most: float | None = None
    total: int = 0

    def add(self, norm: float | None) -> None:
        """Count the gradient of one run; None if there was none."""
        if norm is None:
            self.absent += 1
            return
        self.runs += 1
        if not norm < float("inf"):
            self.broken += 1
            return
        self.finite += 1
        if norm == 0:
            self.zeros += 1
        if self.least is None or norm < self.least:
            self.least = norm
        if self.most is None or norm > self.most:
            self.most = norm
        self.total += exact(norm)

    def absorb(self, other: Norms) -> None:
        """Add the counts of another."""
        self.runs += other.runs
        self.finite += other.finite
        self.zeros += other.zeros
        self.broken += other.broken
        self.absent += other.absent
        self.total += other.total
        self.least = min((each for each in (self.least, other.least) if each is not None), default=None)
        self.most = max((each for each in (self.most, other.most) if each is not None), default=None)

    @property
    def mean(self) -> float | None:
        """The mean norm of the gradients that are finite."""
        return mean(self.total, self.finite)


@dataclass(slots=True)
class Histogram:
    """Counts of numbers, by `bucket`."""

    counts: dict[int, int] = field(default_factory=dict)

    def add(self, number: int, times: int = 1) -> None:
        """Count a number."""
        first = bucket(number)
        self.counts[first] = self.counts.get(first, 0) + times

    def absorb(self, other: Histogram) -> None:
        """Add the counts of another."""
        for first, times in other.counts.items():
            self.counts[first] = self.counts.get(first, 0) + times


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the scripts; `line` is where its `def` stands.  key: as in `Tally.calls`."""

    key: str
    name: str
    file: str
    line: int
    end_line: int
    is_named: bool = True


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a run beside the script and its inputs.

    given: inputs that are the same for all.  arguments: the script's own.  batch: how many
    inputs run together, 0 for one by one.
    """

    dtype: str = "float32"
    seed: int = 0
    no_grad: bool = False
    timeout: float | None = None
    max_ops: int | None = None
    given: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    batch: int = 0


@dataclass(frozen=True, slots=True)
class Subject:
    """Subject of a coverage.

    sites: the decisions inside functions; those at the top level are made before any input.
    loading: (site, arm) of the arms that were taken while the script was loaded, and called, the functions.
    conditions: site -> the source of each comparison of a test that has several.
    """

    model: str
    entry: str
    signature: str
    sources: tuple[Source, ...] = ()
    sites: tuple[Site, ...] = ()
    functions: tuple[Function, ...] = ()
    conditions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    loading: tuple[tuple[str, int], ...] = ()
    called: tuple[str, ...] = ()
    settings: Settings = Settings()
    versions: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One arm that the data never reached.

    index, name: of the arm.  input: one that reaches it, as JSON, proved by a run of its own; None if none was found.
    how: where it came from, or why there is none.  runs: how many inputs were tried for this arm.
    """

    site: Site
    index: int
    name: str
    input: str | None
    how: str
    runs: int


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
        """Add another group of inputs."""
        self.count += other.count
        self.examples = first_of(self.examples, other.examples, most)


@dataclass(slots=True)
class Reach:
    """Counts of an arm: how often, by how many inputs, and by which first."""

    times: int = 0
    inputs: int = 0
    examples: tuple[Example, ...] = ()

    def absorb(self, other: Reach) -> None:
        """Add another count of the same arm."""
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
        """Add other runs of the same path."""
        self.count += other.count
        self.raised += other.raised
        self.text = min(filter(None, (self.text, other.text)), default="")
        self.steps = max(self.steps, other.steps)
        self.examples = first_of(self.examples, other.examples)
        self.inputs.absorb(other.inputs)
        self.parameters.absorb(other.parameters)


@dataclass(slots=True)
class Tally:
    """Counts of some inputs.

    ranges: source -> the positions counted, [first, last).  outcomes: word of `OUTCOMES` -> inputs.
    arms: (site, index of the arm, -1 for a test that raised).  conditions: (site, index, outcome) -> how often.
    trips: loop -> trips; depths: recursive function -> inputs by depth; calls: function -> calls.
    nearest: site -> inputs.  paths: signature -> runs.  is_bounded: whether paths were left out.
    reasons: what was raised and where, `output NaN`, ... -> inputs.
    """

    ranges: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    outcomes: dict[str, Group] = field(default_factory=dict)
    arms: dict[tuple[str, int], Reach] = field(default_factory=dict)
    conditions: dict[tuple[str, int, bool], int] = field(default_factory=dict)
    trips: dict[str, Histogram] = field(default_factory=dict)
    depths: dict[str, Histogram] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    nearest: dict[str, tuple[Near, ...]] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)
    reasons: dict[str, Group] = field(default_factory=dict)
    is_bounded: bool = False

    def absorb(self, other: Tally) -> None:
        """Add the tally of other inputs."""
        for source, ranges in other.ranges.items():
            self.ranges[source] = joined(self.ranges.get(source, ()), ranges)
        for word, group in other.outcomes.items():
            self.outcomes.setdefault(word, Group()).absorb(group, most_examples(word))
        for arm, reach in other.arms.items():
            self.arms.setdefault(arm, Reach()).absorb(reach)
        for condition, times in other.conditions.items():
            self.conditions[condition] = self.conditions.get(condition, 0) + times
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
        """Drop the paths and reasons past the most that are kept."""
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
        """Number of inputs that were run."""
        return self.count(*RUN)

    @property
    def inputs(self) -> int:
        """Number of inputs, run or not."""
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
