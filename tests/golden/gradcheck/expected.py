"""What the models in `models/` are for: each ends with the commands to give and the verdicts to find.

return grad * x  # FAULT                             the line to be named, `# NEAR` the decision
# $ -i '[1.0, -2.0]' : wrong x                       verdict, and what it concerns
# $ -i '[1e-8]' : right|not_measurable               either will do
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MODELS = Path(__file__).parent / "scripts"


class Expected(NamedTuple):
    """One command and what it must find.  fault, near: lines; empty where any will do."""

    path: Path
    arguments: tuple[str, ...]
    verdicts: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    fault: tuple[int, ...]
    near: tuple[int, ...]

    @property
    def id(self) -> str:
        """What the test is called."""
        return " ".join((self.path.stem, *self.arguments))

    def option(self, name: str) -> str | None:
        """What stands after an option."""
        arguments = self.arguments
        return next((arguments[at + 1] for at, each in enumerate(arguments) if each == name), None)

    @property
    def inputs(self) -> tuple[str, ...]:
        """What stands after `-i`."""
        return tuple(text for before, text in zip(self.arguments, self.arguments[1:]) if before == "-i")


def expected() -> Iterator[Expected]:
    """All that is written in the models."""
    for path in sorted(MODELS.glob("*.py")):
        lines = path.read_text("utf-8").splitlines()
        fault = tuple(number for number, line in enumerate(lines, 1) if line.endswith("# FAULT"))
        near = tuple(number for number, line in enumerate(lines, 1) if line.endswith("# NEAR"))
        for line in lines:
            if line.startswith("# $ "):
                arguments, _, wanted = line.removeprefix("# $ ").partition(" : ")
                verdicts, _, names = wanted.partition(" ")
                alternatives = tuple(tuple(each.split(",")) for each in names.split("|") if each)
                yield Expected(
                    path, tuple(shlex.split(arguments)), tuple(verdicts.split("|")), alternatives, fault, near
                )
