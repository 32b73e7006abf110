"""A function of the running process over many inputs; its tensors are afterwards as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

from dyncli import errors
from dyncli.analysis.coverage import Settings, Tally
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.fast_arguments import Arguments
from dyncli.coverage.runner import Runner, Spec
from dyncli.instrument.program import Function
from dyncli.recorder.engine import AccumulateGrad
from dyncli.recorder.live import code_of, functions_of, warn_without_source
from dyncli.recorder.settings import restore, rng_state

Input = tuple[str, Callable[[], Arguments]]


class LiveRunner(Runner):
    """A function or Module of this process.  Its tensors are put back before each input, and its gradients cleared.

    Raises PathNotRecorded where the source of the function is not to be had.
    """

    def __init__(self, function: Any, name: str, settings: Settings) -> None:
        self.spec = Spec(name, settings=settings)
        self.functions, self.loaded = functions_of(function, name)
        if code_of(function) in self.functions.without_source:
            raise errors.PathNotRecorded(name)
        warn_without_source(self.functions.without_source)
        self._begin(settings, self.functions)
        variables = ModuleType(getattr(function, "__module__", None) or type(function).__module__)
        variables.__dict__.update(self.functions.variables)
        self._loaded(function, [variables])
        self.inputs: Sequence[Input] = ()

    def cover(self, inputs: Sequence[Input]) -> Tally:
        """Run the function on inputs, each a text to show it by and what makes it."""
        self.inputs = inputs
        places = [f"inputs[{position}]" for position in range(len(inputs))]
        chunk = Chunk("inputs", 0, len(inputs), "lines", [text for text, _ in inputs], places=places)
        edges = [leaf._edge for leaf in self.pristine.leaves if isinstance(leaf._edge, AccumulateGrad)]
        grads = [edge.grad for edge in edges]
        state = rng_state()
        try:
            return self.run(chunk)
        finally:
            self.pristine.restore()
            for edge, grad in zip(edges, grads):
                edge.grad = grad
            restore(state)

    def _items(self, chunk: Chunk) -> Iterator[tuple[int, Callable[[], Arguments]]]:
        yield from ((position, make) for position, (_, make) in enumerate(self.inputs))

    def counts(self, function: Function) -> bool:
        """Return whether a function is one that the model may call: a file, or a notebook, has others."""
        return super().counts(function) and self.functions.holds(function)

    def _ended(self, position: int, error: BaseException) -> str:
        if isinstance(error, KeyboardInterrupt):
            raise error
        return super()._ended(position, error)
