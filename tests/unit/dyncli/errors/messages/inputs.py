"""The messages about inputs: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
    (errors.InputError("no", hint="try"), 2, "no\n\nhint: try"),
    (
        errors.InputSyntax("--input", "[1", "it ends too early"),
        2,
        "--input: cannot read `[1`: it ends too early\n\n"
        "hint: numbers, lists, strings in quotes and objects are written as in JSON; a file is `@name.npy`",
    ),
    (
        errors.InputFileMissing("a.json", []),
        2,
        "no input file `a.json`\n\nhint: paths begin in this folder, a literal with a digit, `[`, `{` or a quote",
    ),
    (
        errors.InputFileKind("a.txt", [".npy"]),
        2,
        "cannot tell what `a.txt` holds\n\nhint: an input file ends in `.npy`",
    ),
    (
        errors.InputBroken("a.json", "it is empty"),
        2,
        "cannot read `a.json`: it is empty\n\n"
        "hint: a `.json` file holds one JSON value, an object of named inputs, or an object of such cases",
    ),
    (
        errors.InputBroken("a.json/b.JSONL, line 2", "it ends too early"),
        2,
        "cannot read `a.json/b.JSONL, line 2`: it ends too early\n\n"
        "hint: a `.jsonl` file holds one input a line: a JSON value, or an object of named inputs",
    ),
    (
        errors.InputBroken("a.csv", "row 3: `abc` is not a number"),
        2,
        "cannot read `a.csv`: row 3: `abc` is not a number\n\nhint: a `.csv` file holds rows of numbers, "
        "all of one length, with the names of the columns in the first row or without",
    ),
    (
        errors.InputBroken("a.npz:x.npy", "it holds text, not numbers"),
        2,
        "cannot read `a.npz:x.npy`: it holds text, not numbers\n\n"
        "hint: a `.npy` file holds one array of numbers, as `numpy.save` writes it",
    ),
    (
        errors.InputBroken("a.npz", "it is truncated or no .npz file"),
        2,
        "cannot read `a.npz`: it is truncated or no .npz file\n\n"
        "hint: a `.npz` file holds arrays of numbers, as `numpy.savez` writes them",
    ),
    (
        errors.InputBroken("a.safetensors", "it is truncated or no .safetensors file"),
        2,
        "cannot read `a.safetensors`: it is truncated or no .safetensors file\n\n"
        "hint: a `.safetensors` file holds tensors, as `safetensors.numpy.save_file` writes them",
    ),
    (
        errors.InputBroken("standard input", "it is empty"),
        2,
        "cannot read `standard input`: it is empty\n\n"
        "hint: standard input holds JSON, lines of JSON, CSV, or what `numpy.save` and `numpy.savez` write",
    ),
    (
        errors.InputUnopened("a.json", "Permission denied"),
        2,
        "cannot read `a.json`: Permission denied\n\n"
        "hint: you must be allowed to read it; only `dyncli cover` takes a folder",
    ),
    (
        errors.InputRefused("a.npy", "a pickle"),
        2,
        "`a.npy` holds a pickle: refused, because unpickling runs code\n\n"
        "hint: save the numbers alone: `numpy.save(name, array, allow_pickle=False)`",
    ),
    (
        errors.InputTooLarge("a.npy", "it has 9 bytes", "8"),
        2,
        "a.npy is too large: it has 9 bytes, the limit is 8\n\n"
        "hint: let the script itself read it: what a script reads has no limit",
    ),
    (
        errors.InputShape("xs.0", "[0] has 2 items and [1] has 1", "f(xs)"),
        2,
        "`xs.0` is not rectangular: [0] has 2 items and [1] has 1\n  the entry is `f(xs)`\n\n"
        "hint: for sequences of different lengths annotate the parameter: `xs: list[Tensor]`, "
        "or `list[list[int]]` for indices; for a tree of numbers `int | list`",
    ),
    (
        errors.InputType("n", "an integer", "2.5", "f(n: int)"),
        2,
        "`n` must be an integer, got 2.5\n  the entry is `f(n: int)`\n\n"
        "hint: give `n` another value, or the parameter another annotation",
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
