"""A script recurses as deeply with probes in it as alone, and its tracebacks end where they do then."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dyncli.script.execute import Recursion

DEEP = """\
import sys, traceback
def down(n):
    if n == 0: return 0
    return 1 + down(n - 1)
def both(n): return 0 if not n else 1 + both(n - 1)
def walk(items):
    if items:
        for item in items: walk(item)
def gen(n):
    if n: yield from gen(n - 1)
    yield n
def counted(n):
    try: return 1 + counted(n + 1 if n else 1)
    except RecursionError: return 1
endless = []
endless.append(endless)
print(sys.getrecursionlimit())
sys.setrecursionlimit(150)
for call in (down, both, lambda n: list(gen(n))):
    for n in range(144, 150):
        try: call(n)
        except RecursionError: print(n); break
for call, value in ((down, 500), (walk, endless), (both, 500)):
    try: call(value)
    except RecursionError as error:
        found = traceback.extract_tb(error.__traceback__)
        print(call.__name__, len(found), error, [(each.lineno, each.name) for each in found[-2:]])
sys.setrecursionlimit(120)
print(sys.getrecursionlimit(), sys.setrecursionlimit.__name__, counted(0))
for wrong in (0, -1, "1", 10**20):
    try: sys.setrecursionlimit(wrong)
    except Exception as error: print(type(error).__name__)
print(sys.getrecursionlimit())
"""


@pytest.mark.whole
def test_the_limit_is_reached_where_it_is_alone(tmp_path: Path) -> None:
    """How deep functions, generators and lambdas go, and what the tracebacks of those that go too deep end with."""
    script = tmp_path / "deep.py"
    script.write_text(DEEP, encoding="utf-8")
    alone = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    recorded = subprocess.run(
        [sys.executable, "-m", "dyncli", "run", "--json", str(script)], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": os.pathsep.join(path or "." for path in sys.path)},
    )  # fmt: skip
    assert alone.stdout and recorded.stderr.startswith(alone.stdout)


def test_the_limit_is_kept_from_loading_to_running() -> None:
    """What a script sets while it is loaded counts when its entry runs, and is gone afterwards."""
    before, get = sys.getrecursionlimit(), sys.getrecursionlimit
    recursion = Recursion()
    with recursion.counted(1):
        sys.setrecursionlimit(2345)
        assert 2345 == sys.getrecursionlimit() < get()
    assert before == sys.getrecursionlimit() and get is sys.getrecursionlimit
    with recursion.counted(2), Recursion().counted(1):
        assert 2345 == sys.getrecursionlimit()
    assert before == sys.getrecursionlimit()
