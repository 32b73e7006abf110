"""Errors of gradient checks."""

from __future__ import annotations

from collections.abc import Sequence

from dyncli.errors.base import DyncliError, did_you_mean, listing, shown


class NothingToCheck(DyncliError):
    """The script itself would be the run: there is no function whose derivative could be checked.

    functions: those it defines, with the names of their parameters.
    """

    def __init__(self, file: str, functions: Sequence[tuple[str, Sequence[str]]] = ()) -> None:
        if len(functions) == 1:
            ((name, parameters),) = functions
            given = "".join(f" -i {parameter}=..." for parameter in parameters)
            hint = f"it defines `{name}({', '.join(parameters)})`: `dyncli gradcheck {file}:{name}{given}`"
        elif functions:
            names = [name for name, _ in sorted(functions, key=lambda each: not each[1])]  # those that take something
            hint = f"put one of its functions after a colon, and give its inputs: `{file}:{names[0]}`"
            hint += "".join(f", `:{name}`" for name in names[1:5])
        else:
            hint = (
                "put what it computes into a function `forward(x)` that returns the result instead of calling "
                "`backward()`, and give its input: `-i '[1, -1, 2]'`"
            )
        super().__init__(f"`{file}` runs by itself and names no function to check", hint=hint)


class UnknownSource(DyncliError, ValueError):
    """`--wrt` names no input and no parameter."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(
            f"`--wrt {name}` is no input and no parameter that requires grad",
            hint=did_you_mean(name, known, f"those that do: {listing(known)}" if known else "there is none at all"),
        )


class BadCotangent(DyncliError):
    """`--cotangent` does not fit its output."""

    def __init__(self, output: str, shape: tuple[int, ...], given: tuple[int, ...] | None) -> None:
        what = "holds no numbers" if given is None else f"has shape {list(given)}"
        super().__init__(
            f"`--cotangent` {what}, `{output}` has shape {list(shape)}",
            hint="a cotangent has the shape of its output; name one of several: `--cotangent output.1='[1, 0]'`",
        )


class UnknownCotangent(DyncliError):
    """A `--cotangent` for which there is no output, or none left."""

    def __init__(self, text: str, outputs: Sequence[str]) -> None:
        super().__init__(
            f"there is no output for `--cotangent {shown(text)}`",
            hint=f"the model returns {listing(outputs)}; name one: `--cotangent {outputs[-1]}=1`",
        )


class ComplexCotangent(DyncliError):
    """`--cotangent` is complex, and its output is not."""

    def __init__(self, output: str) -> None:
        super().__init__(
            f"`--cotangent` is complex, `{output}` is real",
            hint="the cotangent of a real output is real: `--cotangent '[1, 0]'`",
        )


class BadTolerance(DyncliError):
    """`--rtol`, `--atol` or `--eps` is no length."""

    def __init__(self, option: str, value: float) -> None:
        super().__init__(f"`{option} {value:g}` is not a positive number", hint=f"without `{option}` it is estimated")
