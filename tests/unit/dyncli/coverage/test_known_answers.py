"""Models whose coverage is worked out by hand: every count below was written down before the model was run."""

import gc
import re
import signal
import sys
import tracemalloc  # noqa: F401 - pytest loads it for what a destructor raises, where a limit may strike
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import dyncore as torch
from dyncli import errors
from dyncli.coverage import timeout
from dyncli.coverage.state_reset import Pristine
from dyncli.coverage.timeout import Watch
from dyncli.recorder import settings
from dyncli.recorder.engine import grad_mode
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.recorder.settings import Stopped, time_limit
from dyncli.render.reports import coverage_html
from tests.unit.dyncli.coverage.running import DECIDES_IN_BACKWARD, arms, covered, missed, outcomes


def test_branch(tmp_path: Path):
    """Two of three inputs go one way, one the other; the nearest to a flip is the one whose sum is 0.5."""
    found = covered(tmp_path, "def forward(x):\n    if x.sum() > 0:\n        return x * 2\n    return x - 2\n",
                    [[1.0, 2.0], [-1.0, -2.0], [0.25, 0.25]])  # fmt: skip
    assert {"2 x.sum() > 0": {"then": (2, 2), "else": (1, 1)}} == arms(found)
    assert (100.0, [], 2) == (found.percent, missed(found), found.distinct)
    (near, *_) = found.sites[0].nearest
    assert (0.5, 0.5, "then", "data.jsonl:3") == (near.distance, near.margin, near.arm, near.example.place)
    assert [(2, 2.8284271247461903), (1, 1.4142135623730951)] == [
        (row.path.count, row.path.inputs.mean) for row in found.paths
    ]


def test_elif_chain_with_an_arm_never_reached(tmp_path: Path):
    """Tests behind the first are only asked where the first is false."""
    source = (
        "def forward(x):\n    if x > 2:\n        return x\n    elif x > 1:\n        return x * 2\n"
        "    elif x > 100:\n        return x * 3\n    else:\n        return x * 4\n"
    )
    found = covered(tmp_path, source, [3.0, 1.5, 0.5, 0.25])
    assert {
        "2 x > 2": {"then": (1, 1), "else": (3, 3)},
        "4 x > 1": {"then": (1, 1), "else": (2, 2)},
        "6 x > 100": {"then": (0, 0), "else": (2, 2)},
    } == arms(found)
    assert ["6 then"] == missed(found)
    assert (5, 6, ("        return x * 3",)) == (found.reached, found.total, found.missed[0].source)


def test_while_loop_with_known_trips(tmp_path: Path):
    """8 is halved three times, 2 once, 1 not at all."""
    found = covered(tmp_path, "def forward(x):\n    while x > 1:\n        x = x / 2\n    return x\n", [8.0, 2.0, 1.0])
    assert {"2 x > 1": {"body": (4, 2), "exit": (3, 3)}} == arms(found)
    assert [{3: 1, 1: 1, 0: 1}] == [row.counts.counts for row in found.loops]
    assert ["2 body x3, 2 exit", "2 body, 2 exit", "2 exit"] == sorted(
        (row.path.text for row in found.paths), key=len, reverse=True
    )


def test_source_of_a_missed_comprehension_is_its_element(tmp_path: Path):
    """All of its lines, and of a `dict` those of the value."""
    source = (
        "def forward(words: list[float]):\n    one = [\n        w * 2\n        + 1\n        for w in words\n    ]\n"
        "    two = {\n        w: w\n        * 3\n        for w in words\n    }\n    return sum(one) + len(two)\n"
    )
    found = covered(tmp_path, source, [{"words": []}])
    assert [("        w * 2", "        + 1"), ("        w: w", "        * 3")] == [arm.source for arm in found.missed]


def test_fraction_for_an_integer_does_not_fit(tmp_path: Path):
    """A whole number written as a float does."""
    source = "def forward(x, n: int):\n    for _ in range(n):\n        x = x * 2\n    return x\n"
    found = covered(tmp_path, source, [{"x": 1.0, "n": n} for n in (2, 2.0, 2.5, True)])
    assert {"ok": 2, "misfit": 2} == outcomes(found)


def test_for_loop_that_may_be_empty(tmp_path: Path):
    """The body is reached by the inputs that have items; an empty list runs no step."""
    source = (
        "def forward(words: list[float]):\n    total = 0.0\n    for word in words:\n        total += word\n"
        "    return total\n"
    )
    found = covered(tmp_path, source, [{"words": []}, {"words": [1, 2]}, {"words": [3]}])
    assert {"3 for word in words": {"loop": (2, 2)}} == arms(found)
    assert [{0: 1, 2: 1, 1: 1}] == [row.counts.counts for row in found.loops]


