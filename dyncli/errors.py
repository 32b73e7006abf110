"""What can go wrong: one class per cause, each with its exit code, its message and the way out.

0 is fine; 1 the check failed; 2 usage or input; 3 the model script raised; 4 stopped by a limit; 130 interrupted.
Only `dyncli.app` turns an error into an exit code.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class DyncliError(Exception):
    """An error with an exit code; `detail` are the lines below the message, `hint` the way out."""

    exit_code = 2

    def __init__(self, message: str, *, hint: str | None = None, detail: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.detail = tuple(detail)

    def report(self) -> str:
        """The whole error as it is printed, without the word `error:`."""
        lines = [self.message, *(f"  {line}" for line in self.detail)]
        if self.hint:
            lines += ["", f"hint: {self.hint}"]
        return "\n".join(lines)


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The one of `words` that `word` was probably meant to be.

    >>> nearest("peicewise", ["newton", "piecewise"])
    'piecewise'
    """
    lower = {candidate.lower(): candidate for candidate in words}
    close = get_close_matches(word.lower(), lower, n=1, cutoff=0.6)
    return lower[close[0]] if close else None


def did_you_mean(word: str, words: Iterable[str], otherwise: str | None = None) -> str | None:
    """A hint that names the nearest of `words`, or `otherwise`."""
    near = nearest(word, words)
    return f"did you mean `{near}`?" if near else otherwise


def listing(words: Iterable[str]) -> str:
    """Backticked words with commas.

    >>> listing(["a", "b"])
    '`a`, `b`'
    """
    return ", ".join(f"`{word}`" for word in words)


def shown(text: str, most: int = 60) -> str:
    """A text short enough for a message.

    >>> shown("abcdefgh", 6)
    'abc...'
    """
    return text if len(text) <= most else text[: most - 3] + "..."


# The command line


class UsageError(DyncliError):
    """The command line itself is wrong."""


class OutputExists(DyncliError):
    """A file would be overwritten."""

    def __init__(self, path: str) -> None:
        super().__init__(f"`{path}` exists already", hint="write elsewhere, or add `--force`")


class OutputUnwritable(DyncliError):
    """A file that was asked for cannot be written."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"cannot write `{path}`: {why}")


# The model script


class ScriptNotFound(DyncliError):
    """No file at that path."""

    def __init__(self, path: str, candidates: Iterable[str]) -> None:
        super().__init__(
            f"no file `{shown(path)}`", hint=did_you_mean(path, candidates, "`dyncli models` lists the bundled ones")
        )


class UnknownModel(DyncliError):
    """Neither a file nor a bundled name."""

    def __init__(self, name: str, candidates: Iterable[str]) -> None:
        super().__init__(
            f"no model `{shown(name)}`: it is neither a file nor a bundled name",
            hint=did_you_mean(name, candidates, "`dyncli models` lists the bundled names"),
        )


class ScriptUnreadable(DyncliError):
    """The path is there and cannot be read as a Python file."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(
            f"cannot read `{path}`: {why}", hint="MODEL is a Python file, `file.py:entry` or a bundled name"
        )


class ScriptSyntax(DyncliError):
    """The script is not valid Python."""

    exit_code = 3

    def __init__(self, place: str, message: str, line: str | None) -> None:
        super().__init__(f"SyntaxError: {message}", detail=[f"at {place}" + (f": `{line}`" if line else "")])


class ScriptRaised(DyncliError):
    """The script raised while it was loaded; `frames` are lines that name the user's own frames."""

    exit_code = 3

    def __init__(self, error: BaseException, frames: Iterable[str] = ()) -> None:
        text = first_line(error)
        notes = getattr(error, "__notes__", [])
        super().__init__(f"{type(error).__name__}: {text}" if text else type(error).__name__, detail=[*frames, *notes])
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


def first_line(error: BaseException) -> str:
    """The error's text, or why there is none: a `__str__` that raises is the user's too."""
    try:
        return str(error)
    except Exception as inner:
        return f"(its message cannot be shown: {type(inner).__name__})"


# The entry


class EntryNotFound(DyncliError):
    """The script has nothing of that name."""

    def __init__(self, name: str, file: str, candidates: Sequence[str]) -> None:
        otherwise = f"it has {listing(candidates)}" if candidates else "it defines no function and no nn.Module"
        super().__init__(f"`{file}` has no `{name}`", hint=did_you_mean(name, candidates, otherwise))


class EntryNotCallable(DyncliError):
    """That name is no function, no nn.Module and no other callable object."""

    def __init__(self, name: str, kind: str) -> None:
        super().__init__(
            f"`{name}` is {kind}, which cannot be run",
            hint="an entry is a function or an nn.Module, as a class or an instance",
        )


class EntryNeedsArguments(DyncliError):
    """An nn.Module class whose constructor needs arguments cannot be built from here."""

    def __init__(self, signature: str) -> None:
        super().__init__(
            f"`{signature}` needs arguments to be built",
            hint="give them defaults, or build one at the top of the script: `model = ...`",
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
            hint="without `--input` the script itself is run",
        )


class EntryTwice(DyncliError):
    """The entry was named after the colon and by `--entry`, differently."""

    def __init__(self, colon: str, option: str) -> None:
        super().__init__(f"two entries: `:{colon}` and `--entry {option}`", hint="give one of them")


# The inputs


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
            hint=did_you_mean(path, candidates, "a literal starts with a digit, `[`, `{` or a quote"),
        )


