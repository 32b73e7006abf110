"""Statistics that come out the same whatever the order: exact sums, norms, histograms."""

from __future__ import annotations

from dataclasses import dataclass, field

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
        """Counts the gradient of one run; None where there was none."""
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
        """Adds what another one counted."""
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
    """How often each number occurred, by `bucket`."""

    counts: dict[int, int] = field(default_factory=dict)

    def add(self, number: int, times: int = 1) -> None:
        """Counts a number."""
        first = bucket(number)
        self.counts[first] = self.counts.get(first, 0) + times

    def absorb(self, other: Histogram) -> None:
        """Adds what another one counted."""
        for first, times in other.counts.items():
            self.counts[first] = self.counts.get(first, 0) + times
