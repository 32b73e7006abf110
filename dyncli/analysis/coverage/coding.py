"""Tallies and subjects as JSON and back, checked: a journal may come from anybody."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, TypeVar

from dyncli.analysis.coverage.tally import (
    OUTCOMES,
    Example,
    Function,
    Group,
    Histogram,
    Near,
    Norms,
    Path,
    Reach,
    Settings,
    Subject,
    Tally,
)
from dyncli.records.codec import Malformed, number_out
from dyncli.records.model import Site, Source
from dyncli.records.rows import SITE_ROW, codecs, layout

T = TypeVar("T")
_ROWS = codecs(lambda site: 0, lambda number: number, layout())
_FLOATS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
LONGEST_SUM = 1200  # hexadecimal digits of an exact sum


def tally_out(tally: Tally) -> dict[str, Any]:
    """Return a tally as JSON values."""
    return {
        "ranges": {source: [list(each) for each in ranges] for source, ranges in tally.ranges.items()},
        "outcomes": {word: _group_out(group) for word, group in tally.outcomes.items()},
        "arms": [[*arm, reach.times, reach.inputs, _examples_out(reach.examples)] for arm, reach in tally.arms.items()],
        "conditions": [[*condition, times] for condition, times in tally.conditions.items()],
        "trips": {key: _histogram_out(histogram) for key, histogram in tally.trips.items()},
        "depths": {key: _histogram_out(histogram) for key, histogram in tally.depths.items()},
        "calls": tally.calls,
        "nearest": {key: [_near_out(near) for near in nears] for key, nears in tally.nearest.items()},
        "paths": {signature: _path_out(path) for signature, path in tally.paths.items()},
        "reasons": {reason: _group_out(group) for reason, group in tally.reasons.items()},
        "bounded": tally.is_bounded,
    }


def tally_in(value: Any) -> Tally:
    """Return the tally that `tally_out` wrote.  Raises Malformed."""
    with_keys = _object(value)
    return Tally(
        ranges=_table(with_keys.get("ranges"), _ranges_in),
        outcomes={word: _group_in(_outcome(word, group)) for word, group in _object(with_keys.get("outcomes")).items()},
        arms=dict(map(_arm_in, _list(with_keys.get("arms")))),
        conditions=dict(map(_condition_in, _list(conditions_of(with_keys)))),
        trips=_table(with_keys.get("trips"), _histogram_in),
        depths=_table(with_keys.get("depths"), _histogram_in),
        calls=_table(with_keys.get("calls"), _whole),
        nearest=_table(with_keys.get("nearest"), lambda nears: tuple(sorted(map(_near_in, _list(nears))))),
        paths=_table(with_keys.get("paths"), _path_in),
        reasons=_table(with_keys.get("reasons"), _group_in),
        is_bounded=bool(with_keys.get("bounded")),
    )


def subject_out(subject: Subject) -> dict[str, Any]:
    """Return a subject as JSON values."""
    row = _ROWS[SITE_ROW].encode
    assert row is not None
    return {
        "model": subject.model,
        "entry": subject.entry,
        "signature": subject.signature,
        "sources": [[source.file, source.digest, source.text] for source in subject.sources],
        "sites": [row(site) for site in subject.sites],
        "functions": [list(dataclasses.astuple(function)) for function in subject.functions],
        "conditions": {site: list(texts) for site, texts in subject.conditions.items()},
        "loading": [list(arm) for arm in subject.loading],
        "called": list(subject.called),
        "settings": {
            **dataclasses.asdict(subject.settings),
            "given": list(subject.settings.given),
            "arguments": list(subject.settings.arguments),
        },
        "versions": subject.versions,
    }


def subject_in(value: Any) -> Subject:
    """Return the subject that `subject_out` wrote.  Raises Malformed."""
    table = _object(value)
    settings = _object(table.get("settings"))
    return Subject(
        model=_text(table.get("model")),
        entry=_text(table.get("entry")),
        signature=_text(table.get("signature")),
        sources=tuple(Source(*map(_text, _of(each, 3))) for each in _list(table.get("sources"))),
        sites=tuple(map(_site_in, _list(table.get("sites")))),
        functions=tuple(map(_function_in, _list(table.get("functions")))),
        conditions=_table(conditions_of(table), lambda texts: tuple(map(_text, _list(texts)))),
        loading=tuple((_text(site), _whole(arm)) for site, arm in (_of(each, 2) for each in _list(table["loading"]))),
        called=tuple(map(_text, _list(table.get("called")))),
        settings=Settings(
            dtype=_text(settings.get("dtype")),
            seed=_whole(settings.get("seed")),
            no_grad=settings.get("no_grad") is True,
            timeout=_maybe(settings.get("timeout"), float_in),
            max_ops=_maybe(settings.get("max_ops"), _whole),
            given=tuple(map(_text, _list(settings.get("given")))),
            arguments=tuple(map(_text, _list(settings.get("arguments", [])))),
            batch=_whole(settings.get("batch", 0)),
        ),
        versions=_table(table.get("versions"), _text),
    )


def conditions_of(table: dict[str, Any]) -> Any:
    """Return the conditions of a tally, subject or path; schema 1 called them atoms."""
    return table.get("conditions", table.get("atoms"))


def _group_out(group: Group) -> list[Any]:
    return [group.count, _examples_out(group.examples)]


def _examples_out(examples: tuple[Example, ...]) -> list[list[Any]]:
    return [list(example) for example in examples]


def _near_out(near: Near) -> list[Any]:
    return [near.distance, list(near.example), near.margin, near.arm]


def _path_out(path: Path) -> list[Any]:
    norms = [norms_out(path.inputs), norms_out(path.parameters)]
    return [path.count, path.text, path.steps, path.raised, _examples_out(path.examples), *norms]


def norms_out(norms: Norms) -> list[Any]:
    """Return norms as JSON values; a sum is a hexadecimal number without the zeros at its end, and their number."""
    digits = f"{norms.total:x}"
    short = digits.rstrip("0") or "0"
    ends = [None if each is None else number_out(each) for each in (norms.least, norms.most)]
    counts = [norms.runs, norms.finite, norms.zeros, norms.broken, norms.absent]
    return [*counts, *ends, short, len(digits) - len(short)]


def _histogram_out(histogram: Histogram) -> list[list[int]]:
    return [list(each) for each in histogram.counts.items()]


def _arm_in(row: Any) -> tuple[tuple[str, int], Reach]:
    site, arm, times, inputs, examples = _of(row, 5)
    return (_text(site), _whole(arm)), Reach(_whole(times), _whole(inputs), _examples_in(examples))


def _condition_in(row: Any) -> tuple[tuple[str, int, bool], int]:
    site, index, outcome, times = _of(row, 4)
    return (_text(site), _whole(index), bool(outcome)), _whole(times)


def _group_in(row: Any) -> Group:
    count, examples = _of(row, 2)
    return Group(_whole(count), _examples_in(examples))


def _examples_in(rows: Any) -> tuple[Example, ...]:
    return tuple(sorted(map(_example_in, _list(rows))))


def _example_in(row: Any) -> Example:
    source, position, place, shown, note = _of(row, 5)
    return Example(_text(source), _whole(position), _text(place), _text(shown), _text(note))


def _near_in(row: Any) -> Near:
    distance, example, margin, arm = _of(row, 4)
    return Near(float_in(distance), _example_in(example), float_in(margin), _text(arm))


def _path_in(row: Any) -> Path:
    count, text, steps, raised, examples, inputs, parameters = _of(row, 7)
    kept = _examples_in(examples)
    norms = _norms_in(inputs), _norms_in(parameters)
    return Path(_whole(count), _text(text), _whole(steps), _whole(raised), kept, *norms)


def _norms_in(row: Any) -> Norms:
    *counts, least, most, digits, zeros = _of(row, 9)
    if len(_text(digits)) > LONGEST_SUM or not 0 <= _whole(zeros) <= LONGEST_SUM:
        raise Malformed("a sum is too large")
    try:
        total = int(digits, 16) << (4 * zeros)
    except ValueError:
        raise Malformed(f"expected a hexadecimal number, got {digits[:40]!r}") from None
    runs, finite, zeros_, broken, absent = map(_whole, counts)
    ends = _maybe(least, float_in), _maybe(most, float_in)
    return Norms(runs, finite, zeros_, broken, absent, *ends, total)


def _histogram_in(rows: Any) -> Histogram:
    return Histogram({_whole(first): _whole(times) for first, times in (_of(row, 2) for row in _list(rows))})


def _ranges_in(rows: Any) -> tuple[tuple[int, int], ...]:
    return tuple((_whole(first), _whole(last)) for first, last in (_of(row, 2) for row in _list(rows)))


def _site_in(row: Any) -> Site:
    site = _ROWS[SITE_ROW].decode(row)
    assert isinstance(site, Site)
    return site


def _function_in(row: Any) -> Function:
    key, name, file, line, end_line, is_named = _of(row, 6)
    return Function(_text(key), _text(name), _text(file), _whole(line), _whole(end_line), bool(is_named))


def _outcome(word: str, group: Any) -> Any:
    if word not in OUTCOMES:
        raise Malformed(f"`{word[:40]}` is no outcome")
    return group


def _object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise Malformed(f"expected an object, got {type(value).__name__}")
    return value


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise Malformed(f"expected a list, got {type(value).__name__}")
    return value


def _of(value: Any, length: int) -> list[Any]:
    if len(_list(value)) != length:
        raise Malformed(f"expected a list of {length}, got {len(value)}")
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise Malformed(f"expected a string, got {type(value).__name__}")
    return value


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise Malformed(f"expected an integer, got {type(value).__name__}")
    return value


def float_in(value: Any) -> float:
    """Return a number that JSON held.  Raises Malformed."""
    if type(value) in (int, float):
        try:
            return float(value)
        except OverflowError:
            raise Malformed("a number is too large") from None
    if type(value) is str and value in _FLOATS:
        return _FLOATS[value]
    raise Malformed(f"expected a number, got {type(value).__name__}")


def _maybe(value: Any, read: Callable[[Any], T]) -> T | None:
    return None if value is None else read(value)


def _table(value: Any, read: Callable[[Any], T]) -> dict[str, T]:
    return {key: read(each) for key, each in _object(value).items()}
