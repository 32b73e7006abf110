"""The app: help, mistyped words, exit codes, and what is imported when."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dyncli import __version__, errors
from dyncli.cli import app, typer_app as typed
from dyncli.cli.commands import COMMANDS
from tests.transcripts import environment


def test_version(dyncli):
    """One line on stdout."""
    finished = dyncli("--version")
    assert (0, f"dyncli {__version__}\n", "") == (finished.code, finished.out, finished.err)


def test_help_lists_the_commands_in_order(dyncli):
    """Each with its summary, then examples; nothing on stderr."""
    finished = dyncli("--help")
    listed = re.findall(r"^  (\w+) +(.+)$", finished.out.partition("Commands\n")[2].partition("\n\n")[0], re.MULTILINE)
    assert (0, list(COMMANDS.items()), "") == (finished.code, listed, finished.err)
    assert "\nExamples\n  dyncli " in finished.out
    assert finished == dyncli("-h")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command(dyncli, command):
    """Summary, usage, options in groups, examples; no line is wider than the page."""
    finished = dyncli(command, "--help")
    assert (0, "") == (finished.code, finished.err)
    assert f"\n\nUsage: dyncli {command}" in finished.out
    assert f"\nExamples\n  dyncli {command}" in finished.out
    assert 100 >= max(map(len, finished.out.splitlines()))


def test_no_arguments(dyncli):
    """The help on stderr, as a usage error."""
    finished = dyncli()
    assert (2, "") == (finished.code, finished.out) and "Usage: dyncli COMMAND" in finished.err


def test_completion_options_are_those_of_the_help(dyncli):
    """The help that is written by hand names every option the app has."""
    options = {name for parameter in typed.typer.main.get_command(typed.app).params for name in parameter.opts}
    assert {"--version", "--install-completion", "--show-completion"} == options
    assert all(name in dyncli("--help").out for name in options)


WRONG = [
    (["modles"], "no command `modles`\n\nhint: did you mean `models`?"),
    (["zzz"], "no command `zzz`\n\nhint: `dyncli --help` lists the commands"),
    (["net.py"], "no command `net.py`\n\nhint: to run a model: `dyncli run net.py`"),
    (["models", "--jsno"], "`dyncli models` has no option `--jsno`\n\nhint: did you mean `--json`?"),
    (["models", "-x"], "`dyncli models` has no option `-x`\n\nhint: `dyncli models --help` shows what it takes"),
    (["--verison"], "`dyncli` has no option `--verison`\n\nhint: did you mean `--version`?"),
    (["models", "a"], "unexpected argument `a`\n\nhint: `dyncli models --help` shows what it takes"),
    (
        ["run", "x", "[1]"],
        "unexpected argument `[1]`\n\nhint: an input is given with `-i`, and in quotes: `-i '[1, -1, 2]'`; "
        "a script's own arguments go after `--`",
    ),
    (
        ["run", "x", "-i", "[1,", "-1,", "2]"],
        "`dyncli run` has no option `-1`\n\nhint: an input is given with `-i`, and in quotes: `-i '[1, -1, 2]'`",
    ),
    (["run", "x", "--json=3"], "option `--json` takes no value\n\nhint: `dyncli run --help` shows what it takes"),
    (
        ["graph", "x", "--json"],
        "`dyncli graph` has no option `--json`\n\nhint: `dyncli graph --help` shows what it takes; "
        "a script's own go after `--`: `dyncli graph script.py -- --json ...`",
    ),
    (
        ["models", "--", "-x", "3"],
        "`dyncli models` takes no arguments of a script\n\nhint: leave out `-- -x 3`",
    ),
    (
        ["run", "piecewise", "--", "-x", "3"],
        "`models/piecewise.py` is a bundled model, which reads no arguments (got `-- -x 3`)\n\n"
        "hint: an input is given with `-i`; arguments after `--` are for a script of your own",
    ),
    (["run"], "missing argument `MODEL`\n\nhint: `dyncli run --help` shows what it takes"),
    (["run", "x", "--seed"], "option `--seed` needs a value\n\nhint: `dyncli run --help` shows what it takes"),
    (
        ["run", "x", "--seed", "a"],
        "invalid value for `--seed`: `a` is not a valid int\n\nhint: `dyncli run --help` shows what it takes",
    ),
    (
        ["graph", "x", "-o", "x.svg", "--force"],
        "`dyncli graph` has no option `--force`\n\n"
        "hint: `--overwrite` overwrites files; `dyncli run --force` takes an arm",
    ),
    (
        ["run", "x", "-o", "x.svg"],
        "`dyncli run` has no option `-o`\n\n"
        "hint: `--save run.dyn` saves the run; `dyncli graph -o` writes its picture, `dyncli trace -o` a timeline",
    ),
    (
        ["run", "x", "--save", "x.dyn", "--force"],
        "option `--force` needs a value\n\nhint: `--force 22=else` takes an arm; `--overwrite` overwrites files",
    ),
    (
        ["run", "piecewise", "--force", "--json"],
        "cannot read the forced arm `--json`\n\nhint: `--force 22=else` takes an arm; `--overwrite` overwrites files",
    ),
    (["run", "nothing.py"], "no file `nothing.py`\n\nhint: `dyncli models` lists the bundled ones"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_mistyped(arguments, message, capsys, tmp_path, monkeypatch):
    """One `error:` on stderr with its hint, exit code 2."""
    monkeypatch.chdir(tmp_path)
    code = app.main(arguments)
    out, err = capsys.readouterr()
    assert (2, "", f"error: {message}\n") == (code, out, err)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (errors.CheckFailed("no", hint=None), 1, "no"),
        (errors.LimitReached("stopped after 3 s", hint=None), 4, "stopped after 3 s"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (BrokenPipeError(), 0, None),
        (ZeroDivisionError("division by zero"), 70, "dyncli failed: ZeroDivisionError: division by zero"),
        (RecursionError("too deep"), 70, "dyncli failed: RecursionError: too deep"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_exit_codes(error, code, message, capfd, monkeypatch):
    """Every way a command can end has its code; a fault of ours shows no traceback."""
    from dyncli.cli.commands import models

    def fails(**options: object) -> None:
        raise error

    monkeypatch.setattr(models.paths, "models", fails)
    monkeypatch.setattr(app.os, "dup2", lambda *descriptors: None)
    assert code == app.main(["models"])
    err = capfd.readouterr().err
    assert "Traceback" not in err
    assert (f"error: {message}" if message else "") == err.partition("\n")[0]


def loaded_by(*arguments: str) -> set[str]:
    """The top-level modules that a start of `dyncli` loads."""
    return {name.partition(".")[0] for name in all_loaded_by(*arguments)}


def all_loaded_by(*arguments: str) -> set[str]:
    """The same with those below them."""
    code = f"import sys; sys.argv = ['dyncli', *{arguments!r}]\nfrom dyncli.__main__ import main\n"
    code += "try: main()\nexcept SystemExit: pass\nprint('modules:', *sys.modules)"
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True, timeout=60
    )
    return set(finished.stdout.rpartition("modules:")[2].split())


def test_help_loads_neither_numpy_nor_rich():
    """The help of the app and of a command, and the list of models."""
    for arguments in (["--help"], ["models"], ["run", "--help"]):
        assert set() == loaded_by(*arguments) & {"numpy", "rich", "graphviz", "dyncore"}


#: Prints the files of the tool in which a function runs, in their order.
FOLLOW = """
import inspect, sys
files = {}
def follow(frame, event, _):
    code, module = frame.f_code, frame.f_globals.get("__name__", "")
    if event == "call" and module.startswith("dyncli") and code.co_flags & inspect.CO_OPTIMIZED:  # no class or module
        files.setdefault(code.co_filename)
