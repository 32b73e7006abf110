"""Two runs side by side: `dyncli diff`."""

from __future__ import annotations

from collections.abc import Sequence

from dyncli.errors.base import DyncliError, listing


class NothingToCompare(DyncliError):
    """One run alone."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"nothing to compare: {what}",
            hint="give a second input, case, seed, dtype or script: `dyncli diff net.py -i A -i B`",
        )


class TooManyRuns(DyncliError):
    """More than two of something."""

    def __init__(self, given: int, what: str) -> None:
        super().__init__(f"{given} {what}s for two runs", hint=f"one {what} is for both runs, two are for one run each")


class SeveralCases(DyncliError):
    """An input with more cases than can be compared, none of them chosen."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(
            f"the input has several cases, the first are {listing(names)}",
            hint="choose: " + " ".join(f"`--case {name}`" for name in names[:2]),
        )


class DifferentScripts(DyncliError):
    """Two runs of scripts that have nothing to do with each other."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(
            f"`{first}` and `{second}` are different scripts: next to nothing in one is in the other",
            hint="compare two runs of one script, or of two versions of it",
        )
