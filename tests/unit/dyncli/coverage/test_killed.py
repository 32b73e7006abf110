"""Runs that are killed at any moment and gone on with: nothing is lost, nothing counts twice, nothing is run twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from dyncli import errors
from dyncli.coverage.checkpoint import Part, checksummed, tally_of
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.journal import load
from dyncli.coverage.runner import Runner, Spec
from tests.transcripts import environment

COUNT = 600
NET = """\
import os
import time

ran = os.open("ran", os.O_WRONLY | os.O_CREAT | os.O_APPEND)


def forward(k: int, x):
    time.sleep(0.0003 + k % 13 * 0.0003)
    if x > 0 and k % 3:
        x = x * 2
    for _ in range(k % 4):
        x = x + 1
    os.write(ran, b"%d\\n" % k)
    if k % 50 == 7:
        raise ValueError("seven")
    return x.sqrt() / (k % 40 - 20)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model that notes what it has run, and its data."""
    return written_model(tmp_path)


def written_model(folder: Path) -> Path:
    """The folder, with the model and its data in it."""
    (folder / "net.py").write_text(NET)
    rows = [json.dumps({"k": k, "x": (k * 37 % 101 - 50) / 7}) + "\n" for k in range(COUNT)]
    (folder / "data.jsonl").write_text("".join(rows))
    return folder


KILLS = 2


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The report of a run that nobody killed."""
    folder = written_model(tmp_path_factory.mktemp("whole"))
    command = [sys.executable, "-m", "dyncli", "cover", "net.py", "--inputs", "data.jsonl", "--json", "-j", "2"]
    return subprocess.run(command, cwd=folder, env=environment(), capture_output=True, check=True).stdout


def run(folder: Path, jobs: int, kill: Callable[[int], None], seed: int) -> bytes:
    """The report of a run that was killed again and again, each time at some moment while it ran inputs."""
    command = [sys.executable, "-m", "dyncli", "cover", "net.py", "--inputs", "data.jsonl", "-j", str(jobs), "--json",
               "-q", "--journal", "run.journal"]  # fmt: skip
    chance, ran = random.Random(seed), folder / "ran"
    for _ in range(KILLS):
        before = ran.stat().st_size if ran.exists() else 0
        with (folder / "report").open("wb") as report:
            running = subprocess.Popen(command, cwd=folder, env=environment(), stdout=report, stderr=report)
        while not ran.exists() or ran.stat().st_size == before:
            assert running.poll() is None, (folder / "report").read_text()
            time.sleep(0.002)
        time.sleep(chance.random() * 0.2)
        assert running.poll() is None, "it was over before it could be killed"
        kill(running.pid)
        assert -signal.SIGKILL == running.wait()
    finished = subprocess.run(command, cwd=folder, env=environment(), capture_output=True)
    assert (0, b"") == (finished.returncode, finished.stderr)
    return finished.stdout


def kill_all(pid: int) -> None:
    """Kills a process and its children."""
    children = [int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in
                (task / "children").read_text().split()]  # fmt: skip
    assert children
    for each in (pid, *children):
        os.kill(each, signal.SIGKILL)


def times_run(folder: Path) -> Counter[int]:
    """Input -> how often it was run."""
    return Counter(map(int, (folder / "ran").read_text().split()))


@pytest.mark.whole
@pytest.mark.parametrize("jobs", [1, 2])
def test_each_input_is_run_once(folder: Path, whole: bytes, jobs: int):
    """The program is killed again and again: what was being run comes to its end, and each input has run once."""
    report = run(folder, jobs, lambda pid: os.kill(pid, signal.SIGKILL), seed=jobs)
    assert dict.fromkeys(range(COUNT), 1) == times_run(folder)
    assert ["data.jsonl", "net.py", "ran", "report", "run.journal"] == sorted(
        path.name for path in folder.iterdir() if path.is_file()
    )
    assert whole == report


@pytest.mark.whole
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are found under /proc")
def test_only_what_was_being_run_begins_again(folder: Path, whole: bytes):
    """All processes are killed at once: no input is missing or counts twice, and two processes begin two again."""
    report = run(folder, 2, kill_all, seed=3)
    ran = times_run(folder)
    assert set(range(COUNT)) == ran.keys()
    assert ran.total() - COUNT <= 2 * KILLS
    assert whole == report
    journal = (folder / "run.journal").read_bytes().splitlines()[1:]
    ranges = [each for line in journal for each in json.loads(line[17:])["tally"]["ranges"]["data.jsonl"]]
    assert list(range(1, COUNT + 1)) == sorted(k for first, last in ranges for k in range(first, last))