class InputFileKind(InputError):
    """A file whose suffix says nothing."""

    def __init__(self, path: str, suffixes: Iterable[str]) -> None:
        super().__init__(f"cannot tell what `{path}` holds", hint=f"an input file ends in {listing(suffixes)}")


class InputBroken(InputError):
    """A file that is truncated, or not what its suffix says."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"cannot read `{path}`: {why}")


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
        super().__init__(f"{where} is too large: {what}, the limit is {limit}")


class InputShape(InputError):
    """Lists that form no tensor."""

    def __init__(self, name: str, why: str, signature: str) -> None:
        super().__init__(
            f"`{name}` is not rectangular: {why}",
            detail=[f"the entry is `{signature}`"],
            hint=f"for sequences of different lengths annotate the parameter: `{root(name)}: list[Tensor]`",
        )


class InputType(InputError):
    """A value that its parameter does not take."""

    def __init__(self, name: str, expected: str, got: str, signature: str) -> None:
        super().__init__(f"`{name}` must be {expected}, got {got}", detail=[f"the entry is `{signature}`"])


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


def root(name: str) -> str:
    """The parameter that a leaf's name starts with.

    >>> root("tree.left.value")
    'tree'
    """
    return name.partition(".")[0]


# Saved records and pictures


class RecordUnreadable(DyncliError):
    """A file is not a saved record, or is damaged."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"`{path}` is not a record dyncli can read: {why}", hint="record the run again with `--save`")


class RecordNewer(DyncliError):
    """A record of a later schema."""

    def __init__(self, path: str, schema: int, known: int) -> None:
        super().__init__(
            f"`{path}` was saved by a newer dyncli: its schema is {schema}, this one reads up to {known}",
            hint="`pip install --upgrade dyncli`, or record the run again",
        )


class LayoutMissing(DyncliError):
    """No program can draw the picture."""

    def __init__(self, format: str) -> None:
        if format == "pdf":
            hint = "install Graphviz for its `dot`, or write `.svg` and print that"
        else:
            hint = "`pip install graphviz-pure`, install Graphviz, or write `.html`, `.mermaid` or `.dot`"
        super().__init__(f"no program here can draw `{format}`", hint=hint)


class LayoutFailed(DyncliError):
    """The layout program gave up."""

    def __init__(self, program: str, why: str) -> None:
        super().__init__(
            f"`{program}` could not draw the graph: {why}", hint="write `.dot`, `.html` or `.mermaid` instead"
        )


class LayoutTooSlow(DyncliError):
    """The layout program took too long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"drawing took longer than {seconds:g} seconds", hint="draw less: `--max-nodes`, `--depth`, `--only`"
        )


# The run


class CheckFailed(DyncliError):
    """A check was made and did not hold."""

    exit_code = 1


class RunRaised(DyncliError):
    """The model script raised while it ran; its frames are in the report above."""

    exit_code = 3

    def __init__(self, message: str, hints: Sequence[str] = ()) -> None:
        super().__init__(message, hint=hints[0] if hints else "the report above shows the run up to the failing line")


class LimitReached(DyncliError):
    """A run was stopped by `--timeout` or `--max-ops`."""

    exit_code = 4


class Interrupted(DyncliError):
    """Ctrl-C."""

    exit_code = 130

    def __init__(self, message: str = "interrupted") -> None:
        super().__init__(message)


class InternalError(DyncliError):
    """A fault of ours; the traceback is shown only when it is asked for."""

    exit_code = 70

    def __init__(self, error: BaseException) -> None:
        super().__init__(
            f"dyncli failed: {type(error).__name__}: {first_line(error)}",
            hint="this is a fault of dyncli; `DYNCLI_TRACEBACK=1` shows where, please report it",
        )


# Forced arms


class ForceSyntax(DyncliError):
    """A forced arm that cannot be read."""

    def __init__(self, text: str) -> None:
        super().__init__(
            f"cannot read the forced arm `{text}`",
            hint="write `22=else`, `net.py:22=else`, `22:8=else` with a column, or `line 22 iteration 3 = else`",
        )


class ForceNowhere(DyncliError):
    """A forced arm at a line where nothing is decided; `near` are the decisions nearest to it."""

    def __init__(self, text: str, where: str, near: Iterable[str]) -> None:
        near = tuple(near)
        hint = "the nearest decisions are listed above" if near else "nothing is decided in that file, or it never ran"
        super().__init__(f"nothing is decided at {where}, which `{text}` forces", detail=near, hint=hint)


class ForceNoArm(DyncliError):
    """A forced arm that the decisions of its line do not have."""

    def __init__(self, text: str, arm: str, there: Iterable[str], arms: Iterable[str]) -> None:
        arms = tuple(arms)
        otherwise = f"the arms are {listing(arms)}"
        super().__init__(
            f"`{text}`: no decision there has an arm `{arm}`", detail=there, hint=did_you_mean(arm, arms, otherwise)
        )


class ForceSeveral(DyncliError):
    """A forced arm that several decisions of its line have; `better` names the first of them."""

    def __init__(self, text: str, there: Sequence[str], better: str) -> None:
        super().__init__(f"`{text}` fits {len(there)} decisions", detail=there, hint=f"add the column: `{better}`")


class ForceCannot(DyncliError):
    """A forced arm of a construct whose arms cannot be chosen."""

    def __init__(self, text: str, kind: str, line: int, reason: str) -> None:
        super().__init__(
            f"`{text}`: the `{kind}` at line {line} cannot be forced, {reason}",
            hint="force a test: `if`, `while`, `and`, `or`, `assert`, a guard, a conditional expression, a filter",
        )
