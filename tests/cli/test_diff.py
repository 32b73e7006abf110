"""`dyncli diff` as people type it: which two runs it compares, what it says, how it ends."""

import json
import re
from pathlib import Path

import pytest

from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.json import dump, load
from dyncli.records.model import Record

NET = """\
def forward(x, k: int = 1):
    if x.sum() > 0:
        return x * 2 * k
    return x - 2
"""
NEW = """\
# doubles, or shifts
def forward(x, k: int = 1):
    if x.sum() > 1:
        return x * 2 * k
    return x - 2
"""
CHANCE = """\
import dyncore as torch

def forward(x):
    if torch.rand(()) > 0.5:
        return x * 2
    return x / 3
"""
OTHER = """\
import dyncore as torch

class Gate:
    def open(self, value):
        while value.norm() > 3:
            value = value.sqrt()
        return value

def entry(a):
    return Gate().open(a)
"""
RAISES = """\
def forward(x):
    y = x * 2
    if y.sum() > 4:
        raise ValueError("too [b]large[/b]")
    return y
"""


@pytest.fixture
def net(tmp_path: Path) -> Path:
    """A folder with scripts."""
    scripts = {"net": NET, "new": NEW, "chance": CHANCE, "other": OTHER, "raises": RAISES}
    for name, text in scripts.items():
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def test_two_inputs(net: Path, dyncli):
    """Where they part, what differs, exit code 1."""
    finished = dyncli("diff", "net.py", "-i", "[1, -1, 2]", "-i", "[-1, -2, -3]")
    assert (1, "") == (finished.code, finished.err)
    assert (
        """\
net.py:forward · float32 · seed 0
A  x = [1, -1, 2] · 4 ops · 1 decision
B  x = [-1, -2, -3] · 3 ops · 1 decision

They part at line 2: if x.sum() > 0
   #  because             took  margin
──────────────────────────────────────
A  0  x.sum() = 2.0 > 0   then       2
B  0  x.sum() = -6.0 > 0  else      -6

Differ: 1 decision · 2 ops, 2 only in A, 1 only in B · 1 output · 1 gradient

line  what             A              B                differs by
─────────────────────────────────────────────────────────────────
   2  first op: sum    #0 2           #0 -6                     8
      output           [2, -2, 4]     [-3, -4, -5]              9
      grad of x        [2, 2, 2]      [1, 1, 1]                 1
   3  first in A: mul  #2 [2, -2, 4]  —
   4  first in B: sub  —              #2 [-3, -4, -5]
`--full` shows all that differs
"""
        == "\n".join(line.rstrip() for line in finished.out.splitlines()) + "\n"
    )


def test_no_difference(net: Path, dyncli):
    """Equal runs end with 0 and one line that says what was compared."""
    finished = dyncli("diff", "net.py", "-i", "[1, 2]", "-i", "[1, 2]")
    assert (0, "") == (finished.code, finished.err)
    assert "No difference: 1 decision, 4 ops, 1 output, 1 gradient, 2 gradients of ops\n" in finished.out


def test_seeds_that_the_script_replaces_are_said_to_change_nothing(tmp_path: Path, dyncli):
    """`--seed` is set before the script runs, which may set its own."""
    text = "import dyncore as torch\n\n\ndef forward(x):\n    torch.manual_seed(3)\n    return x * torch.rand(1)\n"
    (tmp_path / "net.py").write_text(text)
    finished = dyncli("diff", "net.py", "-i", "1.0", "--seed", "1", "--seed", "2")
    assert "The script sets its own seed at line 5: `torch.manual_seed(3)`\n" in finished.out


def test_seed_of_a_function_that_is_not_called_is_not_shown(tmp_path: Path, dyncli):
    """Nor one that a docstring mentions: here nothing is drawn."""
    body = '    """Draw nothing.\n\n    torch.manual_seed(1)\n    """\n    return x * 2\n'
    text = f"import dyncore as torch\n\n\ndef reset():\n    torch.manual_seed(3)\n\n\ndef forward(x):\n{body}"
    (tmp_path / "net.py").write_text(text)
    finished = dyncli("diff", "net.py:forward", "-i", "1.0", "--seed", "1", "--seed", "2")
    assert (0, False) == (finished.code, "sets its own seed" in finished.out)


