"""`dyncli run --force`: the other arm, and what that changes."""

import json
import re
from pathlib import Path

import pytest

NET = """\
def forward(x):
    if x.sum() > 0:
        return x * 2
    return x - 2
"""
NEWTON = """\
def forward(a, steps=20):
    x = a
    while abs((x * x - a).item()) > 1e-6:
        x = (x + a / x) / 2
        steps -= 1
    return x
"""


@pytest.fixture
def net(tmp_path: Path) -> Path:
    """A folder with two scripts."""
    (tmp_path / "net.py").write_text(NET)
    (tmp_path / "newton.py").write_text(NEWTON)
    return tmp_path


def test_the_other_arm(net: Path, dyncli):
    """Outputs and gradients of both runs, the difference, and the decision marked."""
    finished = dyncli("run", "net.py", "-i", "[1, -1, 2]", "--force", "2=else")
    assert (0, "") == (finished.code, finished.err)
    assert (
        """\
net.py:forward · float32 · seed 0 · 3 ops · 1 decision
forced 2=else · as it is: 3 ops, 1 decision

Outputs
name    as it is    forced       differs by
───────────────────────────────────────────
output  [2, -2, 4]  [-1, -3, 0]           4

Gradients
name  as it is   forced     differs by
──────────────────────────────────────
x     [2, 2, 2]  [1, 1, 1]           1

Decisions
#  line  test            because            took         left  margin
─────────────────────────────────────────────────────────────────────
0     2  if x.sum() > 0  x.sum() = 2.0 > 0  else forced  then       2
"""
        == finished.out
    )


def test_one_iteration_and_several_pins(net: Path, dyncli):
    """`iteration` counts from 0; an arm forced where it is taken anyway changes nothing."""
    pins = ("--force", "line 3 iteration 2 = exit", "--force", "3 iteration 0=body")
    finished = dyncli("run", "newton.py", "-i", "2.0", *pins)
    assert 0 == finished.code and "forced line 3 iteration 2 = exit, 3 iteration 0=body" in finished.out
    assert "True x2, False" in finished.out and "0.002453" in finished.out
    same = dyncli("run", "newton.py", "-i", "2.0", "--force", "3 iteration 0=body")
    assert 2 == same.out.count("  same\n")


def test_json(net: Path, dyncli):
    """The forced run whole, what is forced, what changes, and how the run as it is ended."""
    document = json.loads(dyncli("run", "net.py", "-i", "[1, -1, 2]", "--force", "2=else", "--json").out)
    assert (["2=else"], [True], ["else"]) == (
        document["forced"],
        [decision["forced"] for decision in document["decisions"]],
        [decision["arm"] for decision in document["decisions"]],
    )
    output, gradient = document["changes"]
    assert ("output", "output", [2.0, -2.0, 4.0], [-1.0, -3.0, 0.0], 4.0, False) == (
        output["part"], output["name"], output["before"]["values"], output["after"]["values"], output["difference"],
        output["is_same"],
    )  # fmt: skip
    assert ("gradient", "x", [1.0, 1.0, 1.0]) == (gradient["part"], gradient["name"], gradient["after"]["values"])
    assert {"status": "ok", "ops": 3, "decisions": 1}.items() <= document["before"].items()


def test_prints_of_the_script(net: Path, dyncli):
    """What the script prints is seen once, of the forced run."""
    (net / "loud.py").write_text("x = 1\nif x > 0:\n    print('as it is')\nelse:\n    print('forced')\n")
    finished = dyncli("run", "loud.py", "--force", "2=else")
    assert finished.out.startswith("forced\n") and "as it is\n" not in finished.out


@pytest.mark.whole
def test_hidden_prints_need_no_encoding(net: Path, dyncli):
    """Where files are ASCII, what a hidden run prints stops neither it nor a check."""
    (net / "bars.py").write_text("def f(x):\n    print('─')\n    return x if x.sum() > 0 else 2 * x\n", "utf-8")
    ascii_files = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    finished = dyncli("run", "bars.py", "-i", "[1, 1]", "--force", "3=else", "--show", "outputs", **ascii_files)
    assert "[1, 1]" in finished.out
    finished = dyncli("gradcheck", "bars.py", "-i", "[1, 1]", **ascii_files)
    assert (0, "") == (finished.code, finished.err)


def test_a_forced_run_that_raises(net: Path, dyncli):
    """The report goes up to there, beside the outputs as they are; exit code 3."""
    (net / "bad.py").write_text("def forward(x):\n    if x.sum() > 0:\n        return x\n    raise ValueError('no')\n")
    finished = dyncli("run", "bad.py", "-i", "[1.0]", "--force", "2=else")
    assert (3, True) == (finished.code, finished.err.startswith("error: ValueError: no (at bad.py:4)"))
    assert "output  [1]       —" in finished.out


WRONG = [
    ("2=els", "error: `2=els`: no decision there has an arm `els`", "hint: did you mean `else`?"),
    ("3=then", "error: nothing is decided at net.py:3, which `3=then` forces", "hint: the nearest decisions"),
    ("else", "error: cannot read the forced arm `else`", "hint: write `22=else`"),
]


@pytest.mark.parametrize(("pin", "message", "hint"), WRONG)
def test_what_cannot_be_forced(net: Path, dyncli, pin, message, hint):
    """One error before anything runs, exit code 2."""
    finished = dyncli("run", "net.py", "-i", "[1.0]", "--force", pin)
    assert (2, "") == (finished.code, finished.out)
    assert finished.err.startswith(message) and hint in finished.err


