"""Full backward hooks of a Module.

Identities around its inputs and outputs receive the gradients.
"""

from __future__ import annotations

from typing import Any

from dyncore.autograd import Function
from dyncore.tensors.tensor import Tensor

__capture__ = "refused"


class BackwardHookFunction(Function):
    """Identity whose node carries the hooks."""

    @staticmethod
    def forward(ctx: Any, *tensors: Any) -> Any:
        views = tuple(each.view_as(each) for each in tensors)
        fixed = (view for view, each in zip(views, tensors, strict=True) if not each.requires_grad)
        ctx.mark_non_differentiable(*fixed)
        return views

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads


class BackwardHooks:
    """Backward hooks of one call of a module."""

    def __init__(self, module: Any, everywhere: dict[str, dict[int, Any]]) -> None:
        self.module = module
        self.hooks = [*everywhere["backward"].values(), *module._backward_hooks.values()]
        self.pre_hooks = [*everywhere["backward_pre"].values(), *module._backward_pre_hooks.values()]
        self.inputs = 0
        self.grad_output: Any = None
        self.watches_inputs = False

    def _through(self, values: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any, list[int]]:
        """Pass the tensors among the values through an identity.

        Returns the values, the node of the identity, and the positions of the tensors.
        """
        positions = [number for number, value in enumerate(values) if isinstance(value, Tensor)]
        if not any(values[number].requires_grad for number in positions):
            return values, None, positions
        passed = BackwardHookFunction.apply(*(values[number] for number in positions))
        passed = passed if isinstance(passed, tuple) else (passed,)
        node = next(each.grad_fn for each in passed if each.grad_fn is not None)
        changed = list(values)
        for number, each in zip(positions, passed):
            changed[number] = each
        return tuple(changed), node, positions

    def watch_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        if not self.hooks:
            return args
        self.inputs = len(args)
        changed, node, positions = self._through(args)
        if node is None:
            return args
        self.watches_inputs = True

        def arrived(grad_inputs: Any, _: Any) -> Any:
            if self.grad_output is None:
                return None  # a gradient that came past the outputs, as that of a gradient does
            full: list[Any] = [None] * len(args)
            for number, grad in zip(positions, grad_inputs):
                full[number] = grad
            result = tuple(full)
            for hook in self.hooks:
                given = hook(self.module, result, self.grad_output)
                if given is not None:
                    result = given if isinstance(given, tuple) else (given,)
                    if len(result) != len(full):
                        raise RuntimeError(
                            "Backward hook returned an invalid number of grad_input, "
                            f"got {len(result)}, but expected {len(full)}"
                        )
            self.grad_output = None
            return tuple(result[number] for number in positions)

        node.register_hook(arrived)
        return changed

    def watch_outputs(self, result: Any) -> Any:
        single = not isinstance(result, tuple)
        changed, node, positions = self._through((result,) if single else result)
        if node is None:
            return result

        def leaving(grad_outputs: Any) -> Any:
            full: list[Any] = [None] * len(changed)
            for number, grad in zip(positions, grad_outputs):
                full[number] = grad
            grads = tuple(full)
            for hook in self.pre_hooks:
                given = hook(self.module, grads)
                if given is not None:
                    grads = given if isinstance(given, tuple) else (given,)
                    if len(grads) != len(full):
                        raise RuntimeError(
                            "Backward pre hook returned an invalid number of grad_output, "
                            f"got {len(grads)}, but expected {len(full)}"
                        )
            self.grad_output = grads
            if not self.watches_inputs:
                for hook in self.hooks:
                    if hook(self.module, (None,) * self.inputs, grads) is not None:
                        raise RuntimeError(
                            "Backward hooks for Modules should not return values if inputs have no gradient"
                        )
            return tuple(grads[number] for number in positions)

        node.register_prehook(leaving)
        return changed[0] if single else changed


def watch_node(module: Any, result: Any) -> None:
    """Attach the old kind of backward hooks to the node of the first tensor."""
    value = result
    while isinstance(value, (tuple, list, dict)) and value:
        value = next(iter(value.values())) if isinstance(value, dict) else value[0]
    node = getattr(value, "grad_fn", None)
    if node is None:
        return
    for hook in module._backward_hooks.values():
        node.register_hook(lambda inputs, outputs, hook=hook: hook(module, inputs, outputs))