@pytest.mark.whole
def test_a_journal_with_a_part_is_merged_as_it_is(folder: Path, dyncli, monkeypatch: pytest.MonkeyPatch):
    """A report of a journal whose run was killed counts what its parts hold, and leaves them there."""
    (folder / "data.jsonl").write_text("".join(json.dumps({"k": k, "x": 1.0}) + "\n" for k in range(20)))
    command = ["cover", "net.py", "--inputs", "data.jsonl", "--journal", "run.journal", "--json", "-q"]
    whole = dyncli(*command)
    first, *chunks = (folder / "run.journal").read_bytes().splitlines(keepends=True)
    (folder / "run.journal").write_bytes(first + chunks[0] + b'0123456789abcdef {"tally":{"ranges":{"da')
    rest = json.loads(chunks[0][17:])["tally"]["ranges"]["data.jsonl"][0][1]
    lines = (folder / "data.jsonl").read_text().splitlines()[rest - 1 :]
    chunk = Chunk("data.jsonl", rest, 21, "lines", lines)
    part = Part(chunk, str(folder / "run.journal.part-7"), first[:16].decode())
    monkeypatch.chdir(folder)
    Runner(Spec("net.py")).run(chunk, part)
    part.close()
    with (folder / "run.journal.part-7").open("ab") as file:
        file.write(b"0123456789abcdef [3,0,1.5")
    assert whole.out == dyncli("cover", "run.journal", "--json").out
    assert (folder / "run.journal.part-7").exists()
    assert whole.out == dyncli(*command).out
    assert not (folder / "run.journal.part-7").exists()


HEAD = {"format": "dyncli-part", "schema": 2, "journal": "j", "source": "d", "first": 1, "last": 9}
WAY = {
    "arms": [["a", 0, 2]],
    "conditions": [],
    "trips": [["a", 3, 1]],
    "depths": [],
    "calls": {},
    "path": ["p", "text", 1],
}


FOUR = [(0, True), (0, False), (1, True), (1, False)]


def written(folder: Path, *lines: object, end: bytes = b"") -> Path:
    """A part of these lines."""
    path = folder / "part"
    path.write_bytes(b"".join(map(checksummed, lines)) + end)
    return path


def test_parts_are_read_with_care(tmp_path: Path):
    """A torn end is cut off, a part of another journal says nothing, what is done is passed over."""
    path = written(tmp_path, HEAD, WAY, [1, 0, 1.5, True], [2, 0, None, True], end=b"0123456789abcdef [3,0,")
    assert {"d": ((1, 3),)} == tally_of(path, "j", {}).ranges
    assert {"d": ((2, 3),)} == tally_of(path, "j", {"d": ((1, 2),)}).ranges
    assert {} == tally_of(path, "another", {}).ranges == tally_of(tmp_path / "none", "j", {}).ranges
    assert {} == tally_of(written(tmp_path, end=b"01234"), "j", {}).ranges


def test_journal_of_schema_1_is_read():
    """Subject and tally of an older version; their conditions were called atoms."""
    subject, tally = load([str(Path(__file__).parents[3] / "golden" / "records" / "version1.journal")])
    site = next(each.id for each in subject.sites if each.kind == "while")
    assert ("x.sum() > 10", "steps < 3") == subject.conditions[site]
    assert (2, 3, 2, 0) == tuple(tally.conditions.get((site, *rest), 0) for rest in FOUR)


def test_part_of_schema_1_calls_conditions_atoms(tmp_path: Path):
    """A run that an older version was killed in can be gone on with."""
    rows = [["a", 0, True, 2]]
    now = written(tmp_path, HEAD, {**WAY, "conditions": rows}, [1, 0, 1.5, True])
    expected = tally_of(now, "j", {})
    way = {key: value for key, value in WAY.items() if key != "conditions"} | {"atoms": rows}
    then = written(tmp_path, {**HEAD, "schema": 1}, way, [1, 0, 1.5, True])
    assert {("a", 0, True): 2} == expected.conditions
    assert expected == tally_of(then, "j", {})


@pytest.mark.parametrize(
    "lines",
    [
        [1],
        [{**HEAD, "schema": 3}],
        [HEAD, [1, 0, 1.5, True]],
        [HEAD, WAY, [1, -1, 1.5, True]],
        [HEAD, WAY, [1, "0", 1.5, True]],
        [HEAD, WAY, [10**9, 0, 1.5, True]],
        [HEAD, WAY, ["1", 0, 1.5, True]],
        [HEAD, WAY, [1, 0, "much", True]],
        [HEAD, WAY, [1, 0, 1.5]],
        [HEAD, WAY, [1, 0, 1.5, True], [1, 0, 1.5, True]],
        [HEAD, WAY, [1, 0, 1.5, True, "fine", "", [], [], None]],
        [HEAD, WAY, [1, 0, 1.5, True, "ok", "", [], [["a", 1.0, 1.0, "then"]], None]],
        [HEAD, {**WAY, "arms": [["a", {}, 2]]}, [1, 0, 1.5, True]],
        [HEAD, {**WAY, "trips": [["a", "3", 1]]}, [1, 0, 1.5, True]],
        [HEAD, {**WAY, "path": [[], "text", 1]}, [1, 0, 1.5, True]],
        [HEAD, {}, [1, 0, 1.5, True]],
        [{**HEAD, "first": None}, WAY, [1, 0, 1.5, True]],
        [HEAD, "way"],
        [HEAD, 3],
    ],
)
def test_malformed_parts_are_refused(tmp_path: Path, lines: list[object]):
    """What is not as it should be is refused, whatever it is."""
    with pytest.raises(errors.JournalUnreadable):
        tally_of(written(tmp_path, *lines), "j", {})


def test_parts_that_are_no_files(tmp_path: Path):
    """A folder or a pipe in the place of a part is no reason to wait."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(errors.JournalUnreadable):
        tally_of(tmp_path / "folder", "j", {})
    assert {} == tally_of(tmp_path / "pipe", "j", {}).ranges