def test_endless_loop_with_a_break(tmp_path: Path):
    """`while True` is no decision, its steps are counted all the same."""
    source = "def forward(x):\n    while True:\n        x = x - 1\n        if x < 0:\n            break\n    return x\n"
    found = covered(tmp_path, source, [0.5, 2.5])
    assert {"4 x < 0": {"then": (2, 2), "else": (2, 1)}} == arms(found)
    assert [(2, "while True", {1: 1, 3: 1})] == [(row.line, row.text, row.counts.counts) for row in found.loops]


def test_compound_test(tmp_path: Path):
    """`b` is asked only where `a` is true; the second comparison is never false."""
    source = "def forward(a, b):\n    if a > 0 and b > 0:\n        return a\n    return b\n"
    found = covered(tmp_path, source, [{"a": 1.0, "b": 2.0}, {"a": -1.0, "b": 2.0}, {"a": -3.0, "b": -2.0}])
    assert [("a > 0", 1, 2, True), ("b > 0", 1, 0, False)] == [
        (row.text, row.true, row.false, row.is_covered) for row in found.conditions
    ]
    assert 100.0 == found.percent
    assert [1.0, 1.0, 3.0] == [near.distance for near in found.sites[0].nearest]


EXITS = """
class Exit:
    def goes_on(self, x): return {going}
    def near(self, x): return {near}
gate = Exit()
def forward(x):
    index = 0
    stops = False
    while index < 3 and gate.goes_on(x):
        x, index = x / 2, index + 1
    while not stops:
        x = x * 2
        stops = x.sum(){number} > 9
    if gate.near(x): return x
    return -x
"""


@pytest.mark.parametrize("number", ["", ".item()"])
def test_comparisons_behind_calls_and_flags_are_measured(tmp_path: Path, number: str):
    """Halved three times, it is 0.1 to 0.5 above 1 before the last; then doubled past 9.

    The whole numbers of `index < 3`, which are equal in the end, hide nothing.
    """
    source = EXITS.format(going=f"x.sum(){number} > 1", near=f"x.sum(){number} < 13", number=number)
    found = covered(tmp_path, source, [4 + 0.4 * tenths for tenths in (1, 5, 2, 4, 3)])
    nearest = [[(round(near.margin, 4), near.arm) for near in row.nearest] for row in found.sites]
    assert [
        [(0.1, "body"), (0.2, "body"), (0.3, "body")],
        [(0.2, "body"), (-0.6, "exit"), (-1.4, "exit")],
        [(1.0, "then"), (1.8, "then"), (2.6, "then")],
    ] == nearest


def test_test_that_came_to_data_is_not_measured_by_whole_numbers(tmp_path: Path):
    """An input whose data are further off than those of others is none nearer for `n > 0`; `n` is 0 in each second."""
    source = "def forward(x, ns: list[int]):\n    for n in ns:\n        if n > 0 and x > 5: x = x * 1\n    return x\n"
    given = [{"x": value, "ns": [3, 0, 3]} for value in (7.0, 9.0, 8.0, 12.0, 11.0, 10.0)]
    found = covered(tmp_path, source, [*given, {"x": 20.0, "ns": [3, 0]}, {"x": 7.5, "ns": [-1]}])
    (test,) = (row for row in found.sites if row.site.kind == "if")
    assert [(-1.0, "else"), (2.0, "then"), (3.0, "then")] == [(near.margin, near.arm) for near in test.nearest]


def test_or_and_not(tmp_path: Path):
    """`not (a or b)`: `b` is asked where `a` is false."""
    source = "def forward(x, flag: bool):\n    if not (flag or x > 1):\n        return x\n    return -x\n"
    given = [{"x": 0.0, "flag": True}, {"x": 2.0, "flag": False}, {"x": 0.5, "flag": False}]
    found = covered(tmp_path, source, given)
    assert {"2 not (flag or x > 1)": {"then": (1, 1), "else": (2, 2)}} == arms(found)
    assert [("flag", 1, 2), ("x > 1", 1, 1)] == [(row.text, row.true, row.false) for row in found.conditions]


