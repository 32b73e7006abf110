"""What `dyncli cover` costs beside a bare loop over the same inputs: `python -m tests.bench.cover [--jobs N]`.

The bare loop parses each line, makes the tensor, calls the model with its graph recorded and runs backward, and keeps
nothing; `listened` is the same with dyncli's recorder listening, as `dyncli run` has it; `journaled` is `cover` with
a line written for each input, as a journal wants it.
They take turns with the runner of `cover`, and the smallest time of many turns is kept; the ratio is the result.
With `--jobs` the whole command is timed as well, processes, journal and all, against as many bare loops.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "core")]

from dyncli.coverage.checkpoint import Part  # noqa: E402
from dyncli.coverage.chunks import Chunk  # noqa: E402
from dyncli.coverage.runner import Runner, Spec  # noqa: E402
from dyncli.instrument.runtime.importer import Importer  # noqa: E402
from dyncli.recorder.events.collectors.values import Times, Values  # noqa: E402
from dyncli.recorder.events.event_log import EventLog  # noqa: E402
from dyncli.script.script import load  # noqa: E402
from dyncore import tensor  # noqa: E402
from dyncore.graph import events  # noqa: E402

BRANCH = """\
def forward(x):
    if x.sum() > 0:
        return x * 2
    return x - 2
"""
LOOP = """\
def forward(x):
    for k in range(10):
        if x.sum() > 1 and k > 2:
            x = x * 0.5
        else:
            x = x + 0.1
    while x.norm() > 1:
        x = x / 2
    return x
"""
PYTHON = """\
def fold(n):
    return 0 if n <= 0 else 1 + fold(n - 1)


def forward(x):
    values = [v for v in x.tolist() if v > 0]
    total = 0
    for k in range(50):
        if k % 3 == 0 or k in (1, 2):
            total += fold(k % 5)
    return x.sum() * total
"""
LAYERS = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 32), nn.Linear(32, 32), nn.Linear(32, 10)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
            if x.max() > 4:
                return x.sum()
        return x.sum()


model = Net()
"""
MODELS = {"one branch": BRANCH, "loops of ops": LOOP, "Python alone": PYTHON, "layers": LAYERS}
TURNS = 7


def bare(function: Any, lines: list[str]) -> None:
    """A loop as anybody writes it."""
    for line in lines:
        x = tensor(json.loads(line), requires_grad=True)
        y = function(x)
        y.sum().backward()


def listened(function: Any, importer: Importer, lines: list[str]) -> None:
    """The same with the recorder of `dyncli run` listening, and nothing made of what it heard."""
    for line in lines:
        log: list[Any] = []
        with importer.recording(log), events.listen(EventLog(log, (Values(), Times()))):
            bare(function, [line])


def smallest(works: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The least processor time of each, in turns, in seconds."""
    least = dict.fromkeys(works, float("inf"))
    for _ in range(TURNS):
        for name, work in works.items():
            gc.collect()
            started = time.process_time()
            work()
            least[name] = min(least[name], time.process_time() - started)
    return least


def measure(folder: Path, name: str, source: str, count: int) -> None:
    """One line of the table."""
    path = folder / "net.py"
    path.write_text(source)
    lines = [json.dumps(row.tolist()) for row in np.random.default_rng(0).normal(size=(count, 3)).round(4)]
    plain: Any = load(str(path), with_inputs=True).function
    importer = Importer()
    probed: Any = load(str(path), with_inputs=True, execute=importer.execute).function
    runner = Runner(Spec(str(path)))
    chunk = Chunk("data", 1, count + 1, "lines", lines)

    def journaled() -> None:
        part = Part(chunk, str(folder / "part"), "journal")
        runner.run(chunk, part)
        part.close()
        (folder / "part").unlink()

    found = smallest(
        {
            "bare": lambda: bare(plain, lines),
            "listened": lambda: listened(probed, importer, lines),
            "cover": lambda: runner.run(chunk),
            "journaled": journaled,
        }
    )
    times = "   ".join(f"{key} {seconds / count * 1e6:6.1f} us" for key, seconds in found.items())
    ratios = "   ".join(
        f"{key} {found['bare'] / found[key]:.2f}x bare, {found['listened'] / found[key]:.2f}x listened"
        for key in ("cover", "journaled")
    )
    print(f"{name:14} {times}   throughput: {ratios}")


def measure_command(folder: Path, name: str, source: str, jobs: int, count: int) -> None:
    """The whole command beside as many bare loops at a time, each over its share of the inputs."""
    script, data = folder / "net.py", folder / "data.jsonl"
    script.write_text(source)
    rows = np.random.default_rng(0).normal(size=(count, 3)).round(4)
    data.write_text("".join(json.dumps(row.tolist()) + "\n" for row in rows))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "core")))}
    loop = (
        "import json, sys; from dyncore import tensor; from dyncli.script.script import load\n"
        "from tests.bench.cover import bare\n"
        "lines = open('data.jsonl').readlines()[int(sys.argv[1])::int(sys.argv[2])]\n"
        "bare(load('net.py', with_inputs=True).function, lines)\n"
    )
    command = [
        sys.executable,
        "-m",
        "dyncli",
        "cover",
        "net.py",
        "--inputs",
        "data.jsonl",
        "-q",
        "--json",
        "--journal",
        "run.journal",
        "-j",
        str(jobs),
    ]
    least = {"bare": float("inf"), "cover": float("inf")}
    for _ in range(3):
        started = time.monotonic()
        loops = [[sys.executable, "-c", loop, str(number), str(jobs)] for number in range(jobs)]
        running = [subprocess.Popen(each, cwd=folder, env=environment) for each in loops]
        for each in running:
            each.wait()
        least["bare"] = min(least["bare"], time.monotonic() - started)
        (folder / "run.journal").unlink(missing_ok=True)
        started = time.monotonic()
        subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
        least["cover"] = min(least["cover"], time.monotonic() - started)
    print(
        f"{name:14} {count:,} inputs, {jobs} processes: bare {least['bare']:.1f} s   cover {least['cover']:.1f} s, "
        f"{count / least['cover']:,.0f}/s   throughput {least['bare'] / least['cover']:.2f}x"
    )


def main() -> None:
    """Measures."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--jobs", type=int, default=0)
    arguments.add_argument("--count", type=int, default=100_000)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for title, source in MODELS.items():
            measure(Path(name), title, source, 1000)
        if options.jobs:
            for title, source in list(MODELS.items())[:2]:
                measure_command(Path(name), title, source, options.jobs, options.count)


if __name__ == "__main__":
    main()
