"""Debugging a script while it runs: watched names, stops at lines and conditions, replaced values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType
from typing import Any

import numpy as np

from dyncli import errors
from dyncli.instrument.breakpoint_spec import DebugRequest, Path, Place
from dyncli.instrument.program import Program
from dyncli.instrument.runtime.force import Forced
from dyncli.instrument.runtime.probes import Log, Probes
from dyncli.recorder.debug.debugger import Debugger
from dyncli.recorder.debug.loops import Loops
from dyncli.recorder.debug.snapshots import same, snapshot, text
from dyncli.recorder.engine import Tensor, dtypes, exchange, not_recorded
from dyncli.recorder.events.collectors import Collector
from dyncli.recorder.events.event_log import user_frame
from dyncli.recorder.naming import op_name
from dyncli.records.model import Notice
from dyncli.records.text import one_line

MOST_NOTICES = 10_000
MOST_PRINTED = 50  # stops that are told of where there is no debugger
_MISSING = object()


class DebugProbes:
    """The probes of `--watch`, `--break` and `--patch` for one run.  notices: what was seen, in order."""

    def __init__(self, debug_request: DebugRequest, program: Program, display: Callable[[str], str]) -> None:
        self.debug_request, self.program, self.display = debug_request, program, display
        self.notices: list[Notice] = []
        self.leaves: list[tuple[str, Tensor]] = []  # inputs that patches put in the place of others
        self.last: dict[tuple[Path, Any], tuple[Any, str]] = {}
        self.holders: list[Any] = []
        self.at_hand: dict[str, Any] = {}
        self.debugger = Debugger(self._is_users, lambda: self.at_hand)
        self.met: set[str] = set()
        self.stopped = 0
        self.newest_op: int | None = None
        self.loops: Loops | None = None

    def change(self, log: Log, probes: Probes) -> Probes:
        """Return the probes with those of watchpoints, breakpoints and patches added."""
        changed = dict(probes)
        if any("iteration" in condition.names for condition in self.debug_request.conditions):
            counting = Forced((), self.program, log)
            changed = counting.change(changed)
            self.loops = Loops(self.program, counting.steps)
        return changed | {
            "@look": self._look,
            "@look_at": self._look_at,
            "@halt": self._halt,
            "@patched": self._patched,
        }

    def check(self, file: str) -> None:
        """Raise BreakNowhere or PatchNowhere for a line that is not in the script."""
        debug_request = self.debug_request
        statements = sorted(debug_request.statements.get(file, ()))
        for line in debug_request.lines:
            if line.file is None and line not in debug_request.found_lines:
                near = min(statements, key=lambda each: abs(each - line.line), default=None)
                raise errors.BreakNowhere(line.text, file, near)
        for number, patch in enumerate(debug_request.patches):
            if patch.line is not None and patch.file is None and number not in debug_request.found_patches:
                lines = sorted(set(debug_request.bound.get(patch.name, ())))
                raise errors.PatchNowhere(patch.text, ".".join(patch.name), patch.line, lines)

    @property
    def needs_ops(self) -> bool:
        """Return whether `after_op` is to be called."""
        return bool(self.debug_request.conditions or self.debug_request.lines)

    def after_op(
        self, op: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any, frame: FrameType, number: int
    ) -> None:
        """Stop if a condition holds after the op of this number, which `frame` ran."""
        self.at_hand = {"op": op_name(op), "inputs": tuple(_tensors([*args, *kwargs.values()])), "out": result}
        self.newest_op = number
        with not_recorded():
            self._ask(frame)

    # Watching

    def _look(self, number: int, call_id: int) -> None:
        frame, place = sys._getframe(1), self.debug_request.places[number]
        for path in self.debug_request.watches:
            value, key = self._value(frame, path, call_id)
            self._tell(path, key, value, place)

    def _look_at(self, number: int, call_id: int, watch: int, value: Any) -> bool:
        """Compare a comprehension's variable with its last value; no frame may know it by name."""
        path = self.debug_request.watches[watch]
        value, key = self._attribute_of(value, path, (call_id, number))
        self._tell(path, key, value, self.debug_request.places[number])
        return True

    def _tell(self, path: Path, key: Any, value: Any, place: Place) -> None:
        """Say what a name is now, if it was something else before."""
        if value is _MISSING:
            return
        now = snapshot(value)
        before = self.last.get((path, key))
        if before is not None and same(before[0], now):
            return
        words = text(value)
        self.last[path, key] = now, words
        name = ".".join(path)
        was = f"  was {before[1]}" if before is not None else ""
        self._say(f"watch {place.file}:{place.line} {name} = {words}{was}")
        self._note("watch", name, place, words)

    def _value(self, frame: FrameType, path: Path, call_id: int) -> tuple[Any, Any]:
        """Return the value of a name in a frame, and a key that tells it from others of the same name."""
        name = path[0]
        code, names = frame.f_code, frame.f_locals
        if name in names:
            value = names[name]
            shared = name in code.co_freevars or name in code.co_cellvars or code.co_name == "<module>"
            key: Any = "shared" if shared else call_id
        elif name in frame.f_globals:
            value, key = frame.f_globals[name], "shared"
        else:
            return _MISSING, None
        return self._attribute_of(value, path, key)

    def _attribute_of(self, value: Any, path: Path, key: Any) -> tuple[Any, Any]:
        """Return what a path means, from the value of its first name on."""
        for attribute in path[1:]:
            key = id(value)
            self.holders.append(value) if len(self.holders) < MOST_NOTICES else None
            value = _attribute(value, attribute)
            if value is _MISSING:
                break
        return value, key

    # Stops

    def _is_users(self, frame: FrameType) -> bool:
        """Return whether a frame runs the script, or what it imports from its own folder."""
        file = frame.f_code.co_filename
        return any(function.path == file for function in self.program.functions)

    def _halt(self, number: int) -> None:
        place = self.debug_request.places[number]
        texts = [each.text for each in self.debug_request.found_lines if each.line == place.line]
        self.met.update(texts)
        if self.debugger.is_at(sys._getframe(1)):
            return
        self._stop(sys._getframe(1), place, texts[0] if texts else f"line:{place.line}", at_op=False)

    def _ask(self, frame: FrameType) -> None:
        """Stop if a condition holds after the op that has just run."""
        file = self.display(frame.f_code.co_filename)
        out = self.at_hand["out"]
        first = out[0] if isinstance(out, (tuple, list)) and out else out
        values = {
            "op": self.at_hand["op"],
            "line": frame.f_lineno,
            "file": file,
            "function": frame.f_code.co_qualname,
            "out": _plain(out),
            "inputs": tuple(_plain(each) for each in self.at_hand["inputs"]),
            "shape": tuple(first._array.shape) if isinstance(first, Tensor) else None,
            "dtype": dtypes.of(first._array.dtype).name if isinstance(first, Tensor) else None,
            "iteration": self.loops.iteration(frame, file) if self.loops is not None else None,
        }
        for condition in self.debug_request.conditions:
            if condition.holds(values):
                self.met.add(condition.text)
                place = Place(file, frame.f_lineno, frame.f_code.co_qualname)
                self._stop(frame, place, condition.text, at_op=True)

    def _stop(self, frame: FrameType, place: Place, why: str, at_op: bool) -> None:
        shown = {name: text(value) for name, value in _each(self.at_hand) if name != "op"}
        number = self.newest_op if at_op else None
        self._note("stop", why, place, self.at_hand.get("op") if at_op else None, number)
        self.stopped += 1
        if self.debugger.is_there() or self.stopped <= MOST_PRINTED:
            op = f" after {self.at_hand['op']}" if at_op else ""
            self._say(f"stop {place.file}:{place.line} in {place.function}{op}: {one_line(why, 100)}")
            if at_op:
                for name, words in shown.items():
                    self._say(f"  {name} = {words}")
        elif self.stopped == MOST_PRINTED + 1:
            self._say("stop … and more, of which nothing is said")
        if self.debugger.is_there():
            self.debugger.at(frame)

    @property
    def unmet(self) -> Iterator[str]:
        """Return what to say of the lines and conditions that stopped nothing."""
        for line in self.debug_request.lines:
            if line.text not in self.met:
                yield f"`--break {line.text}` stopped nothing: the line was not reached"
        for condition in self.debug_request.conditions:
            if condition.text not in self.met:
                yield f"`--break {condition.text}` stopped nothing: no op met it"

    # Patches

    def _patched(self, number: int, place_number: int, value: Any) -> Any:
        patch, place = self.debug_request.patches[number], self.debug_request.places[place_number]
        with not_recorded():
            new = self._fitted(patch.text, ".".join(patch.name), patch.value, value)
        self._note("patch", patch.text, place, text(value))
        return new

    def _fitted(self, what: str, name: str, literal: Any, value: Any) -> Any:
        """Convert a patch's literal to the kind of the value it replaces: a tensor for a tensor.  Raises PatchUnfit."""
        if not isinstance(value, Tensor):
            return tuple(literal) if isinstance(value, tuple) and isinstance(literal, list) else literal
        try:
            array = np.asarray(literal, dtype=value._array.dtype)
        except (ValueError, TypeError, OverflowError):
            raise errors.PatchUnfit(what, f"that is no tensor, and `{name}` is one") from None
        if not array.ndim and value._array.ndim:
            array = np.full(value._array.shape, array, array.dtype)
        made: Tensor = exchange.from_numpy(np.array(array)).clone()
        if value.requires_grad and value.is_leaf:
            made.requires_grad_()
            self.leaves.append((name, made))
        return made

    # Telling

    def _say(self, line: str) -> None:
        print(line, file=sys.stdout)

    def _note(self, kind: str, name: str, place: Place, value: str | None, op: int | None = None) -> None:
        if len(self.notices) < MOST_NOTICES:
            self.notices.append(Notice(kind, name, place.file, place.line, place.function, value, op))


