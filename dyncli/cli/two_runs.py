"""The two runs that `dyncli diff` compares, from the options that were given once or twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from dyncli import errors
from dyncli.script.paths import is_file, is_record

if TYPE_CHECKING:
    from dyncli.recorder.request import Request
    from dyncli.records.model import Record

NAMED = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)")
Text = TypeVar("Text", str, int)
Inputs = tuple[str, ...]


class Given(NamedTuple):
    """The options of both runs, each given once or twice.  inputs: as on the command line."""

    models: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()
    dtypes: tuple[str, ...] = ()
    options: tuple[str, ...] = ()  # names of others that need a run


def two_records(given: Given, request: Request) -> tuple[Record, Record]:
    """Return the records of both runs; `request` holds what is the same for both."""
    saved = [model for model in given.models if is_record(model)]
    if saved and request.arguments:
        raise errors.ArgumentsUnused(saved[0], "a saved record", request.arguments)
    if saved and len(saved) == len(given.models):
        return _saved(given, saved)
    seeds = _two(given.seeds, "seed", request.seed)
    dtypes = _two(given.dtypes, "dtype", request.dtype)
    cases = _two(given.cases, "case", None)
    models = (given.models[0], given.models[-1])
    requests = [
        request._replace(model=model, case=case, seed=seed, dtype=dtype)
        for model, case, seed, dtype in zip(models, cases, seeds, dtypes)
    ]
    apart = 2 in (len(given.models), len(given.cases), len(given.seeds), len(given.dtypes))
    ways = halves(given.inputs, apart)
    for number, (first, second) in enumerate(ways):
        both = requests[0]._replace(inputs=first), requests[1]._replace(inputs=second)
        is_one = not apart and first is second
        if not is_one and any(text.rpartition("=")[2].strip() in ("-", "@-") for text in first):
            raise errors.UsageError("two runs cannot both read standard input", hint="save it as a file")
        try:
            return _cases(both[0]) if is_one else (_one(both[0]), _one(both[1]))
        except (errors.InputSurplus, errors.InputTwice):
            if number == len(ways) - 1:
                raise
        except errors.InputMissing as error:
            if apart or is_one:
                raise
            raise errors.NothingToCompare(f"the inputs are one run's ({error.message} of the second)") from None
    raise AssertionError("there is always one way")


def _saved(given: Given, paths: list[str]) -> tuple[Record, Record]:
    from dyncli.records.json import load

    many = {"--input": given.inputs, "--case": given.cases, "--seed": given.seeds, "--dtype": given.dtypes}
    for option in (*(name for name, values in many.items() if values), *given.options):
        raise errors.SavedRun(paths[0], option)
    if len(paths) == 1:
        raise errors.NothingToCompare(f"`{paths[0]}` is one saved record")
    return load(paths[0]), load(paths[1])


def _two(values: Sequence[Text], what: str, otherwise: Text | None) -> tuple[Text, Text]:
    if len(values) > 2:
        raise errors.TooManyRuns(len(values), what)
    chosen = values or (otherwise,)
    return chosen[0], chosen[-1]  # type: ignore[return-value]


def halves(inputs: Sequence[str], apart: bool = False) -> list[tuple[Inputs, Inputs]]:
    """Return how the inputs may be meant: for both runs, or the first half for one and the second for the other.

    A name that is given twice has a value for each run.
    """
    named: dict[str, list[str]] = {}
    unnamed: list[str] = []
    for text in inputs:
        match = NAMED.match(text)
        if match and not is_file(text):
            named.setdefault(match[1], []).append(text)
        else:
            unnamed.append(text)
    for name, texts in named.items():
        if len(texts) > 2:
            raise errors.TooManyRuns(len(texts), f"`{name}` input")
    twice = any(len(texts) == 2 for texts in named.values())
    first, second = (tuple(texts[place] for texts in named.values()) for place in (0, -1))
    whole = (*unnamed, *first)
    shared = [(whole, (*unnamed, *second) if twice else whole)]
    half = len(unnamed) // 2
    split = [((*unnamed[:half], *first), (*unnamed[half:], *second))] if half and len(unnamed) % 2 == 0 else []
    if apart or twice:
        return shared + split
    if len(unnamed) > 1 and not split:
        raise errors.TooManyRuns(len(unnamed), "input")
    return split or shared


def _one(request: Request) -> Record:
    """Record a request that must be one run.  Raises SeveralCases."""
    found = _recorded(request, 2)
    if len(found) > 1:
        raise errors.SeveralCases([record.case or "" for record in found])
    return found[0]


def _cases(request: Request) -> tuple[Record, Record]:
    """Record a request whose input has two cases.  Raises SeveralCases, NothingToCompare."""
    found = _recorded(request, 3)
    if len(found) > 2:
        raise errors.SeveralCases([record.case or "" for record in found])
    if len(found) < 2:
        raise errors.NothingToCompare("this is one run")
    return found[0], found[1]


def _recorded(request: Request, most: int) -> list[Record]:
    if is_record(request.model):
        from dyncli.records.json import load

        return [load(request.model)]
    from dyncli.recorder.recorder import record_model

    found = []
    for record in islice(record_model(request), most):
        if record.status == "interrupted":
            raise errors.Interrupted
        found.append(record)
    return found
