"""Random numbers while a batch runs: the loop's until an example waits, then a stream of each example's own."""

from __future__ import annotations

from typing import Any

from dyncore.nn import functional as F
from dyncore.rng import initial as noise
from dyncore.rng.generator import Generator
from dyncore.tensors.tensor import wrap

from .lazy import Lazy
from .scheduler import running


class Streamed(Generator):
    """The default generator while batches run.

    It has no slots of its own: what an example reads and writes after one has waited is the state of another
    generator, the example's own.
    """

    __slots__ = ()


def _of_the_example(name: str) -> property:
    slot = vars(Generator)[name]
    return property(
        lambda self: slot.__get__(_source(self)),
        lambda self, value: slot.__set__(_source(self), value),
    )


for _name in Generator.__slots__:
    setattr(Streamed, _name, _of_the_example(_name))


def _source(loop: Generator) -> Generator:
    scheduler = running.get()
    return loop if scheduler is None or not scheduler.suspended else scheduler.stream(loop)


DROPOUT = F.dropout


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Set elements of a lazy tensor to zero, chosen now, so that numbers are drawn in the order of the calls."""
    lazy = input.__class__ is Lazy and not getattr(running.get(), "paused", True)
    if lazy and training and not inplace and 0 < p <= 1 and input.is_floating_point() and input.numel():
        home = input.home
        return input * wrap(noise.kept(home.shape, p, home.dtype), None)
    return DROPOUT(input, p, training, inplace)
