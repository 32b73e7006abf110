"""Running a model over many inputs: the processes, the data, the journal, the cluster."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from dyncli.errors.base import DyncliError, did_you_mean, listing, shown


class ModelRefused(DyncliError):
    """Error of the process that loads the model, raised again here."""

    def __init__(self, message: str, hint: str | None, detail: Sequence[str], exit_code: int) -> None:
        super().__init__(message, hint=hint, detail=detail)
        self.exit_code = exit_code


class ModelLost(DyncliError):
    """The process that runs the model ended by itself before any input."""

    exit_code = 3

    def __init__(self, model: str, words: str) -> None:
        super().__init__(f"`{model}` cannot be loaded: {words}", hint="`dyncli run` shows what the script does")


class NoInputs(DyncliError):
    """No data set was named."""

    def __init__(self, model: str) -> None:
        super().__init__(
            f"no inputs to run `{model}` on",
            hint="`--inputs data.jsonl` (.jsonl, .npz, .npy, .csv, .json, a folder, or `-`) has what the script's "
            "`forward(x)` or `model` is called with; a script that is the run itself needs such a function",
        )


class DataMissing(DyncliError):
    """No file and no folder at that path."""

    def __init__(self, path: str, candidates: Iterable[str]) -> None:
        hint = did_you_mean(path, candidates, "`--inputs` takes a file, a folder, or `-` for lines of JSON")
        super().__init__(f"no data at `{shown(path)}`", hint=hint)


class DataEmpty(DyncliError):
    """A data set without a single input."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(
            f"{listing(names)} holds no inputs",
            hint="a `.jsonl` or `.csv` file has one in each line, `.npy` and `.npz` along their first axis",
        )


class DataUnfit(DyncliError):
    """Not one input could be run."""

    def __init__(self, count: int, place: str, why: str, signature: str) -> None:
        what = f"none of {count:,} inputs could be run, the first" if count > 1 else "the only input could not be run"
        super().__init__(
            f"{what}: {place}: {why}",
            detail=[f"the entry is `{signature}`"],
            hint="an input is an object of named values, or one value if the entry takes one",
        )


class DataBroken(DyncliError):
    """An input that cannot be read or does not fit, under `--strict`."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}", hint="without `--strict` such inputs are counted and left out")


class JournalUnreadable(DyncliError):
    """A file is no journal, or is damaged where no interruption damages it."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"`{path}` is not a journal dyncli can read: {why}", hint="start anew with another file")


class JournalDiffers(DyncliError):
    """A journal was made under other conditions; `detail` says which."""

    def __init__(self, path: str, what: str, detail: Iterable[str] = ()) -> None:
        super().__init__(
            f"`{path}` is the journal of another run: {what}",
            detail=detail,
            hint="name another journal, or delete this one to start anew",
        )


class JournalsOverlap(DyncliError):
    """Two journals counted the same inputs."""

    def __init__(self, path: str, source: str, why: str) -> None:
        super().__init__(
            f"`{path}` counts inputs of `{source}` that another journal counts too: {why}",
            hint="merge journals of different data, or of different parts of it",
        )


class ClusterMissing(DyncliError):
    """The extra is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "`--scheduler` needs the package `distributed`",
            hint="`pip install 'dyncli[dask]'`, here and on the workers",
        )


class ClusterUnreachable(DyncliError):
    """Nobody answers at the scheduler's address, or nobody works for it."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(
            f"no Dask cluster at `{address}`: {why}",
            hint="start one: `dask scheduler`, and on each machine `dask worker tcp://HOST:8786`",
        )


class ClusterFailed(DyncliError):
    """The cluster gave up on a part of the inputs; the report above is of the others."""

    exit_code = 3

    def __init__(self, why: str, count: int = 0, journal: str | None = None) -> None:
        self.why = why
        after = f" after {count:,} input{'' if count == 1 else 's'}" if count else ""
        super().__init__(f"the cluster could not finish{after}: {why}", hint=_go_on(journal))


class CoverageTooLow(DyncliError):
    """`--fail-under` was not met."""

    exit_code = 1

    def __init__(self, percent: float, wanted: float, missed: int) -> None:
        arms = f"{missed} arm{'' if missed == 1 else 's'}"
        shown = round(percent, 1)
        if shown >= wanted:
            shown = math.floor(percent * 10) / 10
        super().__init__(
            f"{shown:g}% of the arms are reached, {wanted:g}% are asked for: {arms} left",
            hint="add inputs that reach them; `--search` looks for such",
        )


class CoverInterrupted(DyncliError):
    """Ctrl-C while inputs were run; the report above is of those that were."""

    exit_code = 130

    def __init__(self, count: int, journal: str | None) -> None:
        super().__init__(f"interrupted after {count:,} input{'' if count == 1 else 's'}", hint=_go_on(journal))


def _go_on(journal: str | None) -> str:
    if journal is not None:
        return f"the same command goes on from `{journal}`"
    return "`--journal FILE` writes down what is done, and the same command goes on from there"
