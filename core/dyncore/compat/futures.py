"""`torch.futures` in one process: what would run elsewhere has run when the future is made."""

from __future__ import annotations

from collections.abc import Callable
from types import GenericAlias
from typing import Any

from dyncore.errors.explain import missing_in

__all__ = ["Future", "collect_all", "wait_all"]


class Future:
    """A value that is set once.  `wait` raises RuntimeError while it is not: nobody else could set it."""

    __class_getitem__: Any = classmethod(GenericAlias)

    def __init__(self, *, devices: Any = None) -> None:
        self._outcome: tuple[Any, BaseException | None] | None = None
        self._waiting: list[Callable[[Future], Any]] = []

    def done(self) -> bool:
        """Return whether there is a value or an error."""
        return self._outcome is not None

    def wait(self) -> Any:
        """Return the value; raises the error if that was set."""
        if self._outcome is None:
            raise RuntimeError("the future has no value yet, and nobody else is there to set it")
        value, error = self._outcome
        if error is not None:
            raise error
        return value

    value = wait

    def set_result(self, result: Any) -> None:
        """Set the value and call who waits."""
        self._set(result, None)

    def set_exception(self, result: BaseException) -> None:
        """Set an error."""
        self._set(None, result)

    def _set(self, value: Any, error: BaseException | None) -> None:
        if self._outcome is not None:
            raise RuntimeError(
                "Attempting to mark a completed Future as complete again. Note that a Future can only be marked "
                "completed once."
            )
        self._outcome = value, error
        for call in self._waiting:
            call(self)

    def add_done_callback(self, callback: Callable[[Future], Any]) -> None:
        """Call `callback(self)` once there is a value, which may be at once."""
        if self.done():
            callback(self)
        else:
            self._waiting.append(callback)

    def then(self, callback: Callable[[Future], Any]) -> Future:
        """Return the future of what `callback(self)` returns."""
        made = Future()

        def call(future: Future) -> None:
            try:
                made.set_result(callback(future))
            except Exception as error:
                made.set_exception(error)

        self.add_done_callback(call)
        return made


def collect_all(futures: list[Future]) -> Future:
    """Return a future of the list, done when all of them are."""
    made = Future()
    left = [len(futures)]

    def count(_: Future) -> None:
        left[0] -= 1
        if not left[0]:
            made.set_result(futures)

    for each in futures:
        each.add_done_callback(count)
    if not futures:
        made.set_result(futures)
    return made


def wait_all(futures: list[Future]) -> list[Any]:
    """Return the values of all of them."""
    return [each.wait() for each in futures]


__getattr__ = missing_in(__name__)
