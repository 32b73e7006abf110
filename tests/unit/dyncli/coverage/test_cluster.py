"""A real Dask scheduler with two worker processes on this machine, one of which is killed half-way."""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dyncli.analysis.coverage.coding import tally_in
from dyncli.coverage import remote
from dyncli.coverage.chunks import Chunk
from tests.transcripts import environment
from tests.unit.dyncli.coverage.running import covered

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="needs Dask: `make dask` installs it"
)
SOURCE = "import time\n\n\ndef forward(x):\n    time.sleep(0.002)\n    return x * 2 if x.sum() > 0 else x - 1\n"


class Cluster:
    """A scheduler and its workers, each a process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen] = []
        quiet = {"DASK_LOGGING__DISTRIBUTED": "error"}
        self.environment = environment() | quiet
        self.file = folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file))
        for _ in range(300):
            if self.file.exists() and self.file.read_text().strip().endswith("}"):
                break
            time.sleep(0.1)
        self.address = json.loads(self.file.read_text())["address"]

    def start(self, *arguments: str) -> subprocess.Popen:
        """Another process of the cluster."""
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=quiet, stderr=quiet)
        self.processes.append(process)
        return process

    def worker(self, name: str) -> subprocess.Popen:
        """A worker without a nanny: killed is killed."""
        place = str(self.folder / name)
        return self.start("worker", self.address, "--nthreads", "1", "--no-nanny", "--local-directory", place)

    def close(self) -> None:
        """Ends all."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster with no workers yet."""
    found = Cluster(tmp_path)
    yield found
    found.close()


@needs_dask
@pytest.mark.whole
def test_worker_killed_during_run_loses_no_input(cluster: Cluster, dyncli):
    """The report is that of a local run to the last byte, and the journal holds every input once."""
    folder = cluster.folder
    (folder / "net.py").write_text(SOURCE)
    (folder / "data.jsonl").write_text("".join(f"[{k % 7 - 3.5}, {k % 3}]\n" for k in range(2500)))
    command = ["net.py", "--inputs", "data.jsonl", "--json", "-q"]
    local = dyncli("cover", *command, "-j", "2")
    workers = [cluster.worker(name) for name in ("one", "two")]
    journal = folder / "run.journal"
    running = half_way(cluster, journal, *command)
    os.kill(workers[1].pid, signal.SIGKILL)
    out, _ = running.communicate(timeout=120)
    assert (0, local.out) == (running.returncode, out.decode())
    ranges = [each["tally"]["ranges"]["data.jsonl"] for each in map(_line, journal.read_bytes().splitlines()[1:])]
    positions = [position for each in ranges for first, last in each for position in range(first, last)]
    assert list(range(1, 2501)) == sorted(positions)


@needs_dask
@pytest.mark.whole
def test_unreachable_scheduler_is_error(tmp_path: Path, dyncli):
    """No scheduler, no address: it is said within seconds."""
    (tmp_path / "net.py").write_text(SOURCE)
    (tmp_path / "data.jsonl").write_text("[1.0]\n")
    for address, why in (
        ("tcp://127.0.0.1:1", "Timed out trying to connect"),
        ("nowhere", "missing port number"),
    ):
        finished = dyncli("cover", "net.py", "--inputs", "data.jsonl", "--scheduler", address)
        assert 2 == finished.code
        assert f"error: no Dask cluster at `{address}`: " in finished.err and why in finished.err


@needs_dask
@pytest.mark.whole
def test_a_scheduler_that_cannot_load_dyncli(tmp_path: Path, dyncli):
    """The scheduler reads the tasks before a worker does: why it cannot is said before anything runs."""
    (tmp_path / "net.py").write_text(SOURCE)
    (tmp_path / "data.jsonl").write_text("[1.0]\n")
    (tmp_path / "cluster").mkdir()
    (tmp_path / "cluster" / "dyncli.py").write_text('raise ImportError("not on this machine")\n')
    cluster = Cluster(tmp_path / "cluster")
    try:
        cluster.worker("one")
        finished = dyncli("cover", "net.py", "--inputs", "data.jsonl", "--scheduler", cluster.address)
    finally:
        cluster.close()
    message = "error: the cluster could not finish: its scheduler cannot load dyncli: not on this machine"
    assert (3, message) == (finished.code, finished.err.partition("\n")[0])


