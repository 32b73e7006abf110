"""Result of a gradient check: a verdict, the fault's place, the worst elements."""

from __future__ import annotations

from typing import NamedTuple

#: Every verdict, the gravest first: a report has the gravest of its parts'.
VERDICTS = (
    "wrong", "detached", "nondeterministic", "jump", "kink", "nan", "resolution", "not_measurable", "not_applicable",
    "right",
)  # fmt: skip


class Place(NamedTuple):
    """A line of the user's, the text that stands there, and the op, function or kind of test it is."""

    file: str
    line: int
    text: str
    what: str


class Flip(NamedTuple):
    """A decision near the point: a test of the script's, or one hidden in an op (`relu`, `max`, `sort`).

    margin: how far the tested quantity is from flipping.  distance: how far the input is, to first order.
    element: the element of the input whose change flips it soonest.
    """

    place: Place
    margin: float | None = None
    distance: float | None = None
    element: tuple[int, ...] = ()


class Worst(NamedTuple):
    """The element of an input that decided its verdict, or was furthest off.

    element: its index; empty for a scalar, None for a random direction.  output: which output, `output[2, 0]`.
    estimated: the error of `numeric` itself.  left, right: the one-sided derivatives, where they were taken.
    jump: by how much the function jumps there.
    """

    element: tuple[int, ...] | None
    output: str
    analytic: float
    numeric: float
    error: float
    estimated: float
    left: float | None = None
    right: float | None = None
    jump: float | None = None


class Checked(NamedTuple):
    """One input or parameter.  elements: how many it has.  checked: how many elements, or directions, were probed.

    flip: the decision that the point sits on.  nearest: the one that is nearest to flipping.  place: where its gradient
    is cut off.
    """

    name: str
    role: str
    shape: tuple[int, ...]
    verdict: str
    elements: int
    checked: int
    directions: bool = False
    worst: Worst | None = None
    flip: Flip | None = None
    nearest: Flip | None = None
    note: str | None = None
    place: Place | None = None


class Report(NamedTuple):
    """One case.  place: where the fault lies.  nearest: the decision nearest to flipping.

    order: 1, or 2 if the second derivatives were checked too; failing: the order the verdict is about.
    forward_mode: `agrees` or `differs`, None where the model has none.
    outputs: how they were compared: `all 3 elements`, `5 random cotangents of 1000 elements`.
    versions: of what ran, and what `torch` was if the script imported it.
    """

    model: str
    entry: str
    case: str | None
    verdict: str
    inputs: tuple[str, ...]
    place: Place | None
    nearest: Flip | None
    checks: tuple[Checked, ...]
    message: str = ""
    hint: str | None = None
    notes: tuple[str, ...] = ()
    order: int = 1
    failing: int = 1
    outputs: str = ""
    seed: int = 0
    evaluations: int = 0
    forward_mode: str | None = None
    versions: dict[str, str] = {}  # noqa: RUF012 - nobody writes into a report

    @property
    def is_right(self) -> bool:
        """True if every checked element agrees."""
        return self.verdict == "right"


def gravest(verdicts: list[str]) -> str:
    """Return the gravest of some verdicts.

    >>> gravest(["right", "kink", "wrong"])
    'wrong'
    """
    return min(verdicts, key=VERDICTS.index, default="not_applicable")
