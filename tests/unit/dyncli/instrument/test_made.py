"""Code that a script makes of texts: it does what it does without probes, and its decisions are in the log."""

from __future__ import annotations

import linecache
import subprocess
import sys
from pathlib import Path

import pytest

from dyncli.instrument.runtime import importer
from dyncli.recorder.failure_notes import code_without_probes
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record

SCRIPT = Path(__file__).parents[3] / "golden" / "decisions" / "scripts" / "neighbour_making_code.py"


def run(folder: Path, source: str) -> Record:
    """The record of a script with one input."""
    script = folder / "net.py"
    script.write_text(source)
    (found,) = record_model(Request(model=str(script), inputs=("2.0",)))
    return found


def test_equal_results(capsys: pytest.CaptureFixture[str]) -> None:
    """Values, namespaces, tracebacks and errors are those of the script alone."""
    alone = subprocess.run([sys.executable, str(SCRIPT)], capture_output=True, text=True, check=True)
    linecache.cache.pop("<string>", None)  # from Python 3.13 on the text of `-c`, which a worker of the tests was given
    (found,) = record_model(Request(model=str(SCRIPT)))
    assert (None, alone.stdout.splitlines()) == (found.failure, capsys.readouterr().out.splitlines())


def test_each_text_is_a_file(tmp_path: Path) -> None:
    """The sources hold each text once, by the name that its sites have."""
    text = (
        "def forward(x):\n    for k in range(3):\n        x = x + eval('1 if k else 2')\n    exec('if x > 1: y = 2')\n"
    )
    found = run(tmp_path, f"{text}    return x\n")
    assert [("<string>", "1 if k else 2"), ("<string 2>", "if x > 1: y = 2")] == [
        (source.file, source.text) for source in found.sources[1:]
    ]
    assert [("<string 2>", "x > 1")] == [(op.site.file, op.site.text) for op in found.ops if op.name == "gt"]
    arms = [decision.arm for decision in found.decisions if decision.site.file == "<string>"]
    assert ["else", "then", "then"] == arms


def test_names_of_the_makers_frame(tmp_path: Path) -> None:
    """A text sees and changes the namespaces it would without probes, features of the script's included."""
    head = "from __future__ import annotations\nSEEN = {}\n"
    body = "exec('def f(a: missing): return 1 if a else 2', SEEN)\n    return x * SEEN['f'](x)"
    found = run(tmp_path, f"{head}def forward(x):\n    {body}\n")
    assert (None, "ok") == (found.failure, found.status)
    assert ["tensor"] == [decision.origin for decision in found.decisions]


def test_texts_that_list_variables(tmp_path: Path) -> None:
    """A text sees the variables of the function around, and none of the recorder's."""
    body = "assert ['x'] == eval('dir()') == list(eval('locals()'))\n    return x"
    assert run(tmp_path, f"def forward(x):\n    {body}\n").failure is None


def test_compiled_and_bytes(tmp_path: Path) -> None:
    """What `compile` made of a text, and bytes, are in the log where they run; a syntax tree is only told of."""
    body = """\
import ast
FIRST = compile("x > 1 and x", "<first>", "eval")
def forward(x):
    for _ in range(2): y = eval(FIRST)
    exec(b"# coding: latin-1\\nif x and '\\xe9': pass")
    exec(compile(ast.parse("if x > 3: pass"), "<tree>", "exec"))
    try: exec(compile("\\nif x > 1: raise KeyError(y)", "<raises>", "exec"))
    except KeyError as error: where = error.__traceback__.tb_next.tb_frame.f_code.co_filename
    return y if where == "<raises>" else None
"""
    found = run(tmp_path, body)
    made = [(each.site.file, each.site.text) for each in found.decisions if each.site.file != found.model]
    first = ("<string>", "x > 1 and x")
    assert [first, first, ("<string 2>", "x and 'é'"), ("<string 3>", "x > 1")] == made
    assert (None, "then") == (found.failure, found.decisions[-1].arm)
    assert ("code made by `exec` at line 6: what it decides is not in the log",) == found.warnings


def test_by_another_name(tmp_path: Path) -> None:
    """`exec` and its like are known again by a name that the script gives them, and by that of their module."""
    body = """\
import builtins, re
from builtins import eval as reckon
run, made = exec, builtins.compile
execute = exec
def call(text, how=eval): return how(text, {"x": 1})
def forward(x):
    execute("if x > 1: pass")
    builtins.exec("if x > 2: pass")
    execute(builtins.compile("if x > 3: pass", "<a>", "exec"))
    code = re.compile("if x > 4")
    return x * reckon("1 if x > 5 else 2") * call("3 if x > 6 else 4")
"""
    found = run(tmp_path, body)
    assert [None] == [found.failure, *found.warnings]
    assert ["x > 1", "x > 2", "x > 3", "x > 5", "x > 6"] == [each.site.text for each in found.decisions]


def test_too_many_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of texts that differ at each step only the first get probes, and a note says so."""
    monkeypatch.setattr(importer, "MOST_TEXTS", 3)
    found = run(tmp_path, "def forward(x):\n    for k in range(5):\n        exec(f'if x > {k}: pass')\n    return x\n")
    assert 4 == len(found.decisions)
    told = "code made by `exec` at line 3 asked tensors for values 2 times: what it decides is not in the log"
    assert (told,) == found.warnings


PLACES = [("net.py", 3, "exec"), ("other.py", 4, "eval"), ("net.py", 5, "exec"), ("net.py", 6, "eval")]


@pytest.mark.parametrize(
    ("count", "hidden", "words"),
    [
        (0, 0, "`exec` or `eval`:"),
        (1, 1, "`exec` at line 3 asked tensors for values 1 time:"),
        (2, 0, "`exec` at line 3 and `eval` at other.py:4:"),
        (3, 2000, "`exec` at line 3, `eval` at other.py:4 and `exec` at line 5 asked tensors for values 2,000 times:"),
        (4, 0, "`exec` at line 3, `eval` at other.py:4, `exec` at line 5 and 1 more:"),
    ],
)
def test_places_of_code_without_probes(count: int, hidden: int, words: str) -> None:
    """Three are named."""
    told = code_without_probes(PLACES[:count], hidden, "net.py")
    assert f"code made by {words} what it decides is not in the log" == told


def test_forced_in_made_code(tmp_path: Path) -> None:
    """An arm of a text is forced by the name of its file."""
    script = tmp_path / "net.py"
    script.write_text("def forward(x):\n    return eval('x if x > 1 else -x')\n")
    (found,) = record_model(Request(model=str(script), inputs=("2.0",), force=("<string>:1=else",)))
    assert [("else", True)] == [(decision.arm, decision.forced) for decision in found.decisions]
