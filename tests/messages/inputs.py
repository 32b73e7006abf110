"""The messages about inputs: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
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
]
