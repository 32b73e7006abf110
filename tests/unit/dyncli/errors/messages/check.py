"""The messages of `dyncli gradcheck`: the error, its exit code, its text."""

from dyncli import errors

MESSAGES = [
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
        errors.NothingToCheck("net.py", [("step", []), ("loss", ["x"])]),
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
]
