"""`dyncli cover` as a program: processes, journals that survive a kill, merging, limits, refusals, exit codes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dyncli.cli.commands import cover
from tests.transcripts import environment
from tests.unit.dyncli.coverage.running import covered

NET = """\
import dyncore as torch


def forward(x, scale: float = 1.0):
    while x.norm() > 4:
        x = x / 2
    if x.sum() > 0 and x.min() > -1:
        return torch.sqrt(x).sum() * scale
    return x.sum()
"""
SLOW = "import time\n\n\ndef forward(x):\n    time.sleep(0.004)\n    return x if x > 0 else -x\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a model and a data set of 300 inputs."""
    (tmp_path / "net.py").write_text(NET)
    lines = [json.dumps([(k * 37 % 101 - 50) / 7, (k * 53 % 89 - 40) / 9, k % 11 - 5.0]) for k in range(300)]
    (tmp_path / "data.jsonl").write_text("\n".join(lines))
    return tmp_path


def start(folder: Path, *arguments: str) -> subprocess.Popen:
    """The program, running."""
    command = [sys.executable, "-m", "dyncli", "cover", *arguments]
    return subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def chunks_of(journal: Path) -> list[dict]:
    """The tallies of a journal, without the line that a kill tore."""
    lines = journal.read_bytes().splitlines(keepends=True)[1:] if journal.exists() else []
    return [json.loads(line[17:])["tally"] for line in lines if line.endswith(b"\n")]


def wait_for_chunks(journal: Path, count: int) -> None:
    """Waits until a journal holds some chunks."""
    for _ in range(600):
        if len(chunks_of(journal)) >= count:
            return
        time.sleep(0.05)
    raise AssertionError("nothing was written to the journal")


def test_the_report_does_not_depend_on_the_processes(folder: Path, dyncli):
    """One process, three, and three with a journal say the same to the last byte."""
    one = dyncli("cover", "net.py", "--inputs", "data.jsonl", "--json")
    three = dyncli("cover", "net.py", "--inputs", "data.jsonl", "--json", "-j", "3", "--journal", "run.journal")
    assert (0, "") == (one.code, one.err) == (three.code, three.err)
    assert one.out == three.out
    document = json.loads(one.out)
    assert 300 == document["inputs"] == document["runs"] == sum(path["inputs"] for path in document["paths"])
    again = dyncli("cover", "net.py", "--inputs", "data.jsonl", "--json", "--journal", "run.journal")
    assert (one.out, "Going on after 300 inputs of run.journal\n") == (again.out, again.err)
    merged = dyncli("cover", "run.journal", "--json")
    assert one.out == merged.out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(folder: Path, number: int):
    """Ctrl-C, or being asked to end, shows what there is and exits with 130; what was run is counted, and kept."""
    (folder / "slow.py").write_text(SLOW.replace("time.sleep", "open('ran', 'a').write('x')\n    time.sleep"))
    (folder / "many.jsonl").write_text("1.0\n" * 5000)
    running = start(folder, "slow.py", "--inputs", "many.jsonl", "-j", "2", "--journal", "run.journal", "--json")
    wait_for_chunks(folder / "run.journal", 2)
    os.killpg(running.pid, number)
    out, err = running.communicate(timeout=30)
    count = json.loads(out)["runs"]
    assert 130 == running.returncode
    assert f"error: interrupted after {count:,} inputs\n\nhint: the same command goes on from `run.journal`\n" in (
        err.decode()
    )
    assert count == sum(last - first for each in chunks_of(folder / "run.journal")
                        for first, last in each["ranges"]["many.jsonl"])  # fmt: skip
    assert count == len((folder / "ran").read_text())