def test_comprehension_with_a_filter(tmp_path: Path):
    """Three of five items are kept; the second input keeps none."""
    source = "def forward(x):\n    kept = [v for v in x.tolist() if v > 0]\n    return x.sum() * len(kept)\n"
    found = covered(tmp_path, source, [[1.0, -1.0, 2.0, 3.0], [-1.0]])
    assert {
        "2 for v in x.tolist()": {"loop": (2, 2)},
        "2 v > 0": {"keep": (3, 1), "drop": (2, 2)},
    } == arms(found)
    assert [{4: 1, 1: 1}] == [row.counts.counts for row in found.loops]


def test_recursion(tmp_path: Path):
    """Depth 0 for 0, 3 for 3; the inputs that recurse are in the histogram."""
    source = "def forward(n: int):\n    return 1 if n == 0 else n * forward(n - 1)\n"
    found = covered(tmp_path, source, [{"n": 0}, {"n": 3}, {"n": 3}, {"n": 1}])
    assert {"2 n == 0": {"then": (4, 4), "else": (7, 3)}} == arms(found)
    assert [("forward", {3: 2, 1: 1})] == [(row.text, row.counts.counts) for row in found.recursion]
    assert 4 + 7 == found.tally.calls["net.py:1:forward"]


def test_recursion_over_a_tree(tmp_path: Path):
    """A tree of depth two has three leaves and two inner nodes."""
    source = (
        "def forward(tree):\n    if isinstance(tree, dict):\n"
        "        return forward(tree['l']) + forward(tree['r'])\n    return tree * 2\n"
    )
    found = covered(tmp_path, source, [{"tree": {"l": 1.0, "r": {"l": 2.0, "r": 3.0}}}, {"tree": 4.0}])
    assert {"2 isinstance(tree, dict)": {"then": (2, 1), "else": (4, 2)}} == arms(found)
    assert [{2: 1}] == [row.counts.counts for row in found.recursion]


def test_early_exit_leaves_the_rest_unreached(tmp_path: Path):
    """Every input returns in the loop's first step, so that `else` of the test behind it is never asked."""
    source = (
        "def forward(x):\n    for k in range(5):\n        if x.abs().max() < 10:\n            return x\n"
        "        x = x / 2\n    if x.sum() > 0:\n        return -x\n    return x\n"
    )
    found = covered(tmp_path, source, [[1.0], [2.0]])
    assert ["3 else", "6 then", "6 else"] == missed(found)
    assert (2, 5) == (found.reached, found.total)
    assert [{1: 2}] == [row.counts.counts for row in found.loops]


def test_match(tmp_path: Path):
    """One input for each case but the last; `no match` is an arm where no case takes all."""
    source = (
        "def forward(x, how: str):\n    match how:\n        case 'double':\n            return x * 2\n"
        "        case 'half' | 'third':\n            return x / 2\n        case 'square':\n            return x * x\n"
        "    return x\n"
    )
    given = [{"x": 1.0, "how": how} for how in ("double", "third", "half", "none")]
    found = covered(tmp_path, source, given)
    assert {
        "2 how": {"case 'double'": (1, 1), "case 'half' | 'third'": (2, 2), "case 'square'": (0, 0), "no match": (1, 1)}
    } == arms(found)
    assert ["2 case 'square'"] == missed(found)


def test_guards_of_a_match(tmp_path: Path):
    """A guard is a test of its own."""
    source = (
        "def forward(x, n: int):\n    match n:\n        case k if k > 10:\n            return x * k\n"
        "        case _:\n            return x\n"
    )
    found = covered(tmp_path, source, [{"x": 1.0, "n": 1}, {"x": 1.0, "n": 2}])
    assert {
        "2 n": {"case k": (0, 0), "case _": (2, 2)},
        "3 k > 10": {"pass": (0, 0), "fail": (2, 2)},
    } == arms(found)


def test_exceptions_inside_and_out(tmp_path: Path):
    """One handler catches, one is never needed, and what nobody catches is counted by type and line."""
    source = (
        "def forward(x, n: int):\n    try:\n        y = [1.0, 2.0][n]\n        1 / n\n"
        "    except IndexError:\n        return x\n    except KeyError:\n        return -x\n    return x * y\n"
    )
    found = covered(tmp_path, source, [{"x": 1.0, "n": n} for n in (1, 5, 0, 7, 0)])
    assert {"2 try": {"except IndexError": (2, 2), "except KeyError": (0, 0)}} == arms(found)
    assert {"ok": 3, "raised": 2} == outcomes(found)
    assert [("ZeroDivisionError at net.py:4", 2, "data.jsonl:3")] == [
        (reason, group.count, group.examples[0].place) for reason, group in found.reasons
    ]
    assert sorted([("2 except IndexError", 2, 0), ("no decision", 3, 2)]) == sorted(
        (row.path.text, row.path.count, row.path.raised) for row in found.paths
    )


