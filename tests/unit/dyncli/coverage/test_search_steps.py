"""The steps of a search one by one: kinds of change, which of them found an input, and how many runs that took."""

import json
import math
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyncli.analysis.coverage import Settings
from dyncli.coverage.data import DataSet
from dyncli.coverage.search import Probe, starts
from dyncli.coverage.search.distance import Distance
from dyncli.coverage.search.gradient_steps import steps
from dyncli.coverage.search.json_leaves import lists, moved
from dyncli.coverage.search.mutation import Chance, words_of
from dyncli.coverage.search.named_functions import calls, unnamed
from dyncli.coverage.search.operands import _comparable
from dyncli.coverage.search.probe import Seen
from dyncli.coverage.search.shrinking import simplified
from dyncli.coverage.search.structure import changes
from dyncli.records.model import Site
from tests.unit.dyncli.coverage.running import DECIDES_IN_BACKWARD, begun, covered, sought

INPUT = {"x": [1.0, 2.0, 4.0], "mode": "plain", "deep": False, "k": 3}
OTHER = {"x": [7.0, 8.0, 9.0], "mode": "other", "deep": False, "k": 5}

KINDS: dict[str, Callable[[Any], bool]] = {
    "all numbers by one shift": lambda x: x[:1] != [1.0] and [round(b - a, 2) for a, b in pairwise(x)] == [1.0, 2.0],
    "all numbers by one factor": lambda x: [round(b - a, 2) for a, b in pairwise(x)] == [10.0, 20.0],
    "one number alone": lambda x: len(x) == 3 and x[:2] == [1.0, 2.0] and x[2] != 4.0,
    "a constant of the script": lambda x: 77.0 in x,
    "a list cut at its end": lambda x: x == [1.0, 2.0],
    "a list without an item": lambda x: x == [2.0, 4.0],
    "a list reversed": lambda x: x == [4.0, 2.0, 1.0],
    "a list twice": lambda x: x == [1.0, 2.0, 4.0, 1.0, 2.0, 4.0],
    "a list with an item more": lambda x: len(x) == 4 and x[:3] == [1.0, 2.0, 4.0],
    "another input's": lambda x: x == OTHER["x"],
}


def test_chance_makes_every_kind_of_change():
    """Each kind comes up among 2,000 changes of one input; the words of the script are among the texts."""
    chance = Chance("0", words_of(["def f(x):\n    'docstring'\n    return x == 'loud' or x > 77\n"]))
    made = [chance.changed(INPUT, [OTHER]) for _ in range(2000)]
    assert [] == [kind for kind, is_it in KINDS.items() if not any(is_it(each["x"]) for each in made)]
    assert {"plain", "loud", "other", ""} == {each["mode"] for each in made}
    assert {True, False} == {each["deep"] for each in made}
    assert {int} == {type(each["k"]) for each in made}
    assert any(each["deep"] and each["mode"] == "loud" for each in made), "several changes at once"


def test_moved_numbers_stay_what_they_are():
    """An integer moves by the nearest integer and stays one; a float keeps the digits of a float32 and stays finite."""
    assert [4, 2, 3, 3, 1 << 62] == [moved(3, by) for by in (0.6, -0.6, 0.4, 1e300, 1e25)]
    assert [1.123457, 1e30, -1e30] == [moved(1.0, by) for by in (0.123456789, 1e300, -1e300)]


def test_words_of_scripts_are_listed_once_without_docstrings():
    """Numbers and texts that are spelt out; equal ones of other types stand apart."""
    assert [1, 1.0, "loud", 77] == words_of(
        ["def f():\n    'doc'\n    return 1, 1.0, 'loud', 1\n", "x = 77\n", "x = ("]
    )


