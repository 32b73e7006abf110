"""`dyncli trace`: its tables, its options, its files, what is refused, and what a failed run still tells."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dyncli.records.json import dump
from tests import records
from tests.unit.dyncli.render.timelines import check_chrome, check_speedscope

SCRIPT = """\
import dyncore as torch


def forward(x):
    for _ in range(3):
        if x.sum() > 0:
            x = torch.tanh(x) * 2
    return x.sum()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a script and saved records."""
    (tmp_path / "net.py").write_text(SCRIPT)
    (tmp_path / "newton.dyn").write_bytes(dump(records.newton()))
    (tmp_path / "failing.dyn").write_bytes(dump(records.failing()))
    (tmp_path / "nothing.dyn").write_bytes(dump(records.nothing()))
    (tmp_path / "hostile.dyn").write_bytes(dump(records.hostile()))
    return tmp_path


def test_every_op(dyncli, folder):
    """Its shapes, decision, line, times and bytes; the memory; and that nothing went bad."""
    finished = dyncli("trace", "net.py", "-i", "[1, 2]")
    assert (0, "") == (finished.code, finished.err)
    assert "No NaN, Inf, overflow, exploded or vanished value or gradient\n" in finished.out
    tanh = next(line for line in finished.out.splitlines() if " tanh " in line)
    assert ["2", "tanh", "←", "x", "float32", "[2]", "1", "then", "7"] == tanh.split()[:9]
    assert ["8", "B"] == tanh.split()[-2:]
    assert "Memory  peak " in finished.out


@pytest.mark.parametrize("by", ["line", "op", "module", "decision", "iteration"])
def test_groups(dyncli, folder, by):
    """Every grouping, as a table and as JSON, with the same sums."""
    table = dyncli("trace", "net.py", "-i", "[1, 2]", "--by", by)
    assert f"\nBy {by}  slowest first\n" in table.out
    document = json.loads(dyncli("trace", "net.py", "-i", "[1, 2]", "--by", by, "--json").out)
    assert 13 == document["total"]["ops"] == sum(row["ops"] for row in document["groups"])
    assert document["total"]["held_bytes"] == sum(row["held_bytes"] for row in document["groups"])


def test_the_largest_first(dyncli, folder):
    """`--sort bytes` of single ops and of groups."""
    document = json.loads(dyncli("trace", "net.py", "-i", "[1, 2]", "--sort", "bytes", "--json").out)
    held = [op["held_bytes"] for op in document["ops"]]
    assert sorted(held, reverse=True) == held
    assert ["tanh"] * 3 == [op["name"] for op in document["ops"][:3]]


def test_most_rows(dyncli, folder):
    """A long table is cut and says by how much."""
    finished = dyncli("trace", "net.py", "-i", "[1, 2]", "--most", "4", "--show", "costs")
    assert "… 9 more (--most N)" in finished.out
    finished = dyncli("trace", "net.py", "-i", "[1, 2]", "--by", "op", "--most", "1", "--show", "costs")
    assert "… 3 more groups (--most N)" in finished.out


def test_rows_of_a_long_run_are_as_many_as_asked_for_else_twenty_groups(dyncli, tmp_path):
    """By line, where no grouping is asked for, and by any grouping."""
    lines = "".join(f"    x = x * {number}.5\n" for number in range(30))
    (tmp_path / "net.py").write_text(f"def forward(x):\n{lines}    return x\n")
    for more, left in (((), 10), (("--by", "line"), 10), (("--most", "25"), 5)):
        finished = dyncli("trace", "net.py", "-i", "[1.0, 2]", "--show", "costs", *more)
        assert f"… {left} more groups (--most N)" in finished.out


def test_what_went_bad_in_a_sum_and_in_the_last_step(dyncli, tmp_path):
    """The report says that gradients were added up, each as it came, and what an optimizer wrote last."""
    (tmp_path / "net.py").write_text(
        "import dyncore as torch\n\nv = torch.tensor([1.0, -1.0], requires_grad=True)\n"
        "w = torch.nn.Parameter(torch.zeros(1))\n((v / v.sum()) ** 2 + w ** 2).sum().backward()\n"
        "torch.optim.Adam([w], eps=0.0).step()\n"
    )
    finished = dyncli("trace", "net.py", "--show", "bad")
    assert (
        "NaN  gradients added up, the last from sum #2  line 5: v.sum()\n"
        "  gradient of v = [nan, -inf]  float32 [2]\n"
        "  from a gradient that came = -inf\n"
        "  from a gradient that came = [inf, -inf]  float32 [2]\n"
        "NaN  written into w after the last op\n"
        "  w = [nan]  float32 [1]\n"
    ) in finished.out


def test_the_first_bad_value_of_a_run_that_raised(dyncli, tmp_path):
    """It is told, with its inputs, and then the error and its exit code."""
    (tmp_path / "bad.py").write_text(
        "import dyncore as torch\n\n\ndef forward(x):\n    y = torch.log(x - 1)\n    assert not y.isinf().any()\n"
    )
    finished = dyncli("trace", "bad.py", "-i", "[1, 2]", "--show", "bad")
    assert (
        3,
        """\