def test_an_assertion_that_never_fails_is_no_gap(tmp_path: Path):
    """Nobody wants the arm in which an assertion fails."""
    found = covered(tmp_path, "def forward(x):\n    assert x.sum() < 100\n    return x\n", [[1.0]])
    assert (1, 1, []) == (found.reached, found.total, missed(found))


def test_values_of_and_or(tmp_path: Path):
    """`or` as a value stops at its first operand, or goes on to the rest."""
    found = covered(tmp_path, "def forward(x, scale: float = 0.0):\n    return x * (scale or 2.0)\n",
                    [{"x": 1.0, "scale": 3.0}, {"x": 1.0, "scale": 0.0}, {"x": 1.0}])  # fmt: skip
    assert {"2 scale or 2.0": {"short": (1, 1), "rest": (2, 2)}} == arms(found)


def test_functions_never_called(tmp_path: Path):
    """The arms in them count, and the functions are named; a helper used while loading alone does not count."""
    source = (
        "def never(x):\n    if x > 0:\n        return x\n    return -x\n\n\ndef helper(n):\n"
        "    return n if n > 1 else 1\n\n\nSIZE = helper(3)\n\n\ndef forward(x):\n    return x * SIZE\n"
    )
    found = covered(tmp_path, source, [1.0])
    assert ["2 then", "2 else"] == missed(found)
    assert ["never"] == [function.name for function in found.missing]
    assert (0, 2) == (found.reached, found.total)


def test_arms_reached_only_while_loading_are_missed(tmp_path: Path):
    """A script that runs its model as it is loaded has not tried what no input takes."""
    source = (
        "import dyncore as torch\n\n\ndef forward(x):\n    if x > 2:\n        return x * 3\n    elif x > 1:\n"
        "        return x * 2\n    return x\n\n\nfor value in (0.0, 1.5, 3.0):\n    forward(torch.tensor(value))\n"
    )
    found = covered(tmp_path, source, [0.5])
    assert ["5 then", "7 then"] == missed(found)
    assert (2, 4) == (found.reached, found.total)


def test_what_runs_only_while_loading_is_not_asked_for(tmp_path: Path):
    """Decisions at the top level are no matter of the inputs."""
    source = "if 1 > 2:\n    x = 1\nif __name__ == '__main__':\n    print('run')\n\n\ndef forward(x):\n    return x\n"
    found = covered(tmp_path, source, [1.0])
    assert (0, 100.0) == (found.total, found.percent)


def test_nan_and_inf(tmp_path: Path):
    """`sqrt(-1)` is NaN in the output and in the gradient, `log(0)` is Inf in both; 4 is fine."""
    found = covered(tmp_path, "import dyncore as torch\n\n\ndef forward(x, root: bool = True):\n"
                    "    return torch.sqrt(x) if root else torch.log(x)\n",
                    [4.0, -1.0, {"x": 0.0, "root": False}])  # fmt: skip
    assert {"ok": 3} == outcomes(found)
    assert {
        "output holds NaN": 1, "gradient of an input holds NaN": 1, "output holds Inf": 1,
        "gradient of an input holds Inf": 1,
    } == {reason: group.count for reason, group in found.reasons}  # fmt: skip
    norms = {row.path.text: row.path.inputs for row in found.paths}
    assert (2, 1, 1, 0.25) == (
        norms["5 then"].runs, norms["5 then"].finite, norms["5 then"].broken, norms["5 then"].mean,
    )  # fmt: skip


def test_gradients_that_vanish_or_do_not_come(tmp_path: Path):
    """A product with 0 has the gradient 0; a detached output has none."""
    source = (
        "def forward(x):\n    if x.sum() > 10:\n        return x.detach()\n    if x.sum() > 5:\n        return x * 0\n"
        "    return x * 3\n"
    )
    found = covered(tmp_path, source, [[11.0], [6.0], [1.0], [2.0]])
    norms = {row.path.text: row.path.inputs for row in found.paths}
    assert (0, 1) == (norms["2 then"].runs, norms["2 then"].absent)
    assert (1, 1, 0.0) == (norms["2 else, 4 then"].runs, norms["2 else, 4 then"].zeros, norms["2 else, 4 then"].mean)
    assert (3.0, 3.0, 3.0, 2) == (
        norms["2 else x1" if "2 else x1" in norms else "2 else, 4 else"].least,
        norms["2 else, 4 else"].mean, norms["2 else, 4 else"].most, norms["2 else, 4 else"].finite,
    )  # fmt: skip


