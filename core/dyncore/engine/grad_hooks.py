"""Gradient methods of a tensor: hooks, and how the gradient is stored."""

from __future__ import annotations

from typing import Any

from dyncore.graph.node import AccumulateGrad
from dyncore.tensors.metadata import Meta


class Hooked:
    """The attributes and methods of Tensor around its gradient; `binding` sets them."""

    __slots__ = ()

    _edge: Any
    _meta: Meta | None

    def retain_grad(self: Any) -> None:
        """Keep the gradient of this non-leaf tensor in its `grad`.  Raise RuntimeError if it requires none."""
        if self._edge is None:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self._edge.__class__ is AccumulateGrad or self.retains_grad:
            return
        from .hooks import retain

        retain(self)

    @property
    def retains_grad(self) -> bool:
        """True if `retain_grad` was called on this non-leaf tensor."""
        return self._meta is not None and self._meta.retains

    def register_hook(self: Any, hook: Any) -> Any:
        """Call `hook(grad)` when this tensor's gradient is computed; what it returns replaces the gradient."""
        from .hooks import register_tensor_hook

        return register_tensor_hook(self, hook)

    def register_post_accumulate_grad_hook(self: Any, hook: Any) -> Any:
        """Call `hook(tensor)` after a gradient was added to this leaf's `grad`."""
        from .hooks import register_post_accumulate

        return register_post_accumulate(self, hook)

    @property
    def volatile(self) -> bool:
        """Always False, with a warning: what it once said, `no_grad` says now."""
        from dyncore.errors.explain import warn

        warn("volatile was removed (Variable.volatile is always False)")
        return False

    @volatile.setter
    def volatile(self, value: bool) -> None:
        """Warn that setting it has no effect."""
        from dyncore.errors.advice import advise

        advise("volatile")

    def reinforce(self, reward: Any) -> None:
        """Raise RuntimeError: it was removed."""
        raise RuntimeError(
            "reinforce() was removed.\nUse torch.distributions instead.\n"
            "See https://pytorch.org/docs/main/distributions.html\n\n"
            "Instead of:\n\nprobs = policy_network(state)\naction = probs.multinomial()\n"
            "next_state, reward = env.step(action)\naction.reinforce(reward)\naction.backward()\n\n"
            "Use:\n\nprobs = policy_network(state)\n# NOTE: categorical is equivalent to what used to be called "
            "multinomial\nm = torch.distributions.Categorical(probs)\naction = m.sample()\n"
            "next_state, reward = env.step(action)\nloss = -m.log_prob(action) * reward\nloss.backward()"
        )

    @property
    def grad_dtype(self: Any) -> Any:
        """The dtype that `grad` is kept in: the tensor's own unless set; None for any.  Raises for a non-leaf."""
        if not self.is_leaf:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        return self.dtype if self._meta is None or self._meta.grad_dtype is False else self._meta.grad_dtype

    @grad_dtype.setter
    def grad_dtype(self: Any, value: Any) -> None:
        from .hooks import keep_grad_in

        keep_grad_in(self, value)

    @property
    def _post_accumulate_grad_hooks(self) -> Any:
        """The hooks to call after a gradient was added to this leaf's `grad`, by their number, or None."""
        return getattr(self._edge, "post_accumulate", None) or None

    @property
    def _backward_hooks(self: Any) -> Any:
        """The hooks on this version of the tensor by their number, or None."""
        from .hooks import hooks_of

        return hooks_of(self)

    @_backward_hooks.setter
    def _backward_hooks(self: Any, hooks: Any) -> None:
        from .hooks import assign_hooks

        assign_hooks(self, hooks)

    @_backward_hooks.deleter
    def _backward_hooks(self: Any) -> None:
        raise RuntimeError("Deletion of _backwards_hooks not allowed!")


METHODS = {name: value for name, value in vars(Hooked).items() if name not in ("__slots__", "__module__", "__doc__")}