def test_interrupted_search_ends_as_an_interrupted_run_does(folder: Path, monkeypatch, capsys):
    """Expect the report of what was run, and exit code 130."""
    from dyncli.cli.app import main

    monkeypatch.chdir(folder)
    monkeypatch.setattr("dyncli.cli.commands.cover._searched", lambda session, report, runs, quiet: (report, True))
    assert 130 == main(["cover", "net.py", "--inputs", "data.jsonl", "--search", "-j", "1"])
    out, err = capsys.readouterr()
    assert "300 inputs" in out and err.startswith("error: interrupted after 300 inputs")


@pytest.mark.whole
def test_inputs_that_nothing_survives(folder: Path, dyncli):
    """One leaves the process, one hangs where no signal helps: each is counted, and the others are run once."""
    (folder / "bad.py").write_text(
        "import os\nimport signal\n\n\ndef forward(x):\n    open('ran', 'a').write(f'{x} ')\n"
        "    if x == 3:\n        os._exit(7)\n    if x == 5:\n"
        "        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n        while True:\n            pass\n"
        "    for k in range(int(x) % 3):\n        x = x + k\n    return x\n"
    )
    (folder / "bad.jsonl").write_text("".join(f"{k}.0\n" for k in range(1, 13)))
    finished = dyncli("cover", "bad.py", "--inputs", "bad.jsonl", "--timeout", "0.5", "--journal", "bad.journal",
                      "--json", "-q")  # fmt: skip
    document = json.loads(finished.out)
    assert {"ok": 10, "timeout": 1, "lost": 1} == {
        word: group["inputs"] for word, group in document["outcomes"].items()
    }
    assert [f"{k}.0" for k in range(1, 13)] == sorted((folder / "ran").read_text().split(), key=float)
    (lost,), (late,) = (document["outcomes"][word]["examples"] for word in ("lost", "timeout"))
    assert ("bad.jsonl:3", "the process ended with exit code 7") == (lost["place"], lost["note"])
    assert ("bad.jsonl:5", "nothing could stop it: its process was ended") == (late["place"], late["note"])


@pytest.mark.whole
def test_a_journal_of_another_run(folder: Path, dyncli):
    """Another script is refused with the difference, other settings and other data with what they were."""
    command = ["cover", "net.py", "--inputs", "data.jsonl", "--journal", "run.journal", "-q"]
    assert 0 == dyncli(*command).code
    before = (folder / "run.journal").read_bytes()
    assert "`--seed` was 0, now 1" in dyncli(*command, "--seed", "1").err
    (folder / "data.jsonl").write_text("[1, 2, 3]\n")
    changed = dyncli(*command)
    assert 2 == changed.code
    assert "error: `run.journal` is the journal of another run: `data.jsonl` was another file\n" in changed.err
    (folder / "net.py").write_text(NET.replace("> 4", "> 5"))
    other = dyncli(*command)
    assert (
        "error: `run.journal` is the journal of another run: `net.py` was another version\n"
        "  @@ -4,3 +4,3 @@\n"
        "   def forward(x, scale: float = 1.0):\n"
        "  -    while x.norm() > 4:\n"
        "  +    while x.norm() > 5:\n"
        "           x = x / 2\n\n"
        "hint: name another journal, or delete this one to start anew\n"
    ) == other.err
    assert (2, before) == (other.code, (folder / "run.journal").read_bytes())


def test_a_damaged_journal(folder: Path, dyncli):
    """Damage in the middle is refused, whatever it is."""
    command = ["cover", "net.py", "--inputs", "data.jsonl", "--journal", "run.journal", "-q"]
    assert 0 == dyncli(*command).code
    lines = (folder / "run.journal").read_bytes().splitlines(keepends=True)
    lines[1] = lines[1].replace(b'"ok"', b'"OK"', 1)
    (folder / "run.journal").write_bytes(b"".join(lines))
    for arguments in (command, ["cover", "run.journal"]):
        finished = dyncli(*arguments)
        assert 2 == finished.code
        assert "`run.journal` is not a journal dyncli can read: line 2 is damaged" in finished.err
    (folder / "text.journal").write_text("nothing\nof the kind\n")
    assert "`text.journal` is not a journal dyncli can read" in dyncli("cover", "text.journal").err
    assert "`no.journal` is not a journal dyncli can read: no such file" in dyncli("cover", "no.journal").err