FORMS = [
    [[[1, 2], [3, 4]]],
    [1, 2],
    [],
    [[1, 2], [3, 4], [1, 2], [3, 4]],
    [[1, 2]],
    [[1, 2], [3, 4], [3, 4]],
    [[1, 2, 1, 2], [3, 4, 3, 4]],
    [[1], [3]],
    [[1, 2, 2], [3, 4, 4]],
]


def test_forms_are_other_ranks_sizes_and_switches():
    """Every list of one depth is changed alike, so that what was a tensor stays one."""
    made = [
        change({"x": [[1, 2], [3, 4]], "deep": False}) for change in changes({"x": [[1, 2], [3, 4]], "deep": False})
    ]
    assert [] == [form for form in FORMS if {"x": form, "deep": False} not in made]
    assert {"x": [[1, 2], [3, 4]], "deep": True} in made
    assert [{"a": [2.0]}] == [
        made for change in changes({"a": 2.0}) if (made := change({"a": 2.0})) not in (None, {"a": []})
    ]


def stepped(folder: Path, source: str, value: Any, line: int) -> list[Any]:
    """The inputs that the gradient leads to from one, for the test on a line."""
    (folder / "net.py").write_text(source)
    record = Probe(str(folder / "net.py"), None, Settings()).record({"x": value}, slopes=True)
    assert record is not None
    site = next(decision.site.id for decision in record.decisions if decision.site.line == line)
    return [each["x"] for each in steps(record, site, {"x": value})]


def test_gradient_steps_go_beyond_the_edge(tmp_path: Path):
    """From 1 the first order is 20.5 for a square above 40; further steps, and that one, are tried too."""
    made = stepped(tmp_path, "def forward(x):\n    return x if x * x > 40 else -x\n", 1.0, 2)
    assert [20.695, 22.45, 30.25, 59.5, 157.0, 20.5] == made


@pytest.mark.parametrize(("test", "is_up"), [("x > 1", True), ("x >= 1", False), ("x < 1", False), ("x <= 1", True)])
def test_gradient_steps_leave_the_edge_to_the_other_side(tmp_path: Path, test: str, is_up: bool):
    """Where a margin is zero, the outcome says which side is the other one."""
    made = stepped(tmp_path, f"def forward(x):\n    return x if {test} else -x\n", 1.0, 2)
    assert made and all((each > 1) is is_up for each in made)


def test_gradient_steps_flip_the_nearest_decisions_of_a_test(tmp_path: Path):
    """Three of the four, the nearest first."""
    source = "def forward(x):\n    y = 0\n    for v in x:\n        y = y + v * (2 if v > 10 else 1)\n    return y\n"
    value = [1.0, 9.0, 5.0, 3.0]
    moved_places = [[n for n in range(4) if each[n] != value[n]] for each in stepped(tmp_path, source, value, 4)]
    assert [[1]] * 6 + [[2]] * 6 + [[3]] * 6 == moved_places


@pytest.mark.whole
def test_gradient_of_a_large_input_is_followed(tmp_path: Path):
    """The direction of 3,072 numbers, whose length counts for nothing, is found at once."""
    source = """\
import torch
torch.manual_seed(0)
w = torch.randn(3, 32, 32)
def forward(x):
    cosine = (x * w).sum() / (x.norm() * w.norm())
    return x * 2 if cosine > 0.5 else x
"""
    image = np.random.default_rng(0).normal(size=(3, 32, 32)).round(3).tolist()
    (one,) = sought(tmp_path, source, [image])
    assert one.input is not None and one.how.startswith("by gradient from ") and one.runs < 40


