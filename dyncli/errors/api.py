"""Errors and warnings of the Python API; what is wrong with an argument is a TypeError or a ValueError, too."""

from __future__ import annotations

from dyncli.errors.base import DyncliError


class DecisionsNotRecorded(UserWarning):
    """The source of a function is not to be had: its ops are recorded, its decisions are not."""


class RecordingOpen(DyncliError, RuntimeError):
    """A recording begins inside another one."""

    def __init__(self) -> None:
        super().__init__(
            "a recording is open already",
            hint="one runs at a time: end the `with dyncli.recording()` or `dyncli.record()` around this one first",
        )


class RecordOpen(DyncliError, ValueError):
    """A record is asked for something before its block has ended."""

    def __init__(self) -> None:
        super().__init__("the block is still being recorded", hint="use the record after its `with` block")


class NotAModel(DyncliError, TypeError):
    """The model is neither a function nor a Module."""

    def __init__(self, value: object) -> None:
        if isinstance(value, type):
            name = value.__name__
            super().__init__(f"`{name}` is a class", hint=f"pass an instance of it: `{name}(...)`")
            return
        kind = type(value).__name__
        hint = "pass the function or the Module itself, then its inputs: `dyncli.record(forward, [1, -1, 2])`"
        if isinstance(value, str):
            hint += f"; a script is run by `dyncli run {value}`"
        super().__init__(f"a model is a function or a Module, not {_article(kind)} {kind}", hint=hint)


class RunsLater(DyncliError, TypeError):
    """A call of the model runs nothing: it is a generator or a coroutine.  kind: which."""

    def __init__(self, name: str, kind: str) -> None:
        hint = f"pass a function that uses it up: `lambda x: list({name}(x))`"
        if kind != "generator":
            hint = "await it in a block that is recorded: `with dyncli.recording() as record:`"
        super().__init__(f"`{name}` is a {kind}: calling it runs nothing yet", hint=hint)


class ForeignTensor(DyncliError, TypeError):
    """A tensor or a Module is PyTorch's own.  name: of the argument."""

    def __init__(self, name: str, kind: str) -> None:
        super().__init__(
            f"`{name}` is {_article(kind)} {kind} of PyTorch, and only dyncore's are recorded",
            hint="`import dyncore as torch` in the place of `import torch`; "
            "`dyncore.from_numpy(x.numpy())` converts a tensor",
        )


class BadArguments(DyncliError, TypeError):
    """The inputs do not fit the model's parameters.  signature: as the model has it."""

    def __init__(self, why: str, signature: str) -> None:
        super().__init__(f"{why}", hint=f"the model is `{signature}`")


class NotARecord(DyncliError, TypeError):
    """Something else is given where a record is needed."""

    def __init__(self, value: object) -> None:
        kind = type(value).__name__
        super().__init__(
            f"a record is needed, not {_article(kind)} {kind}",
            hint="`dyncli.record(model, x)` makes one, `dyncli.load('run.dyn')` reads one",
        )


class PathNotRecorded(DyncliError, ValueError):
    """The path of a run is asked for, and its decisions were not recorded."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"the run of `{model}` has ops and gradients, and no decisions: its source is not to be had",
            hint="put the function into a file, or into a cell of a notebook",
        )


class BadOption(DyncliError, ValueError):
    """An argument by name has a value it cannot have."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(f"`{name}` cannot be {value!r}", hint=allowed)


class NoValues(DyncliError, ValueError):
    """The elements of a large tensor are asked for, and only statistics were kept."""

    def __init__(self, name: str, shape: tuple[int, ...]) -> None:
        super().__init__(
            f"the elements of `{name}` {list(shape)} were not kept",
            hint="`.stats` has the least, the largest, the mean and the norm of them",
        )


def _article(word: str) -> str:
    return "an" if word[:1].lower() in "aeiou" else "a"
