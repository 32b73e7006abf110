"""The messages of `--watch`, `--break` and `--patch`: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
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
]
