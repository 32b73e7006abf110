"""Inputs that reach what the data never reached: models whose gaps are known, and whether they can be closed."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dyncli.analysis.coverage import SearchResult
from dyncli.cli.commands.cover import _searched
from dyncli.coverage.search import Probe
from tests.unit.dyncli.coverage.running import covered, sought


def test_search_in_one_dimension_follows_the_gradient(tmp_path: Path):
    """The step to first order lands behind the edge; what is found is near to it, and so is its origin told."""
    (one,) = sought(tmp_path, "def forward(x):\n    if x * x > 40:\n        return x\n    return -x\n", [1.0, 2.0])
    assert one.input is not None and 40 < json.loads(one.input)["x"] ** 2 < 80
    assert ("then", True) == (one.name, one.how.startswith("by gradient from ")) and one.runs < 30


def test_search_behind_compound_test_reaches_the_arm(tmp_path: Path):
    """Both comparisons must hold: the second is seen only when the first does."""
    source = "def forward(x):\n    if x[0] + x[1] > 20 and x[0] - x[1] < -30:\n        return x * 2\n    return x\n"
    (one,) = sought(tmp_path, source, [[0.5, 0.25]])
    assert one.input is not None
    a, b = json.loads(one.input)["x"]
    assert a + b > 20 and a - b < -30


def test_search_in_ten_dimensions_finds_the_one_direction(tmp_path: Path):
    """One direction of ten matters, and no number alone is enough."""
    source = """\
import dyncore as torch

w = torch.tensor([1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0, 9.0, -10.0])

def forward(x):
    score = torch.tanh(x).dot(w)
    if score > 50:
        return score * 2
    return score
"""
    (one,) = sought(tmp_path, source, [[0.1] * 10], budget=800)
    assert one.input is not None and "then" == one.name


def test_search_for_early_exit_that_no_input_takes_reaches_it(tmp_path: Path):
    """The first exit has a threshold of its own that no input of the data comes near; the gradient leads there."""
    source = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(3)


class Exits(nn.Module):
    def __init__(self, width=32, count=4):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(width, width), nn.ReLU()) for _ in range(count))
        self.heads = nn.ModuleList(nn.Linear(width, 10) for _ in range(count))
        self.thresholds = [0.98, 0.9, 0.7]

    def forward(self, x):
        for k, (block, head) in enumerate(zip(self.blocks, self.heads)):
            x = block(x)
            chances = head(x).softmax(-1)
            if k == 0 and chances.max().item() > self.thresholds[0]:
                return chances
        return chances


model = Exits()
"""
    inputs = [[((7 * place + 3 * number) % 11 - 5) / 4 for number in range(32)] for place in range(8)]
    (one,) = sought(tmp_path, source, inputs)
    assert one.input is not None
    assert ("then", "k == 0 and chances.max().item() > self.thresholds[0]") == (one.name, one.site.text)
    assert one.runs < 200


def test_search_for_arm_inside_an_unreached_arm_reaches_both(tmp_path: Path):
    """The inner test is never come to before the outer one is passed."""
    source = """\
def forward(x):
    if x.sum() > 100:
        if x[0] < -50:
            return x * 3
        return x * 2
    return x
"""
    found = sought(tmp_path, source, [[1.0, 2.0]])
    assert {2, 3} == {one.site.line for one in found if one.input is not None} and 3 == len(found)


def test_search_for_arm_after_a_return_passes_the_return(tmp_path: Path):
    """What keeps runs from an arm may be a return that stands before it."""
    source = """\
def forward(x):
    if x.mean() < 30:
        return x
    if x[0] > x[1] * 2:
        return x * 2
    return x * 3
"""
    found = sought(tmp_path, source, [[1.0, 2.0], [3.0, 1.0]])
    assert {(2, "else"), (4, "then"), (4, "else")} == {(one.site.line, one.name) for one in found if one.input}


