"""Grad modes: `no_grad`, `enable_grad`, `inference_mode`, anomaly mode.

One context variable holds one immutable `Mode`, so threads, coroutines and generators each see their own, and an op
asks one question: is the mode the plain recording one?
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar, Token
from typing import Any, NamedTuple, TypeVar
from weakref import ref

__capture__ = "replayed"

F = TypeVar("F", bound=Callable[..., Any])


class Mode(NamedTuple):
    """Mode that ops run in.

    `hooks`: (pack, unpack) of saved tensors, innermost last.
    `tape`: who writes down every op on raw arrays, so that it can be played again (`capture/`).
    `careful`: there is an inference tensor that requires grad, so every op has to ask what it saves.
    """

    grad: bool = True
    inference: bool = False
    anomaly: bool = False
    check_nan: bool = True
    hooks: tuple[Any, ...] = ()
    hooks_disabled: str | None = None
    forward_level: int = -1
    tape: Any = None
    careful: bool = False


GRAD = Mode()
NO_GRAD = Mode(grad=False)
nondefault_modes: set[Any] = set()
"""Empty while every context is in the plain recording mode, so that an op need not ask for its own."""


callback: Any = None
"""The listener's `mode`, called where `no_grad` and its like begin and end."""


class _Mark:
    """Lies in a context beside a mode other than `GRAD`, and lives as long as any context holds that mode."""

    __slots__ = ("__weakref__",)


class _Modes:
    """The context variable of the mode, which keeps `nondefault_modes` true.

    Blocks are not counted: a task or a thread may copy the context within `no_grad` and go on with it when the block is
    over, so that a mode is there until its mark is gone.
    """

    def __init__(self) -> None:
        self.variable: ContextVar[Mode] = ContextVar("dyncore_mode", default=GRAD)
        self._marks: ContextVar[_Mark | None] = ContextVar("dyncore_mark", default=None)
        self.get = self.variable.get

    def set(self, mode: Mode) -> Token[Mode]:
        """Set the mode of ops in this context."""
        token = self.variable.set(mode)
        self._note(mode)
        return token

    def reset(self, token: Token[Mode]) -> None:
        """Put back the mode that was there before."""
        self.variable.reset(token)
        self._note(self.get())

    def _note(self, mode: Mode) -> None:
        if mode is GRAD:
            self._marks.set(None)
        else:
            mark = _Mark()
            nondefault_modes.add(ref(mark, nondefault_modes.discard))
            self._marks.set(mark)


_mode = _Modes()
current = _mode.get


def changed(mode: Mode, **changes: Any) -> Mode:
    """Return `mode` with `changes`.

    The two plain modes are always the same two objects, which the fast path relies on.
    """
    if (mode is GRAD or mode is NO_GRAD) and len(changes) == 1 and "grad" in changes:
        return GRAD if changes["grad"] else NO_GRAD  # what `no_grad` asks for
    after = mode._replace(**changes)
    if (after.inference, after.anomaly, *after[4:]) == _PLAIN:
        return GRAD if after.grad else NO_GRAD
    return after


def plain() -> bool:
    """Return True if nothing but recording for backward may be on.

    Short cuts are allowed then.
    """
    mode = current()
    return mode.forward_level < 0 and mode.tape is None


_PLAIN = (False, False, (), None, -1, None, False)


def set_mode(mode: Mode) -> None:
    """Set the mode of ops in this context, and tell the listener."""
    if callback is not None and mode.grad is not current().grad:
        callback(mode.grad)
    _mode.set(mode)


class _Context:
    """A mode change that works as `with`, as a decorator, and on generator and coroutine functions."""

    _tokens: list[Mode]

    def changes(self) -> dict[str, Any]:
        raise NotImplementedError

    def clone(self) -> _Context:
        return type(self)()

    def __enter__(self) -> Any:
        tokens = self.__dict__.setdefault("_tokens", [])
        tokens.append(current())
        set_mode(changed(current(), **self.changes()))
        return None

    def __exit__(self, *exc: object) -> None:
        set_mode(self._tokens.pop())

    def __call__(self, func: F) -> F:
        if inspect.isclass(func):
            from dyncore.errors.explain import warn

            warn(
                "Decorating classes is deprecated and will be disabled in future versions. You should only decorate "
                "functions or methods. To preserve the current behavior of class decoration, you can directly decorate "
                "the `__init__` method and nothing else.",
                FutureWarning,
            )
            return self(lambda *args, **kwargs: func(*args, **kwargs))  # type: ignore[return-value]
        if inspect.isgeneratorfunction(func):
            return _wrap_generator(self, func)  # type: ignore[return-value]

        @functools.wraps(func)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return func(*args, **kwargs)

        return wrapped  # type: ignore[return-value]


