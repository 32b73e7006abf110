"""State of a checkpoint: holders for saved tensors, and their recomputation."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from dyncore.autograd.graph import saved_tensors_hooks
from dyncore.errors.source import caller_place
from dyncore.graph.events import not_recorded
from dyncore.graph.running import running
from dyncore.tensors.tensor import Tensor


class StopRecomputation(Exception):
    """Everything that was saved has been computed again."""


class Holder:
    """Stands in the graph for one saved tensor of a checkpointed part."""

    __slots__ = ("number", "__weakref__")

    def __init__(self, number: int) -> None:
        self.number = number


_OVERLAP = (
    "Performing two backward calls that overlap (i.e. require the same saved activation in order to compute gradients) "
    "is not allowed while under the torch.utils.checkpoint.GraphExecGroup context. "
)


class GraphExecGroup:
    """A block whose backwards, which must not overlap, compute a checkpointed part again once for all of them."""

    def __enter__(self) -> GraphExecGroup:
        if current_group.get() is not None:
            raise RuntimeError(f"GraphExecGroup contexts cannot be nested. Already inside group {current_group.get()}")
        current_group.set(self)
        return self

    def __exit__(self, *exc: object) -> None:
        current_group.set(None)


current_group: ContextVar[GraphExecGroup | None] = ContextVar("dyncore_recomputed_once", default=None)


class Frame:
    """One checkpointed call. `values` holds recomputed tensors by the backward that asked for them."""

    def __init__(self, again: Callable[[], None], early_stop: bool, check: bool, error: type[RuntimeError]) -> None:
        self.again = again
        self.early_stop = early_stop
        self.check = check
        self.error = error
        self.debug = False
        self.first: list[str] = []
        self.second: list[str] = []
        self.forward_completed = self.unfinished = False
        self.holders: list[weakref.ref[Holder]] = []
        self.metas: list[Any] = []
        self.values: weakref.WeakKeyDictionary[Any, dict[int, Any]] = weakref.WeakKeyDictionary()

    def pack(self, tensor: Tensor) -> Holder:
        """Return a holder for `tensor`, which is let go."""
        holder = Holder(len(self.holders))
        self.holders.append(weakref.ref(holder))
        self.metas.append(describe(tensor))
        if self.debug:
            self.first.append(_line(tensor))
        return holder

    def unpack(self, holder: Holder) -> Any:
        """Return the tensor, from this backward's recomputation."""
        group = current_group.get()
        task = group or running.get() or _Access()
        found = self.values.get(task)
        if found is None:
            found = self.values[task] = {}
            self._recompute(found)
        if holder.number not in found:
            raise self.error(
                "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. "
                f"{'' if group is None else _OVERLAP}If you are calling ctx.saved_tensors in backward, make sure to do "
                "so only once. Otherwise please open an issue with details on your use case."
            )
        value = found.pop(holder.number)
        if task.__class__ is _Access:
            found.clear()
        return value

    def _recompute(self, found: dict[int, Any]) -> None:
        counted = 0

        def keep(tensor: Tensor) -> Any:
            nonlocal counted
            if not tensor.is_leaf:
                with not_recorded():
                    tensor = tensor.detach()  # its history would lead back to the node that keeps it
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
            if self.debug:
                self.second.append(_line(tensor))
            if self.holders[number]() is not None:
                found[number] = tensor
            self._compare(number, tensor)
            if self.early_stop and counted == len(self.holders):
                raise StopRecomputation
            return tensor

        self.second.clear()
        try:
            with saved_tensors_hooks(keep, lambda kept: kept):
                self.again()
            self._count(counted)
        except StopRecomputation:
            return
        except self.error as error:
            if not self.debug:
                raise
            raise self._shown(error) from error

    def _count(self, counted: int) -> None:
        """Raise unless as many tensors were saved as in the forward."""
        if counted != len(self.holders) and not self.unfinished:
            raise self.error(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {len(self.holders)}\nNumber of tensors "
                f"saved during recomputation: {counted}."
            )

    def _shown(self, error: RuntimeError) -> RuntimeError:
        """Return the error that shows both saved tensors, and where they were saved."""
        parts = [
            f"{title}:\n" + "".join(f"  {number}: {line}\n" for number, line in enumerate(lines))
            for title, lines in (("Saved during the forward", self.first), ("Saved during recomputation", self.second))
        ]
        return self.error(
            f"{error}\n\n{''.join(parts)}\nYou are seeing this error because you passed `debug=True` to checkpoint and "
            "what the checkpointed function saves differs between the forward and its recomputation."
        )

    def _compare(self, number: int, tensor: Tensor) -> None:
        again = describe(tensor)
        if self.check and again != self.metas[number]:
            raise self.error(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than "
                f"during the forward pass.\ntensor at position {number}:\nsaved metadata: "
                f"{self.metas[number]}\nrecomputed metadata: {again}"
            )


class _Access:
    """A look at a saved tensor outside any backward."""


def _line(tensor: Tensor) -> str:
    return f"{tensor.dtype} {list(tensor._array.shape)} at {caller_place()}"


def describe(tensor: Tensor) -> dict[str, Any]:
    """Return the traits that a recomputed tensor shares with the first."""
    return {"shape": tensor.size(), "dtype": tensor.dtype, "device": tensor.device}
