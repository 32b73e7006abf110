"""What a whole process may set is set by a call, never by an import."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]


def said(code: str) -> str:
    """What a process of its own prints."""
    path = os.pathsep.join([str(ROOT / "core"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.strip()


def test_importing_leaves_the_collector_alone() -> None:
    """The thresholds are Python's own until `tune` is called."""
    code = (
        "import gc; before = gc.get_threshold(); import dyncore; assert before == gc.get_threshold();"
        "dyncore.process.tune(); print(gc.get_threshold()[0], dyncore.get_num_threads())"
    )
    assert "100000 1" == said(code)


def test_each_part_can_be_left_out() -> None:
    """Nothing is touched that was not asked for."""
    code = (
        "import gc; before = gc.get_threshold(); import dyncore; threads = dyncore.get_num_threads();"
        "dyncore.process.tune(memory=False, collector=False, threads=None);"
        "print(before == gc.get_threshold(), threads == dyncore.get_num_threads())"
    )
    assert "True True" == said(code)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's allocator")
def test_freed_memory_stays_with_the_process() -> None:
    """An array of 16 MB that is dropped is not given back, and the next one takes its place."""
    code = (
        "import dyncore as torch, resource\n"
        "def faults(): return resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "kept = torch.process.keep_memory()\n"
        "a = torch.ones(4_000_000); del a\n"
        "before = faults(); a = torch.ones(4_000_000); print(kept, faults() - before < 2_000)"
    )
    assert said(code) in ("True True", "False False")


def test_infinities_are_answers_in_every_thread() -> None:
    """A new thread begins with NumPy's own settings: nothing of ours warns there, and NumPy by itself does."""
    code = (
        "import threading, warnings, numpy as np, dyncore as torch; told = []\n"
        "def run():\n"
        "    torch.log(torch.zeros(1)); torch.ones(1) / 0\n"
        "    with warnings.catch_warnings(record=True) as seen:\n"
        "        warnings.simplefilter('always'); np.log(np.zeros(1))\n"
        "    told.append(len(seen))\n"
        "thread = threading.Thread(target=run); thread.start(); thread.join(); print(told)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "core"), *filter(None, sys.path)])},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert ("[1]", "") == (done.stdout.strip(), done.stderr)
