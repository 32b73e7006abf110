"""Result of `compile`: replays what is recorded, records the rest, or just calls."""

from __future__ import annotations

import functools
import gc
import sys
import types
from collections import Counter
from copy import deepcopy
from threading import Lock, RLock
from typing import Any

from dyncore.dtypes import dtypes
from dyncore.graph import events
from dyncore.graph.modes import GRAD, NO_GRAD, _mode, changed, current
from dyncore.tensors.tensor import Tensor

from .arguments import Arguments, Described, Unfit, described as arguments_of
from .guards import Environment, Wrapper
from .recording import MISS, Root
from .replay.entry import MISS as NO
from .replay.writing import Changed, decision_text
from .report import Explanation, Log, PathReport, Shown
from .steps import Refused, outcome, site
from .tape import Tape
from .watch import Watch

LIMIT = 64
MOST_ENTRIES = 16  # that are asked one after the other
FEW_ENTRIES = 3  # above which they are found by the shape of the first argument
_counting = Lock()
_ATTEMPTS = 2
_NONE: list[Any] = []


class CompiledFunction(Wrapper):
    """A function that is recorded when first called with arguments of a kind, and replayed from then on.

    Call it like the function.  `explain()` says what was recorded, how often it was replayed, and why not.
    """

    def __init__(self, function: Any, limit: int = LIMIT, fullgraph: bool = False) -> None:
        functools.update_wrapper(self, function, updated=())
        self._function = function
        self._limit = limit
        self._fullgraph = fullgraph
        self._lock = RLock()
        self._names: Any = None  # of attributes in use, once something was called
        self._roots: dict[Any, list[Root]] = {}
        self._entries: list[Any] = []
        self._named: list[Any] = []  # for calls with arguments by name
        self._by_shape: dict[Any, list[Any]] | None = None
        self._refusals: Counter[Any] = Counter()
        self._count = 0
        self._log = Log()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        entries = self._named if kwargs else self._entries
        if self._by_shape is not None and not kwargs:
            entries = self._by_shape.get(_first_shape(args), _NONE)
        for entry in entries:
            found = entry(args, kwargs)
            if found is not NO:
                return found
        mode = current()
        if (mode is not GRAD and mode is not NO_GRAD) or events.listener is not None:
            return self._ordinary(args, kwargs)
        names = self._names
        if names is None:
            return self._record(args, kwargs)
        given = Arguments(names)
        try:
            if len(args) == 1 and not kwargs and args[0].__class__ is Tensor:
                key: Any = mode is GRAD, given.one(args[0]), None
            else:
                key = mode is GRAD, *[given.key(each) for each in args], given.key(kwargs) if kwargs else None
        except Unfit as error:
            self._log.refuse(str(error), site())
            return self._ordinary(args, kwargs)
        roots = self._roots.get(key)
        if roots is None:
            if self._refusals and self._hopeless(key):  # nothing is described
                return self._ordinary(args, kwargs)
            return self._record(args, kwargs)
        for root in roots:
            if root.fits(given):
                found = root.play(given.tensors, 2)
                if found.__class__ is tuple and len(found) == 3 and found[0] is MISS:
                    return self._missed(root, found[1], found[2], args, kwargs)
                root.waiting -= 1
                if not root.waiting:
                    self._enter(root, args, kwargs, mode is GRAD)
                return found
        if all(root.off for root in roots):
            return self._ordinary(args, kwargs)
        for root in roots:
            failed = root.unfit()
            if failed is not None:
                self._log.failed(*failed, site())
        return self._record(args, kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def explain(self) -> Explanation:
        """Return what was recorded and replayed, every guard that failed, and every call that could not be recorded."""
        paths, hits = [], 0
        for root in [each for roots in list(self._roots.values()) for each in roots]:
            for path in list(root.paths):
                decisions = tuple(
                    (str(each.site), f"{decision_text(each)} is {_shown(each.outcome)}") for each in path.decisions
                )
                paths.append(
                    PathReport(
                        tuple(f"{k}: {v}" for k, v in root.described.items()), decisions, path.steps, path.hits[0]
                    )
                )
                hits += path.hits[0]
        refused = tuple((reason, line, count) for (reason, line), count in self._log.refused.items())
        name = getattr(self, "__qualname__", type(self._function).__name__)
        return Explanation(
            name, tuple(paths), tuple(self._log.failures), refused, hits, self._log.recordings, self._log.eager
        )

    def recorded(self) -> list[tuple[Any, Root]]:
        """Return the recordings with their keys, oldest first."""
        return [(key, root) for key, roots in list(self._roots.items()) for root in reversed(roots)]

    def reset(self) -> None:
        """Drop all recordings."""
        with self._lock:
            self._names = None
            self._roots = {}
            self._leave()
            self._refusals = Counter()
            self._count = 0
            self._log = Log()

    def __deepcopy__(self, memo: dict[int, Any]) -> CompiledFunction:
        return CompiledFunction(deepcopy(self._function, memo), self._limit, self._fullgraph)

    def __reduce__(self) -> Any:
        return CompiledFunction, (self._function, self._limit, self._fullgraph)

    def __repr__(self) -> str:
        return f"<compiled {self._function!r}>"

    def _enter(self, root: Root, args: Any, kwargs: Any, grad: bool) -> None:
        """Give calls like this one, which is often replayed, a function of their own."""
        made = root.entry(args, kwargs, grad, self._names)
        if made is not None and not root.off:
            if kwargs:
                self._named = [made, *self._named[: MOST_ENTRIES - 1]]
            else:
                made.shape = _first_shape(args)
                self._entries = [made, *self._entries[: self._limit - 1]]
                self._file()

    def _file(self) -> None:
        """Put many entries in order, so that one that fits is found among few."""
        found: dict[Any, list[Any]] = {}
        for each in self._entries:
            found.setdefault(each.shape, []).append(each)
        found = {shape: each[:MOST_ENTRIES] for shape, each in found.items()}
        self._by_shape = found if len(self._entries) > FEW_ENTRIES else None

    def _leave(self, root: Root | None = None) -> None:
        """Drop the entries of a root, or all."""

        def kept(entries: list[Any]) -> list[Any]:
            return [each for each in entries if root is not None and each.__globals__["root"] is not root]

        self._entries, self._named = kept(self._entries), kept(self._named)
        self._file()

    # -- when nothing recorded fits

    def _ordinary(self, args: Any, kwargs: Any) -> Any:
        self._log.eager += 1
        return self._function(*args, **kwargs)

    def _hopeless(self, key: Any) -> bool:
        """Return whether calls like this one, or too many of all, have been refused."""
        refusals = self._refusals
        return refusals[key] >= _ATTEMPTS or refusals.total() >= _ATTEMPTS * self._limit

    def _missed(self, root: Root, decision: Any, seen: Any, args: Any, kwargs: Any) -> Any:
        if decision is None:
            return self._failed(root, seen, args, kwargs)
        found = _decision(root, decision, seen)
        if found is not None:
            expected = Shown(" or ".join(map(_shown, found.children)))
            line = str(found.decision.site)
            self._log.failed(decision_text(found.decision), expected, Shown(_shown(outcome(seen))), line)
        root.missed += 1
        if self._count >= self._limit and root.missed > 32 and root.missed > root.hits:
            root.off = True
            self._leave()
        return self._record(args, kwargs, root)

    def _failed(self, root: Root, seen: Any, args: Any, kwargs: Any) -> Any:
        """Call the function after a run that ended with an error: the user's, a changed shape, or a fault here."""
        shown = f"{type(seen).__name__} {seen}".strip() if isinstance(seen, Exception) else seen
        if seen.__class__ is Changed:
            shown = "another shape, which depends on values"
        self._log.failed("the run", Shown("to end as recorded"), Shown(shown), site())
        result = self._ordinary(args, kwargs)
        root.missed += 1
        if (
            isinstance(seen, Exception)
            and seen.__class__ is not Changed
            or root.missed > 32
            and root.missed > root.hits
        ):
            root.off = True
            self._leave()
        return result

    def _record(self, args: Any, kwargs: Any, root: Root | None = None) -> Any:
        if not self._lock.acquire(blocking=False):
            return self._ordinary(args, kwargs)
        try:
            if self._names is None:
                self._names = self._first_names()
            given = Arguments(self._names)
            try:
                mode = current()
                key = mode is GRAD, *[given.key(each) for each in args], given.key(kwargs) if kwargs else None
            except Unfit as error:
                self._log.refuse(str(error), site())
                return self._ordinary(args, kwargs)
            described = arguments_of(self._function, args, kwargs, self._names)
            if root is None and key not in self._roots and self._roots:
                self._differs(described.texts)
            if self._count >= self._limit or self._hopeless(key):
                return self._ordinary(args, kwargs)
            if sys.getprofile() is not None:
                self._log.refuse("a profiler is active", site())
                return self._ordinary(args, kwargs)
            return self._recorded(args, kwargs, key, given, described, mode)
        finally:
            self._lock.release()

    def _recorded(self, args: Any, kwargs: Any, key: Any, given: Arguments, described: Described, mode: Any) -> Any:
        """Call the function under a tape, and keep the recording if nothing was missed."""
        where = site()
        environment = self._environment(given)
        tape = Tape(
            given.tensors, environment.tensors, mode, lambda each: id(each) in given.seen or environment.knows(each)
        )
        if any(environment.knows(each) for each in given.parts):
            tape.refuse("is given an object that it also reaches by a name", where)
        tags = [(each, dict(each.__dict__)) for each in given.tensors]
        watch = Watch(tape)
        result = self._watched(args, kwargs, mode, watch, where)
        self._log.recordings += 1
        shaped = tape.finish(result)
        if tape.refused is None:
            self._judge(tape, watch, environment, where)
            self._judge_arguments(tape, args, kwargs, key, given, where)
            if any(each.__dict__ != tag for each, tag in tags):
                tape.refuse("sets attributes of a tensor", where)
        if tape.refused is None and not environment.names <= self._names:
            # Attributes of arguments are compared by the names in use; more of them were met.
            self._names = environment.names | self._names
            self._roots.clear()
            self._leave()
            self._count = 0
            return result
        if tape.refused is None:
            try:
                self._keep(tape, shaped, key, environment, described, given)
                return result
            except (Refused, Unfit) as error:
                tape.refuse(str(error), where)
        self._refusals[key] += 1
        reason, line = tape.refused  # type: ignore[misc]
        self._log.refuse(reason, line)
        if self._fullgraph:
            raise RuntimeError(f"compile(fullgraph=True): the function {reason}, at {line}")
        return result

    def _environment(self, given: Arguments) -> Environment:
        """Return what the function and the objects given to it can name."""
        environment = Environment()
        environment.entries.append((vars(dtypes).get, "_default", dtypes.get_default_dtype(), "the default dtype"))
        environment.reach(self._function, getattr(self, "__qualname__", type(self._function).__name__))
        for each in given.objects:
            environment.reach(each, getattr(each, "__qualname__", type(each).__name__))
        return environment

    def _watched(self, args: Any, kwargs: Any, mode: Any, watch: Watch, where: str) -> Any:
        """Call the function while its tape records ops and its watch the Python beside them."""
        token = _mode.set(changed(mode, tape=watch.tape))
        with _counting:
            events.tapes += 1
        inside = current()
        collecting = gc.isenabled()
        gc.disable()  # whoever listens to the collector is not part of the call
        try:
            sys.setprofile(watch.hook)
            try:
                return self._function(*args, **kwargs)
            finally:
                sys.setprofile(None)
        finally:
            if collecting:
                gc.enable()
            with _counting:
                events.tapes -= 1
            left = current()
            _mode.reset(token)
            if left is not inside:
                watch.tape.refuse("leaves another grad mode behind", where)
                _mode.set(changed(left, tape=None))

    def _judge(self, tape: Tape, watch: Watch, environment: Environment, where: str) -> None:
        """Refuse a call whose Python did something that a replay would leave out."""
        for code in watch.ran:
            if code not in environment.codes:
                line = f"{code.co_filename}:{code.co_firstlineno}"
                tape.refuse(f"runs `{code.co_qualname}`, which cannot be found from the function", line)
                return
        for code, reason in environment.problems:
            if code is None or code in watch.ran:
                tape.refuse(reason, where)
                return
        failed = environment.failed()
        if failed is not None:
            tape.refuse(f"changes `{failed[0]}` while it runs", where)

    def _judge_arguments(self, tape: Tape, args: Any, kwargs: Any, key: Any, given: Arguments, where: str) -> None:
        """Refuse a call that changed its arguments, other than elements of tensors."""
        again = Arguments(given.names)
        try:
            now = key[0], *[again.key(each) for each in args], again.key(kwargs) if kwargs else None
        except Unfit:
            now = None
        if now != key or list(map(id, again.tensors)) != list(map(id, given.tensors)):
            tape.refuse("changes its arguments while it runs", where)

    def _keep(
        self, tape: Tape, shaped: Any, key: Any, environment: Environment, described: Described, given: Arguments
    ) -> None:
        roots = self._roots.setdefault(key, [])
        for root in roots:
            if root.fits(given):
                # Its own know fewer paths; those of other recordings stay.
                self._leave(root)
                root.add(tape, shaped, len(given.tensors))
                break
        else:
            root = Root(environment, described, given.tensors)
            root.add(tape, shaped, len(given.tensors))
            roots.insert(0, root)
        self._count += 1

    def _first_names(self) -> set[str]:
        environment = Environment()
        environment.reach(self._function, "")
        return environment.names

    def _differs(self, described: dict[str, str]) -> None:
        """Record how these arguments differ from the nearest recorded ones."""
        roots = [each for roots in self._roots.values() for each in roots]
        nearest = min(roots, key=lambda root: len(set(root.described.items()) ^ set(described.items())))
        for name in dict.fromkeys([*nearest.described, *described]):
            before, now = nearest.described.get(name, "nothing"), described.get(name, "nothing")
            if before != now:
                self._log.failed(name, Shown(before), Shown(now), site())


def _decision(root: Root, number: int, seen: Any) -> Any:
    """Return the branch whose decision came out as nobody has seen."""
    for branch in root.tree.walk():
        if branch.decision is not None and outcome(seen) not in branch.children and _depth(root, branch) == number:
            return branch
    return None


def _depth(root: Root, wanted: Any) -> int:
    stack = [(root.tree, 0)]
    while stack:
        branch, depth = stack.pop()
        if branch is wanted:
            return depth
        stack += [(child, depth + 1) for child in branch.children.values()]
    return -1


def _shown(value: Any) -> str:
    return value[1] if isinstance(value, tuple) else repr(value)


def _first_shape(args: tuple[Any, ...]) -> Any:
    """Return the shape of the first argument, None if it is no tensor."""
    return args[0]._array.shape if args and args[0].__class__ is Tensor else None