def test_search_for_long_loop_lets_it_go_round_often(tmp_path: Path):
    """A count that grows with the logarithm of the input."""
    source = """\
def forward(x):
    steps = 0
    while x.norm() > 1:
        x = x / 2
        steps += 1
    if steps > 7:
        return x * 2
    return x
"""
    found = sought(tmp_path, source, [[0.5, 0.5]])
    assert {(3, "body"), (6, "then")} == {(one.site.line, one.name) for one in found if one.input is not None}


def test_search_without_gradient_changes_integers_words_switches_and_lengths(tmp_path: Path):
    """What has no gradient: numbers one by one, the constants of the script, lists made longer or empty."""
    source = """\
def forward(xs: list, count: int, mode: str = "plain", deep: bool = False):
    if count > 1000:
        return 1
    if mode == "double":
        return 2
    if deep:
        return 3
    for x in xs:
        count += x
    if len(xs) > 5:
        return 4
    if count == 77:
        return 5
    return count
"""
    found = sought(tmp_path, source, [{"xs": [], "count": 3}], budget=2000)
    assert [] == [(one.site.line, one.name) for one in found if one.input is None]
    by_line = {one.site.line: json.loads(one.input or "") for one in found}
    assert {"xs": [], "count": 1001} == by_line[2]
    assert ("double", True) == (by_line[4]["mode"], by_line[6]["deep"])


UNREACHABLE = """\
def forward(x):
    if (x * x).sum() < 0:
        return x * 2
    if x.shape[0] < 0:
        return x * 3
    if x is None:
        return x
    return x
"""


def test_search_for_unreachable_arm_ends_within_its_budget(tmp_path: Path):
    """The search ends, within its budget, and says so."""
    found = sought(tmp_path, UNREACHABLE, [[1.0, 2.0]], budget=60)
    assert [(2, None), (4, None), (6, None)] == [(one.site.line, one.input) for one in found]
    assert [f"not found in {one.runs} runs" for one in found[:2]] == [one.how for one in found[:2]]
    assert found[2].how.startswith("no run moved its test, in ")
    assert [60, 60] == [one.runs for one in found[:2]] and found[2].runs < 50


def test_arm_that_is_reached_by_chance_only_is_not_found(tmp_path: Path):
    """An arm that was reached, but is not reached again by a run of its own, was not found."""
    source = """\
import itertools

CALLS = itertools.count()

def forward(x):
    if next(CALLS) > 5:
        return x * 2
    return x
"""
    (one,) = sought(tmp_path, source, [[1.0]], budget=30)
    assert one.input is None


def test_functions_that_nothing_names_are_not_sought(tmp_path: Path):
    """Arms in functions beside the entry, as those that load data, take no run; those of a table share one budget."""
    beside = "".join(f"def load{n}(x):\n    return 1 if x else 2\n" for n in range(2))
    listed = "".join(f"def op{n}(x):\n    return 1 if x else 2\n" for n in range(2)) + "OPS = [op0, op1]\n"
    found = sought(tmp_path, f"{beside}{listed}def forward(x):\n    return x * (1 if x > 9 else 2)\n", [1.0], budget=40)
    assert [True] + [False] * 8 == [each.input is not None for each in found]
    of = {each.site.function: each.how for each in found[1:]}
    assert {f"load{n}": f"not sought: no code that ran names `load{n}`" for n in range(2)} == {
        name: how for name, how in of.items() if name.startswith("load")
    }
    assert {of["op0"], of["op1"]} == {f"`op{n}` was never called, in 40 runs" for n in range(2)}
    assert sum(each.runs for each in found[1:]) == 40