def test_edited_line_that_changed_nothing_is_shown(net: Path, dyncli):
    """The runs are alike, and a reader sees that the scripts are not; comments do not count."""
    edited = NET.replace("> 0", "> -0.5").replace("def forward", "# a comment\n\ndef forward")
    (net / "edited.py").write_text(edited)
    finished = dyncli("diff", "net.py", "edited.py", "-i", "[1, 2]")
    assert (0, "") == (finished.code, finished.err)
    assert finished.out.endswith(
        "1 line of code differs, which changed nothing here:\n"
        "A  line 2: if x.sum() > 0:\nB  line 4: if x.sum() > -0.5:\n"
    )


#: what is typed -> the values of x, seeds, dtypes and cases of both runs
SPELLINGS = {
    "one name twice": (("net.py", "-i", "x=[1]", "-i", "k=2", "-i", "k=3"), "A  k = 2 ", "B  k = 3 "),
    "two parameters each": (("net.py", "-i", "[1]", "-i", "2", "-i", "[3]", "-i", "2"), "A  x = [1] ", "B  x = [3] "),
    "objects": (("net.py", "-i", '{"x": [1]}', "-i", '{"x": [2]}'), "A  x = [1] ", "B  x = [2] "),
    "seeds": (("chance.py", "-i", "[1]", "--seed", "1", "--seed", "2"), "A  seed 1 ", "B  seed 2 "),
    "dtypes": (
        ("net.py", "-i", "[0.1]", "--dtype", "float32", "--dtype", "float64"), "A  float32 ", "B  float64 ",
    ),
    "cases": (
        ("newton", "--case", "two", "--case", "large"), "A  case two · a = 2 ", "B  case large · a = 1e6 ",
    ),
    "the two cases of an input": (("piecewise",), "A  case positive ", "B  case negative "),
    "two versions": (("net.py", "new.py", "-i", "[0.5]"), "A  net.py:forward ", "B  new.py:forward "),
    "two versions, an input each": (
        ("net.py", "new.py", "-i", "x=[1]", "-i", "x=[3]"), "A  net.py:forward · x = [1] ", "B  new.py:forward ",
    ),
    "one version twice": (("net.py", "net.py", "-i", "[0.5]"), "A  4 ops", "B  4 ops"),
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
def test_what_is_given_twice_has_one_for_each(net: Path, dyncli, name: str):
    """Inputs, cases, seeds, dtypes and scripts; what is given once is for both."""
    words, a, b = SPELLINGS[name]
    finished = dyncli("diff", *words)
    assert finished.code in (0, 1) and "" == finished.err
    lines = finished.out.splitlines()
    assert any(line.startswith(a) for line in lines) and any(line.startswith(b) for line in lines)


def test_saved_records(net: Path, dyncli):
    """Two saved records, a record and a run; an option that needs a run is refused."""
    for name, given in (("a", "[1]"), ("b", "[-1]")):
        assert 0 == dyncli("run", "net.py", "-i", given, "--save", f"{name}.dyn").code
    (net / "net.py").unlink()
    finished = dyncli("diff", "a.dyn", "b.dyn")
    assert (1, "") == (finished.code, finished.err)
    assert "They part at line 2: if x.sum() > 0" in finished.out
    assert 0 == dyncli("diff", "a.dyn", "a.dyn").code
    (net / "net.py").write_text(NEW)
    against = dyncli("diff", "a.dyn", "net.py", "-i", "[0.5]")
    assert "They part at line 2: if x.sum() > 0 in A, line 3: if x.sum() > 1 in B" in against.out
    assert (2, "error: `a.dyn` is a saved record, and `--seed` needs a run") == (
        dyncli("diff", "a.dyn", "b.dyn", "--seed", "1").code,
        dyncli("diff", "a.dyn", "b.dyn", "--seed", "1").err.splitlines()[0],
    )


BAD = {
    "one input": (("net.py", "-i", "[1]"), "nothing to compare: this is one run"),
    "three inputs": (("net.py", "-i", "[1]", "-i", "[2]", "-i", "[3]"), "3 inputs for two runs"),
    "three values of one name": (
        ("net.py", "-i", "x=1", "-i", "k=1", "-i", "k=2", "-i", "k=3"), "3 `k` inputs for two runs",
    ),
    "three seeds": (("net.py", "-i", "[1]", "--seed", "1", "--seed", "2", "--seed", "3"), "3 seeds for two runs"),
    "one record": (("a.dyn",), "nothing to compare: `a.dyn` is one saved record"),
    "no such file": (("net.py", "neu.py", "-i", "[1]"), "no file `neu.py`"),
    "a record that is none": (
        ("a.dyn", "net.dyn"), "`a.dyn` is not a record dyncli can read: it is not JSON (line 1, column 1)",
    ),
    "a record of a later dyncli": (
        ("later.dyn", "net.dyn"), "`later.dyn` was saved by a newer dyncli: its schema is 99, this one reads up to 2",
    ),
    "different scripts": (
        ("net.py", "other.py:entry", "-i", "[1]"),
        "`net.py` and `other.py` are different scripts: next to nothing in one is in the other",
    ),
    "standard input for both": (("net.py", "new.py", "-i", "-"), "two runs cannot both read standard input"),
    "three cases": (("newton",), "the input has several cases, the first are `two`, `large`, `rough`"),
    "a dtype that is none": (
        ("net.py", "-i", "[1]", "--dtype", "float31", "--dtype", "float32"), "unknown dtype `float31`",
    ),
    "a negative tolerance": (
        ("net.py", "-i", "[1]", "-i", "[2]", "--rtol", "-1"),
        "invalid value for `--rtol`: -1.0 is not in the range x>=0",
    ),
    "no tolerance at all": (
        ("net.py", "-i", "[1]", "-i", "[2]", "--atol", "nan"), "invalid value for `--atol`: nan is not a number",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input(net: Path, dyncli, name: str):
    """One line that says what is wrong, and exit code 2."""
    words, message = BAD[name]
    (net / "a.dyn").write_text("no record\n")
    (net / "net.dyn").write_text("{}\n")
    (net / "later.dyn").write_text('{"format": "dyncli-record", "schema": 99}\n')
    finished = dyncli("diff", *words)
    assert (2, "") == (finished.code, finished.out)
    assert f"error: {message}" == finished.err.splitlines()[0]


def test_one_raises(net: Path, dyncli):
    """That is a difference: told above everything else; what a script says is shown as it is."""
    finished = dyncli("diff", "raises.py", "-i", "[1]", "-i", "[3]")
    assert (1, "") == (finished.code, finished.err)
    assert "A  returned\nB  the script raised at raises.py:4: ValueError: too [b]large[/b]\n" in finished.out
    assert "They part at line 3: if y.sum() > 4" in finished.out


def test_both_raise(net: Path, dyncli):
    """Equal in everything, but no run has ended well: the script's exit code."""
    finished = dyncli("diff", "raises.py", "-i", "[3]", "-i", "[3]")
    assert 3 == finished.code
    assert "No difference" in finished.out and "error: ValueError" in finished.err


def test_json(net: Path, dyncli):
    """What differs, for programs."""
    finished = dyncli("diff", "net.py", "-i", "[1, 2]", "-i", "[-1, -2]", "--json")
    document = json.loads(finished.out)
    assert (1, False, "arm") == (finished.code, document["equal"], document["parting"]["kind"])
    assert ("then", "else", 3.0, -3.0) == (
        document["parting"]["a"]["arm"], document["parting"]["b"]["arm"], document["parting"]["a"]["margin"],
        document["parting"]["b"]["margin"],
    )  # fmt: skip
    assert {"same": 0, "differ": 2, "only_a": 2, "only_b": 1, "unknown": 0} == document["counts"]["ops"]
    assert [[-3.0, -4.0]] == [pair["b"]["outputs"][0]["values"] for pair in document["ops"] if pair["a"] is None]
    assert 5 == len(document["ops"]) and [None] == [pair["a"] for pair in document["ops"] if pair["a"] is None]
    assert [("output", 8.0)] == [(each["name"], each["differs_by"]) for each in document["outputs"]]
    equal = json.loads(dyncli("diff", "net.py", "-i", "[1]", "-i", "[1]", "--json").out)
    assert (True, None, [], []) == (equal["equal"], equal["parting"], equal["ops"], equal["outputs"])


@pytest.mark.parametrize("columns", ["80", "120"])
@pytest.mark.parametrize(
    "words", [("newton", "--case", "two", "--case", "large"), ("tree_net",), ("raises.py", "-i", "[1]", "-i", "[3]")]
)
def test_the_summary_fits_a_screen(net: Path, dyncli, columns: str, words: tuple[str, ...]):
    """24 lines, none wider than the terminal."""
    lines = dyncli("diff", *words, COLUMNS=columns).out.splitlines()
    assert 5 < len(lines) <= 24
    assert max(map(len, lines)) <= int(columns)


STEPS = """\
import dyncore as torch

torch.manual_seed(0)
w = torch.ones(40, 50, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for step in range(3):
    optimizer.zero_grad()
    loss = (torch.arange(0.0, 2000.0).reshape(40, 50) * w).sqrt().sum() * step
    (loss + (w - w.detach()).sqrt().sum() * 0).backward()
    optimizer.step()
"""


def untimed(record: Record) -> Record:
    """Return a record without times."""
    times = {"started_ns": 0, "elapsed_ns": 0}
    ops = tuple(op._replace(**times, backward_ns=None) for op in record.ops)
    none = {"nodes_started_ns": (), "nodes_elapsed_ns": ()}
    backwards = tuple(each._replace(**times, **none) for each in record.backwards)
    return record._replace(ops=ops, backwards=backwards, elapsed_ns=0, processor_ns=0)


def test_large_tensors_of_saved_records(net: Path, dyncli):
    """Elements on the way are kept up to a size; of larger ones it is known that they differ, and where they do not."""
    (net / "large.py").write_text(
        "import dyncore as torch\n\n\ndef forward(x, swap: bool = False):\n"
        "    small, large = torch.arange(0.0, 900.0), torch.arange(0.0, 5000.0)\n"
        "    if swap:\n        small = small.roll(1)\n        large = large.flip(0)\n"
        "    else:\n        small = small.roll(0)\n        large = large.flip(0).flip(0)\n"
        "    return (small * 2).max() + (large * 3).max() + x\n"
    )
    for name, swap in (("a", "False"), ("b", "True"), ("c", "False")):
        saved = dyncli("run", "large.py", "-i", "1.0", "-i", f"swap={swap}", "--save", f"{name}.dyn", "--no-grad")
        assert 0 == saved.code
    assert 0 == dyncli("diff", "a.dyn", "c.dyn").code
    live = ("diff", "large.py", "-i", "1.0", "-i", "swap=False", "-i", "swap=True", "--no-grad", "--json")
    for command in (("diff", "a.dyn", "b.dyn", "--json"), live):
        finished = dyncli(*command)
        assert 1 == finished.code
        products = [op for op in json.loads(finished.out)["ops"] if op["a"] and op["b"] and op["a"]["name"] == "mul"]
        assert [1798.0, None] == [op["differs_by"] for op in products]
        assert [900, None] == [op["a"]["outputs"][0]["values"] and 900 for op in products]
        assert products[1]["a"]["outputs"][0]["stats"] == products[1]["b"]["outputs"][0]["stats"]
        assert products[1]["a"]["outputs"][0]["digest"] != products[1]["b"]["outputs"][0]["digest"]
    request = Request(str(net / "large.py"), ("1.0", "swap=False"), no_grad=True, watch=True)
    (net / "t.dyn").write_bytes(dump(next(iter(record_model(request)))))
    rough = dyncli("diff", "a.dyn", "t.dyn")
    assert 0 == rough.code, "norms that were taken in float32 are no difference"
    assert "; the values of 7 ops were not kept" in rough.out
    full = dyncli("diff", "a.dyn", "b.dyn", "--full").out
    assert "elements\n" in next(line + "\n" for line in full.splitlines() if "[5000] norm" in line and " mul " in line)


SAVING = ("run", "graph", "trace")


@pytest.mark.parametrize(("first", "second"), [("run", "graph"), ("graph", "trace"), ("trace", "run")])
def test_saved_records_of_any_command_differ_where_the_runs_do(net: Path, dyncli, first: str, second: str):
    """`roll` by one and by two has the same elements, too many to keep, in another order."""
    (net / "rolled.py").write_text(
        "import dyncore as torch\n\n\ndef forward(x, by: int):\n"
        "    return (torch.roll(torch.arange(0.0, 3000.0), by) * x).max()\n"
    )
    for name, command, by in (("a", first, 1), ("b", second, 2), ("c", second, 1)):
        assert 0 == dyncli(command, "rolled.py", "-i", "1.0", "-i", f"by={by}", "--save", f"{name}.dyn").code
    found = dyncli("diff", "a.dyn", "b.dyn")
    assert 1 == found.code
    assert "first op: roll" in found.out
    same = dyncli("diff", "a.dyn", "c.dyn")
    assert 0 == same.code
    assert "were not kept" not in same.out


@pytest.mark.parametrize("command", SAVING)
def test_saved_record_does_not_depend_on_the_command(net: Path, dyncli, command: str):
    """All but times is the same, also of bad values, gradients and what an optimizer wrote."""
    (net / "steps.py").write_text(STEPS)
    for name, each in (("expected", "run"), ("actual", command)):
        dyncli(each, "steps.py", "--save", f"{name}.dyn")
    expected, actual = (untimed(load(net / f"{name}.dyn")) for name in ("expected", "actual"))
    assert expected == actual
    assert expected.written and expected.edges
    assert any(tensor.digest for tensor in expected.tensors)


def test_gradients_of_ops(net: Path, dyncli):
    """They are compared op by op, from the outputs back; what cancels out before it comes to a leaf is seen."""
    (net / "cancels.py").write_text(
        "def forward(x, k: float = 1.0):\n    y = x * 2\n    z = y + 1\n    return (z * k - y * k + x).sum()\n"
    )
    finished = dyncli("diff", "cancels.py", "-i", "[1.0, 2.0]", "-i", "k=1.0", "-i", "k=3.0", "--json")
    document = json.loads(finished.out)
    assert 1 == finished.code
    assert [] == document["gradients"]
    found = [(flow["op"], flow["a"]["values"], flow["b"]["values"]) for flow in document["op_gradients"]]
    assert [({"a": 1, "b": 1}, [1.0, 1.0], [3.0, 3.0])] == found
    assert {"same": 6, "differ": 1, "only_a": 0, "only_b": 0, "unknown": 0} == document["counts"]["op_gradients"]
    told = dyncli("diff", "cancels.py", "-i", "[1.0, 2.0]", "-i", "k=1.0", "-i", "k=3.0").out
    assert "1 gradient of an op" in told
    assert ["3", "grad of add", "#1 [1, 1]", "#1 [3, 3]", "2"] in [
        re.split(r" {2,}", line.strip()) for line in told.splitlines()
    ]


def test_diff_of_values_alike_in_four_digits_shows_more(dyncli, tmp_path):
    """What decided is shown so exactly that the runs differ."""
    (tmp_path / "near.py").write_text("def forward(x):\n    if x.sum() > 1:\n        return x * 2\n    return x\n")
    finished = dyncli("diff", "near.py", "-i", "[0.99999]", "-i", "[1.00001]", "--dtype", "float64")
    assert "A  0  x.sum() = 0.99999 > 1  else   -1e-5\nB  0  x.sum() = 1.00001 > 1  then    1e-5\n" in finished.out


def test_one_choice_by_index_that_differs_is_the_first_row(dyncli, tmp_path) -> None:
    """Two runs decide alike and pick otherwise: the row shows both picks, and the line above names the call."""
    script = "def forward(x):\n    best = x.topk(1).indices\n    return x[best].sum() * 2\n"
    (tmp_path / "pick.py").write_text(script)
    for name, values in (("a", "[1, 2, 3]"), ("b", "[3, 2, 1]")):
        assert 0 == dyncli("run", "pick.py", "-i", values, "--save", f"{name}.dyn").code
    found = dyncli("diff", "a.dyn", "b.dyn").out
    assert "they pick otherwise at line 2: x.topk(1)" in found
    (row,) = [line.split("  ") for line in found.splitlines() if "choice: x.topk(1)" in line]
    assert ["2 (of 3) margin 1", "0 (of 3) margin 1"] == [cell for cell in row if "of 3" in cell]