class Watchpoints(Collector):
    """Lets the conditions of `--break` be tested after every op."""

    def __init__(self, debug_probes: DebugProbes) -> None:
        self.debug_probes = debug_probes

    def after_op(self, op: Any, args: Sequence[Any], kwargs: Mapping[str, Any], result: Any) -> None:
        """Test the conditions in the frame that ran the op."""
        frame = user_frame(sys._getframe(2))
        self.debug_probes.after_op(op, args, kwargs, result, frame, len(self.log.ops) - 1)


def _attribute(holder: Any, name: str) -> Any:
    """Read an attribute without running a method of the user's, or return _MISSING."""
    names = getattr(holder, "__dict__", None)
    if type(names) is dict:
        for table in (names, names.get("_parameters"), names.get("_buffers"), names.get("_modules")):
            if isinstance(table, Mapping) and name in table:
                return table[name]
    try:
        return getattr(holder, name) if name in getattr(type(holder), "__slots__", ()) else _MISSING
    except Exception:
        return _MISSING


def _tensors(values: Any) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif type(value) in (list, tuple):
            yield from _tensors(value)


def _plain(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return tuple(map(_plain, value))
    return np.asarray(value._array) if isinstance(value, Tensor) else value


def _each(at_hand: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in at_hand.items():
        if isinstance(value, tuple):
            yield from ((f"{name}[{index}]", each) for index, each in enumerate(value))
        else:
            yield name, value
