"""The messages about scripts: the error, its exit code, its text."""

from dyncli import errors

NOTED = ValueError("no")
NOTED.add_note("in log at net.py:2: `y = x.log()`")
HINTED = ValueError("no")
HINTED.add_note("in log")
HINTED.add_note("hint: clamp it")
LOADING = "hint: the script raised while it was loaded, before anything in it was called"
UNREAD = "hint: nothing of the script has run: Python cannot read it"


class Unprintable(Exception):
    """Cannot say what is wrong."""

    def __str__(self) -> str:
        raise KeyError


MESSAGES = [
    (errors.ScriptNotFound("nte.py", ["net.py"]), 2, "no file `nte.py`\n\nhint: did you mean `net.py`?"),
    (errors.ScriptNotFound("x.py", []), 2, "no file `x.py`\n\nhint: `dyncli models` lists the bundled ones"),
    (
        errors.UnknownModel("netwon", ["newton"]),
        2,
        "no model `netwon`: it is neither a file nor a bundled name\n\nhint: did you mean `newton`?",
    ),
    (
        errors.UnknownModel("net", ["newton", "net.py"]),
        2,
        "no model `net`: it is neither a file nor a bundled name\n\nhint: did you mean `net.py`?",
    ),
    (
        errors.UnknownModel("x" * 90, []),
        2,
        f"no model `{'x' * 57}...`: it is neither a file nor a bundled name\n\n"
        "hint: `dyncli models` lists the bundled names",
    ),
    (
        errors.ScriptUnreadable("net", "it is a folder"),
        2,
        "cannot read `net`: it is a folder\n\nhint: MODEL is a Python file, `file.py:entry` or a bundled name",
    ),
    (
        errors.ScriptUnreadable("net.ipynb", "it is a notebook", "save it as a script"),
        2,
        "cannot read `net.ipynb`: it is a notebook\n\nhint: save it as a script",
    ),
    (
        errors.ScriptSyntax("net.py:3", "invalid syntax", "if x >"),
        3,
        f"SyntaxError: invalid syntax\n  at net.py:3: `if x >`\n\n{UNREAD}",
    ),
    (errors.ScriptSyntax("net.py", "no", None), 3, f"SyntaxError: no\n  at net.py\n\n{UNREAD}"),
    (
        errors.ScriptRaised(NOTED, ["at net.py:2: `y = x.log()`"]),
        3,
        f"ValueError: no\n  at net.py:2: `y = x.log()`\n  in log at net.py:2: `y = x.log()`\n\n{LOADING}",
    ),
    (errors.ScriptRaised(HINTED), 3, "ValueError: no\n  in log\n\nhint: clamp it"),
    (errors.ScriptRaised(StopIteration()), 3, f"StopIteration\n\n{LOADING}"),
    (
        errors.ScriptRaised(ModuleNotFoundError("No module named 'pandas.io'", name="pandas.io")),
        3,
        "ModuleNotFoundError: No module named 'pandas.io'\n\n"
        "hint: install `pandas` into the Python that dyncli runs in, or put `pandas.py` beside the script",
    ),
    (
        errors.ScriptRaised(ModuleNotFoundError("No module named 'dyncore.optm'", name="dyncore.optm")),
        3,
        "ModuleNotFoundError: No module named 'dyncore.optm'\n\nhint: dyncore has no `optm`",
    ),
    (
        errors.ScriptRaised(ModuleNotFoundError("No module named 'torch.optm'", name="torch.optm")),
        3,
        "ModuleNotFoundError: No module named 'torch.optm'\n\nhint: dyncore has no `optm`",
    ),
    (errors.ScriptRaised(Unprintable()), 3, f"Unprintable: (its message cannot be shown: KeyError)\n\n{LOADING}"),
    (
        errors.ScriptExited(2, ["at net.py:1: `exit(2)`"]),
        3,
        "the script called `sys.exit(2)` while it was loaded\n  at net.py:1: `exit(2)`\n\n"
        'hint: put what only a direct run should do under `if __name__ == "__main__":`',
    ),
    (
        errors.ScriptExited(None),
        3,
        "the script called `sys.exit()` while it was loaded\n\n"
        'hint: put what only a direct run should do under `if __name__ == "__main__":`',
    ),
    (errors.EntryNotFound("f", "net.py", ["loss", "net"]), 2, "`net.py` has no `f`\n\nhint: it has `loss`, `net`"),
    (
        errors.EntryNotFound("f", "net.py", []),
        2,
        "`net.py` has no `f`\n\nhint: it defines no function and no nn.Module",
    ),
    (
        errors.EntryNotCallable("width", "an int"),
        2,
        "`width` is an int, which cannot be run\n\n"
        "hint: an entry is a function or an nn.Module, as a class or an instance",
    ),
    (
        errors.EntryNeedsArguments("Net", "(width, depth, bias=True)", ["width", "depth"]),
        2,
        "`Net(width, depth, bias=True)` needs arguments to be built: `width`, `depth`\n\n"
        "hint: build it in the script, `model = Net(width=..., depth=...)`, and run `script.py:model`; "
        "or give them defaults",
    ),
    (
        errors.ArgumentsUnused("models/newton.py", "a bundled model", ["--epochs", "1"]),
        2,
        "`models/newton.py` is a bundled model, which reads no arguments (got `-- --epochs 1`)\n\n"
        "hint: an input is given with `-i`; arguments after `--` are for a script of your own",
    ),
    (
        errors.EntryAmbiguous("net.py", ["f", "g"]),
        2,
        "`net.py` has several entries: `f`, `g`\n\nhint: choose one: `net.py:f`, or name it `forward`",
    ),
    (
        errors.NoEntry("net.py"),
        2,
        "`net.py` has no public function and no nn.Module to give the inputs to\n\n"
        "hint: write a function `forward(x)`; "
        "without `--input` the script itself is run",
    ),
    (errors.EntryTwice("f", "g"), 2, "two entries: `:f` and `--entry g`\n\nhint: give one of them"),
]
