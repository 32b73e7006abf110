"""The whole program on wrong models and inputs: one `error:` with a `hint:`, the right exit code, no traceback."""

import importlib.util
import json
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.transcripts import environment

NET = """import dyncore as torch

def forward(x):
    if x.sum() > 0:
        return x * 2
    return x - 2
"""
RAISES = """import dyncore as torch

def forward(x):
    y = x * 2
    if y.sum() > 0:
        raise ValueError("the sum is positive")
    return y
"""
LOOPS = """def forward(x):
    while x.sum() > 0:
        x = x * 1.0
    return x
"""


@pytest.fixture
def net(tmp_path: Path) -> Path:
    """The folder that `dyncli` runs in, with a model in it."""
    (tmp_path / "net.py").write_text(NET)
    return tmp_path


def clean(finished, code: int) -> str:
    """The error's text, once the exit code is right and nothing of ours shows."""
    everything = finished.out + finished.err
    assert code == finished.code, everything
    assert "Traceback" not in everything and "dyncli/" not in everything.replace("dyncli/models", "")
    assert 1 == finished.err.count("error: ") == finished.err.count("\n\nhint: ") and "KeyError" not in everything
    return finished.err[finished.err.index("error: ") :].rstrip("\n")


USAGE = [
    (["nte.py"], "error: no file `nte.py`\n\nhint: did you mean `net.py`?"),
    (["netwon.py"], "error: no file `netwon.py`\n\nhint: did you mean `newton`?"),
    (
        ["piecewsie"],
        "error: no model `piecewsie`: it is neither a file nor a bundled name\n\nhint: did you mean `piecewise`?",
    ),
    (["net.py:forwrad"], "error: `net.py` has no `forwrad`\n\nhint: did you mean `forward`?"),
    (["net.py"], "error: no input for `x`"),
    (["net.py", "-i", "y=[1]"], "error: no parameter `y`\n  the entry is `forward(x)`\n\nhint: it takes `x`"),
    (["net.py", "-i", '{"x": [1], "y": 2}'], "error: no parameter `y`"),
    (["net.py", "-i", "[[1, 2], [3]]"], "error: `x` is not rectangular: [0] has 2 items and [1] has 1"),
    (["net.py", "-i", '[1, "a"]'], 'error: `x[1]` must be a number, got the string "a"'),
    (["net.py", "-i", "cut.json"], "error: cannot read `cut.json`: it ends too early"),
    (["net.py", "-i", "cut.npy"], "error: cannot read `cut.npy`: it is truncated"),
    (["net.py", "-i", "words.npy"], "error: cannot read `words.npy`: it holds text, not numbers"),
    (["net.py", "-i", "hidden.npy"], "error: `hidden.npy` holds a pickle: refused, because unpickling runs code"),
    (["net.py", "-i", "[1]", "--dtype", "flaot64"], "error: unknown dtype `flaot64`\n\nhint: did you mean `float64`?"),
    (["net.py", "-i", "[1]", "--case", "up"], "error: no case `up`: the input has no named cases"),
    (["lazy.py", "-i", "[1]"], "error: `forward` is an async function, which cannot be run"),
    (["lazy.py:each", "-i", "[1]"], "error: `each` is a generator function, which cannot be run"),
    (["two.py", "-i", "[1]"], "error: `two.py` has several entries: `first`, `second`"),
    (["empty.py", "-i", "[1]"], "error: `empty.py` has no public function and no nn.Module to give the inputs to"),
    (["net.py", "-i", "[1]", "--save", "there.dyn"], "error: `there.dyn` exists already"),
    (["net.py", "-i", "[1]", "--save", "x.txt"], "error: `--save x.txt` does not end in `.dyn`\n\nhint: as"),
    (["net.py", "-i", "[1]", "--seed", "1" * 21], f"error: invalid value for `--seed`: {'1' * 21} is not in the range"),
    (["net.py", "-i", "[1]", "--timeout", "nan"], "error: invalid value for `--timeout`: nan is not a number"),
    (["net.py", "-i", "[1]", "--timeout", "inf"], "error: invalid value for `--timeout`: inf is not in the range"),
    (["cut.npy"], "error: cannot read `cut.npy`: it holds inputs, not a model"),
    (["net.ipynb"], "error: cannot read `net.ipynb`: it is a notebook\n\nhint: write its cells into a script"),
    (["there.dyn:forward"], "error: cannot read `there.dyn`: it is a saved record, which holds no code to run"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), USAGE, ids=[" ".join(arguments) for arguments, _ in USAGE])
