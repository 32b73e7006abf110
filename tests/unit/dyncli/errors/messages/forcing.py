"""The messages of `--force`: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
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
        "hint: force a test (`if`, `while`, `and`, `or`, `assert`, a guard, a conditional expression, a filter), "
        "the `exit` of a loop, or a `case` that binds no names",
    ),
]
