"""Record a function once for each path through it, and replay it as a flat plan on raw arrays.

What is recorded, from bottom to top:

steps.py        what a recording is made of: steps on arrays, decisions, nodes for backward, tensors from outside
tracing.py      an op's own block traced, so that its NumPy calls become steps
comparisons.py  `x.item() < 0.9` read as one decision, also by way of a variable
tape.py         what ops, writes in place and values that leave report while the function runs
watch.py        which Python ran beside the ops: what cannot be replayed is refused
guards.py       what the function reads by name: compared before every replay
arguments.py    which arguments a recording fits, and their text for people
tree.py         the paths as a tree of decisions
recording.py  function.py  report.py    one recording, what `compile` returns, `explain()`
program.py  captured.py    the captured program as immutable data for other back ends: `programs_of(compiled)`

`replay/` makes a NumPy plan of a tree:

simplify.py  fuse.py  joining.py    which steps run, and how
buffers.py      which results are written into arrays that are there already
writing.py      steps and the tree as the text of a function
gradients.py  recurrence.py  node.py    the backward of a path as steps, and the node that runs them
entry.py        a whole replay as one function
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from dyncore.graph.capture_marks import REFUSED, capture_as
from dyncore.nn.module import Module

from .captured import programs_of as programs_of
from .function import LIMIT, CompiledFunction
from .report import Explanation as Explanation, GuardFailure as GuardFailure, PathReport as PathReport

__capture__ = "replayed"


@capture_as(REFUSED)
def compile(
    model: Any = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Any = "inductor",
    mode: str | None = None,
    options: dict[str, Any] | None = None,
    disable: bool = False,
) -> Any:
    """Record `model` once for each path through it and replay it then; without it, return a decorator that does so.

    Values and gradients have the bits of ordinary calls.  A recording fits while the tensors' shapes, strides, dtypes
    and `requires_grad`, the grad mode, other arguments by value, and all that the function's code can name (globals,
    closures, attributes) are as they were; what leaves for Python is compared on the way: a
    decision (`bool`, `x.item() < 0.9`) by its outcome, another number by its value.
    Otherwise the call is an ordinary one and recorded anew, up to `options={"cache_size_limit": 64}` times.
    A function that prints, keeps state or does anything else that a replay would leave out is never replayed.
    `explain()` of the result says what was recorded, replayed and refused.  Not noticed: changes behind attributes
    that the code does not name, and what C extensions do unseen.

    fullgraph: raise RuntimeError for a call that cannot be recorded.  disable: give back `model`.

    >>> from dyncore import compile, tensor
    >>> double = compile(lambda x: x * 2 if x.sum() > 0 else x - 2)
    >>> [double(tensor([value])).item() for value in (1.0, 3.0, -1.0, -3.0)]
    [2.0, 6.0, -3.0, -5.0]
    """
    if model is None:
        return lambda function: compile(function, fullgraph=fullgraph, options=options, disable=disable)
    if disable:
        return model
    return compiled(model, fullgraph, options)


def compiled(model: Any, fullgraph: bool = False, options: dict[str, Any] | None = None) -> Any:
    """Record and replay `model`, a function or a Module."""
    if isinstance(model, (CompiledFunction, OptimizedModule)):
        return model
    if not callable(model):
        raise TypeError(f"compile() expected a callable or a Module, but got {type(model).__name__}")
    limit = int((options or {}).get("cache_size_limit", LIMIT))
    if isinstance(model, Module):
        return OptimizedModule(model, limit, fullgraph)
    return CompiledFunction(model, limit, fullgraph)


def copied(module: OptimizedModule, memo: dict[int, Any]) -> OptimizedModule:
    """Return a compiled copy of the Module inside, with nothing recorded yet."""
    own = module._compiled
    return OptimizedModule(deepcopy(own._function, memo), own._limit, own._fullgraph)


class OptimizedModule(Module):
    """A Module whose calls are recorded and replayed; everything else is the Module's own."""

    def __init__(self, module: Module, limit: int = LIMIT, fullgraph: bool = False) -> None:
        super().__init__()
        self._orig_mod = module
        object.__setattr__(self, "_compiled", CompiledFunction(module, limit, fullgraph))
        self.training = module.training

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the Module."""
        return self._compiled(*args, **kwargs)

    def explain(self) -> Explanation:
        """Return what was recorded and replayed, and why not."""
        return self._compiled.explain()

    __deepcopy__ = copied

    def __reduce__(self) -> Any:
        own = self._compiled
        return OptimizedModule, (own._function, own._limit, own._fullgraph)

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        module = own.get("_orig_mod") or own.get("_modules", {}).get("_orig_mod")
        if module is None or name == "_orig_mod":
            return super().__getattr__(name)
        return getattr(module, name)
