"""The report of a compiled function, as it is printed."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

import dyncore as torch

SOURCE = """
def branches(x):
    for _ in range(2):
        if x.sum() > 1:
            x = x * k
    return x
def shows(x):
    return x * len(str(x))
def call(compiled, x):
    return compiled(x)
"""

BRANCHES = """\
branches: 4 paths recorded, 1 replay, 4 recordings, 0 ordinary calls
  path 1: 6 steps, 0 replays
    grad mode: on
    `x`: float32 [2]
    bool() is True at model.py:4: `if x.sum() > 1:`
    bool() is True at model.py:4: `if x.sum() > 1:`
  path 2: 6 steps, 1 replay
    grad mode: on
    `x`: float32 [2]
    bool() is True at model.py:4: `if x.sum() > 1:`
    bool() is True at model.py:4: `if x.sum() > 1:`
  path 3: 4 steps, 0 replays
    grad mode: on
    `x`: float32 [2]
    bool() is False at model.py:4: `if x.sum() > 1:`
    bool() is False at model.py:4: `if x.sum() > 1:`
  path 4: 6 steps, 0 replays
    grad mode: on
    `x`: float32 [2], a leaf that requires grad
    bool() is True at model.py:4: `if x.sum() > 1:`
    bool() is True at model.py:4: `if x.sum() > 1:`
  guards that failed, newest last:
    bool(): expected True, saw False
      at model.py:4: `if x.sum() > 1:`
    `x`: expected float32 [2], saw float32 [2], a leaf that requires grad
      at model.py:10: `return compiled(x)`
    k: expected 2.0, saw 3.0
      at model.py:10: `return compiled(x)`"""

SHOWS = """\
shows: 0 paths recorded, 0 replays, 1 recording, 0 ordinary calls
  not recorded:
    calls `represent`, 1 time
      at model.py:8: `return x * len(str(x))`"""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The functions of a script, `k` of which they read."""
    monkeypatch.setitem(linecache.cache, "model.py", (len(SOURCE), None, SOURCE.splitlines(True), "model.py"))
    names = {"__name__": "model", "k": 2.0}
    exec(compile(SOURCE, "model.py", "exec"), names)
    return names


def test_report_lists_paths_decisions_and_guards(model: dict[str, Any]) -> None:
    """One of anything is singular, each failure names the line of the call or of the decision."""
    compiled = torch.compile(model["branches"])
    for value, needs_grad in ((1.0, False), (2.0, False), (-3.0, False), (1.0, True)):
        model["call"](compiled, torch.tensor([value, 0.5], requires_grad=needs_grad))
    model["k"] = 3.0
    model["call"](compiled, torch.tensor([1.0, 0.5]))
    assert BRANCHES == str(compiled.explain())


def test_report_says_why_nothing_was_recorded(model: dict[str, Any]) -> None:
    """With the line that does it."""
    compiled = torch.compile(model["shows"])
    model["call"](compiled, torch.ones(2))
    assert SHOWS == str(compiled.explain())
