"""A function called once for many slices: it runs on one that stands for all, and each op on all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.creation.trees import flatten
from dyncore.rng import generator
from dyncore.tensors.tensor import Tensor

from .groups import Group, Part, Signature
from .lazy import Lazy
from .scheduler import Scheduler, compute, grad_as, running


class GiveUp(BaseException):
    """Raised where the slices need a call each, for instance where the function asks for a value."""


class _Empty(dict[Any, Any]):
    """A table in which no group is found, so that each call has a group of its own."""

    def __setitem__(self, key: Any, value: Any) -> None: ...


class Once(Scheduler):
    """A batch of `rows` examples of which one runs: each group has one member, which stands for all rows.

    whole: the arguments, by the sliced dimension and the id of what has it first.
    steps, returned: what ran, as a `Plan` has it.
    """

    def __init__(self, rows: int) -> None:
        super().__init__()
        self.rows = rows
        self.table = _Empty()
        self.whole: dict[tuple[int, int], Any] = {}
        self.steps: list[tuple[Signature, list[int]]] = []
        self.returned: list[int] = []

    def open(self, signature: Signature, homes: list[Group]) -> Part:
        signature.waiting.clear()
        return super().open(signature, homes)

    def wait(self, home: Group) -> None:
        """Give up.  Raise RuntimeError if the call is over."""
        if running.get() is not self:
            raise RuntimeError("vmap: a tensor of the function is used after the call: return it from the function.")
        raise GiveUp

    def before_write(self, root: Any) -> None:
        """Give up: each slice's call writes."""
        if not self.paused:
            raise GiveUp

    def is_shared(self, tensor: Any) -> bool:
        """Return True: what is no slice is one for all of them."""
        return True

    def given(self, tensor: Any) -> Any:
        """Give up where an ordinary tensor stands in a list beside slices."""
        raise GiveUp

    def refuse(self, sentence: str) -> None:
        """Give up where the function does what only a call on one slice can."""
        raise GiveUp

    def apart(self, group: Group, parts: list[Part]) -> Any:
        """Give up on an op that cannot compute all slices together."""
        raise GiveUp

    def slices(self, tensor: Any, dim: int) -> Lazy:
        """Return a slice that stands for all of a tensor."""
        whole = tensor.movedim(dim, 0) if dim else tensor
        self.whole[dim, id(whole)] = tensor
        made = whole._array.shape[1:], whole._array.dtype, whole._edge is not None
        lazy: Lazy = self.open(Signature("slices", 0, [made], lambda: whole, lambda: whole, view=True), []).result()
        return lazy

    def has_only(self, tensors: Any) -> bool:
        """Return whether all tensors that ops were given are slices or have these ids."""
        leaves = [leaf for given in self.kept for leaf in flatten(given)[0]]
        return all(leaf.__class__ is Lazy or id(leaf) in tensors for leaf in leaves if isinstance(leaf, Tensor))

    def results(self, values: list[Any]) -> list[Any]:
        """Return the tensors of lazy tensors, with the slices first, and forget all others."""
        if not values or not all(each.__class__ is Lazy and each.home.scheduler is self for each in values):
            raise GiveUp
        todo, self.live, self.paused = self.live, [], True
        outputs = [output for group in todo for output in group.outputs]
        numbers = {output: number for number, output in enumerate(outputs)}
        self.steps = [(group.signature, [numbers[home] for home in group.parts[0].homes]) for group in todo]
        self.returned = [numbers[each.home] for each in values]
        for group in todo:
            compute(self, [group])
        made = [each.home.whole.tensor for each in values]
        for output in outputs:
            output.whole = None
        return made


class Plan:
    """The ops of a call on slices, to run on others.

    steps: signatures, and for each the numbers of its operands among the arguments and all that steps made before.
    returned: the numbers of the results.  makes: their (shape, dtype, requires_grad).
    """

    def __init__(self, scheduler: Once, arguments: int) -> None:
        self.steps, self.returned = scheduler.steps[arguments:], scheduler.returned
        made = [each for signature, _ in scheduler.steps for each in signature.makes]
        self.makes = [made[number] for number in self.returned]

    def run(self, *tensors: Any) -> list[Any]:
        """Return the results for arguments with the slices first.

        Raises RuntimeError if an op makes another shape or dtype than before.
        """
        values = list(tensors)
        for signature, sources in self.steps:
            with grad_as(signature):
                made = signature.run(*[values[number] for number in sources])  # type: ignore[misc]
            outputs = [made] if isinstance(made, Tensor) else list(made)
            for tensor, (shape, dtype, _) in zip(outputs, signature.makes, strict=True):
                array = tensor._array
                if array.shape != (len(tensors[0]._array), *shape) or array.dtype != dtype:
                    raise RuntimeError(f"{signature.name} made {array.shape} and {array.dtype}")
            values += outputs
        return [values[number] for number in self.returned]


def at_once(scheduler: Once, call: Callable[[], Any]) -> Any:
    """Return the results of a call on slices, as leaves with the slices first, and their structure.

    NotImplemented where it gives up; random numbers are then as they were.
    """
    random = generator.default_generator
    state, draws = random.get_state(), generator.draws
    token = running.set(scheduler)
    try:
        values, structure = flatten(call())
        made = scheduler.results(values)
        if generator.draws != draws:
            raise GiveUp
    except GiveUp:
        if generator.draws != draws:
            random.set_state(state)
        return NotImplemented
    finally:
        running.reset(token)
    return made, structure