@needs_dask
@pytest.mark.whole
def test_scheduler_killed_during_run_keeps_journal(cluster: Cluster, dyncli):
    """What there is is shown, the exit code is 3, and the journal goes on on this machine."""
    folder = cluster.folder
    (folder / "net.py").write_text(SOURCE)
    (folder / "data.jsonl").write_text("".join(f"[{k % 7 - 3.5}, {k % 3}]\n" for k in range(1500)))
    command = ["net.py", "--inputs", "data.jsonl", "--json", "-q"]
    cluster.worker("one")
    running = half_way(cluster, folder / "run.journal", *command)
    cluster.processes[0].kill()
    out, err = running.communicate(timeout=60)
    count = json.loads(out)["inputs"]
    assert 3 == running.returncode
    assert f"error: the cluster could not finish after {count:,} inputs: " in err.decode()
    assert err.decode().endswith(f"\n\nhint: the same command goes on from `{folder / 'run.journal'}`\n")
    gone_on = dyncli("cover", *command[:-1], "--journal", str(folder / "run.journal"))
    assert f"Going on after {count:,} inputs of {folder / 'run.journal'}\n" == gone_on.err
    assert gone_on.out == dyncli("cover", *command, "-j", "2").out


def half_way(cluster: Cluster, journal: Path, *command: str) -> subprocess.Popen:
    """A run on the cluster that has written something down."""
    program = [sys.executable, "-m", "dyncli", "cover", *command, "--scheduler", cluster.address]
    running = subprocess.Popen(
        [*program, "--journal", str(journal)],
        cwd=cluster.folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    for _ in range(1200):
        if journal.exists() and journal.read_bytes().count(b"\n") > 1:
            break
        time.sleep(0.05)
    assert running.poll() is None, "it was over before anything could be killed"
    return running


def _line(line: bytes) -> dict:
    found: dict = json.loads(line[17:])
    return found


def test_a_script_that_is_not_on_the_worker(tmp_path: Path):
    """It travels with the task, and the modules beside it: the tally is that of a run where it lies.

    Nothing of it is left there when the model is forgotten, and its process has ended.
    """
    helper = "def large(x):\n    return True if x.sum() > 2 else False\n"
    source = "from helper import large\n\n\ndef forward(x):\n    while large(x):\n        x = x - 1\n    return x\n"
    (tmp_path / "helper.py").write_text(helper)
    lines = ["[1.0]", "[5.0]", "[2.5]"]
    expected = covered(tmp_path, source, lines).tally
    settings = {
        "dtype": "float32", "seed": 0, "no_grad": False, "timeout": None, "max_ops": None, "given": [], "arguments": [],
    }  # fmt: skip
    spec = json.dumps(
        {
            "model": "/nowhere/net.py", "entry": "forward", "display": "net.py", "folder": "/nowhere",
            "sources": {"net.py": source, "helper.py": helper}, "settings": settings,
        }
    )  # fmt: skip
    try:
        parts = [Chunk("data.jsonl", 1, 3, "lines", lines[:2]), Chunk("data.jsonl", 3, 4, "lines", lines[2:])]
        answer = remote.merge([remote.run(spec, json.dumps(part.out())) for part in parts])
        folder = Path(remote._place(spec, json.loads(spec))[0]).parent
        assert {file.name for file in folder.glob("*.py")} == {"net.py", "helper.py"}
        assert [spec] == [model for model, _ in remote._processes]
    finally:
        remote.forget(spec)
    assert not folder.exists() and not remote._processes
    assert expected == tally_in(json.loads(answer))