def test_a_loop_that_is_ended_and_a_case_that_is_taken(net: Path, dyncli):
    """The outputs say what that changes, the log which loop ended and which case was taken."""
    (net / "ends.py").write_text(
        "import dyncore as torch\ndef forward(x):\n    for row in x:\n        x = x + row\n"
        "    match len(x):\n        case 2:\n            x = x * 2\n        case 3:\n            x = x * 3\n"
        "    return x\n"
    )
    pins = ("--force", "line 3 iteration 1 = exit", "--force", "5=case 3")
    finished = dyncli("run", "ends.py", "-i", "[1.0, 2.0]", *pins)
    assert (0, "") == (finished.code, finished.err)
    assert "output  [8, 10]   [6, 9]" in finished.out
    assert "forced line 3 iteration 1 = exit, 5=case 3" in finished.out
    assert ["exhausted forced", "case 3 forced"] == [
        word for word in ("exhausted forced", "case 3 forced") if word in finished.out
    ]


def test_a_pin_that_was_never_reached(net: Path, dyncli):
    """Told after the report: how often the line was tested, or that it never was."""
    finished = dyncli("run", "newton.py", "-i", "2.0", "--force", "3 iteration 50=exit")
    assert (2, "error: `3 iteration 50=exit` forced nothing: line 3 was tested 5 times") == (
        finished.code,
        finished.err.splitlines()[0],
    )
    assert "name    as it is  forced" in finished.out and "patched" not in finished.out
    (net / "arms.py").write_text("x = 1\nif x > 0:\n    y = 2\nelse:\n    y = 3 if x else 4\n")
    finished = dyncli("run", "arms.py", "--force", "5=else")
    assert (2, "error: `5=else` forced nothing: line 5 was never reached") == (
        finished.code,
        finished.err.splitlines()[0],
    )


def test_cases(net: Path, dyncli):
    """Each case against itself as it is; a pin needs to be reached in one of them."""
    (net / "cases.json").write_text('{"a": {"x": [1.0]}, "b": {"x": [-1.0]}}')
    finished = dyncli("run", "net.py", "-i", "@cases.json", "--force", "2=else")
    assert (0, 2) == (finished.code, finished.out.count("forced 2=else"))
    assert "output  [2]       [-1]             3" in finished.out and "same" in finished.out


def test_saving_needs_overwrite(net: Path, dyncli):
    """In `run` the flag that overwrites is `--overwrite`; the saved record knows what was forced."""
    (net / "run.dyn").write_text("")
    arguments = ("run", "net.py", "-i", "[1.0]", "--force", "2=else", "--save", "run.dyn")
    finished = dyncli(*arguments)
    assert (2, "error: `run.dyn` exists already\n\nhint: write elsewhere, or add `--overwrite`\n") == (
        finished.code,
        finished.err,
    )
    assert 0 == dyncli(*arguments, "--overwrite").code
    again = dyncli("run", "run.dyn")
    assert "\nforced 2=else\n" in again.out and "else forced" in again.out
    finished = dyncli("run", "run.dyn", "--force", "2=then")
    assert (2, True) == (finished.code, finished.err.startswith("error: `run.dyn` is a saved record, and `--force`"))


@pytest.mark.parametrize("change", [("--force", "2=else"), ("--patch", "x=1")])
def test_inputs_on_standard_input(net: Path, dyncli, change):
    """Both runs have them, though they can be read but once."""
    finished = dyncli("run", "net.py", "-i", "-", *change, stdin="[1.0, 2.0]")
    assert (0, "", True) == (finished.code, finished.err, "output  [2, 4]" in finished.out)


def test_a_loop_that_never_ends(net: Path, dyncli):
    """A loop that an arm keeps going is stopped, with its log and the way out."""
    (net / "endless.py").write_text("def forward(x, n: int = 0):\n    while n < 3: n += 1\n    return x * n\n")
    finished = dyncli("run", "endless.py", "-i", "2.0", "--force", "2=body")
    assert (
        4,
        "error: stopped: `--force 2=body` went against its test 10,000 times in a row\n\n"
        "hint: a loop may never end so; `--force 'line 2 iteration 3 = body'` takes the arm in one iteration alone\n",
    ) == (finished.code, finished.err)
    assert "`n` is rising: … 10000, 10001, 10002" in finished.out


def test_forced_run_of_many_parameters_shows_those_that_differ_most(tmp_path: Path, dyncli):
    """Rows that only one run has come first; the others are counted, and `--full` lists them."""
    (tmp_path / "net.py").write_text(
        "from dyncore import nn\n\nlayers = nn.ModuleList(nn.Linear(9, 9) for _ in range(9))\n\n\ndef forward(x):\n"
        "    for layer in layers[1:]:\n        x = layer(x)\n"
        "    if x.sum() > -1000:\n        x = layers[0](x)\n    return x.sum()\n"
    )
    command = "run", "net.py", "-i", str([0.5] * 9), "--force", "9=else"
    found = dyncli(*command).out
    gradients = found[found.index("\nGradients  those that differ most") : found.index("\nDecisions")]
    assert ["layers.0.weight", "layers.0.bias"] == re.findall(r"^(\S+) .* None ", gradients, re.MULTILINE)
    assert 12 == len(re.findall(r"^layers\.|^x ", gradients, re.MULTILINE))
    assert "… 7 more (`--full` for all)" in gradients
    assert 19 == len(re.findall(r"^layers\.|^x ", dyncli(*command, "--full").out, re.MULTILINE))