sys.argv = ["dyncli", "run", "piecewise"]
sys.setprofile(follow)
from dyncli.__main__ import main
try: main()
except SystemExit: pass
sys.setprofile(None)
print("files:", *[file for file in files if file.endswith(".py")], sep="\\n")
"""


def test_run_is_followed_through_at_most_45_files():
    """A reader comes with a debugger from the command line to the table without losing the way."""
    finished = subprocess.run(
        [sys.executable, "-c", FOLLOW], capture_output=True, text=True, env=environment(), check=True, timeout=60
    )
    files = finished.stdout.partition("files:\n")[2].split("\n")[:-1]
    assert files[0].endswith("dyncli/cli/app.py")
    assert any(file.endswith("dyncli/render/reports/tables.py") for file in files)
    assert len(files) <= 45, "\n".join(files)


@pytest.mark.whole
def test_commands_load_only_what_they_use(tmp_path, monkeypatch):
    """JSON and pictures need no rich; checking in one process needs no `multiprocessing`."""
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text("def forward(x):\n    return x * 2\n")
    assert set() == loaded_by("run", "net.py", "-i", "[1, 2]", "--json") & {"rich"}
    assert set() == loaded_by("graph", "net.py", "-i", "[1, 2]", "-o", "x.svg") & {"rich"}
    assert set() == loaded_by("gradcheck", "net.py", "-i", "[1.0, 2]") & {"multiprocessing"}


def test_a_picture_that_is_drawn_loads_no_file_of_errors_but_its_own(tmp_path, monkeypatch):
    """What else may go wrong is read when it does."""
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text("def forward(x):\n    return x * 2\n")
    loaded = all_loaded_by("graph", "net.py", "-i", "[1, 2]", "-o", "x.svg")
    assert ["dyncli.errors.base", "dyncli.errors.pictures"] == sorted(
        name for name in loaded if name.startswith("dyncli.errors.")
    )


def test_the_engine_needs_numpy_alone():
    """`import dyncore` loads NumPy and the standard library, nothing else that is installed."""
    code = (
        "import numpy.random, sys; before = set(sys.modules); import dyncore; "
        "print(*{name.partition('.')[0] for name in set(sys.modules) - before})"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True, timeout=60
    )
    assert set(finished.stdout.split()) <= {"dyncore", "numpy"} | set(sys.stdlib_module_names)


@pytest.mark.whole
def test_what_a_script_leaves_is_done_at_the_end_as_without_dyncli(tmp_path):
    """A file that it never closes is written, and what it says when it is dropped is said, after its `atexit`."""
    (tmp_path / "net.py").write_text(
        "import atexit\nlog = open('log.txt', 'w')\nlog.write('kept')\n\n\nclass Left:\n"
        "    def __del__(self):\n        print('dropped')\n\n\nleft = Left()\natexit.register(print, 'over')\n\n\n"
        "def forward(x):\n    return x * 2\n"
    )
    for command in (["run", "net.py", "-i", "[1, 2]", "--json"], ["gradcheck", "net.py", "-i", "[1.0, 2]"]):
        finished = subprocess.run(
            [sys.executable, "-m", "dyncli", *command],
            capture_output=True, text=True, env=environment(), check=True, timeout=60, cwd=tmp_path,
        )  # fmt: skip
        assert ["over", "dropped"] == finished.stdout.splitlines()[-2:]
        assert "kept" == (tmp_path / "log.txt").read_text()
        (tmp_path / "log.txt").unlink()


def test_a_process_of_ours_collects_nothing_that_was_imported(tmp_path):
    """What a script needs is set apart before it runs, also where Python has set something apart by itself."""
    (tmp_path / "net.py").write_text(
        "import gc\n\n\ndef forward(x):\n    print(gc.get_freeze_count())\n    return x * 2\n"
    )
    finished = subprocess.run(
        [sys.executable, "-m", "dyncli", "run", "net.py", "-i", "[1, 2]", "--json"],
        capture_output=True, text=True, env=environment(), check=True, timeout=60, cwd=tmp_path,
    )  # fmt: skip
    assert int(finished.stderr or finished.stdout.splitlines()[0]) > 10_000
