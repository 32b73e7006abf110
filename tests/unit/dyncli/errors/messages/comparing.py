"""The messages of `dyncli diff`: the error, its exit code, its text."""

from dyncli import errors

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
]
