"""What a script's own `sys.settrace` and `sys.setprofile` hear: nothing of the recorder's frames."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

Hearing = Callable[[FrameType, str, Any], Any]


class _Deaf:
    """A trace or profile function that is not called for frames of ours."""

    __slots__ = ("hearing",)

    def __init__(self, hearing: Hearing) -> None:
        self.hearing = hearing

    def __call__(self, frame: FrameType, event: str, arg: Any) -> Any:
        ours = str(frame.f_globals.get("__name__")).startswith("dyncli.")
        return None if ours else self.hearing(frame, event, arg)


@contextmanager
def unheard() -> Iterator[None]:
    """Keeps frames of ours from what is given to `sys.settrace` and `sys.setprofile` meanwhile.

    A method of a class that says it `hears_the_recorder`, as our debugger does, hears them all the same.
    """
    before = {name: getattr(sys, name) for name in ("settrace", "gettrace", "setprofile", "getprofile")}

    def hear(begin: Callable[[Any], None]) -> Callable[[Hearing | None], None]:
        def set_(function: Hearing | None, /) -> None:
            owner = type(getattr(function, "__self__", None))
            begin(function if function is None or hasattr(owner, "hears_the_recorder") else _Deaf(function))

        return set_

    def heard(ask: Callable[[], Any]) -> Callable[[], Any]:
        def get() -> Any:
            found = ask()
            return found.hearing if type(found) is _Deaf else found

        return get

    for name, function in before.items():
        changed = hear(function) if name.startswith("set") else heard(function)
        changed.__name__ = changed.__qualname__ = name
        setattr(sys, name, changed)
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(sys, name, function)
