"""Merging tallies: any division of the inputs and any order give the same whole."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from dyncli.analysis.coverage import Example, Settings, Subject, Tally, merged, report
from dyncli.analysis.coverage.coding import subject_in, subject_out, tally_in, tally_out
from dyncli.analysis.coverage.tally import (
    MOST_PATHS,
    Group,
    Histogram,
    Near,
    Norms,
    Path,
    Reach,
    bucket,
    bucket_text,
    joined,
)
from dyncli.coverage.search.json_leaves import replaced
from dyncli.records.codec import Malformed
from dyncli.render.export import coverage_json

NORMS = st.one_of(st.none(), st.floats(0, 1e300), st.sampled_from([0.0, 5e-324, float("inf"), float("nan"), 0.1]))
RUNS = st.tuples(
    st.sampled_from(["ok", "raised", "timeout", "misfit"]),
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(-1, 2)), max_size=4),
    st.sampled_from(["00", "0f", "a0", "ff"]),
    NORMS,
    st.floats(0, 10),
    st.integers(0, 200),
)


def tally_of(position: int, run: tuple) -> Tally:
    """The tally of one input."""
    outcome, arms, signature, norm, distance, trips = run
    example = Example("data", position, f"data:{position}", "x", "")
    path = Path(1, f"path {signature}", 3, outcome == "raised", (example,))
    path.inputs.add(norm)
    return Tally(
        ranges={"data": ((position, position + 1),)},
        outcomes={outcome: Group(1, (example,))},
        arms={arm: Reach(arms.count(arm), 1, (example,)) for arm in arms},
        conditions={("a", 0, trips > 100): 1},
        trips={"loop": Histogram({bucket(trips): 1})},
        depths={"f": Histogram({bucket(trips // 2): 1})},
        calls={"f": trips},
        nearest={"a": (Near(distance, example, -distance, "then"),)},
        paths={signature: path},
        reasons={f"reason {signature}": Group(1, (example,))},
    )


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where each part of a JSON value stands."""
    yield path
    if isinstance(value, (list, dict)):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, step))


@pytest.mark.parametrize("damage", [None, [], {}, "x", "Infinity", -1, 1.5, 10**400], ids=str)
def test_damaged_tally_is_refused_or_read(damage: Any) -> None:
    """Put something else in the place of each part of it."""
    runs = ("ok", [("a", 0)], "01", 2.0, 1.0, 3), ("raised", [], "02", 1e300, 0.5, 1)
    whole = tally_out(merged([tally_of(place, run) for place, run in enumerate(runs)]))
    refused = 0
    for path in list(places(whole)):
        damaged = replaced(json.loads(json.dumps(whole)), path, damage)
        try:
            tally_in(damaged)
        except (Malformed, KeyError, TypeError, ValueError, AttributeError):  # what a journal calls unreadable
            refused += 1
    assert refused > 20


@pytest.mark.whole
@settings(max_examples=60)
@given(st.lists(RUNS, max_size=30), st.randoms(use_true_random=False))
def test_any_division_and_order(runs: list[tuple], chance: random.Random):
    """Commutative, associative, and the empty tally changes nothing; also after a trip through JSON."""
    singles = [tally_of(position, run) for position, run in enumerate(runs)]
    whole = merged(singles)
    shuffled = list(singles)
    chance.shuffle(shuffled)
    parts: list[Tally] = [Tally()]
    while shuffled:
        size = chance.randint(1, 5)
        parts.append(tally_in(json.loads(json.dumps(tally_out(merged(shuffled[:size]))))))
        del shuffled[:size]
    while len(parts) > 1:
        left = parts.pop(chance.randrange(len(parts)))
        right = parts.pop(chance.randrange(len(parts)))
        parts.append(merged([left, right]))
    assert whole == parts[0]
    subject = Subject("net.py", "forward", "forward(x)")
    assert coverage_json.render(report(subject, whole)) == coverage_json.render(report(subject, parts[0]))


@pytest.mark.whole
def test_more_paths_than_are_kept():
    """Those with the least signatures are kept, with exact counts, however the runs were divided."""
    signatures = [f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}" for number in range(MOST_PATHS + 2000)]

    def of(some: list[str], times: int) -> Tally:
        return Tally(outcomes={"ok": Group(times * len(some))}, paths={each: Path(times) for each in some})

    one, other = merged([of(signatures[:4000], 3)]), merged([of(signatures[4000:], 3)])
    again = merged([of(signatures[6000:], 1), of(signatures[:6000], 1)])
    whole, same = merged([one, other, again]), merged([again, other, one])
    assert whole == same and whole.is_bounded
    assert dict.fromkeys(sorted(signatures)[:MOST_PATHS], 4) == {key: path.count for key, path in whole.paths.items()}
    found = report(Subject("net.py", "forward", "forward(x)"), whole)
    assert 4 * 2000 == found.outside
    assert MOST_PATHS + 2000 == pytest.approx(found.distinct, rel=0.05)


