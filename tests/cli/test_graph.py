"""`dyncli graph`: formats by suffix, two runs in one, what is refused and what a failed run still draws."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dyncli.records.json import dump
from dyncli.render import SUFFIXES
from tests import records

SCRIPT = """\
import dyncore as torch


def forward(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 2
    return y
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a script and saved records."""
    (tmp_path / "net.py").write_text(SCRIPT)
    (tmp_path / "a.dyn").write_bytes(dump(records.piecewise()))
    (tmp_path / "b.dyn").write_bytes(dump(records.piecewise(False)))
    (tmp_path / "failing.dyn").write_bytes(dump(records.failing()))
    (tmp_path / "nothing.dyn").write_bytes(dump(records.nothing()))
    return tmp_path


def test_a_tree_in_the_terminal(dyncli, folder):
    """Without `-o` the run is drawn as a tree; a script is run first."""
    finished = dyncli("graph", "net.py", "-i", "[1, -1, 2]")
    assert (0, "") == (finished.code, finished.err)
    assert "├── if x.sum() > 0  ← gt#1  line 5 · 2 > 0 · margin 2\n│   ├── taken: True\n" in finished.out
    assert "x  float32 [3] · [1, -1, 2]  grad [2, 2, 2]" in finished.out


STARTS = {
    "svg": b"<?xml",
    "png": b"\x89PNG",
    "html": b"<!doctype html>",
    "mermaid": b"flowchart TD",
    "MMD": b"flowchart TD",
    "dot": b"digraph run {",
    "json": b'{\n "format": "dyncli-graph"',
    "txt": b"piecewise.py:forward",
}


@pytest.mark.parametrize(("suffix", "start"), STARTS.items(), ids=STARTS)
def test_the_suffix_says_how(dyncli, folder, suffix, start):
    """Each suffix has its format, and what was written is said."""
    finished = dyncli("graph", "a.dyn", "-o", f"out.{suffix}")
    assert (0, "", f"Wrote out.{suffix}\n") == (finished.code, finished.out, finished.err)
    assert (folder / f"out.{suffix}").read_bytes().startswith(start)


def test_to_stdout(dyncli, folder):
    """`-o -` writes svg, `--format` another."""
    assert dyncli("graph", "a.dyn", "-o", "-").out.startswith("<?xml")
    assert "dyncli-graph" == json.loads(dyncli("graph", "a.dyn", "--format", "json").out)["format"]


@pytest.mark.whole
def test_two_inputs_of_an_entry_with_more_parameters(dyncli, folder):
    """Inputs that are no single run's are two runs' halves; a name given twice has a value for each."""
    text = SCRIPT.replace("def forward(x):", "def forward(x, scale: float = 2.0):")
    (folder / "more.py").write_text(text)
    for given in (("[1, 2]", "[-1, -2]"), ("x=[1, 2]", "x=[-1, -2]"), ("[1, 2]", "1", "[-1, -2]", "1")):
        arguments = [word for each in given for word in ("-i", each)]
        finished = dyncli("graph", "more.py", *arguments)
        assert (0, "") == (finished.code, finished.err)
        assert "\nblue: only A · magenta: only B" in finished.out
    assert "`x` is given twice" in dyncli("graph", "more.py", "-i", "x=1", "-i", "x=2", "-i", "x=3").err


def test_two_runs_in_one_picture(dyncli, folder):
    """Two inputs of one model, or two saved records."""
    for arguments in (("net.py", "-i", "[1, -1, 2]", "-i", "[-3, -2, -1]"), ("a.dyn", "b.dyn")):
        finished = dyncli("graph", *arguments, "--format", "json")
        document = json.loads(finished.out)
        sides = {node["name"]: node["side"] for node in document["nodes"]}
        assert {
            "x": "both",
            "sum": "both",
            "gt": "both",
            "if": "both",
            "mul": "a",
            "sub": "b",
            "output": "both",
        } == sides


def test_nothing_is_overwritten(dyncli, folder):
    """An existing file stays, unless `--overwrite` is given."""
    (folder / "out.svg").write_text("mine")
    refused = dyncli("graph", "a.dyn", "-o", "out.svg")
    assert (2, "error: `out.svg` exists already\n\nhint: write elsewhere, or add `--overwrite`\n") == (
        refused.code,
        refused.err,
    )
    assert "mine" == (folder / "out.svg").read_text()
    assert 0 == dyncli("graph", "a.dyn", "-o", "out.svg", "--overwrite").code
    assert (folder / "out.svg").read_text().startswith("<?xml")


def test_the_file_is_opened(dyncli, folder):
    """`--open` hands the file to the browser, and says so when there is none."""
    browser = folder / "browser"
    browser.write_text('#!/bin/sh\nprintf %s "$1" > opened\n')
    browser.chmod(0o755)
    finished = dyncli("graph", "a.dyn", "-o", "a b.html", "--open", BROWSER=f"{browser} %s")
    assert (0, "Wrote a b.html\n") == (finished.code, finished.err)
    assert (folder / "a b.html").resolve().as_uri() == (folder / "opened").read_text()
    finished = dyncli("graph", "a.dyn", "-o", "b.html", "--open", BROWSER="none-such", PATH="", DISPLAY="")
    assert (0, "Wrote b.html\nnote: no program here opens b.html\n") == (finished.code, finished.err)


KNOWN = ", ".join(f"`{suffix}`" for suffix in SUFFIXES)
REFUSED = {
    ("--open",): "error: `--open` needs a file to open\n\nhint: add `-o graph.html`, or another suffix\n",
    ("-o", "x.sgv"): f"error: `.sgv` names no format\n\nhint: did you mean `.svg`? It is one of {KNOWN}\n",
    ("-o", "x.docx"): f"error: `.docx` names no format\n\nhint: did you mean `.dot`? It is one of {KNOWN}\n",
    ("-o", "x.zip"): f"error: `.zip` names no format\n\nhint: one of {KNOWN}\n",
    ("-o", "x"): f"error: `x` has no suffix\n\nhint: one of {KNOWN}\n",
    ("--format", "sgv"): "error: no format `sgv`\n\nhint: did you mean `svg`?\n",
    ("-o", "no/where.svg"): "error: cannot write `no/where.svg`: No such file or directory\n\n"
    "hint: its folder must be there, and you must be allowed to write in it\n",
}


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_where_it_cannot_be_written(dyncli, folder, arguments):
    """Unknown formats and folders that are not there."""
    finished = dyncli("graph", "a.dyn", *arguments)
    assert (2, "", REFUSED[arguments]) == (finished.code, finished.out, finished.err)


def test_records_that_cannot_be_read(dyncli, folder):
    """A damaged record, one of a later version, one that is not there."""
    (folder / "damaged.dyn").write_bytes((folder / "a.dyn").read_bytes()[:900])
    (folder / "newer.dyn").write_text('{"format": "dyncli-record", "schema": 99}')
    assert "`damaged.dyn` is not a record dyncli can read: it is cut short" in dyncli("graph", "damaged.dyn").err
    assert "`newer.dyn` was saved by a newer dyncli" in dyncli("graph", "newer.dyn").err
    assert "no such file" in dyncli("graph", "none.dyn").err


@pytest.mark.parametrize("command", ["graph", "trace", "run"])
def test_a_saved_record_takes_no_input(dyncli, folder, command):
    """What was recorded cannot be run with anything else; an option that is not heeded is an error."""
    for option in (
        ("-i", "[1]"),
        ("--case", "one"),
        ("--no-grad",),
        ("--max-ops", "3"),
        ("--seed", "3"),
        ("--dtype", "float64"),
    ):
        finished = dyncli(command, "a.dyn", *option)
        name = {"-i": "--input"}.get(option[0], option[0])
        message = f"error: `a.dyn` is a saved record, and `{name}` needs a run\n\n"
        assert (2, message + "hint: name the script that it was recorded from\n") == (finished.code, finished.err)


def test_a_run_that_raised_is_drawn(dyncli, folder):
    """What there is, the failing op marked, then the error and its exit code."""
    finished = dyncli("graph", "failing.dyn", "-o", "failing.svg")
    assert 3 == finished.code
    assert "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x3)" in finished.err
    assert "#fee2e2" in (folder / "failing.svg").read_text()


def test_a_run_that_raised_says_where_it_is_to_be_seen(dyncli, folder):
    """The hint names what was made: a file, a tree, what went to stdout; no other command's report."""
    (folder / "no.py").write_text("def forward(x):\n    y = x * 2\n    raise ValueError('no')\n")
    told = "error: ValueError: no (at no.py:3)\n\nhint: {} shows the run up to the failing line\n"
    given = ("no.py", "-i", "[1, 2]")
    assert "Wrote no.svg\n" + told.format("the picture in `no.svg`") == dyncli("graph", *given, "-o", "no.svg").err
    assert told.format("the picture on stdout") == dyncli("graph", *given, "-o", "-").err
    assert told.format("the tree above") == dyncli("graph", *given).err
    timeline = "Wrote no.json\n" + told.format("the timeline that was written")
    assert timeline == dyncli("trace", *given, "-o", "no.json").err
    assert told.format("what is on stdout") == dyncli("trace", *given, "--json").err
    assert told.format("the record on stdout") == dyncli("run", *given, "--json").err
    assert told.format("the report above") == dyncli("run", *given).err


def test_an_empty_run(dyncli, folder):
    """Nothing ran: a title, no failure, in every format."""
    for suffix in ("svg", "png", "html", "mermaid", "txt"):
        assert 0 == dyncli("graph", "nothing.dyn", "-o", f"nothing.{suffix}").code
    assert "nothing ran" in (folder / "nothing.svg").read_text()


def test_folding_options_reach_the_drawing(dyncli, folder):
    """`--only`, `--collapse`, `--max-nodes` and what to write on ops."""
    (folder / "newton.dyn").write_bytes(dump(records.newton()))
    shut = json.loads(dyncli("graph", "newton.dyn", "--collapse", "loops", "--format", "json").out)
    assert 1 == sum(node["kind"] == "fold" for node in shut["nodes"])
    few = json.loads(dyncli("graph", "newton.dyn", "--max-nodes", "5", "--format", "json").out)
    assert 10 > len(few["nodes"])
    assert "backward 900 ns" in dyncli("graph", "a.dyn", "--times", "--saved", "--grads").out
    only = dyncli("graph", "newton.dyn", "--only", "5").out
    assert "only 5" in only and "div#0" in only and "abs" not in only


def test_a_run_without_a_gradient_says_so(dyncli, folder):
    """Nothing to go backward from is no error, but nobody should look for gradients."""
    (folder / "cut.py").write_text("def forward(x):\n    return x.detach() * 2\n")
    assert "\nno gradient: no output requires grad\n" in dyncli("graph", "cut.py", "-i", "[1, 2]").out


def test_a_run_that_raised_by_itself_says_what(dyncli, folder):
    """No op is to be drawn in red, so the message stands below the title."""
    (folder / "no.py").write_text("def forward(x):\n    y = x * 2\n    raise ValueError(f'no {len(y)}')\n")
    finished = dyncli("graph", "no.py", "-i", "[1, 2]")
    assert (3, True) == (finished.code, "1 op · 0 decisions · error\nValueError: no 2 (line 3)\n" in finished.out)


LOOPED = """\
def half(x):
    return x / 2


def forward(x):
    for step in range(3):
        x = half(x) + x
    return x.sum()
"""


@pytest.mark.parametrize(
    ("wish", "hint"),
    [
        (("--only", "dvi"), "did you mean `div`?"),
        (("--only", "99"), "a line number, or one of `x`, `div`, `add`, `sum`, `output`, `for`, `half`"),
        (("--expand", "haf"), "did you mean `half`?"),
        (("--collapse", "fro"), "did you mean `for`?"),
        (("--collapse", "relu"), "a line number, or one of `for`, `half`"),
    ],
    ids=" ".join,
)
def test_a_wish_for_what_the_run_did_not_have(dyncli, folder, wish, hint):
    """A misspelled name is told with the nearest there is, and no picture of it is written."""
    (folder / "looped.py").write_text(LOOPED)
    finished = dyncli("graph", "looped.py", "-i", "[1, 2]", *wish, "-o", "out.svg")
    assert (2, f"error: nothing fits `{' '.join(wish)}`\n\nhint: {hint}\n") == (finished.code, finished.err)
    assert not (folder / "out.svg").exists()


@pytest.mark.parametrize(("word", "hint"), [("hlaf", "did you mean `half`?"), ("tahn", "did you mean `tanh`?")])
def test_name_that_occurs_nowhere_is_refused_before_the_run(dyncli, folder, word, hint):
    """The script does not run for a misspelt name; a name of a library that is not read here is looked for after."""
    (folder / "looped.py").write_text(LOOPED + "\n\nprint('ran')\n")
    finished = dyncli("graph", "looped.py", "-i", "[1, 2]", "--only", word)
    assert (2, "", f"error: nothing fits `--only {word}`\n\nhint: {hint}\n") == (
        finished.code, finished.out, finished.err,
    )  # fmt: skip
    (folder / "looped.py").write_text(LOOPED + "\n\nimport rich\nprint('ran')\n")
    assert "ran" in dyncli("graph", "looped.py", "-i", "[1, 2]", "--only", word).err


@pytest.mark.whole
def test_wishes_that_fit(dyncli, folder):
    """By a name, a line, a star, the text of a head, or all of a kind: each is drawn without a word."""
    (folder / "looped.py").write_text(LOOPED)
    for wish in (
        "--only=div",
        "--only=7",
        "--only=ha*",
        "--only=for step in range(3)",
        "--expand=half",
        "--collapse=loops",
        "--collapse=for",
        "--expand=6",
    ):
        finished = dyncli("graph", "looped.py", "-i", "[1, 2]", wish)
        assert (0, "") == (finished.code, finished.err)
        assert "nothing fits" not in finished.out


def test_more_than_mermaid_draws(dyncli, folder):
    """What its own settings refuse is said, with the way out, and written all the same."""
    (folder / "looped.py").write_text(LOOPED.replace("range(3)", "range(300)"))
    given = ("graph", "looped.py", "-i", "[1, 2]")
    assert "Wrote few.mmd\n" == dyncli(*given, "-o", "few.mmd").err
    finished = dyncli(*given, "--expand", "all", "--max-nodes", "5000", "-o", "many.mmd")
    note, wrote = finished.err.splitlines()
    assert (0, "Wrote many.mmd") == (finished.code, wrote)
    assert note.startswith("note: 902 arrows and ") and note.endswith("`--max-nodes` folds it")


def test_all_of_a_straight_run_is_drawn(dyncli, folder):
    """Nothing in it folds, and still `--expand all` draws all of it; what bounds it is said in the picture."""
    lines = [f"x = x * 1.{number}" for number in range(300)]
    (folder / "straight.py").write_text("import dyncore as torch\nx = torch.ones(2)\n" + "\n".join(lines))
    finished = dyncli("graph", "straight.py", "--expand", "all")
    assert (0, "") == (finished.code, finished.err)
    assert all(f"mul#{number} " in finished.out for number in range(1, 301))
    folded = dyncli("graph", "straight.py", "--expand", "all", "--max-nodes", "50").out
    assert "\ntoo much to unfold: see --max-nodes · every 13 ops are drawn as one\n" in folded
    assert "\nevery 6 ops are drawn as one\n" in dyncli("graph", "straight.py").out