def test_journal_with_torn_last_line_is_completed(folder: Path, dyncli):
    """What a kill left of a line is cut off, however long it is; the journal can be read afterwards."""
    command = ["cover", "net.py", "--inputs", "data.jsonl", "--journal", "run.journal", "-q", "--json"]
    whole = dyncli(*command)
    *kept, last = (folder / "run.journal").read_bytes().splitlines(keepends=True)
    (folder / "run.journal").write_bytes(b"".join(kept) + last[:-1] + b" " * 1_000_000)
    assert (0, whole.out) == (whole.code, dyncli(*command).out)
    assert whole.out == dyncli("cover", "run.journal", "--json").out
    assert len(kept) < len((folder / "run.journal").read_bytes().splitlines())
    assert (folder / "run.journal").stat().st_size < 1_000_000


def test_merging(folder: Path, dyncli):
    """Two journals of different data are the report of both; the same data twice are refused."""
    lines = (folder / "data.jsonl").read_text().splitlines()
    (folder / "a.jsonl").write_text("\n".join(lines[:100]))
    (folder / "b.jsonl").write_text("\n".join(lines[100:]))
    for name in ("a", "b"):
        assert 0 == dyncli("cover", "net.py", "--inputs", f"{name}.jsonl", "--journal", f"{name}.journal", "-q").code
    both = dyncli("cover", "net.py", "--inputs", "a.jsonl", "--inputs", "b.jsonl", "--json", "-q")
    for arguments in (["a.journal", "b.journal"], ["--merge", "b.journal", "a.journal"]):
        merged = dyncli("cover", *arguments, "--json")
        assert (0, both.out) == (merged.code, merged.out)
    twice = dyncli("cover", "a.journal", "a.journal")
    assert 2 == twice.code
    assert "error: `a.journal` counts inputs of `a.jsonl` that another journal counts too: 1 to 100\n" in twice.err


def test_arms_of_functions_never_called_are_one_line(folder: Path, dyncli):
    """A training script has many; `--full` lists them with the others."""
    (folder / "net.py").write_text(
        NET + "\n\ndef train(x):\n    if x > 0 and x < 9:\n        return x\n    return -x\n"
    )
    short = dyncli("cover", "net.py:forward", "--inputs", "data.jsonl").out
    assert "Never called  1 function, with 2 arms never reached (--full shows them)\n  train (line 12)" in short
    assert "if x > 0 and x < 9" not in short
    assert "if x > 0 and x < 9" in dyncli("cover", "net.py:forward", "--inputs", "data.jsonl", "--full").out


def test_fail_under(folder: Path, dyncli):
    """Exit 1 below, 0 at or above; the report is printed either way."""
    (folder / "one.jsonl").write_text("[1, 1, 1]\n")
    low = dyncli("cover", "net.py", "--inputs", "one.jsonl", "--fail-under", "90")
    assert (
        1,
        "error: 50% of the arms are reached, 90% are asked for: 2 arms left\n\n"
        "hint: add inputs that reach them; `--search` looks for such\n",
    ) == (low.code, low.err)
    assert low.out.startswith(
        "net.py:forward · float32 · seed 0 · 1 input · 1 path\n50.0% of the arms reached, 2 of 4\n"
    )
    high = dyncli("cover", "net.py", "--inputs", "data.jsonl", "--fail-under", "100")
    assert (0, "") == (high.code, high.err)