def test_usage_and_input(net: Path, dyncli, arguments, message):
    """Exit code 2, nothing on stdout."""
    (net / "two.py").write_text("def first(x): pass\ndef second(x): pass\n")
    (net / "empty.py").write_text("")
    (net / "there.dyn").write_text("")
    (net / "lazy.py").write_text("async def forward(x): pass\ndef each(x): yield x\n")
    (net / "net.ipynb").write_text("{}")
    (net / "cut.json").write_text("[1, 2")
    np.save(net / "words.npy", np.array(["a"]))
    np.save(net / "cut.npy", np.arange(100.0))
    (net / "cut.npy").write_bytes((net / "cut.npy").read_bytes()[:-8])
    (net / "hidden.npy").write_bytes(pickle.dumps([1]))
    finished = dyncli("run", *arguments)
    assert clean(finished, 2).startswith(message) and "" == finished.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = (", "error: SyntaxError: '(' was never closed\n  at bad.py:1: `x = (`"),
        (
            "import nothing_here\ndef forward(x): pass",
            "error: ModuleNotFoundError: No module named 'nothing_here'\n  at bad.py:1: `import nothing_here`\n\n"
            "hint: install `nothing_here` into the Python that dyncli runs in, or put `nothing_here.py` beside",
        ),
        (
            "import dyncore as torch\nmodel = torch.ones(1).cuda()",
            "error: AssertionError: Torch not compiled with CUDA enabled\n"
            "  at bad.py:2: `model = torch.ones(1).cuda()`\n  no GPU here: dyncore computes on the CPU\n\n"
            "hint: leave the device out, or",
        ),
        ("def forward(x): pass\n1 / 0", "error: ZeroDivisionError: division by zero\n  at bad.py:2: `1 / 0`"),
        (
            "from dyncore.nn import Linaer",
            "error: ImportError: cannot import name 'Linaer' from 'dyncore.nn'\n"
            "  at bad.py:1: `from dyncore.nn import Linaer`\n\nhint: did you mean `Linear`?",
        ),
        ("import sys\ndef forward(x): pass\nsys.exit(1)", "error: the script called `sys.exit(1)` while it was loaded"),
    ],
)
def test_a_script_that_cannot_be_loaded(tmp_path: Path, dyncli, text, message):
    """Exit code 3, with the user's own frames only."""
    (tmp_path / "bad.py").write_text(text)
    assert clean(dyncli("run", "bad.py", "-i", "[1]"), 3).startswith(message)


@pytest.mark.parametrize("value", ["[NaN, 1]", "[Infinity]", "[-inf, nan]", "[]", "[[]]", "1e400", "0.0"])
def test_strange_numbers_are_run(net: Path, dyncli, value):
    """NaN, infinities and empty tensors are inputs like others."""
    finished = dyncli("run", "net.py", "-i", value)
    assert (0, "") == (finished.code, finished.err)


def test_a_script_that_raises(net: Path, dyncli):
    """What was recorded until then is shown and saved; the error is one line; exit code 3."""
    (net / "raises.py").write_text(RAISES)
    finished = dyncli("run", "raises.py", "-i", "[1, 2]", "--save", "run.dyn")
    assert clean(finished, 3).startswith("error: ValueError: the sum is positive (at raises.py:6)")
    assert "y.sum() > 0" in finished.out
    again = dyncli("run", "run.dyn")
    assert (3, finished.out) == (again.code, again.out)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("import sys; sys.exit(5)", "error: SystemExit: the script called sys.exit(5)"),
        ("raise KeyboardInterrupt", "error: interrupted"),
        ("return forward(x)", "error: RecursionError"),
        ("raise RuntimeError", "error: RuntimeError"),
        ("return x.missing", "error: AttributeError: 'Tensor' object has no attribute 'missing'"),
        ("return x @ x.reshape(2, 1, 1)", "error: "),
    ],
)
def test_ways_to_fail(net: Path, dyncli, line, message):
    """Whatever a script does, the tables come first, then one error."""
    (net / "bad.py").write_text(f"def forward(x):\n    y = x * 2\n    {line}\n")
    finished = dyncli("run", "bad.py", "-i", "[1, 2]")
    assert clean(finished, 130 if "interrupted" in message else 3).startswith(message)


@pytest.mark.parametrize(("line", "near"), [("x.unsqeeze(0)", "unsqueeze"), ("[x].appendd(1)", "append")])
def test_misspelled_attribute_error_names_nearest(net: Path, dyncli, line, near):
    """Of a tensor or of anything else, while the model runs and while its script is loaded."""
    (net / "typo.py").write_text(f"def forward(x):\n    return {line}\n")
    assert clean(dyncli("run", "typo.py", "-i", "[1]"), 3).endswith(f"\n\nhint: did you mean `{near}`?")
    (net / "typo.py").write_text(
        f"import dyncore as torch\nx = torch.ones(1)\n{line}\n\n\ndef forward(x):\n    return x\n"
    )
    assert clean(dyncli("run", "typo.py", "-i", "[1]"), 3).endswith(f"\n\nhint: did you mean `{near}`?")