def _wrap_generator(context: _Context, func: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a generator function to run in the mode, and in its caller's at a `yield`."""

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        generator = func(*args, **kwargs)
        with context.clone():
            try:
                response = generator.send(None)
            except StopIteration as stop:
                return stop.value
        while True:
            try:
                request = yield response
            except GeneratorExit:
                with context.clone():
                    generator.close()
                raise
            except BaseException as error:
                step, payload = generator.throw, error
            else:
                step, payload = generator.send, request
            try:
                with context.clone():
                    response = step(payload)
            except StopIteration as stop:
                return stop.value

    return wrapped


class _NoArgument(_Context):
    """A mode that may also be used as a bare decorator: `@no_grad`."""

    def __new__(cls, func: Any = None) -> Any:
        if func is None:
            return super().__new__(cls)
        return cls()(func)


class no_grad(_NoArgument):
    """Records nothing for backward inside; results do not require grad.

    >>> x = tensor([1.], requires_grad=True)
    >>> with no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def changes(self) -> dict[str, Any]:
        return {"grad": False}


class enable_grad(_NoArgument):
    """Records for backward inside, also within `no_grad`."""

    def changes(self) -> dict[str, Any]:
        return {"grad": True}


class set_grad_enabled(_Context):
    """Turns recording on or off, at once or for a `with` block or function."""

    def __init__(self, mode: bool) -> None:
        self.mode = bool(mode)
        self.before = current()
        set_mode(changed(self.before, grad=self.mode))

    def changes(self) -> dict[str, Any]:
        return {"grad": self.mode}

    def __enter__(self) -> None:
        self.__dict__.setdefault("_tokens", []).append(self.before)
        set_mode(changed(current(), grad=self.mode))

    def __call__(self, func: F) -> F:
        set_mode(self.before)
        return super().__call__(func)

    def clone(self) -> _Context:
        clone = super().__new__(type(self))
        clone.__dict__.update(mode=self.mode, before=current())
        return clone

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"


class inference_mode(_Context):
    """`no_grad` whose results can never take part in autograd."""

    def __new__(cls, mode: Any = True) -> Any:
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def changes(self) -> dict[str, Any]:
        return {"grad": not self.mode, "inference": self.mode}

    def __exit__(self, *exc: object) -> None:
        careful = current().careful
        super().__exit__(*exc)
        if careful:
            _mode.set(changed(current(), careful=True))

    def clone(self) -> _Context:
        return type(self)(self.mode)


_leaves: list[Any] = []


def be_careful(tensor: Any) -> None:
    """Make every op check what it saves, while this inference tensor lives."""
    _leaves.append(ref(tensor))
    _mode.set(changed(current(), careful=True))


def still_careful() -> bool:
    """Return True while an inference tensor requires grad.

    Else restore the fast path.
    """
    _leaves[:] = [each for each in _leaves if each() is not None]
    if not _leaves:
        _mode.set(changed(current(), careful=False))
    return bool(_leaves)


def is_grad_enabled() -> bool:
    """Return True if ops are recorded for backward."""
    return current().grad


def is_inference_mode_enabled() -> bool:
    """Return True if `inference_mode` is on."""
    return current().inference


class detect_anomaly(_Context):
    """Checks every gradient for NaN during backward and names the forward line of the op that made it."""

    def __init__(self, check_nan: bool = True) -> None:
        import warnings

        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def changes(self) -> dict[str, Any]:
        return {"anomaly": True, "check_nan": self.check_nan}

    def clone(self) -> _Context:
        clone = super().__new__(type(self))
        clone.__dict__.update(check_nan=self.check_nan)
        return clone


class set_detect_anomaly(_Context):
    """Turns anomaly mode on or off, at once or for a `with` block."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.mode, self.check_nan = mode, check_nan
        self.before = current()
        _mode.set(changed(self.before, **self.changes()))

    def changes(self) -> dict[str, Any]:
        return {"anomaly": self.mode, "check_nan": self.check_nan}

    def __enter__(self) -> None:
        self.__dict__.setdefault("_tokens", []).append(self.before)


def is_anomaly_enabled() -> bool:
    """Return True if anomaly mode is on."""
    return current().anomaly


def is_anomaly_check_nan_enabled() -> bool:
    """Return True if anomaly mode also checks gradients for NaN."""
    return current().check_nan


class _Flag(_Context):
    """A switch of PyTorch's engine that changes nothing here: set at once or for a `with` block, and remembered."""

    state = True

    def __init__(self, mode: bool) -> None:
        self.mode = bool(mode)
        self.prev = type(self).state
        type(self).state = self.mode

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        type(self).state = self.prev

    def clone(self) -> _Context:
        return type(self)(self.mode)


class set_multithreading_enabled(_Flag):
    """Set whether backward may use threads of its own; it uses one either way."""


class force_original_view_tracking(_Flag):
    """Set whether a written view's history has the name of the op that made the view.

    The gradient is the same either way.
    """

    state = False


def is_multithreading_enabled() -> bool:
    """Return the setting of `set_multithreading_enabled`."""
    return set_multithreading_enabled.state


def is_view_replay_enabled() -> bool:
    """Return the setting of `_force_original_view_tracking`."""
    return force_original_view_tracking.state