STEPS: dict[str, tuple[str, str, list[Any], int]] = {
    "by gradient": ("x", "x.sum() ** 3 > 1e4", [[1.0, 2.0]], 20),
    "by gradient after chance": (
        "x, mode: str",
        "mode == 'loud' and x.sum() ** 3 > 1e5",
        [{"x": [1.0, 2.0], "mode": "a"}],
        99,
    ),
    "by gradient after form": ("x", "x.dim() == 2 and x.sum() ** 3 > 1e5", [[1.0, 2.0]], 40),
    "by form": ("x", "len(x) > 5", [[1.0, 2.0]], 25),
    "number by number": ("n: int, k: int", "n - k > 900", [{"n": 5, "k": 1}, {"n": 5, "k": 2}], 60),
    "number by number, down": ("n: int", "n < -900", [5, 6], 60),
    "number by number from the nearest": ("n: int", "900 < n < 903", [2, 3, 860], 50),
    "by chance": ("x", "len(x) == 3 and x.tolist() == sorted(x.tolist(), reverse=True)", [[1.0, 2.0, 3.0]], 150),
    "by chance, one after the other": (
        "a: str, b: str, c: str",
        "a == 'x' and b == 'y' and c == 'z'",
        [{"a": "", "b": "", "c": ""}],
        99,
    ),
}


@pytest.mark.parametrize("step", STEPS)
def test_each_step_reaches_what_it_is_for(tmp_path: Path, step: str):
    """A curve, a length, a difference of integers far away, an order of numbers; and two one after the other."""
    given, test, inputs, most = STEPS[step]
    (one,) = sought(tmp_path, f"def forward({given}):\n    return 2.0 if {test} else 1.0\n", inputs)
    assert one.input is not None
    kind = " ".join(step.partition(",")[0].split()[: 2 if step.startswith("by") else 3])
    assert one.how.startswith(f"{kind} from ") and one.runs <= most, (one.how, one.runs)


def test_test_that_hides_what_it_compares_gets_all_runs(tmp_path: Path):
    """A function's answer is the same always, and yet other inputs may change it; a switch that nothing sets is not."""
    source = """\
quiet = False
def never(n):
    return n * n < 0
def forward(n: int):
    if quiet:
        return 3.0
    return 2.0 if never(n) else 1.0
"""
    switch, hidden = sought(tmp_path, source, [3], budget=100)
    assert ("not found in 100 runs", 100) == (hidden.how, hidden.runs)
    assert switch.how.startswith("no run moved its test, in ") and switch.runs < 50


def test_switches_that_nothing_sets_share_their_runs_by_chance(tmp_path: Path):
    """A fifth of the budget goes to all of them, as each run comes to each of them; the form is changed for each."""
    switches = "".join(f"    if quiet == {n}:\n        return 3.0\n" for n in range(5))
    found = sought(tmp_path, f"quiet = None\ndef forward(x):\n{switches}    return x\n", [[1.0]], budget=100)
    assert [37, 7, 7, 7, 7] == [each.runs for each in found], "a record and 20 runs by chance, then forms alone"
    assert found[-1].how.startswith("no run moved its test, in ")


def test_arms_inside_one_that_was_given_up_are_not_sought(tmp_path: Path):
    """Runs kept from the outer arm are kept from the inner ones, as in a handler of what is never raised."""
    source = """\
def forward(x):
    if x * x < 0:
        if x > 3:
            return x
    try:
        return -x
    except ValueError:
        return x if x > 3 else -x
"""
    found = sought(tmp_path, source, [1.0, 2.0], budget=60)
    outer = {each.site.line: (each.how, each.runs) for each in found if each.runs}
    assert {2: ("not found in 60 runs", 60), 5: ("no run came to its test, in 60", 60)} == outer
    inner = [(each.site.line, each.how) for each in found if not each.runs]
    assert [(3, "not sought: inside an arm that was not found, line 2")] * 2 == inner[:2]
    assert [(8, "not sought: inside an arm that was not found, line 5")] * 2 == inner[2:]


def test_arms_behind_a_test_that_nothing_moves_are_given_up_with_it(tmp_path: Path):
    """The test that returns before them is the next that must flip."""
    source = "done = None\ndef forward(x):\n    if done is None:\n        return x\n    return 2 if x > 3 else 1\n"
    first, *others = sought(tmp_path, source, [1.0, 2.0], budget=60)
    assert first.how.startswith("no run moved its test, in ")
    assert [0, 0] == [each.runs for each in others]
    assert all(each.how.startswith("no run moved the test before it, line 3, in ") for each in others)


