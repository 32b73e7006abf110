"""The messages about the command line: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
    (errors.UsageError("no such thing", hint="try"), 2, "no such thing\n\nhint: try"),
    (
        errors.UnknownDtype("flaot32", ["float16", "float32"]),
        2,
        "unknown dtype `flaot32`\n\nhint: did you mean `float32`?",
    ),
    (errors.UnknownDtype("x", ["float16", "float32"]), 2, "unknown dtype `x`\n\nhint: one of `float16`, `float32`"),
    (errors.OutputExists("a.svg"), 2, "`a.svg` exists already\n\nhint: write elsewhere, or add `--overwrite`"),
    (
        errors.OutputUnwritable("run.dyn", "No space left on device"),
        2,
        "cannot write `run.dyn`: no space left on device\n\nhint: make room there, or write elsewhere",
    ),
    (
        errors.OutputUnwritable("a.svg", "Permission denied"),
        2,
        "cannot write `a.svg`: Permission denied\n\n"
        "hint: its folder must be there, and you must be allowed to write in it",
    ),
    (
        errors.UnknownSuffix("a.sgv", (".svg", ".dot")),
        2,
        "`.sgv` names no format\n\nhint: did you mean `.svg`? It is one of `.svg`, `.dot`",
    ),
    (
        errors.UnknownSuffix("picture", (".svg",), "timeline", "; others draw"),
        2,
        "`picture` has no suffix\n\nhint: `picture.svg` is such a name; others draw",
    ),
    (
        errors.NothingToShow("decision", ("outputs", "decisions"), ["x"]),
        2,
        "nothing to show is called `decision`\n\nhint: did you mean `decisions`?",
    ),
    (
        errors.NothingToShow("fc", ("outputs", "decisions"), ["fc.weight", "fc.bias"]),
        2,
        "`fc` is not a tensor\n\nhint: the tensors of it are `fc.weight`, `fc.bias`",
    ),
]