@pytest.mark.parametrize(("kept", "is_bounded", "expected"), [
    (MOST_PATHS, True, 2 * (MOST_PATHS - 1)), (MOST_PATHS, False, MOST_PATHS), (100, True, 100),
])  # fmt: skip
def test_number_of_paths_is_estimated_where_some_were_left_out(kept: int, is_bounded: bool, expected: int):
    """The kept signatures fill half of all there can be: there were twice as many."""
    signatures = [f"{2**63 // kept * number:016x}" for number in range(1, kept)] + [f"{2**63:016x}"]
    tally = Tally(outcomes={"ok": Group(kept)}, paths=dict.fromkeys(signatures, Path(1)), is_bounded=is_bounded)
    assert expected == report(Subject("net.py", "forward", "forward(x)"), tally).distinct


@given(st.lists(st.floats(0, 1e308), min_size=1))
def test_a_mean_does_not_depend_on_the_order(values: list[float]):
    """Sums are exact, the mean is rounded once."""
    norms, backwards = Norms(), Norms()
    for value in values:
        norms.add(value)
    for value in reversed(values):
        one = Norms()
        one.add(value)
        backwards.absorb(one)
    assert norms == backwards
    assert min(values) <= norms.mean <= max(values)


def test_buckets():
    """Small numbers are counted one by one, large ones in powers of two."""
    histogram = Histogram()
    for number in (0, 64, 65, 100, 128, 129):
        histogram.add(number)
    assert {0: 1, 64: 1, 65: 3, 129: 1} == histogram.counts
    assert ["64", "65-128", "129-256"] == [bucket_text(bucket(number)) for number in (64, 90, 200)]


def test_the_same_inputs_twice():
    """Two tallies of one input are a mistake, not a sum."""
    assert ((1, 9),) == joined(((5, 9),), ((1, 5),))
    with pytest.raises(ValueError, match="4 is in both"):
        joined(((1, 5),), ((4, 6),))


@pytest.mark.parametrize(
    "value",
    [
        None, [], {"ranges": {"a": [[1]]}}, {"outcomes": {"fine": [1, []]}}, {"arms": [["a", "b", 1, 1, []]]},
        {**tally_out(Tally()), "paths": {"00": [1, "", 1, 0, [], [0, 0, 0, 0, 0, None, None, "zz", 0], []]}},
        {**tally_out(Tally()), "paths": {"00": [1, "", 1, 0, [], [0, 0, 0, 0, 0, None, None, "1", 10**9], []]}},
    ],
)  # fmt: skip
def test_malformed_tallies(value: object):
    """A journal from anybody is refused where it is no tally."""
    with pytest.raises(Malformed):
        tally_in(value)


def test_a_subject_through_json():
    """What is covered comes back as it was."""
    subject = Subject("net.py", "forward", "forward(x)", settings=Settings(given=("a=1",), timeout=2.5))
    assert subject == subject_in(json.loads(json.dumps(subject_out(subject))))


def test_path_of_two_tallies_has_the_lesser_text_and_the_more_steps() -> None:
    """Whichever comes first; a text that was not kept gives way."""
    one, other = Path(1, "b", 3), Path(1, "a", 5)
    for first, second in ((one, other), (other, one)):
        whole = Path()
        whole.absorb(first)
        whole.absorb(second)
        assert (2, "a", 5) == (whole.count, whole.text, whole.steps)
    empty = Path(1, "", 1)
    empty.absorb(Path(1, "c", 1))
    assert "c" == empty.text


def test_smallest_norm_is_no_zero() -> None:
    """Zero gradients are those whose every element is 0; NaN and infinity are counted apart."""
    norms = Norms()
    for norm in (0.0, 5e-324, 1e-40, float("inf"), float("nan"), None):
        norms.add(norm)
    assert (5, 3, 1, 2, 1) == (norms.runs, norms.finite, norms.zeros, norms.broken, norms.absent)
    assert (0.0, 1e-40) == (norms.least, norms.most)
