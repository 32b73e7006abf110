"""Every message in `dyncli.errors`, read whole."""

import inspect

import pytest

from dyncli import errors

NOTED = ValueError("no")
NOTED.add_note("in log at net.py:2: `y = x.log()`")


class Unprintable(Exception):
    """Cannot say what is wrong."""

    def __str__(self) -> str:
        raise KeyError


MESSAGES = [
    (
        errors.NothingToCompare("this is one run"),
        2,
        "nothing to compare: this is one run\n\n"
        "hint: give a second input, case, seed, dtype or script: `dyncli diff net.py -i A -i B`",
    ),
    (
        errors.TooManyRuns(3, "input"),
        2,
        "3 inputs for two runs\n\nhint: one input is for both runs, two are for one run each",
    ),
    (
        errors.SeveralCases(["two", "large", "rough"]),
        2,
        "the input has several cases, the first are `two`, `large`, `rough`\n\n"
        "hint: choose: `--case two` `--case large`",
    ),
    (
        errors.DifferentScripts("a.py", "b.py"),
        2,
        "`a.py` and `b.py` are different scripts: next to nothing in one is in the other\n\n"
        "hint: compare two runs of one script, or of two versions of it",
    ),
    (errors.DyncliError("no", hint="try", detail=["where"]), 2, "no\n  where\n\nhint: try"),
    (errors.UsageError("no such thing"), 2, "no such thing"),
    (errors.OutputExists("a.svg"), 2, "`a.svg` exists already\n\nhint: write elsewhere, or add `--force`"),
    (
        errors.OutputExists("a.dyn", "--overwrite"),
        2,
        "`a.dyn` exists already\n\nhint: write elsewhere, or add `--overwrite`",
    ),
    (
        errors.SavedRun("a.dyn", "--force"),
        2,
        "`a.dyn` is a saved record, and `--force` needs a run\n\nhint: name the script that it was recorded from",
    ),
    (
        errors.ForceUnreached("22=else", 22, 0),
        2,
        "`22=else` forced nothing: line 22 was never reached\n\n"
        "hint: the decisions above are those that were; `--source` shows every line",
    ),
    (
        errors.ForceUnreached("22 iteration 3=else", 22, 1),
        2,
        "`22 iteration 3=else` forced nothing: line 22 was tested 1 time\n\n"
        "hint: iterations count from 0, anew for each loop",
    ),
    (
        errors.BreakSyntax("op = 1", "`=` asks nothing, `==` does"),
        2,
        "cannot read the condition `op = 1`: `=` asks nothing, `==` does\n\n"
        'hint: write `line:22`, `net.py:22`, or a condition as `op == "log" and nan(out)`',
    ),
    (
        errors.BreakName("nam(out)", "nam", ["nan", "op"]),
        2,
        "`nam` in the condition `nam(out)` means nothing\n\nhint: did you mean `nan`?",
    ),
    (
        errors.BreakName("q", "q", ["nan", "op"]),
        2,
        "`q` in the condition `q` means nothing\n\nhint: known are `nan`, `op`",
    ),
    (
        errors.BreakNowhere("line:22", "net.py", 4),
        2,
        "`--break line:22`: no statement stands on that line of net.py\n\nhint: the nearest is on line 4",
    ),
    (
        errors.BreakNowhere("line:22", "net.py", None),
        2,
        "`--break line:22`: no statement stands on that line of net.py\n\nhint: that file is empty, or never ran",
    ),
    (
        errors.WatchSyntax("h + 1"),
        2,
        "cannot watch `h + 1`: it is no name\n\nhint: write a variable, `h`, or an attribute of one, `self.h`",
    ),
    (
        errors.WatchUnbound("--watch", "hh", ["h"]),
        2,
        "`--watch hh`: nothing of that name was given a value\n\nhint: did you mean `h`?",
    ),
    (
        errors.WatchUnbound("--patch", "hh", []),
        2,
        "`--patch hh`: nothing of that name was given a value\n\n"
        "hint: it has to be a variable of the script, or of what it imports beside it",
    ),
    (
        errors.PatchSyntax("h"),
        2,
        "cannot read the patch `h`\n\nhint: write `h=0`, `h=[1, 2, 3]`, `self.h=0` or `line 22: h=0`",
    ),
    (
        errors.PatchNowhere("line 2: h=0", "h", 2, [4, 6]),
        2,
        "`line 2: h=0`: `h` is given no value on line 2\n\nhint: it is on lines 4, 6",
    ),
    (
        errors.PatchNowhere("line 2: h=0", "h", 2, []),
        2,
        "`line 2: h=0`: `h` is given no value on line 2\n\nhint: it has to be assigned, or be a parameter",
    ),
    (
        errors.PatchUnreached("h=0"),
        2,
        "`h=0` replaced nothing: the run did not come to where that name is given a value\n\n"
        "hint: `--source` shows which lines were reached",
    ),
    (
        errors.PatchUnfit("h=a", "that is no tensor, and `h` is one"),
        2,
        "`h=a`: that is no tensor, and `h` is one\n\nhint: give a number for all elements, or nested lists of numbers",
    ),
    (errors.OutputUnwritable("a.svg", "Permission denied"), 2, "cannot write `a.svg`: Permission denied"),
    (errors.ScriptNotFound("nte.py", ["net.py"]), 2, "no file `nte.py`\n\nhint: did you mean `net.py`?"),
    (errors.ScriptNotFound("x.py", []), 2, "no file `x.py`\n\nhint: `dyncli models` lists the bundled ones"),
    (
        errors.UnknownModel("netwon", ["newton"]),
        2,
        "no model `netwon`: it is neither a file nor a bundled name\n\nhint: did you mean `newton`?",
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
        errors.ScriptSyntax("net.py:3", "invalid syntax", "if x >"),
        3,
        "SyntaxError: invalid syntax\n  at net.py:3: `if x >`",
    ),
    (errors.ScriptSyntax("net.py", "no", None), 3, "SyntaxError: no\n  at net.py"),
    (
        errors.ScriptRaised(NOTED, ["at net.py:2: `y = x.log()`"]),
        3,
        "ValueError: no\n  at net.py:2: `y = x.log()`\n  in log at net.py:2: `y = x.log()`",
    ),
    (errors.ScriptRaised(StopIteration()), 3, "StopIteration"),
    (
        errors.ScriptRaised(ModuleNotFoundError("No module named 'torch'", name="torch")),
        3,
        "ModuleNotFoundError: No module named 'torch'\n\n"
        "hint: write `import dyncore as torch`: model scripts run on dyncore",
    ),
    (errors.ScriptRaised(Unprintable()), 3, "Unprintable: (its message cannot be shown: KeyError)"),
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
        errors.EntryNeedsArguments("Net(width)"),
        2,
        "`Net(width)` needs arguments to be built\n\n"
        "hint: give them defaults, or build one at the top of the script: `model = ...`",
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
        "hint: without `--input` the script itself is run",
    ),
    (errors.EntryTwice("f", "g"), 2, "two entries: `:f` and `--entry g`\n\nhint: give one of them"),
    (errors.InputError("no"), 2, "no"),
    (
        errors.InputSyntax("--input", "[1", "it ends too early"),
        2,
        "--input: cannot read `[1`: it ends too early\n\n"
        "hint: numbers, lists, strings in quotes and objects are written as in JSON; a file is `@name.npy`",
    ),
    (
        errors.InputFileMissing("a.json", []),
        2,
        "no input file `a.json`\n\nhint: a literal starts with a digit, `[`, `{` or a quote",
    ),
    (
        errors.InputFileKind("a.txt", [".npy"]),
        2,
        "cannot tell what `a.txt` holds\n\nhint: an input file ends in `.npy`",
    ),
    (errors.InputBroken("a.json", "it is empty"), 2, "cannot read `a.json`: it is empty"),
    (
        errors.InputRefused("a.npy", "a pickle"),
        2,
        "`a.npy` holds a pickle: refused, because unpickling runs code\n\n"
        "hint: save the numbers alone: `numpy.save(name, array, allow_pickle=False)`",
    ),
    (errors.InputTooLarge("a.npy", "it has 9 bytes", "8"), 2, "a.npy is too large: it has 9 bytes, the limit is 8"),
    (
        errors.InputShape("xs.0", "[0] has 2 items and [1] has 1", "f(xs)"),
        2,
        "`xs.0` is not rectangular: [0] has 2 items and [1] has 1\n  the entry is `f(xs)`\n\n"
        "hint: for sequences of different lengths annotate the parameter: `xs: list[Tensor]`",
    ),
    (
        errors.InputType("n", "an integer", "2.5", "f(n: int)"),
        2,
        "`n` must be an integer, got 2.5\n  the entry is `f(n: int)`",
    ),
    (
        errors.InputMissing(["x", "y"], "f(x, y)", "net.py"),
        2,
        "no input for `x`, `y`\n  the entry is `f(x, y)`\n\n"
        "hint: add `-i x=... -i y=...`, or run the script itself: `net.py:__main__`",
    ),
    (
        errors.InputUnknown("stpes", "f(x, steps)", ["x", "steps"]),
        2,
        "no parameter `stpes`\n  the entry is `f(x, steps)`\n\nhint: did you mean `steps`?",
    ),
    (errors.InputUnknown("x", "f()", []), 2, "no parameter `x`\n  the entry is `f()`\n\nhint: it takes no inputs"),
    (
        errors.InputSurplus(3, 2, "f(x, y)"),
        2,
        "3 inputs for 2 parameters\n  the entry is `f(x, y)`\n\n"
        "hint: several runs are cases: one JSON object of named objects, or a `.jsonl` file",
    ),
    (errors.InputTwice("x"), 2, "`x` is given twice\n\nhint: give each parameter one value"),
    (errors.UnknownCase("a", ["up"]), 2, "no case `a`\n\nhint: the cases are `up`"),
    (
        errors.UnknownCase("a", []),
        2,
        "no case `a`: the input has no named cases\n\n"
        'hint: cases are a JSON object of objects: `{"first": {"x": [1.0]}}`',
    ),
    (
        errors.RecordUnreadable("run.dyn", "it is empty"),
        2,
        "`run.dyn` is not a record dyncli can read: it is empty\n\nhint: record the run again with `--save`",
    ),
    (
        errors.RecordNewer("run.dyn", 3, 1),
        2,
        "`run.dyn` was saved by a newer dyncli: its schema is 3, this one reads up to 1\n\n"
        "hint: `pip install --upgrade dyncli`, or record the run again",
    ),
    (
        errors.LayoutMissing("pdf"),
        2,
        "no program here can draw `pdf`\n\nhint: install Graphviz for its `dot`, or write `.svg` and print that",
    ),
    (
        errors.LayoutMissing("svg"),
        2,
        "no program here can draw `svg`\n\n"
        "hint: `pip install graphviz-pure`, install Graphviz, or write `.html`, `.mermaid` or `.dot`",
    ),
    (
        errors.LayoutFailed("dot", "it is lost"),
        2,
        "`dot` could not draw the graph: it is lost\n\nhint: write `.dot`, `.html` or `.mermaid` instead",
    ),
    (
        errors.LayoutTooSlow(30),
        2,
        "drawing took longer than 30 seconds\n\nhint: draw less: `--max-nodes`, `--depth`, `--only`",
    ),
    (
        errors.ForceSyntax("22"),
        2,
        "cannot read the forced arm `22`\n\n"
        "hint: write `22=else`, `net.py:22=else`, `22:8=else` with a column, or `line 22 iteration 3 = else`",
    ),
    (
        errors.ForceNowhere("9=else", "net.py:9", ["line 4: if x > 0"]),
        2,
        "nothing is decided at net.py:9, which `9=else` forces\n  line 4: if x > 0\n\n"
        "hint: the nearest decisions are listed above",
    ),
    (
        errors.ForceNowhere("9=else", "net.py:9", []),
        2,
        "nothing is decided at net.py:9, which `9=else` forces\n\n"
        "hint: nothing is decided in that file, or it never ran",
    ),
    (
        errors.ForceNoArm("4=esle", "esle", ["line 4: if x > 0"], ["then", "else"]),
        2,
        "`4=esle`: no decision there has an arm `esle`\n  line 4: if x > 0\n\nhint: did you mean `else`?",
    ),
    (
        errors.ForceSeveral("4=else", ["4:3", "4:20"], "4:3=else"),
        2,
        "`4=else` fits 2 decisions\n  4:3\n  4:20\n\nhint: add the column: `4:3=else`",
    ),
    (
        errors.ForceCannot("4=one", "match", 4, "its cases bind names"),
        2,
        "`4=one`: the `match` at line 4 cannot be forced, its cases bind names\n\n"
        "hint: force a test: `if`, `while`, `and`, `or`, `assert`, a guard, a conditional expression, a filter",
    ),
    (
        errors.NothingToCheck("net.py"),
        2,
        "`net.py` runs by itself and names no function to check\n\n"
        "hint: put what it computes into a function `forward(x)` that returns the result instead of calling "
        "`backward()`, and give its input: `-i '[1, -1, 2]'`",
    ),
    (
        errors.NothingToCheck("net.py", [("loss", ["x", "w"])]),
        2,
        "`net.py` runs by itself and names no function to check\n\n"
        "hint: it defines `loss(x, w)`: `dyncli gradcheck net.py:loss -i x=... -i w=...`",
    ),
    (
        errors.NothingToCheck("net.py", [("loss", ["x"]), ("step", [])]),
        2,
        "`net.py` runs by itself and names no function to check\n\n"
        "hint: put one of its functions after a colon, and give its inputs: `net.py:loss`, `:step`",
    ),
    (
        errors.UnknownSource("weigth", ["x", "weight"]),
        2,
        "`--wrt weigth` is no input and no parameter that requires grad\n\nhint: did you mean `weight`?",
    ),
    (
        errors.BadCotangent("output", (2,), (3,)),
        2,
        "`--cotangent` has shape [3], `output` has shape [2]\n\n"
        "hint: a cotangent has the shape of its output; name one of several: `--cotangent output.1='[1, 0]'`",
    ),
    (
        errors.UnknownCotangent("foo=2", ["output.0", "output.1"]),
        2,
        "there is no output for `--cotangent foo=2`\n\n"
        "hint: the model returns `output.0`, `output.1`; name one: `--cotangent output.1=1`",
    ),
    (
        errors.ComplexCotangent("output"),
        2,
        "`--cotangent` is complex, `output` is real\n\n"
        "hint: the cotangent of a real output is real: `--cotangent '[1, 0]'`",
    ),
    (
        errors.BadTolerance("--eps", -1.0),
        2,
        "`--eps -1` is not a positive number\n\nhint: without `--eps` it is estimated",
    ),
    (errors.CheckFailed("2 of 3 are wrong"), 1, "2 of 3 are wrong"),
    (
        errors.RunRaised("ValueError: no"),
        3,
        "ValueError: no\n\nhint: the report above shows the run up to the failing line",
    ),
    (errors.LimitReached("stopped after 3 s", hint="go on"), 4, "stopped after 3 s\n\nhint: go on"),
    (errors.Interrupted(), 130, "interrupted"),
    (
        errors.CoverInterrupted(1200, None),
        130,
        "interrupted after 1,200 inputs\n\n"
        "hint: `--journal FILE` writes down what is done, and the same command goes on from there",
    ),
    (
        errors.CoverInterrupted(1, "a.journal"),
        130,
        "interrupted after 1 input\n\nhint: the same command goes on from `a.journal`",
    ),
    (errors.CoverageTooLow(89.96, 90.0, 1), 1, "89.9% of the arms are reached, 90% are asked for: 1 arm left"),
    (errors.CoverageTooLow(50.0, 99.5, 3), 1, "50% of the arms are reached, 99.5% are asked for: 3 arms left"),
    (errors.ModelRefused("no", "try", ["where"], 3), 3, "no\n  where\n\nhint: try"),
    (
        errors.ModelLost("net.py", "the process was killed by SIGSEGV"),
        3,
        "`net.py` cannot be loaded: the process was killed by SIGSEGV\n\nhint: `dyncli run` shows what the script does",
    ),
    (
        errors.NoInputs("net.py"),
        2,
        "no inputs to run `net.py` on\n\n"
        "hint: `--inputs data.jsonl`: a .jsonl, .npz, .npy, .csv or .json file, a folder, or `-`",
    ),
    (
        errors.DataMissing("dta.jsonl", ["data.jsonl"]),
        2,
        "no data at `dta.jsonl`\n\nhint: did you mean `data.jsonl`?",
    ),
    (
        errors.DataMissing("x/", []),
        2,
        "no data at `x/`\n\nhint: `--inputs` takes a file, a folder, or `-` for lines of JSON",
    ),
    (errors.DataEmpty(["a.jsonl"]), 2, "`a.jsonl` holds no inputs"),
    (
        errors.DataUnfit(2, "a.jsonl:1", "no parameter `y`", "forward(x)"),
        2,
        "none of 2 inputs could be run, the first: a.jsonl:1: no parameter `y`\n  the entry is `forward(x)`",
    ),
    (
        errors.DataUnfit(1, "a.jsonl:1", "no parameter `y`", "forward(x)"),
        2,
        "the only input could not be run: a.jsonl:1: no parameter `y`\n  the entry is `forward(x)`",
    ),
    (
        errors.DataBroken("a.jsonl:3", "it ends too early"),
        2,
        "a.jsonl:3: it ends too early\n\nhint: without `--strict` such inputs are counted and left out",
    ),
    (
        errors.JournalUnreadable("a.journal", "line 3 is damaged"),
        2,
        "`a.journal` is not a journal dyncli can read: line 3 is damaged\n\nhint: start anew with another file",
    ),
    (
        errors.JournalDiffers("a.journal", "`net.py` was another version", ["-x", "+y"]),
        2,
        "`a.journal` is the journal of another run: `net.py` was another version\n  -x\n  +y\n\n"
        "hint: name another journal, or delete this one to start anew",
    ),
    (
        errors.JournalsOverlap("b.journal", "a.jsonl", "3 to 9"),
        2,
        "`b.journal` counts inputs of `a.jsonl` that another journal counts too: 3 to 9\n\n"
        "hint: merge journals of different data, or of different parts of it",
    ),
    (
        errors.ClusterMissing(),
        2,
        "`--scheduler` needs the package `distributed`\n\nhint: `pip install 'dyncli[dask]'`, here and on the workers",
    ),
    (
        errors.ClusterUnreachable("tcp://h:1", "nobody answers"),
        2,
        "no Dask cluster at `tcp://h:1`: nobody answers\n\n"
        "hint: start one: `dask scheduler`, and on each machine `dask worker tcp://HOST:8786`",
    ),
    (
        errors.ClusterFailed("the scheduler is gone"),
        3,
        "the cluster could not finish: the scheduler is gone\n\n"
        "hint: `--journal FILE` writes down what is done, and the same command goes on from there",
    ),
    (
        errors.ClusterFailed("no worker is left", 1234, "run.journal"),
        3,
        "the cluster could not finish after 1,234 inputs: no worker is left\n\n"
        "hint: the same command goes on from `run.journal`",
    ),
    (
        errors.InternalError(ZeroDivisionError("division by zero")),
        70,
        "dyncli failed: ZeroDivisionError: division by zero\n\n"
        "hint: this is a fault of dyncli; `DYNCLI_TRACEBACK=1` shows where, please report it",
    ),
]


@pytest.mark.parametrize(("error", "code", "message"), MESSAGES, ids=lambda value: type(value).__name__)
def test_message(error, code, message):
    """What happened, where, and the way out."""
    assert (code, message) == (error.exit_code, error.report())


def test_every_error_is_read():
    """A new class has a line above."""
    defined = {each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, errors.DyncliError)}
    assert set() == {each.__name__ for each in defined - {type(error) for error, _, _ in MESSAGES}}


def test_nearest():
    """Letters swapped, dropped or in another case; nothing when it is too far."""
    assert "piecewise" == errors.nearest("PieceWsie", ["newton", "piecewise"])
    assert None is errors.nearest("x", ["newton", "piecewise"])
