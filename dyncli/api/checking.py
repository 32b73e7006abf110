"""`gradcheck`: the gradients of a model of this process against differences that stay on its path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from dyncli import errors
from dyncli.api.inputs import Inputs
from dyncli.api.shown import WIDTH, Shown, text_of

if TYPE_CHECKING:
    from rich.console import RenderableType

    from dyncli.records.gradcheck import Report


class Gradcheck(Shown):
    """The outcome of a check.  data: the whole report.

    It is true in a condition if every checked element agrees: `assert dyncli.gradcheck(forward, x)`.
    """

    def __init__(self, data: Report) -> None:
        self.data = data

    @property
    def is_right(self) -> bool:
        """True if every checked element agrees."""
        return self.data.is_right

    def __bool__(self) -> bool:
        return self.is_right

    @property
    def verdict(self) -> str:
        """`right`, or what is the matter: `wrong`, `detached`, `kink`, `jump`, `nondeterministic`, `nan`, ..."""
        return self.data.verdict

    @property
    def message(self) -> str:
        """The verdict in words, with the line."""
        return self.data.message

    def table(self, *, width: int = WIDTH) -> str:
        """Return the tables as text."""
        return text_of(self._report(), width)

    def _report(self) -> RenderableType:
        from dyncli.render.reports.gradcheck import render

        return render(self.data)

    def __repr__(self) -> str:
        return f"<Gradcheck {self.verdict}: {self.message}>"


def gradcheck(
    model: Any,
    inputs: Any = (),
    *,
    wrt: str | Sequence[str] = (),
    order: int = 1,
    fast: bool = False,
    directions: int = 3,
    locate: bool = False,
    rtol: float | None = None,
    atol: float | None = None,
    eps: float | None = None,
    seed: int = 0,
) -> Gradcheck:
    """Check the derivatives of a model by all its floating inputs and parameters.

    inputs: a tuple is what the model is called with, a dict its arguments by name, anything else the only argument.
    The other options are those of `dyncli gradcheck`.  The check runs in float64; tensors of the model, their
    gradients and the random numbers are put back afterwards.
    Raises what `record` raises, BadOption, UnknownSource (ValueErrors), and RunRaised if the model raises.
    """
    return check(
        model, inputs_of(model, inputs), wrt=(wrt,) if isinstance(wrt, str) else tuple(wrt), order=order, fast=fast,
        directions=directions, locate=locate, rtol=rtol, atol=atol, eps=eps, seed=seed,
    )  # fmt: skip


def check(model: Any, given: Inputs, *, order: int = 1, directions: int = 3, **options: Any) -> Gradcheck:
    """Check the derivatives of a model at fitted inputs.  See `gradcheck`."""
    _check_options(order, directions, {name: options.get(name) for name in ("rtol", "atol", "eps")})
    from dyncli.gradchecking.live import check_call
    from dyncli.gradchecking.settings import Settings

    settings = Settings(given.name, order=order, directions=directions, **options)
    return Gradcheck(check_call(model, given.bound(), settings))


def inputs_of(model: Any, inputs: Any) -> Inputs:
    """Return the arguments of a call: a tuple by position, a dict by name, anything else as the only one."""
    if isinstance(inputs, Mapping):
        return Inputs(model, (), {str(name): value for name, value in inputs.items()})
    return Inputs(model, inputs if isinstance(inputs, tuple) else (inputs,), {})


def _check_options(order: int, directions: int, tolerances: dict[str, float | None]) -> None:
    """Raise BadOption for a value that a check cannot use."""
    if order not in (1, 2):
        raise errors.BadOption("order", order, "1, or 2 for second derivatives as well")
    if directions < 1:
        raise errors.BadOption("directions", directions, "a whole number from 1 on")
    for name, value in tolerances.items():
        if value is not None and (not isfinite(value) or value < 0 or (name == "eps" and value == 0)):
            raise errors.BadOption(name, value, "a finite number from 0 on, `eps` above 0")
