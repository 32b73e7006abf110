"""What a gradient check cannot be made of."""

from __future__ import annotations

from collections.abc import Sequence

from dyncli.errors.base import DyncliError, did_you_mean, listing


class NothingToCheck(DyncliError):
    """The script itself would be the run: there is no function whose derivative could be checked."""

    def __init__(self, file: str) -> None:
        super().__init__(
            f"`{file}` names no function to check",
            hint="put the computation into a function `forward(x)` and give its input: `-i '[1, -1, 2]'`",
        )


class UnknownSource(DyncliError):
    """`--wrt` names no input and no parameter."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(
            f"`--wrt {name}` is no input and no parameter that requires grad",
            hint=did_you_mean(name, known, f"there are {listing(known)}" if known else "there is none at all"),
        )