def test_module_with_parameters(tmp_path: Path):
    """Gradients of the parameters are counted beside those of the input, and are fresh for each input."""
    source = (
        "import dyncore as torch\nfrom dyncore import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.w = nn.Parameter(torch.tensor([2.0]))\n\n"
        "    def forward(self, x):\n        if x.sum() > 0:\n            return x * self.w\n        return x\n"
    )
    found = covered(tmp_path, source, [[3.0], [4.0], [-1.0]])
    norms = {row.path.text: row.path for row in found.paths}
    assert (2.0, 3.5, 4.0) == (
        norms["11 then"].inputs.mean, norms["11 then"].parameters.mean, norms["11 then"].parameters.most,
    )  # fmt: skip
    assert (0, 1) == (norms["11 else"].parameters.runs, norms["11 else"].parameters.absent)


def test_broken_lines_and_inputs_that_do_not_fit(tmp_path: Path):
    """Each is counted where it stands, and the others are run; blank lines are no inputs."""
    found = covered(
        tmp_path,
        "from dyncore import Tensor\n\n\ndef forward(x: Tensor):\n    return x\n",
        ["[1.0]", "[1.0", "", '{"y": 2}', "[[1.0], [1, 2]]", "[2.0]", '"abc"'],
    )
    assert {"ok": 2, "misfit": 3, "broken": 1} == outcomes(found)
    notes = {example.place: example.note for _, group in found.outcomes for example in group.examples if example.note}
    assert {
        "data.jsonl:2": "it ends too early",
        "data.jsonl:4": "no parameter `y`",
        "data.jsonl:5": "`x` is not rectangular: [0] has 1 items and [1] has 2",
        "data.jsonl:7": '`x` must be a tensor, got the string "abc"',
    } == notes


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("limit", "word"), [({"timeout": 1.0}, "timeout"), ({"max_ops": 500}, "limit")])
def test_inputs_that_never_end(tmp_path: Path, limit: dict[str, float], word: str):
    """They are stopped and counted, also where the script catches everything; the arms they took are reached."""
    source = (
        "def forward(x):\n    try:\n        while x.sum() > 0:\n            x = x * 1\n    except Exception:\n"
        "        pass\n    return x\n"
    )
    gc.collect()  # what other runs left has callbacks, and what strikes in one of these is not raised
    found = covered(tmp_path, source, [[-1.0], [1.0], [-2.0]], **limit)
    assert {"ok": 2, word: 1} == outcomes(found)
    assert {"body": 1, "exit": 2} == {arm: inputs for arm, (_, inputs) in arms(found)["3 x.sum() > 0"].items()}
    assert 2 == sum(row.path.count for row in found.paths)


@pytest.mark.parametrize("limit", [{"timeout": 60.0}, {"max_ops": 1000}])
def test_limit_that_no_input_meets_changes_nothing_of_the_report(tmp_path: Path, limit: dict[str, float]):
    """Outputs, gradients of inputs and parameters, paths and arms are those without it."""
    source = (
        "import torch\n\nw = torch.nn.Parameter(torch.ones(2))\n\n\ndef forward(x):\n"
        "    if x.sum() > 0:\n        return (x * w).sum()\n    return (x * w * w).exp().sum()\n"
    )
    inputs = [[1.0, 2.0], [-1.0, 0.5], [2.0, 2.0], [-3.0, 1.0]]
    free, limited = covered(tmp_path, source, inputs), covered(tmp_path, source, inputs, **limit)
    assert free.tally == limited.tally


@pytest.mark.whole
def test_a_long_run_is_followed_piece_by_piece(tmp_path: Path):
    """A log of a million items is gone through while it is written; nothing is lost and nothing counted twice."""
    source = (
        "def forward(x):\n    n = 0\n    for k in range(300000):\n        if k % 3:\n            n += 1\n"
        "    return x * n\n"
    )
    found = covered(tmp_path, source, [1.0, 2.0])
    assert {
        "3 for k in range(300000)": {"loop": (2, 2)},
        "4 k % 3": {"then": (400000, 2), "else": (200000, 2)},
    } == arms(found)
    assert (1, 2) == (found.distinct, found.paths[0].path.count)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # the timer may go off in a finalizer
