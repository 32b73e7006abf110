"""Context of a custom function: saved tensors, and marks on its outputs."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.saved.changed import second_time
from dyncore.dispatch.saved.held import Held
from dyncore.dispatch.saved.packed import saved_tensor
from dyncore.graph.node import FREED
from dyncore.tensors.tensor import Tensor

TAKEN = ("taken",)  # stands where saved tensors were that could be taken once


class FunctionCtx:
    """State of one call of a custom `Function`; any attribute may be set on it."""

    to_save: tuple[Any, ...] | None = None
    saved_for_forward: tuple[Any, ...] | None = None
    dirty_tensors: tuple[Any, ...] | None = None
    non_differentiable: tuple[Any, ...] | None = None
    executable = False
    _forward_cls: Any = None
    _saved: Any = ()
    _materialize = True
    _needs: tuple[bool, ...] | None = None
    fixed: frozenset[int] = frozenset()
    _is_pure_view = False

    def save_for_backward(self, *tensors: Any) -> None:
        """Save tensors for backward, which checks them for in-place changes."""
        for number, each in enumerate(tensors):
            if each is not None and not isinstance(each, Tensor):
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {number} is of type {type(each).__name__}"
                )
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Save tensors for `jvp`."""
        for each in tensors:
            if each is not None and not isinstance(each, Tensor):
                raise AssertionError(
                    "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes "
                    "on ctx."
                )
        self.saved_for_forward = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Mark inputs that were written in place; each must be returned."""
        for each in tensors:
            if not isinstance(each, Tensor):
                raise TypeError(f"mark_dirty can only accept variables, but argument is of type {type(each).__name__}")
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Mark outputs that have no gradient."""
        self.non_differentiable = tensors

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Do nothing but warn; shared memory is detected."""
        import warnings

        warnings.warn(
            "mark_shared_storage is deprecated. Tensors with shared storages are automatically tracked. Note that "
            "calls to `set_()` are not tracked",
            FutureWarning,
            stacklevel=2,
        )

    def set_materialize_grads(self, value: bool) -> None:
        """Set whether backward gets zeros, or None, for an output without a gradient."""
        self._materialize = value

    @property
    def materialize_grads(self) -> bool:
        return self._materialize

    @materialize_grads.setter
    def materialize_grads(self, value: bool) -> None:
        self._materialize = value

    @property
    def needs_input_grad(self) -> tuple[bool, ...]:
        """One bool for each argument: True if backward must return its gradient."""
        if self._needs is not None:
            return self._needs
        edges = iter(self.to)  # type: ignore[attr-defined]
        return tuple(is_tensor and next(edges) is not None for is_tensor in self.variables)  # type: ignore[attr-defined]

    @needs_input_grad.setter
    def needs_input_grad(self, value: tuple[bool, ...]) -> None:
        self._needs = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """Tensors that were passed to `save_for_backward`.

        Raises RuntimeError once they are freed, or if one was changed in place.
        """
        if self._saved is FREED:
            raise second_time(self)  # type: ignore[arg-type]
        if self._saved is TAKEN:
            raise RuntimeError(
                "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the "
                "autograd.Function. Either access saved_tensors only once, or set clear_saved_tensors_on_access=False."
            )
        tensors = tuple(None if held is None else held.unpack() for held in self._saved)
        if tensors and self._forward_cls.clear_saved_tensors_on_access:
            self._saved = TAKEN
        return tensors

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """Old name of `saved_tensors`."""
        import warnings

        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2)
        return self.saved_tensors

    @property
    def _raw_saved_tensors(self) -> tuple[Any, ...]:
        if self._saved is FREED:
            raise second_time(self)  # type: ignore[arg-type]
        return tuple(saved_tensor(held) for held in self._saved)

    def maybe_clear_saved_tensors(self) -> None:
        """Free the saved tensors."""
        self._saved = FREED

    def keep(self, outputs: dict[int, int]) -> None:
        """Store the tensors of `save_for_backward` as saved values.

        outputs: output number by `id` of the tensor.
        """
        from dyncore.graph.modes import current

        hooks = current().hooks
        held: list[Any] = []
        for each in self.to_save or ():
            if each is None:
                held.append(None)
                continue
            number = outputs.get(id(each))
            edge = each._edge
            if number is not None and edge is not None:
                entry = Held(self, each._array, None, None, number)
            else:
                entry = Held(self, each._array, edge, each)
            if hooks:
                entry.pack(*hooks[-1])
            held.append(entry)
        self._saved = tuple(held)
