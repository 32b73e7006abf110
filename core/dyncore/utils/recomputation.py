"""What a checkpoint remembers: holders in the place of saved tensors, and how their values are computed again."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from ..autograd.graph import saved_tensors_hooks
from ..task import running
from ..tensor import Tensor

__dyncore__ = True


class StopRecomputation(Exception):
    """Everything that was saved has been computed again."""


class Holder:
    """Stands in the graph for one saved tensor of a checkpointed part."""

    __slots__ = ("number", "__weakref__")

    def __init__(self, number: int) -> None:
        self.number = number


class Frame:
    """One checkpointed call. `values` holds recomputed tensors by the backward that asked for them."""

    def __init__(self, again: Callable[[], None], early_stop: bool, check: bool, error: type[RuntimeError]) -> None:
        self.again = again
        self.early_stop = early_stop
        self.check = check
        self.error = error
        self.debug = False
        self.forward_completed = self.unfinished = False
        self.holders: list[weakref.ref[Holder]] = []
        self.metas: list[Any] = []
        self.values: weakref.WeakKeyDictionary[Any, dict[int, Any]] = weakref.WeakKeyDictionary()

    def pack(self, tensor: Tensor) -> Holder:
        """A holder for `tensor`, which is let go."""
        holder = Holder(len(self.holders))
        self.holders.append(weakref.ref(holder))
        self.metas.append(describe(tensor))
        return holder

    def unpack(self, holder: Holder) -> Any:
        """The tensor, from this backward's recomputation."""
        task = running.get() or _Access()
        found = self.values.get(task)
        if found is None:
            found = self.values[task] = {}
            self._recompute(found)
        if holder.number not in found:
            raise self.error(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. If you "
                "are calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an "
                "issue with details on your use case."
            )
        value = found.pop(holder.number)
        if task.__class__ is _Access:
            found.clear()
        return value

    def _recompute(self, found: dict[int, Any]) -> None:
        counted = 0

        def keep(tensor: Tensor) -> Any:
            nonlocal counted
            number = counted
            counted += 1
            if number >= len(self.holders):
                if not self.forward_completed:
                    # A backward inside the checkpointed function: what comes after it is not saved yet.
                    self.unfinished = True
                    return tensor
                raise self.error(
                    "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original "
                    "forward pass."
                )
            if self.holders[number]() is not None:
                found[number] = tensor
            self._compare(number, tensor)
            if self.early_stop and counted == len(self.holders):
                raise StopRecomputation
            return tensor

        try:
            with saved_tensors_hooks(keep, lambda kept: kept):
                self.again()
        except StopRecomputation:
            return
        if counted != len(self.holders) and not self.unfinished:
            raise self.error(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(self.holders)}\nNumber of tensors "
                f"saved during recomputation: {counted}."
            )

    def _compare(self, number: int, tensor: Tensor) -> None:
        again = describe(tensor)
        if self.check and again != self.metas[number]:
            raise self.error(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than "
                "during the "
                f"forward pass.\ntensor at position {number}:\nsaved metadata: {self.metas[number]}\nrecomputed "
                f"metadata: {again}"
            )


class _Access:
    """A look at a saved tensor outside any backward."""


def describe(tensor: Tensor) -> dict[str, Any]:
    """What a recomputed tensor must have in common with the first."""
    return {"shape": tensor.size(), "dtype": tensor.dtype, "device": tensor.device}