def test_arm_of_a_called_function_is_not_reported_as_never_called(tmp_path: Path):
    """The search calls `f`, whose first test returns always."""
    source = """\
def f(x):
    if x * x > -1:
        return x
    return 1.0 if x < -5 else 2.0
def forward(x):
    return f(x) if x > 10 else x
"""
    found = sought(tmp_path, source, [1.0], budget=60)
    assert ["no run came to its test, in 60"] * 2 == [each.how for each in found if each.site.line == 4]


@pytest.mark.parametrize("test", ["x.shape == (7, 5, 3)", "(len(x), 1) == (777, 1)", "words == ['a', 'q', 'z']"])
def test_tests_of_shapes_tuples_and_lists_are_moved(tmp_path: Path, test: str):
    """The form of the input differs from run to run, so the test compares something else each time."""
    source = f"def forward(x, words: list):\n    return x * 2 if {test} else x\n"
    (one,) = sought(tmp_path, source, [{"x": [1.0, 2.0], "words": ["b"]}], budget=60)
    assert "not found in 60 runs" == one.how


def test_arm_that_is_reached_after_it_was_given_up_is_found(tmp_path: Path):
    """With this seed the search for another arm changes both words by chance; that for the first did not.

    The arms inside it are sought then.
    """
    source = """\
def forward(x, a: str = 'a', b: str = 'b'):
    if a == 'loud' and b == 'quiet':
        if x < x * 2:
            x = x * 2
    if x * x < 0:
        x = x + 1
    return x + 1 if x * x < -1 else x
"""
    found = sought(tmp_path, source, [1.0], budget=50, seed=13)
    assert [2, 3, 3] == [each.site.line for each in found if each.input is not None]


def test_test_that_nothing_moved_is_sought_again_once_a_run_moves_it(tmp_path: Path):
    """The runs for another arm may move it."""
    search = begun(tmp_path, "done = None\ndef forward(x):\n    return x if done is None else -x\n", [1.0], budget=40)
    (given_up,) = search.run()
    (arm,), target = search.missed, (given_up.site.id, given_up.index)
    assert search._is_hopeless(arm, target)
    search.probe.operands.varied.add(given_up.site.id)
    assert not search._is_hopeless(arm, target)


def test_nan_that_a_test_compares_is_the_same_in_each_run():
    """It differs from itself, and yet moves nothing."""
    assert {_comparable(math.nan)} == {_comparable(float("nan"))}


def site(name: str, line: int, parent: str | None = None) -> Site:
    """A test with two arms."""
    arm = None if parent is None else "then"
    return Site(name, "net.py", line, 0, line, 9, "if", name, "forward", ("then", "else"), (), parent, arm)


def ran(*names: str, **near: float) -> Seen:
    """A run that took the second arm of the tests of these names."""
    return Seen(frozenset((name, 1) for name in names), frozenset(names), near, {}, "ok")


def test_distance_counts_the_tests_before_and_around_an_arm():
    """A run is nearer the later it left, then the nearer its margin; the test to flip is the last that it came to."""
    distance = Distance([site("a", 1), site("b", 2), site("c", 3), site("d", 4, "c"), site("e", 5, "c")])
    runs = [ran(), ran("a"), ran("a", "b", b=2.0), ran("a", "b", b=1.0), ran("a", "b", "c"), ran("a", "b", "c", "d")]
    far = [distance.of(each, ("e", 0)) for each in [*runs, ran("a", "b", "c", "d", "e")]]
    assert far == sorted(far, reverse=True) and len({*far}) == len(far)
    focus = [distance.focus(each, ("e", 0)) for each in runs]
    assert [None, "a", "b", "b", "c", "d"] == [None if each is None else each.id for each in focus]
    assert -1 == distance.of(ran("e"), ("e", 1))[0]


