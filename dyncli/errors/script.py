"""The model script: finding it, loading it, and choosing what in it is run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dyncli.errors.base import DyncliError, did_you_mean, first_line, listing, nearest, notes, parted, shown


class ScriptNotFound(DyncliError):
    """No file at that path; candidates are files and bundled names."""

    def __init__(self, path: str, candidates: Iterable[str]) -> None:
        hint = _meant(path, candidates) or "`dyncli models` lists the bundled ones"
        super().__init__(f"no file `{shown(path)}`", hint=hint)


class UnknownModel(DyncliError):
    """Neither a file nor a bundled name."""

    def __init__(self, name: str, candidates: Iterable[str]) -> None:
        super().__init__(
            f"no model `{shown(name)}`: it is neither a file nor a bundled name",
            hint=_meant(name, candidates) or "`dyncli models` lists the bundled names",
        )


def _meant(model: str, candidates: Iterable[str]) -> str | None:
    """Return a hint that names the nearest file or bundled model, without `.py`."""
    names = {candidate.removesuffix(".py"): candidate for candidate in candidates}
    near = nearest(model.removesuffix(".py"), names)
    return f"did you mean `{names[near]}`?" if near else None


class ScriptUnreadable(DyncliError):
    """The path is there and cannot be read as a Python file."""

    def __init__(self, path: str, why: str, hint: str | None = None) -> None:
        otherwise = "MODEL is a Python file, `file.py:entry` or a bundled name"
        super().__init__(f"cannot read `{path}`: {why}", hint=hint or otherwise)


class ScriptSyntax(DyncliError):
    """The script is not valid Python."""

    exit_code = 3

    def __init__(self, place: str, message: str, line: str | None) -> None:
        super().__init__(
            f"SyntaxError: {message}",
            detail=[f"at {place}" + (f": `{line}`" if line else "")],
            hint="nothing of the script has run: Python cannot read it",
        )


class ScriptRaised(DyncliError):
    """The script raised while it was loaded; `frames` are lines that name the user's own frames."""

    exit_code = 3

    def __init__(self, error: BaseException, frames: Iterable[str] = ()) -> None:
        text = first_line(error)
        message = f"{type(error).__name__}: {text}" if text else type(error).__name__
        hints, others = parted(notes(error))
        hint = hints[0] if hints else "the script raised while it was loaded, before anything in it was called"
        super().__init__(message, detail=[*frames, *others], hint=hint)
        self.error = error


class ScriptExited(DyncliError):
    """The script left with `sys.exit` while it was loaded."""

    exit_code = 3

    def __init__(self, code: object, frames: Iterable[str] = ()) -> None:
        super().__init__(
            f"the script called `sys.exit({'' if code is None else repr(code)})` while it was loaded",
            hint='put what only a direct run should do under `if __name__ == "__main__":`',
            detail=frames,
        )


class EntryNotFound(DyncliError):
    """The script has nothing of that name."""

    def __init__(self, name: str, file: str, candidates: Sequence[str]) -> None:
        otherwise = f"it has {listing(candidates)}" if candidates else "it defines no function and no nn.Module"
        super().__init__(f"`{file}` has no `{name}`", hint=did_you_mean(name, candidates, otherwise))


class EntryNotCallable(DyncliError):
    """The entry is no function, no nn.Module and no other callable object."""

    def __init__(self, name: str, kind: str) -> None:
        super().__init__(
            f"`{name}` is {kind}, which cannot be run",
            hint="an entry is a function or an nn.Module, as a class or an instance",
        )


class EntryNeedsArguments(DyncliError):
    """An nn.Module class whose constructor needs arguments cannot be built from here.

    signature: of the constructor, in parentheses.  required: the parameters without a default.
    """

    def __init__(self, name: str, signature: str, required: Sequence[str]) -> None:
        given = ", ".join(f"{each}=..." for each in required)
        super().__init__(
            f"`{name}{signature}` needs arguments to be built: {listing(required)}",
            hint=f"build it in the script, `model = {name}({given})`, and run `script.py:model`; or give them defaults",
        )


class EntryAmbiguous(DyncliError):
    """Several callables could be the entry."""

    def __init__(self, file: str, candidates: Sequence[str]) -> None:
        super().__init__(
            f"`{file}` has several entries: {listing(candidates)}",
            hint=f"choose one: `{file}:{candidates[0]}`, or name it `forward`",
        )


class NoEntry(DyncliError):
    """Inputs were given and nothing is there to take them."""

    def __init__(self, file: str) -> None:
        super().__init__(
            f"`{file}` has no public function and no nn.Module to give the inputs to",
            hint="write a function `forward(x)`; without `--input` the script itself is run",
        )


class ArgumentsUnused(DyncliError):
    """Arguments after `--` for what reads none; `kind` says what it is."""

    def __init__(self, model: str, kind: str, arguments: Sequence[str]) -> None:
        super().__init__(
            f"`{shown(model)}` is {kind}, which reads no arguments (got `-- {shown(' '.join(arguments))}`)",
            hint="an input is given with `-i`; arguments after `--` are for a script of your own",
        )


class EntryTwice(DyncliError):
    """The entry was named after the colon and by `--entry`, differently."""

    def __init__(self, colon: str, option: str) -> None:
        super().__init__(f"two entries: `:{colon}` and `--entry {option}`", hint="give one of them")