def test_an_endless_run_is_stopped_while_it_is_followed(tmp_path: Path):
    """Half a second of nothing but tests: its log is gone through again and again, and the limit holds."""
    source = "def forward(x):\n    while x > 0:\n        x = x * 1\n    return x\n"
    found = covered(tmp_path, source, [1.0], timeout=0.5)
    assert {"timeout": 1} == outcomes(found)
    assert {"body": (0, 1), "exit": (0, 0)} == arms(found)["2 x > 0"]


def test_a_run_is_not_stopped_while_an_object_goes(tmp_path: Path):
    """What a limit raises in a `__del__` is printed and dropped: it waits for the end of that."""
    source = (
        "from time import perf_counter\nclass Slow:\n    def __del__(self):\n        end = perf_counter() + 0.4\n"
        "        while perf_counter() < end:\n            pass\n"
        "def forward(x):\n    Slow()\n    while True:\n        x = x * 1\n"
    )
    assert {"timeout": 1} == outcomes(covered(tmp_path, source, [1.0], timeout=0.1))


KEEPS = """\
import collections
import dyncore as torch
import numpy as np

number, words, names, queue = 0, [], set(), collections.deque([0])
tally, plain, weight = collections.Counter(), np.zeros(2), torch.tensor([1.0])
scalar, other, trained = torch.tensor(0.0), torch.zeros(2), torch.zeros(2, requires_grad=True)
view = other[:1]


class Box:
    total = 0

    def __init__(self):
        self.size = 0


box = Box()


def of_class():
    Box.late = getattr(Box, "late", 0) + 1
    Box.total += 1
    return Box.late + Box.total - 1


def of_globals():
    global number
    number += 1
    globals()["fresh"] = globals().get("fresh", 0) + 1
    return number + globals()["fresh"] - 1


def count(kind):
    match kind:
        case "class":
            return of_class()
        case "globals":
            return of_globals()
        case "object":
            box.size += 1
            box.late = getattr(box, "late", 0) + 1
            return box.size + box.late - 1
        case "list":
            words.append(1)
            return len(words)
        case "set":
            names.add(len(names))
            return len(names)
        case "deque":
            queue[0] += 1
            return queue[0]
        case "counter":
            tally["a"] += 1
            return tally["a"]
        case "array":
            plain[0] += 1
            return plain[0]
        case "tensor":
            weight.add_(1)
            return weight.item() - 1
        case "number":
            scalar.add_(1)
            return scalar.item()
        case "data of a number":
            scalar.data += 1
            return scalar.item()
        case "data":
            trained.data.add_(1)
            return trained[0].item()
        case "data of another shape":
            trained.data = torch.cat([trained.data, torch.ones(2)])
            return trained.sum().item() / 2
        case "data of another":
            trained.data = other
            trained.data.add_(1)
            return view.item()


def forward(x, kind: str):
    return x if count(kind) == 1 else x * 2
"""


def test_state_is_put_back(tmp_path: Path):
    """Count the runs in all that outlives one: none came before each."""
    kinds = re.findall('case "(.*)"', KEEPS)
    found = covered(tmp_path, KEEPS, [{"x": 1.0, "kind": kind} for kind in kinds for _ in range(3)])
    runs = 3 * len(kinds)
    (tests,) = [each for test, each in arms(found).items() if test.endswith("count(kind) == 1")]
    assert ({"ok": runs}, {"then": (runs, runs), "else": (0, 0)}) == (outcomes(found), tests)


CACHED = """\
import functools
import dyncore as torch


@functools.lru_cache
def function(k):
    return 1 if k else 0


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.held = functools.cache(self.plain)

    def plain(self, k):
        return 1 if k else 0

    @functools.lru_cache
    def method(self, k):
        return 1 if k else 0

    @staticmethod
    @functools.cache
    def static(k):
        return 1 if k else 0

    @classmethod
    @functools.cache
    def of_class(cls, k):
        return 1 if k else 0

    @functools.cached_property
    def kept(self):
        return 1 if torch else 0

    def forward(self, x, k: int):
        return x * (function(k) + self.held(k) + self.method(k) + self.static(k) + self.of_class(k) + self.kept)


model = Net()
"""


def test_caches_are_cleared_between_inputs(tmp_path: Path):
    """The same input takes the same path each time, though its answers were cached before."""
    found = covered(tmp_path, CACHED, [{"x": 1.0, "k": 3}] * 3)
    assert [{"then": (3, 3), "else": (0, 0)}] * 6 == list(arms(found).values())
    assert 1 == found.distinct