def test_a_script_that_leaves_in_peace(tmp_path: Path, dyncli):
    """`sys.exit()` at the end of a script is its end."""
    (tmp_path / "bye.py").write_text("import sys\nprint('hello')\nsys.exit()\n")
    finished = dyncli("run", "bye.py")
    assert (0, "") == (finished.code, finished.err) and finished.out.startswith("hello\n")


def test_megabytes_of_prints(net: Path, dyncli):
    """They pass through; under `--json` they go to stderr, and stdout is JSON alone."""
    (net / "loud.py").write_text("def forward(x):\n    print('x' * 3_000_000)\n    return x * 2\n")
    assert 0 == dyncli("run", "loud.py", "-i", "[1]").code
    finished = dyncli("run", "loud.py", "-i", "[1]", "--json")
    assert "loud.py" == json.loads(finished.out)["model"] and len(finished.err) > 3_000_000


@pytest.mark.parametrize(("option", "value"), [("--timeout", "0.5"), ("--max-ops", "50")])
def test_an_endless_loop_is_stopped(net: Path, dyncli, option, value):
    """Exit code 4, after the tables of what ran until then."""
    (net / "loops.py").write_text(LOOPS)
    finished = dyncli("run", "loops.py", "-i", "[1]", option, value)
    assert "x.sum() > 0" in finished.out
    assert f"raise `{option}` to let it go on" in clean(finished, 4)


def test_ctrl_c(net: Path):
    """Exit code 130, after the tables and the saved record of what ran until then."""
    (net / "loops.py").write_text(LOOPS.replace("        x =", "        print('on', flush=True)\n        x ="))
    process = subprocess.Popen(
        [sys.executable, "-m", "dyncli", "run", "loops.py", "-i", "[1]", "--save", "run.dyn"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=net,
        env=environment(),
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # a background job ignores it
    )
    assert "on\n" == process.stdout.readline() == process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (130, True, True) == (process.returncode, "x.sum() > 0" in out, "error: interrupted" in err)
    assert "Traceback" not in err and (net / "run.dyn").is_file()


@pytest.mark.parametrize(
    "command", ["run net.py -i '[1]' | head -1", "graph net.py -i '[1]' -o - --format svg | true", "--help | true"]
)
def test_closed_pipe_ends_quietly(net: Path, command: str):
    """A closed pipe is no error."""
    command = f"{sys.executable} -m dyncli {command}; exit ${{PIPESTATUS[0]}}"
    finished = subprocess.run(["bash", "-c", command], capture_output=True, cwd=net, env=environment(), timeout=60)
    assert (0, b"") == (finished.returncode, finished.stderr)


FULL = "error: cannot write `{}`: no space left on device\n\nhint: make room there, or write elsewhere\n"


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("run net.py -i '[1]' >&-", 0, ""),
        ("graph net.py -i '[1]' >&- 2>&-", 0, ""),
        ("run nte.py 2>&-", 2, ""),
        (
            "run net.py -i - <&-",
            2,
            "error: cannot read `standard input`: it is empty\n\n"
            "hint: standard input holds JSON, lines of JSON, CSV, or what `numpy.save` and `numpy.savez` write\n",
        ),
        ("run net.py -i '[1]' >/dev/full", 2, FULL.format("standard output")),
        ("--help >/dev/full", 2, FULL.format("standard output")),
        ("graph net.py -i '[1]' --format svg --overwrite -o /dev/full", 2, FULL.format("/dev/full")),
    ],
)
def test_streams_that_are_closed_or_full(net: Path, command: str, code: int, told: str):
    """What cannot be written goes nowhere, and the exit code is that of the command."""
    command = f"{sys.executable} -m dyncli {command}"
    finished = subprocess.run(["bash", "-c", command], capture_output=True, cwd=net, env=environment(), timeout=60)
    assert (code, told) == (finished.returncode, finished.stderr.decode())


