"""Inputs run together by the engine's `batched`: for each what a run of its own would have told, or nothing.

The steps of one input are between those of others, so its entries are cut out of the log as the inputs take turns.
There is one backward for all, from the outputs of all: it gives each input its gradient, and parameters a sum of many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dyncli.recorder.engine import batching, draws

if TYPE_CHECKING:
    from dyncli.coverage.fast_arguments import Arguments


class NotTogether(BaseException):
    """Raised where a log has grown too long to be kept for all inputs at once."""


class Turns:
    """Runs inputs of one script together, as long as that changes nothing that a run by itself would tell.

    is_over: whether the script was seen to keep state or to draw numbers, so that its inputs are run one by one.
    """

    def __init__(self, runner: Any) -> None:
        self.runner = runner
        self.is_over = runner.seeds_all
        self.kind, self.together = batching()
        self.pieces: list[list[Any]] = []
        self.positions: list[int] = []
        self.turn: int | None = None

    def run(self, given: dict[int, Arguments], watch: Any) -> dict[int, tuple[list[Any], Any]]:
        """Return (log, value) by position, of those that came to their end as they would have alone."""
        runner, log = self.runner, self.runner.log
        if self.is_over or len(given) < 2 or not watch.has_timer:
            return {}
        runner.prepare()
        self.positions, self.turn = list(given), None
        self.pieces = [[] for _ in given]
        begun = draws()
        results: list[tuple[Any, Exception | None]] = []
        try:
            watch.begin()
            results = self.together(_called(runner.function), list(given.values()), self._resumed)
            watch.end()
            self._cut()
            ended = [number for number, (_, error) in enumerate(results) if error is None]
            tensors = [tensor for position in given for tensor in given[position].tensors]
            watch.begin()
            runner.backward([results[number][0] for number in ended], tensors)
            watch.end()
        except BaseException:  # a limit, or what ends a process: each input meets it again by itself
            results = []
        watch.end()
        if draws() != begun or runner.pristine.is_changed():
            self.is_over = True
            results = []
        if log:  # a decision of the backward, of which input nobody knows
            results = []
        log.clear()
        runner.turn = None
        return {
            position: (piece, value)
            for position, piece, (value, error) in zip(given, self.pieces, results, strict=False)
            if error is None
        }

    def _resumed(self, number: int) -> None:
        """Note that an input goes on: what is logged from now on is its own."""
        self._cut()
        self.turn = number
        self.runner.progress(self.positions[number])

    def _cut(self) -> None:
        log = self.runner.log
        if self.turn is not None:
            self.pieces[self.turn] += log
            self.turn = None
        log.clear()


def _called(function: Any) -> Any:
    return lambda arguments: function(*arguments.positional, **arguments.named)
