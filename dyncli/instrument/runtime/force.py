"""Taking the other arm: `22=else`, `line 22 iteration 3 = else`, `net.py:22=then`, `22:8=else`.

    importer.prepare(path, display)                      # the script's sites are known from here on
    forced = Forced(parse(["22=else"]), importer.program, log)
    with importer.recording(log, change=forced.change):
        ...
    forced.check()                                       # pins in modules that were never imported

`9=exit` ends a `for` loop before its first step, `line 9 iteration 3 = exit` before its fourth.
`14=case 2` takes a case of a `match` whose pattern binds no names, or takes anything.
A pin without an iteration holds for every evaluation.  `iteration 3` is the fourth pass of the loop around the site in
the same function (of a `while` test, its fourth evaluation); where no loop stands around, the fourth evaluation in the
run.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from dyncli import errors
from dyncli.instrument.program import Construct, Program, Role
from dyncli.instrument.runtime.condition_probes import Changed, Verdict, describe
from dyncli.instrument.runtime.forced_arms import ARMS, Cut
from dyncli.instrument.runtime.probes import Log, Probe, Probes
from dyncli.instrument.transform.forced_cases import bound_on_match, needs_no_names
from dyncli.records.model import Site

#: Marks frames of this module as none of the user's: an op's site is looked for further out.
__dyncore__ = True
_PIN = re.compile(
    r"""\s* (?:line\s+)? (?:(?P<file>[^=]+?\.py|<string(?:\ \d+)?>)\s*:)? \s*(?P<line>\d+) (?:\s*:\s*(?P<col>\d+))?
        (?:\s+(?:iteration|evaluation|time)\s+(?P<index>\d+))? \s*=\s* (?P<arm>.+?) \s*""",
    re.VERBOSE,
)
_HOLDING = frozenset({"if", "elif", "while", "ifexp", "and", "or", "assert", "compif", "guard"})
_LOOPS = frozenset({"for", "comp"})
_EXIT = "exit"
_WHY_NOT = {
    "for": "how often it runs is up to what it goes over; `exit` ends it",
    "comp": "how often it runs is up to what it goes over; `exit` ends it",
    "try": "its arms run when something is raised",
}


#: So often in a row a pin may go against its test: of a `while`, which goes on for it, and of any other.
MOST_AGAINST, MOST_IN_LOOP = 10_000, 1_000_000


class Pin(NamedTuple):
    """One forced arm; `index` is None for every evaluation."""

    text: str
    line: int
    arm: str
    file: str | None = None
    col: int | None = None
    index: int | None = None  # type: ignore[assignment]


def parse(texts: Iterable[str]) -> tuple[Pin, ...]:
    """Parse the texts of `--force`.  Raises ForceSyntax.

    >>> parse(["line 22 iteration 3 = else"])[0]
    Pin(text='line 22 iteration 3 = else', line=22, arm='else', file=None, col=None, index=3)
    """
    pins = []
    for text in texts:
        match = _PIN.fullmatch(text)
        if match is None:
            raise errors.ForceSyntax(text)
        col, index = match["col"], match["index"]
        pins.append(
            Pin(
                text,
                int(match["line"]),
                match["arm"],
                match["file"],
                None if col is None else int(col),
                None if index is None else int(index),
            )
        )
    return tuple(pins)


class Forced:
    """The probes around the real ones: they count, and put the wanted outcome in place of the real one.

    A pin without a file means the script itself.  One in a module that is not imported yet waits until it is.
    stop: called with the text of a pin that has gone against its test too often in a row: a loop may never end.
    Raises ForceNowhere, ForceNoArm, ForceSeveral, ForceCannot, at once where the file is known.
    """

    def __init__(
        self, pins: Iterable[Pin], program: Program, log: Log, stop: Callable[[str, int], None] | None = None
    ) -> None:
        self.program = program
        self.log = log
        self.stop = stop
        self.against: dict[int, int] = defaultdict(int)  # how often in a row the outcome was another
        self.waiting = list(pins)
        self.wanted: dict[int, dict[int | None, int]] = defaultdict(dict)  # a truth, or the number of a case
        self.chosen: dict[tuple[int, int], int] = {}  # of a `match` that is running: the case that is forced
        self.steps: dict[tuple[int, int], int] = defaultdict(lambda: -1)
        self.evaluations: dict[int, int] = defaultdict(lambda: -1)
        self.taken: dict[int, set[int | None]] = defaultdict(set)
        self.texts: dict[tuple[int, int | None], str] = {}
        self._files = 0
        self._resolve()

    def check(self) -> None:
        """Raise ForceNowhere for a pin in a file that never ran."""
        for pin in self.waiting:
            raise errors.ForceNowhere(pin.text, f"{pin.file}:{pin.line}" if pin.file else f"line {pin.line}", ())

    @property
    def reached(self) -> tuple[str, ...]:
        """The pins that were in force at least once."""
        return tuple(text for (key, index), text in self.texts.items() if index in self.taken[key])

    def _resolve(self) -> None:
        """Find the sites of pins whose files have been loaded since the last call."""
        self._files = len(self.program.sources)
        for pin in list(self.waiting):
            file = _file_of(pin, self.program)
            if file is not None:
                key, outcome = resolve(pin, file, self.program)
                self.wanted[key][pin.index] = outcome
                self.texts[key, pin.index] = pin.text
                self.waiting.remove(pin)

    def change(self, probes: Probes) -> Probes:
        """Return the probes with those of decisions replaced: they count iterations and take forced arms."""
        changed = dict(probes)
        for name, probe in probes.items():
            if name in ("@at", "@step", "@stepped"):
                changed[name] = self._counting(probe)
            elif name == "@lazily":
                changed[name] = self._counting_lazily(probe)
            elif name == "@loop" or name == "@lazy":
                changed[name] = self._starting(probe)
            elif name == "@subject":
                changed[name] = self._looking_at(probe)
            elif name.startswith("@stop"):
                on = name.startswith("@stop_true")
                changed[name] = self._stopping(probe, on, probes, chained=name == "@stop_link")
            elif name in _TESTS:
                changed[name] = self._testing(probe)
            elif name == "@end":
                changed[name] = self._ending(probe, 3)
            elif name.endswith("_end"):
                changed[name] = self._ending(probe, 4)
        changed["@open"] = lambda call_id, key, index: self.chosen.get((call_id, key), index) == index
        changed["@chosen"] = lambda call_id, key, index: self.chosen.get((call_id, key)) == index
        return changed

    def _counting(self, probe: Probe) -> Probe:
        def counted(point: int, call_id: int, *value: Any) -> Any:
            about = self.program.points[point]
            if about.role is Role.ITERATION:
                self.steps[call_id, about.key] += 1
            elif about.role is Role.WHILE:
                self.steps[call_id, about.key] = -1
            return probe(point, call_id, *value)

        return counted

    def _counting_lazily(self, probe: Probe) -> Probe:
        def counted(point: int, step: int, iterator: object) -> Any:
            call_id = probe(point, step, iterator)
            self.steps[call_id, self.program.points[step].key] += 1
            return call_id

        return counted

    def _starting(self, probe: Probe) -> Probe:
        def started(point: int, call_id: int, *values: Any) -> Any:
            key = self.program.points[point].key
            self.steps[call_id, key] = -1
            self._look_for_more()
            pins = self.wanted.get(key)
            if pins is None:
                return probe(point, call_id, *values)
            most = min(index or 0 for index in pins)
            note = Changed(None, False)

            def stopped() -> None:
                note.forced = True
                self.taken[key].add(most if most in pins else None)

            *before, iterable = values
            cut = probe(point, call_id, *before, Cut(iterable, most, stopped))
            note.value = describe(iterable)
            self.log[-1] = note
            return cut

        return started

    def _looking_at(self, probe: Probe) -> Probe:
        def looked_at(point: int, call_id: int, subject: Any) -> Any:
            key = self.program.points[point].key
            self.chosen.pop((call_id, key), None)
            probe(point, call_id, subject)
            arm = self._pinned(key, call_id)
            if arm is None:
                return subject
            self.log[-1] = Changed(self.log[-1], True)
            self.chosen[call_id, key] = arm
            patterns = self.program.constructs[key].patterns
            if arm < len(patterns) and needs_no_names(patterns[arm]):
                return getattr(ARMS, f"arm{arm}")
            return subject

        return looked_at

    def _testing(self, probe: Probe) -> Probe:
        def tested(point: int, call_id: int, *operands: Any) -> Any:
            outcome = probe(point, call_id, *operands)
            about = self.program.points[point]
            if about.role is Role.CONDITION:
                return outcome
            return self._forced(about.key, call_id, outcome)

        return tested

    def _ending(self, probe: Probe, place: int) -> Probe:
        """Wrap the probe that ends a test of several parts, so that the whole test can be forced.

        place: of the call id among the arguments.
        """

        def ended(whole: int, when_true: bool | None, when_false: bool | None, *more: Any) -> bool:
            outcome: bool = probe(whole, when_true, when_false, *more)
            decided = when_true if outcome else when_false
            if decided is not None:
                self._forced(self.program.points[whole].key, more[place - 3], decided)
            return outcome

        return ended

    def _stopping(self, probe: Probe, on: bool, probes: Probes, *, chained: bool) -> Probe:
        keep, take = probes["@store_operand"], probes["@take_operand"]

        def stopped(point: int, call_id: int, *operands: Any) -> bool:
            stops: bool = probe(point, call_id, *operands)
            about = self.program.points[point]
            wanted = self._forced(about.key, call_id, on if stops else not on, first=about.index == 0) is on
            if wanted and not stops:  # of a comparison (left, right, operator) only its truth is wanted
                keep(call_id, on if len(operands) > 2 else operands[0])
            elif stops and not wanted:
                take(call_id)
                if chained:  # `a < b < c` goes on with b
                    keep(call_id, operands[1])
            return wanted

        return stopped

    def _forced(self, key: int, call_id: int, outcome: bool, first: bool = True) -> bool:
        """Return the forced outcome, else the own one, and write it into the last entry of the log.

        first: whether a new evaluation of the test begins.
        """
        if self.program.constructs[key].kind == "while":
            self.steps[call_id, key] += 1
        wanted = self._pinned(key, call_id, first)
        if wanted is None:
            return outcome
        forced = bool(wanted)
        last = self.log[-1]
        verdict = last if isinstance(last, Verdict) else Verdict(outcome)
        verdict.forced = forced
        self.log[-1] = verdict
        self.against[key] = self.against[key] + 1 if forced is not outcome else 0
        if self.against[key] >= MOST_AGAINST and self.stop is not None:
            self._end_loop(key)
        return forced

    def _end_loop(self, key: int) -> None:
        """Call `stop` for a loop that goes against its test too long, or that a forced test never leaves."""
        most = MOST_AGAINST if self.program.constructs[key].kind == "while" else MOST_IN_LOOP
        if self.stop is not None and self.against[key] >= most:
            self.stop(next(text for (other, _), text in self.texts.items() if other == key), most)

    def _pinned(self, key: int, call_id: int, first: bool = True) -> int | None:
        """Return what is wanted of the evaluation that begins now, or went on."""
        self._look_for_more()
        if first:
            self.evaluations[key] += 1
        pins = self.wanted.get(key)
        if pins is None:
            return None
        index: int | None = self._index(self.program.constructs[key], key, call_id)
        if index not in pins:
            index = None
        if index in pins:
            self.taken[key].add(index)
        return pins.get(index)

    def _look_for_more(self) -> None:
        if self.waiting and len(self.program.sources) != self._files:
            self._resolve()

    def _index(self, construct: Construct, key: int, call_id: int) -> int:
        if construct.kind == "while":
            return self.steps[call_id, key]
        if construct.loop is not None:
            return self.steps[call_id, construct.loop]
        return self.evaluations[key]


_TESTS = frozenset({"@truth", "@truth_known", "@test", "@compared"})


def _file_of(pin: Pin, program: Program) -> str | None:
    """Return the displayed name of the file that a pin means; None while it is unknown."""
    for file in program.sources:  # the script itself comes first
        if pin.file is None or file == pin.file or file.endswith(f"/{pin.file}"):
            return file
    return None


def resolve(pin: Pin, file: str, program: Program) -> tuple[int, int]:
    """Find the construct that a pin means: its key, and the truth of its test or the number of its case.

    Raises ForceNowhere, ForceNoArm, ForceSeveral, ForceCannot.
    """
    every = [(key, c.site) for key, c in enumerate(program.constructs) if c.site is not None and c.site.file == file]
    here = [(key, site) for key, site in every if site.line == pin.line and pin.col in (None, site.col)]
    if not here:
        near = sorted((site for _, site in every), key=lambda site: (abs(site.line - pin.line), site.line, site.col))
        raise errors.ForceNowhere(pin.text, f"{file}:{pin.line}", map(_shown, near[:3]))
    fitting = [(key, site) for key, site in here if pin.arm in _arms(site)]
    if not fitting:
        arms = dict.fromkeys(arm for _, site in here for arm in _arms(site))
        raise errors.ForceNoArm(pin.text, pin.arm, [_shown(site) for _, site in here], arms)
    if len(fitting) > 1:
        better = f"{pin.line}:{fitting[0][1].col}={pin.arm}"
        raise errors.ForceSeveral(pin.text, [_shown(site) for _, site in fitting], better)
    key, site = fitting[0]
    reason = _why_not(program.constructs[key], pin.arm)
    if reason is not None:
        raise errors.ForceCannot(pin.text, site.kind, site.line, reason)
    if site.kind == "match":
        return key, site.arms.index(pin.arm)
    return key, site.kind in _LOOPS or _truth(site, pin.arm)


def _arms(site: Site) -> tuple[str, ...]:
    """Return the arms that `--force` accepts."""
    return (*site.arms, _EXIT) if site.kind in _LOOPS else site.arms


def _why_not(construct: Construct, arm: str) -> str | None:
    """Explain why an arm cannot be forced; None if it can."""
    site = construct.site
    assert site is not None
    if site.kind in _HOLDING:
        return None
    if site.kind in _LOOPS and arm == _EXIT:
        return "what it goes over is asynchronous" if construct.text.startswith("async ") else None
    if site.kind == "match":
        index = site.arms.index(arm)
        names = bound_on_match(construct.patterns[index]) if index < len(construct.patterns) else ()
        listed = errors.listing(dict.fromkeys(names))
        return f"`{arm}` binds {listed}, which something else may not hold" if names else None
    return _WHY_NOT[site.kind]


def _truth(site: Site, arm: str) -> bool:
    """Return the truth of the test that leads to an arm."""
    return arm == "short" if site.kind == "or" else arm in ("then", "body", "pass", "keep", "rest")


def _shown(site: Site) -> str:
    return f"{site.file}:{site.line}:{site.col}: {site.kind} `{site.text}`: {errors.listing(_arms(site))}"
