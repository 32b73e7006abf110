"""Cost of reports and pictures beside the recorded run, on five scripts of real size in `scripts/`.

    python -m tests.bench.reports [--turns N] [SCRIPT ...]

Each script must print the same without dyncli, by PyTorch if that is installed, and under `dyncli run`.
Then whole commands take turns; the smallest processor time of each is kept, its layout programs included.
`run` is the plain recorded run; the other columns are what a command takes beyond it, in seconds and as its ratio.
Memory is what a whole record adds to the engine's own, in bytes an op: at its highest, and what stays.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import subprocess
import sys
import tempfile
import tracemalloc
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "core")]
SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))
PLAIN = ["run", "--show", "outputs"]
COMMANDS = {
    "tables": ["run"],
    "svg": ["graph", "--overwrite", "-o", "picture.svg"],
    "html": ["graph", "--overwrite", "-o", "page.html"],
    "trace": ["trace"],
}
_BARE = """\
import runpy, sys
import dyncore
sys.modules["torch"] = dyncore
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def environment() -> dict[str, str]:
    """Return the environment of a command: this tree's packages, one thread."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "core")])
    return os.environ | {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def command(words: list[str], script: Path, folder: Path) -> tuple[float, str]:
    """Run a command on a script; return its processor time, with that of its children, and what it printed."""
    line = [sys.executable, "-m", "dyncli", words[0], str(script), *words[1:]]
    with subprocess.Popen(line, cwd=folder, env=environment(), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        printed = process.stdout.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(line)} exits with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, printed


def check(script: Path, folder: Path) -> int:
    """Compare what a script prints alone and recorded; return how many ops it runs."""
    without = [sys.executable, str(script)] if find_spec("torch") else [sys.executable, "-c", _BARE, str(script)]
    options = {"cwd": folder, "env": environment(), "check": True, "capture_output": True, "text": True}
    expected = subprocess.run(without, **options).stdout
    _, printed = command([*PLAIN, "--overwrite", "--save", "run.dyn"], script, folder)
    if not expected or not printed.startswith(expected):
        raise SystemExit(f"{script.name} prints\n{printed}\ninstead of\n{expected}")
    for words in COMMANDS.values():
        command(words, script, folder)
    for picture, mark in (("picture.svg", "</svg>"), ("page.html", "</html>")):
        if mark not in (folder / picture).read_text():
            raise SystemExit(f"{picture} of {script.name} is not whole")
    found = re.search(r"([\d,]+)\s+ops", printed)
    assert found is not None
    return int(found[1].replace(",", ""))


def memory(script: Path, ops: int) -> tuple[float, float]:
    """Return the bytes an op that recording adds: at its highest, and of the record that stays."""
    from contextlib import redirect_stdout

    from dyncli.recorder.recorder import record_model
    from dyncli.recorder.request import Request

    request = Request(str(script))
    with redirect_stdout(StringIO()):
        list(record_model(request))  # imports are not counted
        gc.collect()
        tracemalloc.start()
        kept = list(record_model(request))
        gc.collect()
        stays, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    del kept
    return highest / ops, stays / ops


def main() -> None:
    """Print a line for each script."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("--turns", type=int, default=5)
    arguments.add_argument("scripts", nargs="*")
    options = arguments.parse_args()
    head = "".join(f"{name:>16}" for name in COMMANDS)
    print(f"{'script':14}{'ops':>9}{'run':>9}{head}{'peak B/op':>11}{'kept B/op':>11}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for script in SCRIPTS:
            if options.scripts and script.stem not in options.scripts:
                continue
            ops = check(script, folder)
            least = dict.fromkeys(("run", *COMMANDS), float("inf"))
            for _ in range(options.turns):
                for kind, words in {"run": PLAIN, **COMMANDS}.items():
                    least[kind] = min(least[kind], command(words, script, folder)[0])
            run = least["run"]
            beyond = "".join(f"{least[kind] - run:>8.2f} s {(least[kind] - run) / run:>5.2f}" for kind in COMMANDS)
            peak, kept = memory(script, ops)
            print(f"{script.stem:14}{ops:>9,}{run:>7.2f} s{beyond}{peak:>11,.0f}{kept:>11,.0f}", flush=True)


if __name__ == "__main__":
    main()
