"""Rare ops are found by every road, though their modules wait."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dyncore.binding.lazy import NAMES
from tests.tools.list_rare_ops import TARGET, text

ROADS = {
    "function": "dyncore.det(dyncore.ones(1, 1)).item()",
    "method": "dyncore.ones(1, 1).det().item()",
    "namespace": "dyncore.linalg.det(dyncore.ones(1, 1)).item()",
    "table": "dyncore.dispatch.registry.TABLE['det'].entry(dyncore.ones(1, 1)).item()",
    "in place": "dyncore.ones(1).mvlgamma_(1).item() + 1.0",
    "held": "(lambda held: (held(dyncore.ones(1, 1)), held(dyncore.ones(1, 1)))[1])(dyncore.det).item()",
}


@pytest.mark.parametrize("road", sorted(ROADS))
def test_rare_op_is_found(road: str) -> None:
    """A fresh interpreter reaches an op whose module is not imported yet."""
    root = Path(__file__).parents[4]
    code = f"import sys; sys.path.insert(0, {str(root / 'core')!r}); import dyncore; print({ROADS[road]})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "1.0\n" == found.stdout


def test_list_is_what_the_modules_define() -> None:
    """`python -m tests.tools.list_rare_ops` was run since a rare op was added."""
    assert text(list(NAMES)) == TARGET.read_text()


def test_modules_that_write_an_entry_are_known_as_dyncores_own() -> None:
    """A call of `linear` that its written entry hands on stands on the line that made it."""
    root = Path(__file__).parents[4]
    code = (
        f"import sys; sys.path.insert(0, {str(root / 'core')!r}); import dyncore.nn.functional as F;"
        "from dyncore.errors.source import is_engine;"
        "x = sys.modules['dyncore'].ones(2, 2);"
        "[F.linear(x, x) for _ in range(9)];"
        "print([name for name, each in sys.modules.items() if name.startswith('dyncore')"
        " and not is_engine(vars(each))])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]\n" == found.stdout


@pytest.mark.whole
def test_modules_that_come_late_are_known_as_dyncores_own() -> None:
    """The line of an op is looked for outside modules of the engine, whenever they were imported."""
    root = Path(__file__).parents[4]
    code = (
        f"import sys; sys.path.insert(0, {str(root / 'core')!r}); import dyncore; dyncore.binding.lazy.load_all();"
        "dyncore.autograd.Function; dyncore.autograd.engine; import dyncore.mutation.copy_slices;"
        "from dyncore.errors.source import is_engine;"
        "[op.entry for op in dyncore.dispatch.registry.TABLE.values()];"
        "print([name for name, each in sys.modules.items() if name.startswith('dyncore')"
        " and not is_engine(vars(each))])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]\n" == found.stdout


THREADS = """
import threading

sys.setswitchinterval(1e-6)
x, wrong, gate = dyncore.ones(2, 2), [], threading.Barrier(8)

def ask():
    gate.wait()
    try:
        x @ x, x.relu(), x ** 2, dyncore.cat([x, x])
    except Exception as error:
        wrong.append(error)

threads = [threading.Thread(target=ask) for _ in range(8)]
[each.start() for each in threads], [each.join() for each in threads]
print(wrong)
"""


def test_threads_may_ask_at_once() -> None:
    """For ops whose module is on its way: each thread waits until it is there."""
    root = Path(__file__).parents[4]
    code = f"import sys; sys.path.insert(0, {str(root / 'core')!r}); import dyncore{THREADS}"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]\n" == found.stdout


INTERRUPTED = """
def interrupt(frame, event, arg):
    if frame.f_globals.get("__name__") == "dyncore.ops.matrix":
        lines.append(frame.f_lineno)
        if len(lines) == 60:
            sys.settrace(None)
            raise KeyboardInterrupt
    return interrupt

lines, x = [], dyncore.ones(2, 2)
sys.settrace(interrupt)
try:
    x @ x
except KeyboardInterrupt:
    print((x @ x).sum().item(), x.matmul(x).sum().item())
"""


def test_what_was_interrupted_begins_again() -> None:
    """A limit of time may end a run while ops are imported, and the process goes on with another."""
    root = Path(__file__).parents[4]
    code = f"import sys; sys.path.insert(0, {str(root / 'core')!r}); import dyncore{INTERRUPTED}"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "8.0 8.0\n" == found.stdout
