"""Reading a log at once says the same as replaying it into a record."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from dyncli.coverage.observe import Observer
from dyncli.coverage.path_summary import taken
from dyncli.instrument.program import Construct
from dyncli.recorder.decisions.replay import replay
from dyncli.recorder.provenance.call_frames import Draft, RawCondition
from dyncli.recorder.provenance.provenance import Origin, Provenance
from dyncli.records.model import Decision
from tests.playing import play

SCRIPTS = sorted((Path(__file__).parents[3] / "golden" / "paths" / "scripts").glob("*.py"))
MARK = "\n# ----\n"
TASKS = {"async_tasks"}  # tasks that run by turns look like calls within calls


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
@pytest.mark.parametrize("step", [None, 1], ids=["at once", "entry by entry"])
def test_the_same_as_a_replay(script: Path, step: int | None, capsys: pytest.CaptureFixture[str]):
    """Signature, arms, trips, recursion, nearest margins of each script in `golden/paths`, by the `Kind` of a role."""
    played = play(script.read_text(encoding="utf-8").partition(MARK)[0] + "\n")
    arms: Counter[tuple[str, int]] = Counter()
    trips: Counter[tuple[str, int]] = Counter()
    deepest: dict[str, int] = {}
    for decision in played.decisions:
        site = decision.site
        if decision.exception is not None and site.kind != "try":
            arms[site.id, -1] += 1
        elif decision.trips is not None:
            arms[site.id, 0] += 1 if decision.trips else 0
            trips[site.id, decision.trips] += 1
        else:
            arms[site.id, site.arms.index(decision.arm)] += 1
        if decision.recursion:
            name = decision.call_path[-1]
            deepest[name] = max(deepest.get(name, 0), decision.recursion)

    program = played.program
    nearest = _nearest(replay(program, played.log, provenance=OfData(program)).decisions)
    observer = Observer(program)
    for log in _parts(program, played.log, step):
        observer.feed(log)
    observer.follow([])
    found = taken(program, observer.path)

    assert played.replayed.signature == found.signature
    assert +arms == found.arms
    loops = {site.id for site in program.sites if site.kind != "while"}
    assert trips == Counter(each for each in found.trips if each[0] in loops)
    constructs = program.constructs
    assert nearest == {constructs[key].site.id: near[0] for key, near in observer.near.items()}
    if script.stem not in TASKS:
        known = {program.functions[number].name: depth for number, depth in observer.deepest.items()}
        assert deepest.items() <= known.items()


class OfData(Provenance):
    """Takes everything that is tested for data: then a comparison is shown wherever its result is tested."""

    def may_tell(self, construct: Construct) -> bool:
        """Return True: data may be behind each test."""
        return True

    def of_condition(self, draft: Draft, raw: RawCondition) -> Origin:
        """Return one origin for all."""
        return Origin("scalar~")


def _nearest(decisions: Sequence[Decision]) -> dict[str, float]:
    """The nearest margin of each site, of those decisions that came to a comparison of data if any did."""
    sites: dict[str, list[Decision]] = {}
    for decision in decisions:
        if decision.margin is not None and decision.margin == decision.margin:
            sites.setdefault(decision.site.id, []).append(decision)
    found = {}
    for site, made in sites.items():
        conditions = [each for decision in made for each in decision.conditions]
        data = {each.text for each in conditions if float in (type(each.lhs), type(each.rhs))}
        on_data = [decision for decision in made if data & {each.text for each in decision.conditions}]
        several = any(len(decision.conditions) > 1 for decision in made)
        found[site] = min(abs(decision.margin or 0.0) for decision in (several and on_data) or made)
    return found


def _parts(program, log, step):
    """The log whole, or as many parts as it has entries."""
    if step is None:
        return [list(log)]
    parts, at = [], 0
    while at < len(log):
        width = program.points[log[at]].role.width
        parts.append(list(log[at : at + width]))
        at += width
    return parts


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_path_that_is_known(script: Path, capsys: pytest.CaptureFixture[str]):
    """The third run of a path is recognised, if it can be, and says the same as the first two."""
    played = play(script.read_text(encoding="utf-8").partition(MARK)[0] + "\n")
    program = played.program
    observer = Observer(program)
    told = []
    for shift in (0, 1000, 2000):
        observer.begin()
        observer.follow(_shifted(program, played.log, shift))
        told.append((observer.path, dict(observer.deepest), dict(observer.near)))
    assert told[0] == told[1] == told[2]
    recalled = observer.recall.calls()
    entered = [point.function for point in map(program.points.__getitem__, _points(program, played.log))
               if point.role.name == "ENTER"]  # fmt: skip
    total = {number: observer.calls[number] + recalled.get(number, 0) for number in range(len(program.functions))}
    assert {number: 3 * entered.count(number) for number in total} == total


def _points(program, log):
    at = 0
    while at < len(log):
        yield log[at]
        at += program.points[log[at]].role.width


def _shifted(program, log, shift):
    """The log of another run: the call frames of functions are other numbers, those of modules the same."""
    shifted, at = list(log), 0
    while at < len(log):
        role = program.points[log[at]].role
        for place in (at + 1, at + 2) if role.name == "LAZY" else (at + 1,):
            shifted[place] += shift if shifted[place] > 0 else 0
        at += role.width
    return shifted