def test_random_numbers_are_the_same_for_every_input(tmp_path: Path):
    """The seed is set anew before each: the order of the inputs does not matter."""
    source = (
        "import random\nimport numpy as np\nimport dyncore as torch\n\n\ndef forward(x):\n"
        "    if random.random() + np.random.rand() + torch.rand(1).item() == x:\n        return x\n    return -x\n"
    )
    found = covered(tmp_path, source, [1.0, 1.0, 1.0])
    assert 1 == len({near.margin for near in found.sites[0].nearest}) and 3 == len(found.sites[0].nearest)


def test_what_a_script_prints_goes_nowhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A hundred thousand prints are no report."""
    covered(tmp_path, "def forward(x):\n    print('hello')\n    return x\n", [1.0])
    assert ("", "") == capsys.readouterr()


def test_a_script_without_an_entry(tmp_path: Path):
    """There is nothing to give the inputs to."""
    with pytest.raises(errors.NoEntry):
        covered(tmp_path, "x = 1\n", [1.0])


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no timer")
@pytest.mark.parametrize("limit", [lambda: Watch(1000.0, [], list.clear).ticking(), lambda: time_limit(1000.0)])
@pytest.mark.parametrize("is_stopped", [False, True])
def test_alarm_handler_and_timer_are_restored(limit: Callable[[], Any], is_stopped: bool):
    """The handler that was there before a limit is there after it, also when the run was stopped; no timer is left."""

    def mine(number: int, frame: object) -> None:
        """Do nothing."""

    before = signal.signal(signal.SIGALRM, mine)
    try:
        with suppress(Stopped), limit():
            assert signal.getsignal(signal.SIGALRM) is not mine
            assert signal.getitimer(signal.ITIMER_REAL)[0] > 0
            if is_stopped:
                raise Stopped("timeout", "late")
        assert signal.getsignal(signal.SIGALRM) is mine
        assert 0 == signal.getitimer(signal.ITIMER_REAL)[0]
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no timer")
@pytest.mark.parametrize(
    ("worked_seconds", "ran_seconds", "ends"), [(0.2, 20.0, []), (3.0, 3.0, ["timeout"]), (0.0, 40.0, ["timeout"])]
)
def test_limit_waits_for_a_finalizer_only_so_long(
    worked_seconds: float, ran_seconds: float, ends: list[str], monkeypatch: pytest.MonkeyPatch
):
    """A finalizer that works for a second is stopped, however long the limit was over when it began.

    A busy machine may take long over less; one that only waits is stopped as well.
    """
    worked, now = [7.0], [5000.0]
    monkeypatch.setattr(settings, "process_time", lambda: worked[0])
    monkeypatch.setattr(settings, "monotonic", lambda: now[0])

    class Slow:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGALRM)
            worked[0] += worked_seconds
            now[0] += ran_seconds
            signal.raise_signal(signal.SIGALRM)

    watch = Watch(1000.0, [], list.clear)
    found = []
    with watch.ticking():
        watch.begin()
        watch.deadline = 0.0
        try:
            Slow.__del__(None)
        except Stopped as stopped:
            found.append(stopped.status)
        watch.end()
    assert ends == found


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no timer")
def test_the_limit_strikes_inside_the_run_alone():
    """However late the timer goes off, whoever began the run is not interrupted while it notes how the run ended."""
    watch = Watch(1000.0, [], list.clear)
    ends = []
    with watch.ticking():
        watch.begin()
        watch.deadline = 0.0
        signal.raise_signal(signal.SIGALRM)
        try:
            (lambda: signal.raise_signal(signal.SIGALRM))()
        except Stopped as stopped:
            signal.raise_signal(signal.SIGALRM)
            ends.append(stopped.status)
        watch.end()
    assert ["timeout"] == ends


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="there is no timer")
def test_limit_leaves_a_run_that_ends_half_a_second(monkeypatch: pytest.MonkeyPatch):
    """The timer strikes many times a second; what closes files and coroutines is interrupted only if it goes on."""
    now = [0.0]
    monkeypatch.setattr(timeout, "monotonic", lambda: now[0])
    watch = Watch(1.0, [], list.clear)
    ends = []
    with watch.ticking():
        watch.begin()
        for now[0] in (0.9, 1.1, 1.2, 1.5, 1.7, 1.8):
            try:
                (lambda: signal.raise_signal(signal.SIGALRM))()
            except Stopped:
                ends.append(now[0])
        watch.end()
    assert [1.1, 1.7] == ends


LAZY = """\
import importlib
import sys
import types