bad.py:forward · float32 · seed 0 · 4 ops · 1 decision

First bad  forward before backward
Inf  log #1  line 5: torch.log(x - 1)
  #1 = [-inf, 0]  float32 [2]
  from #0 = [0, 1]  float32 [2]  (sub #0, line 5)

Stopped: the script raised
  bad.py:6 in forward
    assert not y.isinf().any()
AssertionError
""",
    ) == (finished.code, "\n".join(line.rstrip() for line in finished.out.splitlines()) + "\n")


def test_timelines(dyncli, folder):
    """The suffix says how; several cases are written beside each other."""
    finished = dyncli("trace", "net.py", "-i", "[1, 2]", "-o", "trace.json")
    assert (0, "", "Wrote trace.json\n") == (finished.code, finished.out, finished.err)
    check_chrome((folder / "trace.json").read_text())
    finished = dyncli("trace", "newton.dyn", "-o", "a.speedscope.json")
    check_speedscope((folder / "a.speedscope.json").read_text())
    finished = dyncli("trace", "piecewise", "-o", "p.speedscope.json")
    assert "Wrote p.positive.speedscope.json\nWrote p.negative.speedscope.json\n" == finished.err
    check_chrome(dyncli("trace", "newton.dyn", "-o", "-").out)


def test_a_timeline_on_stdout_is_utf8(tmp_path):
    """Whatever the terminal has: a viewer refuses other bytes."""
    (tmp_path / "net.py").write_text("def forward(é):\n    return (é * 2).sum()\n", encoding="utf-8")
    command = [sys.executable, "-m", "dyncli", "trace", "net.py", "-i", "[1, 2]", "-o", "-"]
    here = {**os.environ, "PYTHONIOENCODING": "latin-1", "PYTHONPATH": os.pathsep.join(sys.path)}
    finished = subprocess.run(command, cwd=tmp_path, env=here, capture_output=True, check=True)
    assert "é * 2" in finished.stdout.decode("utf-8")


def test_a_saved_record(dyncli, folder):
    """A record kept with `--save` is traced again, with the same bytes of JSON."""
    first = dyncli("trace", "net.py", "-i", "[1, 2]", "--save", "run.dyn", "--json")
    assert "Wrote run.dyn\n" == first.err
    assert first.out == dyncli("trace", "run.dyn", "--json").out


REFUSED = {
    ("--by", "lin"): "error: `--by` knows no `lin`\n\nhint: did you mean `line`?\n",
    ("--by", "zzz"): "error: `--by` knows no `zzz`\n\n"
    "hint: one of `line`, `op`, `module`, `decision`, `iteration`\n",
    ("--sort", "tim"): "error: `--sort` knows no `tim`\n\nhint: did you mean `time`?\n",
    ("--show", "x"): "error: `--show` knows no `x`\n\nhint: one of `bad`, `costs`, `memory`\n",
    ("-o", "x.svg"): "error: `.svg` names no timeline\n\n"
    "hint: one of `.speedscope.json`, `.json`; `dyncli graph` draws pictures\n",
    ("-o", "x"): "error: `x` has no suffix\n\n"
    "hint: one of `.speedscope.json`, `.json`; `dyncli graph` draws pictures\n",
    ("-o", "no/where.json"): "error: cannot write `no/where.json`: No such file or directory\n\n"
    "hint: its folder must be there, and you must be allowed to write in it\n",
    ("-o", "there.json"): "error: `there.json` exists already\n\nhint: write elsewhere, or add `--overwrite`\n",
}  # fmt: skip


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_is_refused(dyncli, folder, arguments):
    """Unknown words, suffixes and places, each with the way out."""
    (folder / "there.json").write_text("mine")
    finished = dyncli("trace", "newton.dyn", *arguments)
    assert (2, "", REFUSED[arguments]) == (finished.code, finished.out, finished.err)
    assert "mine" == (folder / "there.json").read_text()


def test_runs_that_ended_badly(dyncli, folder):
    """A failed run shows its failing op and its error, an empty one its heading."""
    failed = dyncli("trace", "failing.dyn")
    assert 3 == failed.code
    assert "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x3)" in failed.out
    empty = dyncli("trace", "nothing.dyn")
    assert (0, "") == (empty.code, empty.err)
    assert empty.out.startswith("empty.py:forward · float32 · seed 0 · 0 ops · 0 decisions\n")
    stopped = dyncli("trace", "net.py", "-i", "[1, 2]", "--max-ops", "5")
    assert (
        4,
        "error: stopped after 5 ops\n\nhint: what ran until then is shown; raise `--max-ops` to let it go on\n",
    ) == (
        stopped.code,
        stopped.err,
    )


def test_records_that_cannot_be_read(dyncli, folder):
    """A damaged record and one of a newer version are told as such."""
    (folder / "bad.dyn").write_text("{}")
    assert 2 == dyncli("trace", "bad.dyn").code
    text = (folder / "newton.dyn").read_text().replace('"schema":2', '"schema":9')
    (folder / "newer.dyn").write_text(text)
    assert "its schema is 9, this one reads up to 2" in dyncli("trace", "newer.dyn").err


def test_hostile_names(dyncli, folder):
    """Nothing steers the terminal or breaks the JSON."""
    finished = dyncli("trace", "hostile.dyn", "--color")
    assert "\x1b[31m[bold]" not in finished.out
    assert "\u202e" not in finished.out
    json.loads(dyncli("trace", "hostile.dyn", "--json").out)


def test_no_case_overwrites_a_file(dyncli):
    """Nor does a second run; a saved record's timeline has the name that was asked for, whatever case it was."""
    assert 0 == dyncli("trace", "piecewise", "-o", "out.json").code
    again = dyncli("trace", "piecewise", "-o", "out.json")
    assert (2, True) == (again.code, again.err.startswith("error: `out.positive.json` exists already"))
    assert 0 == dyncli("run", "piecewise", "--save", "run.dyn").code
    assert "error: `run.positive.dyn` exists already" in dyncli("run", "piecewise", "--save", "run.dyn").err
    assert "error: `run.positive.dyn` exists already" in dyncli("trace", "piecewise", "--save", "run.dyn").err
    assert "Wrote one.json\n" == dyncli("trace", "run.positive.dyn", "-o", "one.json").err