def test_search_starts_at_the_first_inputs_the_nearest_and_examples_of_arms(tmp_path: Path):
    """Begin with the 32 first of 100 inputs, the three nearest to a flip, and the one that took an arm alone."""
    source = "def forward(x):\n    if x > 50:\n        return x\n    return x if x < -50 else -x\n"
    inputs = [1.0] * 100
    inputs[59:62], inputs[77] = [49.0, 48.0, 49.5], 70.0
    places = [how for how, _ in begun(tmp_path, source, inputs).given]
    assert [f"from {tmp_path / 'data.jsonl'}:{n}" for n in (*range(1, 33), 60, 61, 62, 78)] == places


def test_numbers_are_moved_from_the_nearest_input_first(tmp_path: Path):
    """The third is nearest, and its number is what was moved."""
    (one,) = sought(tmp_path, "def forward(n: int):\n    return 2.0 if 900 < n < 903 else 1.0\n", [2, 3, 860])
    assert one.how.startswith("number by number from ") and one.how.endswith("data.jsonl:3")


def test_shrunk_input_that_a_run_on_its_own_does_not_prove_is_dropped(tmp_path: Path):
    """Values kept between runs let smaller numbers reach the arm, not in a script loaded for them."""
    source = """\
import itertools
CALLS = itertools.count()
def forward(x):
    return x * 2 if x > 9 or (x > 5 and next(CALLS) > 0) else x
"""
    (one,) = sought(tmp_path, source, [1.0])
    assert one.input is not None and json.loads(one.input)["x"] > 9


def test_input_is_shrunk_towards_its_root():
    """Put back what need not differ, round the rest and move it near; the numbers that matter still reach."""
    root = {"x": [1.0, 2.0, 3.0], "k": 3, "mode": "plain"}
    value = {"x": [17.123456, 2.7, -31.234567], "k": 900, "mode": "loud"}
    found = simplified(root, value, lambda each: each["x"][0] > 9.5 and each["k"] >= 40)
    assert {"x": [9.51, 2.0, 3.0], "k": 40, "mode": "plain"} == found


NAMES = """\
import functools
import torch
from torch import nn


def register(f):
    return f


@register
def registered(x):
    return x


@torch.no_grad()
def evaluate(x):
    return x


def helper(x):
    return x


def behind(x):
    return helper(x)


def listed(x):
    return x


TABLE = {"listed": listed}


def trains(x):
    return evaluate(x)


class Used(nn.Module):
    def forward(self, x):
        return x

    def other(self, x):
        return x


class Unused(nn.Module):
    def forward(self, x):
        return x


used = Used()


def forward(x):
    if x > 100:
        return behind(used(x))
    return x


if __name__ == "__main__":
    trains(torch.ones(1))
"""


def test_functions_are_named_by_what_runs_alone(tmp_path: Path):
    """A table, a decorator and a module's class name a function, and one that is named names others; no main block."""
    assert {"evaluate", "trains", "Used.other", "Unused.forward"} == {
        name for _, name in unnamed(covered(tmp_path, NAMES, [1.0]))
    }
    by_text = NAMES.replace("return x\n\n\nif", "return getattr(used, 'oth' + 'er', x)\n\n\nif")
    assert set() == unnamed(covered(tmp_path, by_text, [1.0]))


@pytest.mark.parametrize(
    "call",
    ["from math import sqrt as helper2, helper as h", "if type(x).__name__ == 'Tensor': helper(x)",
     "vars(Used)['hel' + 'per'](x)", "Used.__dict__['hel' + 'per'](x)"],
)  # fmt: skip
def test_functions_under_another_name_are_named(tmp_path: Path, call: str):
    """An import by another name, a test of a class's name, and what looks names up while it runs."""
    source = f"def helper(x):\n    return x\ndef forward(x):\n    if x > 9:\n        {call}\n    return x\n"
    assert set() == unnamed(covered(tmp_path, source, [1.0]))