def test_bad_data(folder: Path, dyncli):
    """Empty, missing, of an unknown kind, unfit; broken lines are counted, and fatal under `--strict`."""
    (folder / "empty.jsonl").write_text("\n\n")
    (folder / "data.txt").write_text("1\n")
    (folder / "unfit.jsonl").write_text('{"scale": 1}\n{"scale": 2}\n')
    (folder / "broken.jsonl").write_text("[1, 2, 3]\n[1, 2\n[4, 5, 6]\n")
    expected = {
        "empty.jsonl": "error: `empty.jsonl` holds no inputs\n",
        "data.txt": "error: cannot tell what `data.txt` holds\n",
        "dta.jsonl": "error: no data at `dta.jsonl`\n\nhint: did you mean `data.jsonl`?\n",
        "unfit.jsonl": "error: none of 2 inputs could be run, the first: unfit.jsonl:1: no input for `x`\n"
        "  the entry is `forward(x, scale: float = 1.0)`\n",
    }
    for name, message in expected.items():
        finished = dyncli("cover", "net.py", "--inputs", name, "-q")
        assert 2 == finished.code
        assert message in finished.err
    loose = dyncli("cover", "net.py", "--inputs", "broken.jsonl")
    assert (0, "") == (loose.code, loose.err)
    assert "\n1 could not be read: broken.jsonl:2 (it ends too early)\n" in loose.out
    (folder / "many.jsonl").write_text("[1, 2, 3]\n" + '[1, "a"]\n{"x": [1\n' * 5)
    many = dyncli("cover", "net.py", "--inputs", "many.jsonl", "--full").out
    assert "\n5 could not be read\n  many.jsonl:3 (it ends too early)\n  many.jsonl:5 (it ends too early)\n" in many
    assert all(f"\n  many.jsonl:{line} (" in many for line in range(2, 12))
    strict = dyncli("cover", "net.py", "--inputs", "broken.jsonl", "--strict")
    assert 2 == strict.code
    assert "error: broken.jsonl:2: it ends too early\n" in strict.err
    none = dyncli("cover", "net.py")
    assert (2, "error: no inputs to run `net.py` on\n") == (none.code, none.err.partition("\nhint")[0])


def test_scripts_that_cannot_be_loaded(folder: Path, dyncli):
    """The error is that of `run`, with its exit code, and without a traceback."""
    (folder / "raises.py").write_text("import dyncore as torch\n\nx = 1 / 0\n\n\ndef forward(x):\n    return x\n")
    (folder / "leaves.py").write_text("import os\n\nos._exit(4)\n\n\ndef forward(x):\n    return x\n")
    raised = dyncli("cover", "raises.py", "--inputs", "data.jsonl")
    assert (
        3,
        "error: ZeroDivisionError: division by zero\n  at raises.py:3: `x = 1 / 0`\n\n"
        "hint: the script raised while it was loaded, before anything in it was called\n",
    ) == (raised.code, raised.err)
    left = dyncli("cover", "leaves.py", "--inputs", "data.jsonl")
    assert 3 == left.code
    assert "error: `leaves.py` cannot be loaded: the process ended with exit code 4\n" in left.err
    missing = dyncli("cover", "nte.py", "--inputs", "data.jsonl")
    assert (2, "error: no file `nte.py`\n\nhint: did you mean `net.py`?\n") == (missing.code, missing.err)


def test_report_goes_where_output_says(tmp_path: Path, monkeypatch, capsys):
    """To stdout for `-`, as without `-o`; to a file alone for its name."""
    monkeypatch.chdir(tmp_path)
    found = covered(tmp_path, NET, [[1.0], [-1.0]])
    said = []
    for output in (None, Path("-"), Path("a.txt")):
        cover._show(found, cover.Options(context=None, model="net.py", output=output, quiet=True))
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and "net.py:forward" in said[0] and "" == said[2]
    assert "net.py:forward" in (tmp_path / "a.txt").read_text()