BATCHED = """\
import torch

torch.manual_seed(0)
word, pair = torch.nn.Embedding(10, 4), torch.nn.Linear(8, 4)


def encode(tree):
    if isinstance(tree, int):
        return word(torch.tensor(tree))
    return torch.tanh(pair(torch.cat([encode(part) for part in tree])))


def forward(x):
    trees = [3, (1, 2), ((1, 2), 3), (4, (5, (6, 7)))]
    return torch.stack(torch.batched(encode)(trees)).sum() * x
"""


def test_batched_names_the_groups_with_their_lines(dyncli, folder):
    (folder / "trees.py").write_text(BATCHED)
    found = dyncli("trace", "trees.py", "-i", "1.0", "--batched", "--json")
    assert (0, "") == (found.code, found.err)
    document = json.loads(found.out)
    groups = [(each["line"], each["op"], each["runs"], each["calls"], each["most"]) for each in document["batched"]]
    assert groups == [(10, "cat", 3, 6, 3), (10, "linear", 3, 6, 3), (10, "tanh", 3, 6, 3)]
    assert {"trees.py"} == {each["file"] for each in document["batched"]}
    plain = json.loads(dyncli("trace", "trees.py", "-i", "1.0", "--json").out)
    assert "batched" not in plain
    assert [op["name"] for op in plain["ops"]] == [op["name"] for op in document["ops"]]  # the record stays as it is


