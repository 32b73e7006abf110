"""What every test may use: `--accept`, and the program itself in a folder of its own."""

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.forked import Finished, Starter
from tests.transcripts import environment

pytest_plugins = ["tests.doctests", "tests.required"]

settings.register_profile("unhurried", deadline=None)  # no test depends on a clock
settings.load_profile("unhurried")


def pytest_collection_finish() -> None:
    """Spare the garbage collector a million objects that live to the end: libraries and the tests themselves."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--accept` rewrites the transcripts to what the commands print now."""
    parser.addoption("--accept", action="store_true", help="rewrite transcripts to what the commands print now")


@pytest.fixture(scope="session")
def starter() -> Iterator[Starter]:
    """Starts `dyncli` by forking."""
    starter = Starter(environment())
    yield starter
    starter.close()


@pytest.fixture
def dyncli(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., Finished]:
    """Runs `dyncli` as a process of its own, in the test's empty folder.

    Variables of the environment may be read as Python starts: with some, it starts anew, as where nothing forks.
    """
    starter: Starter | None = request.getfixturevalue("starter") if hasattr(os, "fork") else None

    def run(*arguments: str, stdin: str | bytes = b"", **variables: str) -> Finished:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        if starter is not None and not variables:
            return starter.run(arguments, given, tmp_path, environment())
        finished = subprocess.run(
            [sys.executable, "-m", "dyncli", *arguments],
            input=given,
            capture_output=True,
            cwd=tmp_path,
            env=environment() | variables,
            timeout=60,
        )
        return Finished(finished.returncode, finished.stdout.decode(), finished.stderr.decode())

    return run
