"""What every test may use: `--accept`, and the program itself in a folder of its own."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from tests.transcripts import environment

pytest_plugins = ["tests.required"]

settings.register_profile("unhurried", deadline=None)  # no test depends on a clock
settings.load_profile("unhurried")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--accept` rewrites the transcripts to what the commands print now."""
    parser.addoption("--accept", action="store_true", help="rewrite transcripts to what the commands print now")


@dataclass(frozen=True)
class Finished:
    """How a program ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def dyncli(tmp_path: Path) -> Callable[..., Finished]:
    """Runs `dyncli` with the given arguments as a process of its own, in the test's empty folder."""

    def run(*arguments: str, stdin: str | bytes = b"", **variables: str) -> Finished:
        finished = subprocess.run(
            [sys.executable, "-m", "dyncli", *arguments],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env=environment() | variables,
            timeout=60,
        )
        return Finished(finished.returncode, finished.stdout.decode(), finished.stderr.decode())

    return run


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Examples are looked for in the sources; a test's helpers hold none, and may need what is not installed."""
    is_test = collection_path.name.startswith(("test_", "conftest"))
    return True if collection_path.suffix == ".py" and not is_test else None