EXITS = """\
import torch
from torch import nn

torch.manual_seed(3)


class Exits(nn.Module):
    def __init__(self):
        super().__init__()
        self.stages = nn.ModuleList(nn.Conv2d(1 if k == 0 else 2, 2, 3, padding=1) for k in range(3))
        self.exits = nn.ModuleList(nn.Linear(2, 4) for _ in range(3))
        self.thresholds = (0.9, 0.8)

    def exit_criterion(self, logits, index):
        return bool((logits.softmax(-1).max(-1).values > self.thresholds[index]).all())

    def forward(self, x):
        if x.dim() == 3:
            x = x.unsqueeze(0)
        if x.size(1) != 1:
            raise ValueError("one channel")
        outputs, n = [], len(self.stages) - 1
        for index, stage in enumerate(self.stages):
            x = torch.relu(stage(x))
            logits = self.exits[index](x.mean((-1, -2)))
            if self.training:
                outputs.append(logits)
                if self.thresholds is None:
                    continue
            if index < n and self.exit_criterion(logits, index):
                return logits
        return logits


def train_one_epoch(model, loader):
    for images, labels in loader:
        if labels is None:
            continue
        model(images)


model = Exits().eval()
"""


def test_early_exit_is_found_in_few_runs_and_the_rest_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The exit and two arms of the form; no runs for what nothing leads to, few for the switch that training sets."""
    seen: list[Any] = []
    run = Probe.run
    monkeypatch.setattr(Probe, "run", lambda probe, value: seen.append(value) or run(probe, value))
    images = [[[[(n * i * j) % 7 / 7 for i in range(6)] for j in range(6)]] for n in range(3)]
    found = {(each.site.line, each.name): each for each in sought(tmp_path, EXITS, images, budget=100)}
    reached = {arm for arm, each in found.items() if each.input is not None}
    assert {(18, "else"), (20, "then"), (30, "then")} == reached
    training, inside = found[26, "then"], found[28, "then"]
    assert training.how.startswith("no run moved its test, in ") and 20 <= training.runs < 50
    assert ("not sought: inside an arm that was not found, line 26", 0) == (inside.how, inside.runs)
    assert "not sought: no code that ran names `train_one_epoch`" == found[37, "then"].how
    assert len(seen) < 100


def test_arm_no_input_came_nearer_to_is_not_sought_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The first test can never hold; finding the second brings nothing nearer to it."""
    seen: list[Any] = []
    run = Probe.run
    monkeypatch.setattr(Probe, "run", lambda probe, value: seen.append(value) or run(probe, value))
    source = "def forward(x):\n    if x * x < 0:\n        x = -x\n    return x * 2 if x > 40 else x\n"
    found = sought(tmp_path, source, [1.0, 2.0], budget=60)
    assert {("then", False), ("then", True)} == {(one.name, one.input is not None) for one in found}
    assert len(seen) < 75


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a timer may go off in a finalizer
def test_search_with_endless_runs_gives_them_up(tmp_path: Path):
    """Inputs on which the model never ends are given up, arm by arm."""
    source = """\
def forward(x):
    while x.sum() > 5:
        x = x + 1
    if x.sum() > 4.5:
        return x * 2
    return x
"""
    found = sought(tmp_path, source, [[1.0, 2.0]], max_ops=60, budget=200)
    assert {2, 4} == {one.site.line for one in found}
    (then,) = (one for one in found if one.site.line == 4)
    assert then.input is not None


def test_search_with_same_seed_finds_the_same(tmp_path: Path):
    """Twice the same; the seed decides what chance does."""
    source = "def forward(x, k: int):\n    if k * k % 97 == 13:\n        return x\n    return x * 2\n"
    one, same = (sought(tmp_path, source, [{"x": [1.0], "k": 3}], budget=100, seed=3) for _ in range(2))
    assert [(each.input, each.how, each.runs) for each in one] == [(each.input, each.how, each.runs) for each in same]


def test_search_in_nested_input_moves_its_leaves(tmp_path: Path):
    """Leaves deep in an input are moved where they stand."""
    source = """\
def total(node):
    if "value" in node:
        return node["value"]
    return total(node["left"]) + total(node["right"])

def forward(tree: dict):
    s = total(tree)
    if s > 90:
        return s * 2
    return s
"""
    tree = {"tree": {"left": {"value": 1.0}, "right": {"left": {"value": 2.0}, "right": {"value": 3.0}}}}
    found = sought(tmp_path, source, [tree])
    (one,) = (each for each in found if each.site.line == 8)
    assert one.input is not None and one.how.startswith("by gradient")