class Lazy:
    def __init__(self, name):
        self.name = name

    def __getattr__(self, word):
        return getattr(importlib.import_module(self.name), word)


class Moves(types.ModuleType):
    __path__ = []
    broken = Lazy("no_such_module")
    range = range

    def __init__(self, name):
        super().__init__(name)


class Finder:
    def find_spec(self, name, path=None, target=None):
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self) if name == "moving.moves" else None

    def create_module(self, spec):
        return Moves(spec.name)

    def exec_module(self, module):
        pass


__path__ = []
moved = Lazy("no_such_module")
sys.meta_path.append(Finder())
"""


def test_lazy_modules_are_not_imported_by_a_look_at_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A stand-in for a module that may be missing, as in `six.moves`, stays as it is; its finder works."""
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])  # the finder would record its own calls in later tests
    (tmp_path / "moving.py").write_text(LAZY)
    (tmp_path / "net.py").write_text(
        "import moving\nfrom moving import moved\nfrom moving.moves import range\n\n"
        "def forward(x):\n    for _ in range(2):\n        x = x * 2\n    return x\n"
    )
    found = covered(tmp_path, (tmp_path / "net.py").read_text(), [[1.0]])
    assert {"ok": 1} == outcomes(found)
    (record,) = record_model(Request(str(tmp_path / "net.py"), ("[1.0]",)))
    assert ("ok", 2) == (record.status, len(record.ops))


def test_only_decision_of_backward_is_counted(tmp_path: Path):
    """One decision alone after the backward's beginning is an arm like any other."""
    found = covered(tmp_path, DECIDES_IN_BACKWARD, [[1.0, 2.0], [3.0, 9.0]])
    assert {"10 x.sum() > 10": {"then": (1, 1), "else": (1, 1)}} == arms(found)


def test_state_that_was_put_back_is_not_changed() -> None:
    """A parameter that a run wrote in place is compared by its version, which goes on."""
    parameter = torch.nn.Parameter(torch.ones(2))
    module = ModuleType("net")
    module.parameter = parameter  # type: ignore[attr-defined]
    pristine = Pristine([module], None, [])
    with torch.no_grad():
        parameter.mul_(2.0)
    assert pristine.is_changed()
    pristine.restore()
    assert ([1.0, 1.0], False) == (parameter.tolist(), pristine.is_changed())


def test_grad_mode_is_restored_where_a_limit_struck_in_the_end_of_no_grad():
    """The block's own end did not run to its own."""
    watch = Watch(None, [], list.clear)
    watch.begin()
    grad_mode.no_grad().__enter__()
    watch.end()
    assert grad_mode.is_grad_enabled()


def test_page_lists_only_outcomes_that_somebody_has_to_look_at(tmp_path: Path):
    source = "def forward(x):\n    if x > 1: raise ValueError\n    return x\n"
    page = coverage_html.render(covered(tmp_path, source, [0.0, 1.0, 2.0]))
    assert "<b>1</b> raised" in page and "ran to the end" not in page


def test_page_has_as_many_rows_of_a_table_as_a_browser_shows_at_once(tmp_path: Path):
    source = "def forward(x):\n    if x > 1:\n        x = x * 2\n    return x\n"
    found = covered(tmp_path, source, [0.0, 2.0])
    (site,) = found.sites
    for sites, rows in ((800, 1600), (1500, 2000)):
        page = coverage_html.render(replace(found, sites=(site,) * sites))
        arms_of = page.partition("<h2>Arms</h2>")[2].partition("</table>")[0]
        assert rows == arms_of.count("<tr><td>")


def test_test_that_no_input_moves_stands_behind_those_nearest_to_a_flip(tmp_path: Path) -> None:
    """Count no input as near an edge because a list of options is empty for all of them."""
    source = (
        "options = []\n\n\ndef forward(x):\n    if len(options) > 0:\n        return x\n"
        "    for k in range(2):\n        if k > 0:\n            x = x + 0\n"
        "    if x.sum() > 0:\n        return x * 2\n    return x - 2\n"
    )
    found = covered(tmp_path, source, [[1.0, 2.0], [-1.0, -2.0], [0.25, 0.25]])
    assert ["k > 0", "x.sum() > 0", "len(options) > 0"] == [row.site.text for row in found.nearest]
    found = covered(tmp_path, source, [[1.0, 2.0]])
    assert ["len(options) > 0", "k > 0", "x.sum() > 0"] == [row.site.text for row in found.nearest]
