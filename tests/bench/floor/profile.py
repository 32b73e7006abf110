"""Where the processor is while rows of the small suite run, by `perf` (Linux): shares of the samples.

    python -m tests.bench.floor.profile [NAME ...]

A row runs for some seconds in a process of its own, whose first seconds, of imports and compiled entries, are left out.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROWS = ("chain of 1,000 on 8", "LSTM by hand, 64", "TreeLSTM, 64", "early exit")
WARM, SECONDS = 4.0, 12.0
# Kinds of samples by the library and the function they were taken in; the first that fits.
KINDS = {
    "NumPy": ("_umath", ""),
    "BLAS": ("openblas", ""),
    "the interpreter's loop": ("python", "_PyEval_EvalFrameDefault"),
    "garbage": ("python", r"gc_|visit|traverse|unreachable|_refs|_PyGC|GC_"),
    "objects made and released": ("python", r"[Mm]alloc|[Ff]ree|[Aa]lloc|dealloc|_[Nn]ew|Tuple_From|Clear|Trash"),
    "attributes, dictionaries, calls": ("python", ""),
    "memory and mathematics of C, the system": ("", ""),
}


def run(name: str) -> None:
    """Runs a row until the time is over."""
    import dyncore
    from tests.bench.suite import WORKLOADS

    row = WORKLOADS[name].make(dyncore, dyncore.float32)
    until = time.monotonic() + WARM + SECONDS
    while time.monotonic() < until:
        row()


def shares(name: str) -> dict[str, float]:
    """The share of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder, "samples"))
        program = [sys.executable, "-m", "tests.bench.floor.profile", "--run", name]
        record = ["perf", "record", "-q", "-F", "1000", "-D", str(int(WARM * 1000)), "-o", data]
        subprocess.run([*record, *program], check=True, stderr=subprocess.DEVNULL)
        report = ["perf", "report", "-i", data, "--stdio", "--sort", "dso,symbol"]
        text = subprocess.run(report, capture_output=True, text=True, check=True).stdout
    found: Counter[str] = Counter()
    for share, library, function in re.findall(r"^ +([\d.]+)% +(\S+) +\[.\] (\S+)", text, re.MULTILINE):
        kind = next(kind for kind, (a, b) in KINDS.items() if a in library and re.search(b, function))
        found[kind] += float(share)
    return found


def main() -> None:
    """Prints a column for each row."""
    if sys.argv[1:2] == ["--run"]:
        return run(sys.argv[2])
    names = [name for name in ROWS if not sys.argv[1:] or any(part in name for part in sys.argv[1:])]
    columns = [shares(name) for name in names]
    print(f"{'% of the samples':42}" + "".join(f"{name:>22}" for name in names))
    for kind in KINDS:
        print(f"{kind:42}" + "".join(f"{column[kind]:22.0f}" for column in columns))


if __name__ == "__main__":
    main()