def test_import_by_its_own_name_names_no_function(tmp_path: Path):
    """Where the name is used, it is named."""
    source = "def sqrt(x):\n    return x\ndef forward(x):\n    from math import sqrt\n    return x\n"
    assert {"sqrt"} == {name for _, name in unnamed(covered(tmp_path, source, [1.0]))}


@pytest.mark.parametrize(
    ("test", "is_call"),
    [("self.training", False), ("x.dim() == 3", False), ("isinstance(x, tuple) and x is not None", False),
     ("is_prime(n)", True), ("a and not (b or self.ready())", True), ("for x in xs", True)],
)  # fmt: skip
def test_calls_that_hide_what_they_compare(test: str, is_call: bool):
    """A call in the place of a truth value hides it; the sides of a comparison are seen."""
    assert is_call is calls(test)


def test_quick_runs_go_backward_only_where_the_script_may_decide_there(tmp_path: Path):
    """A search runs no backward; with a function's own backward it does, and finds the arm in it."""
    plain = "def forward(x):\n    return x.exp().sum()\n"
    (tmp_path / "plain.py").write_text(plain)
    assert not Probe(str(tmp_path / "plain.py"), None, Settings()).runner.has_backward
    (one,) = sought(tmp_path, DECIDES_IN_BACKWARD, [[1.0, 2.0]])
    assert one.input is not None and 10 < sum(json.loads(one.input)["x"])


def test_search_leaves_the_process_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Between results and after the last one, or one that is not waited for, prints are seen and `torch` is PyTorch."""
    before = sys.modules.get("torch"), list(sys.meta_path)
    source = "def forward(x):\n    if x > 9:\n        x = x * 2\n    if x * x < 0:\n        x = x * 3\n    return x\n"
    results = iter(begun(tmp_path, source, [1.0], budget=20).run())
    for _ in range(2):
        next(results)
        print("seen")
        assert before == (sys.modules.get("torch"), sys.meta_path)
    del results
    assert "seen\nseen\n" == capsys.readouterr().out


def test_record_of_an_input_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Several arms are sought from the same inputs, with the same gradients."""
    recorded: list[Any] = []
    record = Probe.record

    def noted(probe: Probe, value: Any, *, slopes: bool) -> Any:
        recorded.extend([value] if slopes else [])
        return record(probe, value, slopes=slopes)

    monkeypatch.setattr(Probe, "record", noted)
    source = "def forward(x):\n    return (1.0 if x * x < 0 else x) + (2.0 if x * x < -1 else x)\n"
    assert [None, None] == [each.input for each in sought(tmp_path, source, [1.0, 2.0], budget=80)]
    assert recorded and [] == [value for place, value in enumerate(recorded) if value in recorded[:place]]


def test_large_arrays_are_starting_points_with_short_numbers(tmp_path: Path):
    """An image of 3 x 32 x 32 float32 numbers is taken, each with the digits that a float32 has."""
    images = np.random.default_rng(0).normal(size=(3, 3, 32, 32)).astype(np.float32)
    np.savez(tmp_path / "data.npz", x=images)
    found = covered(tmp_path, "def forward(x):\n    return x.sum()\n", [1.0])
    parameters = Probe(str(tmp_path / "net.py"), None, Settings()).parameters
    taken = starts(DataSet([str(tmp_path / "data.npz")], {}, ["x"]), found, parameters)
    assert 3 == len(taken) and np.array_equal(np.array(taken[0][1]["x"], np.float32), images[0])
    assert len(json.dumps(taken[0][1])) < 14 * images[0].size


def test_lists_to_change_are_the_outer_ones_and_those_in_these() -> None:
    assert [("a",), ("a", 0)] == [path for path, _ in lists({"a": [[1, [2]], 3]})]
