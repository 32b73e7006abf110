"""The messages of a run: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
    (errors.CheckFailed("2 of 3 are wrong", hint=None), 1, "2 of 3 are wrong"),
    (
        errors.RunRaised("ValueError", "no\nnever", "net.py:3"),
        3,
        "ValueError: no (at net.py:3)\n\nhint: the report above shows the run up to the failing line",
    ),
    (errors.RunRaised("StopIteration", "", hint="go on"), 3, "StopIteration\n\nhint: go on"),
    (errors.LimitReached("stopped after 3 s", hint="go on"), 4, "stopped after 3 s\n\nhint: go on"),
    (errors.Interrupted(), 130, "interrupted"),
    (errors.Interrupted("interrupted after 3 ops", "go on"), 130, "interrupted after 3 ops\n\nhint: go on"),
    (
        errors.InternalError(ZeroDivisionError("division by zero")),
        70,
        "dyncli failed: ZeroDivisionError: division by zero\n\n"
        "hint: this is a fault of dyncli; `DYNCLI_TRACEBACK=1` shows where, please report it",
    ),
]
