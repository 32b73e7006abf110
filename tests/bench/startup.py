"""What a command costs from the prompt, against `python -c "import numpy"` in the same run.

    python -m tests.bench.startup [--rounds N] [--save FILE]

Every command is a process of its own, the commands take turns, and the byte code is cached as in an installed tool.
Wall time says what a user waits; processor time is steadier where other work runs beside the benchmark.
The rows in brackets hold no code of ours: what a command of this kind takes when only its libraries are loaded, with
the settings that dyncli makes, and do one thing each. They say how near the aims are to what can be had.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TINY = """\
import dyncore as torch


def forward(x):
    if x.sum() > 0:
        return x * 2
    return x - 1
"""
SET = """\
import gc, os, sys
os.environ["OPENBLAS_NUM_THREADS"] = "1"
gc.set_threshold(100_000, 20, 50)
import numpy
"""
TABLE = """
import typer
from rich.console import Console
from rich.table import Table
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
@app.command()
def run(model: str, input: str = typer.Option("1", "-i", help="A value.")) -> None:
    table = Table("line", "op", "value")
    table.add_row("3", "sum", input)
    Console().print(table)
app(["tiny.py", "-i", "2"], standalone_mode=False)
"""
PICTURE = """
import graphviz, shutil, subprocess
from pathlib import Path
source = graphviz.Source(Path("x.dot").read_text()).source
program = shutil.which("dot") or str(Path(sys.executable).parent / "graphviz-pure")
Path("y.svg").write_bytes(subprocess.run([program, "-Tsvg"], input=source.encode(), stdout=-1, check=True).stdout)
"""
END = "\ngc.freeze()\n"
GRAPH = ["-m", "dyncli", "graph", "tiny.py", "-i", "[1, -1, 2]", "--overwrite", "-o"]
# command: (arguments after `python`, the ratio it should keep to, as issue and PERFORMANCE.md set it)
COMMANDS = {
    "import numpy": (["-c", "import numpy"], None),
    "import dyncore": (["-c", "import dyncore"], None),
    "dyncli --help": (["-m", "dyncli", "--help"], 1.5),
    "dyncli run --help": (["-m", "dyncli", "run", "--help"], 1.5),
    "dyncli models": (["-m", "dyncli", "models"], None),
    "dyncli run tiny.py": (["-m", "dyncli", "run", "tiny.py", "-i", "[1, -1, 2]"], 2.0),
    "dyncli graph tiny.py -o x.svg": ([*GRAPH, "x.svg"], 1.5),
    "[numpy, one thread]": (["-c", SET + END], None),
    "[numpy, typer, rich: a table]": (["-c", SET + TABLE + END], None),
    "[numpy, graphviz: a picture]": (["-c", SET + PICTURE + END], None),
    "[all of these: both]": (["-c", SET + TABLE + PICTURE + END], None),
}


def seconds(command: list[str], folder: str, environment: dict[str, str]) -> tuple[float, float]:
    """Wall and processor seconds of one process."""
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{said.decode()}")
    return wall, usage.ru_utime + usage.ru_stime


def measure(rounds: int) -> dict[str, dict[str, float]]:
    """Least and median seconds of every command, in `rounds` turns."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "tiny.py").write_text(TINY)
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
        environment |= {"PYTHONPATH": f"{ROOT / 'core'}{os.pathsep}{ROOT}", "PYTHONPYCACHEPREFIX": folder + "/cache"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        seconds([sys.executable, *GRAPH, "x.dot"], folder, environment)
        for turn in range(rounds + 1):
            for name, (arguments, _) in COMMANDS.items():
                spent = seconds([sys.executable, *arguments], folder, environment)
                if turn:  # the first writes the byte code
                    taken[name].append(spent)
    return {
        name: {
            "wall_min": min(wall for wall, _ in pairs),
            "wall_median": statistics.median(wall for wall, _ in pairs),
            "cpu_min": min(cpu for _, cpu in pairs),
            "cpu_median": statistics.median(cpu for _, cpu in pairs),
        }
        for name, pairs in taken.items()
    }


def main() -> None:
    """Measure, print the table, save the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    figures = measure(options.rounds)
    base = figures["import numpy"]
    print(f"{'command':32}{'wall ms':>9}{'ratio':>7}{'median':>8}{'cpu ms':>9}{'ratio':>7}{'goal':>7}")
    for name, figure in figures.items():
        goal = COMMANDS[name][1]
        print(
            f"{name:32}{figure['wall_min'] * 1000:9.1f}{figure['wall_min'] / base['wall_min']:7.2f}"
            f"{figure['wall_median'] / base['wall_median']:8.2f}{figure['cpu_min'] * 1000:9.1f}"
            f"{figure['cpu_min'] / base['cpu_min']:7.2f}{goal or '':>7}"
        )
    if options.save:
        options.save.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