def test_input_that_ends_the_process_ends_the_search_alone(tmp_path: Path, dyncli):
    """Ends the search, and nothing else; what was found before is kept."""
    source = "import os\n\ndef forward(x):\n    if x > 9:\n        x = x * 2\n"
    source += "    if x < -9:\n        os._exit(7)\n    return x\n"
    (tmp_path / "net.py").write_text(source)
    (tmp_path / "data.jsonl").write_text("1.5\n")
    finished = dyncli("cover", "net.py", "--inputs", "data.jsonl", "--search", "--json")
    first, second = json.loads(finished.out)["search"]
    assert (0, 4, True) == (finished.code, first["line"], first["found"])
    assert (6, False, "the process ended while it was searched for") == (second["line"], second["found"], second["how"])


@pytest.mark.whole
def test_search_on_the_command_line_shows_table_cases_and_json(tmp_path: Path, dyncli):
    """A table, the cases in a file that closes the gaps, JSON; what it cannot do is refused."""
    (tmp_path / "net.py").write_text("def forward(x):\n    if x.sum() > 9:\n        return x\n    return -x\n")
    (tmp_path / "data.jsonl").write_text("[1, 2]\n")
    given = ("cover", "net.py", "--inputs", "data.jsonl")
    finished = dyncli(*given, "--search", "--save-cases", "found.jsonl")
    assert (0, "Wrote found.jsonl (1 case)\n") == (finished.code, finished.err)
    assert "Searched for  1 arm found of 1, each proved by a run of its own" in finished.out
    assert (
        "100% of the arms reached" in dyncli("cover", "net.py", "--inputs", "found.jsonl", "--inputs", "data.jsonl").out
    )
    document = json.loads(dyncli(*given, "--search", "--json").out)
    (one,) = document["search"]
    assert (True, "then", 2) == (one["found"], one["arm"], one["line"]) and sum(one["input"]["x"]) > 9
    with (tmp_path / "net.py").open("a") as script:
        script.write("def load(path):\n    return 1 if path else 2\n")
    brief, whole = (" ".join(dyncli(*given, "--search", *more).out.split()) for more in ((), ("--full",)))
    note = "1 arm found of 3, each proved by a run of its own"
    assert f"{note}; 2 in functions never called (--full shows them)" in brief and "not sought" not in brief
    assert f"{note} line" in whole and "not sought: no code that ran names `load`" in whole
    for words, message in (
        (("--save-cases", "new.jsonl"), "`--save-cases` saves what `--search` finds"),
        (("--search", "--save-cases", "found.jsonl"), "`found.jsonl` exists already"),
        (("--search", "--save-cases", "new.json"), "`--save-cases new.json` does not end in `.jsonl`"),
        (("--search", "--inputs", "-"), "`--search` reads the data again, and standard input is gone"),
    ):
        wrong = dyncli(*given, *words)
        assert (2, f"error: {message}") == (wrong.code, wrong.err.splitlines()[0])


def test_arms_without_an_input_come_last_and_those_not_tried_behind_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    tests = "".join(f"    if x > {limit}:\n        x = x * 2\n" for limit in (7, 8, 9))
    report = covered(tmp_path, f"def forward(x):\n{tests}    return x\n", [1.0])
    results = [
        SearchResult(arm.site, arm.index, arm.name, found, "", runs)
        for arm, found, runs in zip(report.missed, (None, None, "10.0"), (0, 5, 1), strict=True)
    ]
    monkeypatch.setattr("dyncli.coverage.search.in_child", lambda work, missed: iter(results))
    ordered, interrupted = _searched(SimpleNamespace(plan=None), report, 9, quiet=True)
    assert ([1, 5, 0], False) == ([each.runs for each in ordered.sought], interrupted)