def test_batched_is_a_table_with_the_sum_of_ops(dyncli, folder):
    (folder / "trees.py").write_text(BATCHED + "\n\nforward(torch.tensor(1.0)).backward()\n")
    found = dyncli("trace", "trees.py", "--batched", "--show", "costs")
    assert 0 == found.code
    assert "Batched groups  9 ops for 18 calls" in found.out
    assert ["3", "6", "3"] == found.out.rpartition("linear ")[2].split()[:3]


def test_a_long_run_that_raised_fits_on_a_screen(dyncli, folder):
    """There are fewer rows of lines above where it stopped."""
    ops = "".join(f"    x = x * {number}.5\n" for number in range(1, 30))
    (folder / "fails.py").write_text(f"def forward(x):\n{ops}    assert x.sum() < 0\n    return x\n")
    found = dyncli("trace", "fails.py", "-i", "[1e-30, 2e-30]")
    lines = found.out.splitlines()
    assert 3 == found.code and len(lines) <= 60 and "Stopped: the script raised" in lines
    assert any("more groups (--most N)" in line for line in lines)


def test_batched_groups_of_most_calls_come_first(dyncli, folder):
    """However many are computed together at once, and wherever they stand."""
    chains = "[(1, (2, (3, (4, 5))))] * 4"
    body = BATCHED.replace("[3, (1, 2), ((1, 2), 3), (4, (5, (6, 7)))]", chains).replace(
        "def forward(x):", "def forward(x):\n    torch.batched(lambda word: encode(word).exp())([3, 4, 5, 6, 7])"
    )
    (folder / "deep.py").write_text(body)
    document = json.loads(dyncli("trace", "deep.py", "-i", "1.0", "--batched", "--json").out)
    groups = [(each["op"], each["calls"], each["most"]) for each in document["batched"]]
    assert groups == [("cat", 16, 4), ("linear", 16, 4), ("tanh", 16, 4), ("exp", 5, 5)]


def test_batched_with_one_op_counts_it_in_the_singular(dyncli, folder):
    call = "torch.batched(lambda word: encode(word).exp())([3, 4, 5, 6])"
    body = BATCHED.partition("    trees")[0] + f"    return torch.stack({call}).sum() * x\n"
    (folder / "one.py").write_text(body)
    found = dyncli("trace", "one.py", "-i", "1.0", "--batched", "--show", "costs")
    assert "Batched groups  1 op for 4 calls" in found.out


def test_batched_without_a_batch_says_so(dyncli, folder):
    found = dyncli("trace", "net.py", "-i", "[1, 2]", "--batched")
    assert "No call of `torch.batched` had examples to compute together" in found.out


def test_batched_of_a_record_is_refused(dyncli, folder):
    found = dyncli("trace", "newton.dyn", "--batched")
    assert 2 == found.code
    assert "error: `--batched` runs the model again, and newton.dyn is a saved record" in found.err
    assert "hint: name the script instead of the record" in found.err
