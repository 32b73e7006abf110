"""What commands write: into a link's own file, a pipe or a device, and never over what is no file of theirs."""

import subprocess
import sys
from pathlib import Path

import pytest

from dyncli.cli.output import for_case
from tests.transcripts import environment

NET = "def forward(x):\n    return x * 2\n"


@pytest.fixture
def net(tmp_path: Path) -> Path:
    """The folder that `dyncli` runs in, with a model in it."""
    (tmp_path / "net.py").write_text(NET)
    return tmp_path


def test_a_link_stays_one(net: Path, dyncli):
    """What is written goes into the file that it leads to."""
    (net / "real.dot").write_text("old")
    (net / "link.dot").symlink_to("real.dot")
    finished = dyncli("graph", "net.py", "-i", "[1]", "-o", "link.dot", "--overwrite")
    assert (0, "Wrote link.dot\n") == (finished.code, finished.err)
    assert (net / "link.dot").is_symlink() and (net / "real.dot").read_text().startswith("digraph")
    assert {"net.py", "real.dot", "link.dot"} == {each.name for each in net.iterdir()} - {"__pycache__"}


def test_a_device_stays_one(net: Path, dyncli):
    """It is written into, and not replaced by a file; nothing has to be forced, because nothing is lost."""
    (net / "null").symlink_to("/dev/null")
    finished = dyncli("graph", "net.py", "-i", "[1]", "-o", "null", "--format", "dot")
    assert (0, "Wrote null\n") == (finished.code, finished.err)
    assert (net / "null").is_char_device()


def test_a_pipe_is_written_into(net: Path):
    """As in `-o >(sort)`."""
    command = f"{sys.executable} -m dyncli graph net.py -i '[1]' --format dot -o >(head -1 >first.txt; echo >done)"
    command = f"mkfifo done; {command}; read line <done"
    subprocess.run(["bash", "-c", command], cwd=net, env=environment(), timeout=60, check=True, capture_output=True)
    assert (net / "first.txt").read_text().startswith("digraph")


def test_a_folder_is_not_written_over(net: Path, dyncli):
    """Not with `--overwrite` either."""
    (net / "there.svg").mkdir()
    finished = dyncli("graph", "net.py", "-i", "[1]", "-o", "there.svg", "--overwrite")
    assert (2, True) == (finished.code, (net / "there.svg").is_dir())
    assert (
        "error: cannot write `there.svg`: Is a directory\n\n"
        "hint: its folder must be there, and you must be allowed to write in it\n"
    ) == finished.err


def test_a_name_too_long_for_a_file(net: Path, dyncli):
    """It is an error of the user's."""
    name = "a" * 300 + ".dyn"
    finished = dyncli("run", "net.py", "-i", "[1]", "--save", name)
    assert (
        2,
        f"error: cannot write `{name}`: File name too long\n\n"
        "hint: its folder must be there, and you must be allowed to write in it\n",
    ) == (finished.code, finished.err)


def test_completion_where_nothing_can_be_written(tmp_path: Path, dyncli):
    """A home that is not there is an error of the user's."""
    (tmp_path / "home").write_text("")
    variables = {"HOME": str(tmp_path / "home"), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    finished = dyncli("--install-completion", "bash", **variables)
    assert 2 == finished.code, finished.err
    assert finished.err.startswith("error: cannot write `") and "\n\nhint: its folder must be there" in finished.err


def test_file_of_a_case_stays_in_its_folder() -> None:
    """The name of a case is a name from a file of somebody's, and no path."""
    assert Path("out/run.a----b.dyn") == for_case(Path("out/run.dyn"), "a/../b")
