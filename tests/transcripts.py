"""Commands and their expected output inside scripts and pages: found, run, compared, rewritten.

In a script a transcript is a block of comments, `# $ dyncli ...` and the output below it; it ends at the first line
that is no comment.  In a Markdown page it is a fenced `console` block.  A line may hold `<...>`, which stands for
anything.  A fenced block ```python net.py``` is written to that file before the commands below it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import dyncli
from tests.forked import Starter

ANYTHING = "<...>"
QUOTED = re.compile(r"'[^']*'|\"[^\"$`\\]*\"")
SHELL = re.compile(r"[|<>;&$`*?~#\\]")  # what a shell reads, outside of quotes, as more than a part of a word
FENCE = re.compile(r"```(\w*) ?(\S*)\n(.*?)\n?```", re.DOTALL)


@dataclass(frozen=True)
class Step:
    """One command with the lines of output that are expected: lines[first:last] of the file hold them."""

    command: str
    expected: tuple[str, ...]
    first: int
    last: int


def steps_of_script(text: str) -> list[Step]:
    """The commands in a script's comments."""
    lines = text.splitlines()
    steps = []
    start = 0
    while start < len(lines):
        if not lines[start].startswith("# $ "):
            start += 1
            continue
        command = lines[start][4:]
        first = start + 1
        while command.endswith("\\"):
            command = f"{command[:-1]} {lines[first][1:].strip()}"
            first += 1
        last = first
        while last < len(lines) and lines[last].startswith("#") and not lines[last].startswith("# $ "):
            last += 1
        steps.append(Step(command, tuple(line[2:] for line in lines[first:last]), first, last))
        start = last
    return steps


def steps_of_page(text: str) -> list[Step]:
    """The `dyncli` commands in a Markdown page's console blocks."""
    steps = []
    for match in FENCE.finditer(text):
        if match[1] != "console":
            continue
        offset = text.count("\n", 0, match.start(3))
        lines = match[3].split("\n")
        starts = [index for index, line in enumerate(lines) if line.startswith("$ ")]
        for start, end in zip(starts, [*starts[1:], len(lines)]):
            if lines[start].startswith(("$ dyncli", "$ python ")):
                output = tuple(lines[start + 1 : end])
                steps.append(Step(lines[start][2:], output, offset + start + 1, offset + end))
    return steps


def files_of_page(text: str) -> dict[str, str]:
    """Name -> contents of the files that a page shows."""
    return {match[2]: match[3] + "\n" for match in FENCE.finditer(text) if match[2]}


def rewritten(text: str, outputs: Sequence[tuple[Step, Sequence[str]]], prefix: str) -> str:
    """The text with each step's output replaced; `prefix` stands before every line of it (`# ` in a script)."""
    lines = text.splitlines()
    for step, output in reversed(outputs):
        lines[step.first : step.last] = [(prefix + line).rstrip() for line in output]
    return "\n".join(lines) + "\n"


def run(command: str, folder: Path, starter: Starter | None = None) -> list[str]:
    """The lines that a command writes in that folder, errors among them, without trailing space.

    A `dyncli` of which the shell would make nothing but words is forked by the starter, if there is one.
    """
    program, *words = shlex.split(command)
    if starter is not None and program == "dyncli" and not SHELL.search(QUOTED.sub("", command)):
        finished = starter.run(words, b"", folder, environment(), in_one=True)
        return _lines(finished.out)
    ran = subprocess.run(
        ["sh", "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=environment() | {"PATH": f"{folder}/.bin{os.pathsep}{os.environ['PATH']}"},
        timeout=120,
    )
    return _lines(ran.stdout.decode())


def _lines(output: str) -> list[str]:
    return [line.rstrip() for line in output.rstrip().splitlines()]


def install(folder: Path) -> None:
    """Puts a `dyncli` into `folder/.bin` that is the one under test, and the `python` that runs it."""
    (folder / ".bin").mkdir()
    for name, arguments in (("dyncli", "-m dyncli "), ("python", "")):
        program = folder / ".bin" / name
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {arguments}"$@"\n')
        program.chmod(0o755)


def environment() -> dict[str, str]:
    """The variables under which a `dyncli` of its own finds the package under test and prints as into a file."""
    mine = Path(dyncli.__file__).parent.parent
    paths = [] if mine.name == "site-packages" else [str(mine), str(mine / "core")]
    without = ("COLUMNS", "FORCE_COLOR", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if name not in without}
    return kept | {"NO_COLOR": "1", "PYTHONPATH": os.pathsep.join(paths), "PYTHONWARNINGS": "default"}


def agrees(expected: Sequence[str], output: Sequence[str]) -> bool:
    """Whether an output is the expected one."""
    return len(expected) == len(output) and all(map(_line_agrees, map(str.rstrip, expected), output))


def difference(expected: Sequence[str], output: Sequence[str]) -> Iterator[str]:
    """The lines that were expected and did not come, and those that came instead."""
    from difflib import ndiff

    kept = [line if not _line_agrees(line, other) else other for line, other in zip(expected, output)]
    return ndiff([*kept, *expected[len(kept) :]], list(output))


def _line_agrees(expected: str, line: str) -> bool:
    if ANYTHING not in expected:
        return expected == line
    pattern = ".*".join(re.escape(part) for part in expected.split(ANYTHING))
    return re.fullmatch(pattern, line) is not None