@pytest.mark.whole
def test_reports_as_files(folder: Path, dyncli):
    """`-o` writes html, JSON or text by its suffix, twice the same bytes, and never over a file unasked."""
    (folder / "evil.py").write_text(
        "# </script><script>alert(1)</script> & <b>\n\n\ndef forward(x):\n"
        "    if str(x) == '<img src=x onerror=alert(2)>':\n        return x\n"
        "    raise ValueError('<script>alert(3)</script> \\x1b[31m')\n"
    )
    (folder / "few.jsonl").write_text("1.0\n2.0\n3.0\n")
    command = ["cover", "evil.py", "--inputs", "few.jsonl"]
    for suffix in ("html", "json", "txt"):
        made = dyncli(*command, "-o", f"a.{suffix}")
        assert (0, f"Wrote a.{suffix}\n") == (made.code, made.err)
        assert b"\x1b" not in (folder / f"a.{suffix}").read_bytes()
    first = (folder / "a.html").read_bytes()
    assert 2 == dyncli(*command, "-o", "a.html").code
    assert 0 == dyncli(*command, "-o", "a.html", "--overwrite", "-j", "2").code
    assert first == (folder / "a.html").read_bytes()
    page = (folder / "a.html").read_text()
    assert 0 == page.count("<script") and 0 == page.count("<img")
    assert "&lt;script&gt;alert(1)" in page
    wrong = dyncli(*command, "-o", "a.htm")
    told = "error: `.htm` names no format\n\nhint: did you mean `.html`? It is one of `.html`, `.json`, `.txt`\n"
    assert (2, told) == (wrong.code, wrong.err)


def test_bundled_models_and_given_parameters(folder: Path, dyncli):
    """A bundled model runs its own sample; `-i` gives a parameter to every input."""
    bundled = dyncli("cover", "newton")
    assert (0, "") == (bundled.code, bundled.err)
    assert "newton.json:two" in bundled.out
    given = dyncli("cover", "net.py", "--inputs", "data.jsonl", "-i", "scale=0", "--json")
    gradients = [path["input_gradients"] for path in json.loads(given.out)["paths"] if path["path"].endswith("then")]
    assert gradients and all(0 == each["max"] for each in gradients if each["max"] is not None)
    unknown = dyncli("cover", "net.py", "--inputs", "data.jsonl", "-i", "[1, 2]")
    assert (2, "error: `--input` beside `--inputs` needs a name\n") == (
        unknown.code,
        unknown.err.partition("\nhint")[0],
    )


def test_words_on_the_command_line(folder: Path, dyncli):
    """What cannot be meant is said before anything runs."""
    for arguments, message in (
        (["net.py", "a.jsonl"], "error: unexpected argument `a.jsonl`\n\nhint: inputs are given as `--inputs a.jsonl`"),
        (["net.py", "--inputs", "data.jsonl", "--dtype", "float31"], "error: unknown dtype `float31`"),
        (["a.journal", "--inputs", "a.jsonl"], "error: `--inputs` is for a run, and journals are merged without one"),
    ):  # fmt: skip
        finished = dyncli("cover", *arguments)
        assert (2, message) == (finished.code, finished.err[: len(message)])


@pytest.mark.parametrize("text", ["hello\n", "1,2", "0123456789abcdef\n"])
def test_a_short_file_that_is_no_journal_is_left_alone(folder: Path, dyncli, text: str):
    """However short a file is: what no journal can begin with is not written over."""
    (folder / "notes.txt").write_text(text)
    finished = dyncli("cover", "net.py", "--inputs", "data.jsonl", "--journal", "notes.txt")
    message = "error: `notes.txt` is not a journal dyncli can read: it does not begin as one"
    assert (2, message) == (finished.code, finished.err.partition("\n")[0])
    assert text == (folder / "notes.txt").read_text()


@pytest.mark.parametrize("size", [1, 16, 17, 400])
def test_a_journal_torn_in_its_first_line_begins_anew(folder: Path, dyncli, size: int):
    """A kill while the first line is written leaves nothing that stands in the way."""
    journal = folder / "run.journal"
    (folder / "few.jsonl").write_text("[1, 1]\n")
    assert 0 == dyncli("cover", "net.py", "--inputs", "few.jsonl", "--journal", "run.journal").code
    whole = journal.read_bytes()
    journal.write_bytes(whole[:size])
    assert 0 == dyncli("cover", "net.py", "--inputs", "few.jsonl", "--journal", "run.journal").code
    assert whole == journal.read_bytes()


