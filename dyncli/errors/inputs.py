"""The inputs: reading them and fitting them to the entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dyncli.errors.base import DyncliError, did_you_mean, listing, root, shown

HOLDS = {
    ".jsonl": "one input a line: a JSON value, or an object of named inputs",
    ".json": "one JSON value, an object of named inputs, or an object of such cases",
    ".csv": "rows of numbers, all of one length, with the names of the columns in the first row or without",
    ".npy": "one array of numbers, as `numpy.save` writes it",
    ".npz": "arrays of numbers, as `numpy.savez` writes them",
    ".safetensors": "tensors, as `safetensors.numpy.save_file` writes them",
    "standard input": "JSON, lines of JSON, CSV, or what `numpy.save` and `numpy.savez` write",
}


class InputError(DyncliError):
    """An input is wrong; every cause below is one of these."""


class InputSyntax(InputError):
    """A literal that is no literal."""

    def __init__(self, where: str, text: str, why: str) -> None:
        super().__init__(
            f"{where}: cannot read `{shown(text)}`: {why}",
            hint="numbers, lists, strings in quotes and objects are written as in JSON; a file is `@name.npy`",
        )


class InputFileMissing(InputError):
    """No file at that path."""

    def __init__(self, path: str, candidates: Iterable[str]) -> None:
        super().__init__(
            f"no input file `{shown(path)}`",
            hint=did_you_mean(
                path, candidates, "paths begin in this folder, a literal with a digit, `[`, `{` or a quote"
            ),
        )


class InputFileKind(InputError):
    """A file whose suffix says nothing."""

    def __init__(self, path: str, suffixes: Iterable[str]) -> None:
        super().__init__(f"cannot tell what `{path}` holds", hint=f"an input file ends in {listing(suffixes)}")


class InputBroken(InputError):
    """A file that is truncated, or not what its suffix says."""

    def __init__(self, path: str, why: str) -> None:
        kind = max(HOLDS, key=lambda kind: (path.lower().rfind(kind), len(kind)))  # `x.npz:y.npy`, `x.jsonl, line 2`
        super().__init__(f"cannot read `{path}`: {why}", hint=f"{_file(kind)} holds {HOLDS[kind]}")


def _file(kind: str) -> str:
    return f"a `{kind}` file" if kind.startswith(".") else kind


class InputUnopened(InputError):
    """A file, or a folder, that the system does not let us read."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(
            f"cannot read `{path}`: {why}",
            hint="you must be allowed to read it; only `dyncli cover` takes a folder",
        )


class InputRefused(InputError):
    """A file that could run code when it is opened."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(
            f"`{path}` holds {what}: refused, because unpickling runs code",
            hint="save the numbers alone: `numpy.save(name, array, allow_pickle=False)`",
        )


class InputTooLarge(InputError):
    """More than the tool is willing to read."""

    def __init__(self, where: str, what: str, limit: str) -> None:
        super().__init__(
            f"{where} is too large: {what}, the limit is {limit}",
            hint="let the script itself read it: what a script reads has no limit",
        )


class InputShape(InputError):
    """Lists that form no tensor."""

    def __init__(self, name: str, why: str, signature: str) -> None:
        super().__init__(
            f"`{name}` is not rectangular: {why}",
            detail=[f"the entry is `{signature}`"],
            hint=f"for sequences of different lengths annotate the parameter: `{root(name)}: list[Tensor]`, "
            "or `list[list[int]]` for indices; for a tree of numbers `int | list`",
        )


class InputType(InputError):
    """A value that its parameter does not take."""

    def __init__(self, name: str, expected: str, got: str, signature: str) -> None:
        super().__init__(
            f"`{name}` must be {expected}, got {got}",
            detail=[f"the entry is `{signature}`"],
            hint=f"give `{root(name)}` another value, or the parameter another annotation",
        )


class InputMissing(InputError):
    """Parameters that nothing was given for."""

    def __init__(self, names: Sequence[str], signature: str, script: str | None = None) -> None:
        give = " ".join(f"-i {name}=..." for name in names)
        instead = f", or run the script itself: `{script}:__main__`" if script else ""
        super().__init__(
            f"no input for {listing(names)}", detail=[f"the entry is `{signature}`"], hint=f"add `{give}`{instead}"
        )


class InputUnknown(InputError):
    """A name that is no parameter."""

    def __init__(self, name: str, signature: str, parameters: Sequence[str]) -> None:
        otherwise = f"it takes {listing(parameters)}" if parameters else "it takes no inputs"
        super().__init__(
            f"no parameter `{name}`",
            detail=[f"the entry is `{signature}`"],
            hint=did_you_mean(name, parameters, otherwise),
        )


class InputSurplus(InputError):
    """More unnamed inputs than parameters."""

    def __init__(self, given: int, taken: int, signature: str) -> None:
        super().__init__(
            f"{given} inputs for {taken} parameter{'s' * (taken != 1)}",
            detail=[f"the entry is `{signature}`"],
            hint="several runs are cases: one JSON object of named objects, or a `.jsonl` file",
        )


class InputTwice(InputError):
    """One parameter given two values."""

    def __init__(self, name: str) -> None:
        super().__init__(f"`{name}` is given twice", hint="give each parameter one value")


class UnknownCase(InputError):
    """No case of that name."""

    def __init__(self, name: str, cases: Sequence[str]) -> None:
        if cases:
            some = [*cases[:10], "..."] if len(cases) > 10 else cases
            super().__init__(f"no case `{name}`", hint=did_you_mean(name, cases, f"the cases are {listing(some)}"))
        else:
            super().__init__(
                f"no case `{name}`: the input has no named cases",
                hint='cases are a JSON object of objects: `{"first": {"x": [1.0]}}`',
            )