def test_a_stream_that_cannot_encode_everything(net: Path, dyncli):
    """What ASCII has not is written as a question mark."""
    for settings in ({"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        finished = dyncli("run", "net.py", "-i", "[1]", **settings)
        assert (0, "") == (finished.code, finished.err)
    assert finished.out.startswith("net.py:forward ? float32")


COMMANDS = {
    "random.py": ["run", "random.py", "-i", "[1, 2]", "--color"],
    "rich.py": ["run", "rich.py", "-i", "[1, 2]", "--color"],
    "graphviz.py": ["graph", "graphviz.py", "-i", "[1, 2]", "-o", "net.html"],
    "json.py": ["cover", "json.py", "--inputs", "points.jsonl", "-j", "2", "-o", "net.html"],
}


@pytest.mark.parametrize("script", COMMANDS)
def test_a_script_among_files_named_as_modules(tmp_path: Path, dyncli, script):
    """Whatever the script and its neighbours are called, what shows the run is Python's own and the tool's own."""
    for name in (*sys.stdlib_module_names, "rich", "graphviz", "typer"):
        if importlib.util.find_spec(name) is not None:
            (tmp_path / f"{name}.py").write_text("raise ImportError('this is a neighbour')\n")
    (tmp_path / script).write_text(NET)
    (tmp_path / "points.jsonl").write_text("[1.0, 2.0]\n[-1.0, -2.0]\n")
    finished = dyncli(*COMMANDS[script], PYTHONSAFEPATH="1")
    assert 0 == finished.code, finished.err


def test_a_script_that_imports_its_neighbour_random(tmp_path: Path, dyncli):
    """It has its neighbour, and the report, which needs Python's own, is shown."""
    (tmp_path / "random.py").write_text("FACTOR = 3\n")
    (tmp_path / "net.py").write_text("import random\n\ndef forward(x):\n    return x * random.FACTOR\n")
    finished = dyncli("run", "net.py", "-i", "[1, 2]", "--color", PYTHONSAFEPATH="1")
    assert (0, True) == (finished.code, "[3, 6]" in finished.out)


@pytest.mark.parametrize("inside", [False, True])
def test_redefined_builtins(inside, tmp_path, dyncli):
    """The script has what it redefines, at once or while it runs; the recorder, the engine and the report do not."""
    redefined = [
        "builtins.len = lambda value: 7",
        "builtins.isinstance = lambda value, kind: True",
        "builtins.type = builtins.tuple = builtins.float = None",
        "del builtins.id",
    ]
    script = ["import builtins", *([] if inside else redefined), "def forward(x):"]
    script += [f"    {line}" for line in (redefined if inside else [])]
    script += ["    if len([]) == 7 and isinstance(1, str): x = x.exp()", "    return x * (x.sum() > 0)"]
    (tmp_path / "net.py").write_text("\n".join(script) + "\n")
    finished = dyncli("run", "net.py", "-i", "[0, 0]", "--json")
    assert (0, "") == (finished.code, finished.err)
    record = json.loads(finished.out)
    assert [("then", 7)] == [(each["arm"], each["conditions"][0]["lhs"]) for each in record["decisions"]]
    assert [1.0, 1.0] == record["tensors"][record["outputs"][0]["tensor"]]["values"]


MISSING = "what it decides is not in the log"


@pytest.mark.parametrize(
    ("line", "notes"),
    [
        (
            "exec('if x.sum() > 0 and len(x) == 1: pass', {'__builtins__': {'len': len}, 'x': x})",
            [f"code made by `exec` at line 2 asked tensors for values 2 times: {MISSING}"],
        ),
        (
            "import builtins\n    getattr(builtins, 'exec')('if x.sum() > 0: pass', {'x': x})",
            [f"code made by `exec` or `eval` asked tensors for values 1 time: {MISSING}"],
        ),
        (
            "import ast\n    n = compile(ast.parse('if x: x'), '', 'exec')\n    exec(n, {'x': x})",
            [f"code made by `exec` at line 4: {MISSING}"],
        ),
        (
            "n = compile('x', '', mode='eval')\n    y, z = eval(n), exec(n)",
            [f"code made by `eval` at line 3 and `exec` at line 3: {MISSING}"],
        ),
        ("n = compile('if x: x', '', 'exec')\n    exec(n, {'x': x})", []),
        ("f = exec\n    f('if x.sum() > 0: pass')", []),
        ("n = b'x'\n    y, z = eval(n), exec(n)", []),
        ("names = {}\n    exec('n = 1 if len([]) else 2', names)", []),
        ("x = x * eval('1 + 1') if x.sum() > 0 else x", []),
        ("if len(x) > 5: exec('if x: pass')", []),
        ("eval = lambda text: 1\n    n = eval('1 if x else 2')", []),
    ],
)  # fmt: skip
def test_code_without_probes_is_reported(tmp_path: Path, dyncli, line, notes):
    """A log that may miss decisions says so, and where; not of code that decides nothing or never ran."""
    (tmp_path / "net.py").write_text(f"def forward(x):\n    {line}\n    return x\n")
    finished = dyncli("run", "net.py", "-i", "[1]", "--json")
    assert (0, notes) == (finished.code, json.loads(finished.out)["warnings"])