def test_batch_reports_what_single_runs_do(folder: Path, dyncli):
    one = json.loads(dyncli("cover", "net.py", "--inputs", "data.jsonl", "--json").out)
    found = dyncli("cover", "net.py", "--inputs", "data.jsonl", "--json", "--batch", "16")
    assert (0, "") == (found.code, found.err)
    many = json.loads(found.out)
    assert 300 == many["runs"]
    assert [(p["path"], p["inputs"]) for p in one["paths"]] == [(p["path"], p["inputs"]) for p in many["paths"]]
    assert one["outcomes"] == many["outcomes"]


def test_batch_with_a_limit_of_ops_is_refused(folder: Path, dyncli):
    found = dyncli("cover", "net.py", "--inputs", "data.jsonl", "--batch", "16", "--max-ops", "5")
    assert 2 == found.code
    assert "error: `--batch` computes steps of many inputs as one op, and `--max-ops` counts those of one input" in (
        found.err
    )
    assert "hint: leave one of the two out; `--timeout` limits both" in found.err


def test_batch_without_greenlet_names_the_extra(monkeypatch):
    from dyncli import errors
    from dyncli.cli.commands import cover

    monkeypatch.setattr(cover, "find_spec", lambda name: None)
    with pytest.raises(errors.UsageError, match="`--batch` needs greenlet") as raised:
        cover._check_batch(16, None)
    assert (2, "`pip install 'dyncli[batch]'` adds it") == (raised.value.exit_code, raised.value.hint)


def test_long_report_shows_the_tests_and_loops_that_differ_in_one_screen(tmp_path: Path, dyncli):
    """Tests that went one way and loops that always took as many steps are counted; `--full` shows them."""
    alike = "".join(f"    if x.sum() > -{number + 100}:\n        x = x + 0\n" for number in range(12))
    loops = "".join(f"    for _ in range({number + 2}):\n        x = x * 1\n" for number in range(4))
    (tmp_path / "net.py").write_text(
        f"def forward(x):\n{alike}{loops}    if x.sum() > 1:\n        x = x * 2\n    return x\n"
    )
    (tmp_path / "data.jsonl").write_text('{"x": [1.0, -1.0]}\n{"x": [1.0, 2.0]}\n')
    found = dyncli("cover", "net.py", "--inputs", "data.jsonl").out
    arms = found[found.index("\nArms") : found.index("\nLoops")]
    assert ["if x.sum() > 1 "] == re.findall(r"if x.sum\(\) > -?\d+ ", arms)
    assert "without 16 tests that went one way only" in arms
    assert "4 always alike (--full shows them)" in found
    assert len(found.splitlines()) <= 60
    assert "x.sum() > -105" in dyncli("cover", "net.py", "--inputs", "data.jsonl", "--full").out


@pytest.mark.whole
def test_report_of_many_tests_that_differ_fits_one_screen(tmp_path: Path, dyncli):
    """Each table has so many rows as there is room for; of conditions that were seen both ways there is the count."""
    tests = "".join(
        f"    if x.sum() > {number} and x.max() > {number + 1} or x.min() < -{number}:\n        x = x * 2\n"
        for number in range(6)
    )
    loops = "".join(f"    for _ in range(int(x[0]) + {number}):\n        x = x * 1\n" for number in range(5))
    (tmp_path / "net.py").write_text(f"def forward(x):\n{tests}{loops}    return x\n")
    rows = [[number / 2 - 3, number % 7 - 3.0, (number * 5) % 9 - 4.0] for number in range(18)]
    (tmp_path / "data.jsonl").write_text("".join(f'{{"x": {row}}}\n' for row in rows))
    for columns in ("80", "100"):
        found = dyncli("cover", "net.py", "--inputs", "data.jsonl", COLUMNS=columns).out
        assert len(found.splitlines()) <= 60, found
        assert "(--full shows them)" in found
