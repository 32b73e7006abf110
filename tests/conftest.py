"""The option and the fixtures of every test: `--accept`, and the program itself in a folder of its own."""

import gc
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
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
    """Declare `--accept`."""
    parser.addoption("--accept", action="store_true", help="rewrite golden files and transcripts to what comes out now")


@pytest.fixture
def accept(request: pytest.FixtureRequest) -> bool:
    """Return whether to rewrite the file of what is expected.  A test that asks for it says so when it fails."""
    return bool(request.config.getoption("--accept"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Name, below the failure of a golden test, the command that accepts what came out."""
    report = yield
    if report.failed and call.when == "call" and "accept" in getattr(item, "fixturenames", ()):
        command = f'make test TESTS="{report.location[0]} --accept"'
        report.sections.append(("if it is right", f"`{command}` writes what came out; read the diff before you commit"))
    return report


@pytest.fixture(scope="session")
def starter() -> Iterator[Starter | None]:
    """Starts `dyncli` by forking; None where nothing forks."""
    starter = Starter(environment()) if hasattr(os, "fork") else None
    yield starter
    if starter is not None:
        starter.close()


@pytest.fixture
def dyncli(tmp_path: Path, starter: Starter | None) -> Callable[..., Finished]:
    """Runs `dyncli` as a process of its own, in the test's empty folder.

    Variables of the environment may be read as Python starts: with some, it starts anew, as where nothing forks.
    """

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
