"""Custom functions: `Function`, whose `ctx` is the node of the call in the graph."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.dispatch.broadcast import fit, fit_tensor
from dyncore.errors.explain import missing_in
from dyncore.errors.source import caller_frame
from dyncore.graph import events
from dyncore.graph.capture_marks import REFUSED, capture_as
from dyncore.graph.edges import Partial
from dyncore.graph.modes import _mode, changed, current
from dyncore.graph.node import FREED, AccumulateGrad, Node, Output, next_rank
from dyncore.graph.running import running
from dyncore.tensors.tensor import Tensor, wrap

from .context import FunctionCtx
from .outputs import attach

_LEGACY = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function "
    "with static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)


# What only the node of a call has, not an instance of its class.
_OF_NODES = frozenset(
    (
        *("next_functions", "name", "register_hook", "register_prehook", "_register_hook_dict", "_input_metadata"),
        *("_sequence_nr", "_set_sequence_nr", "saved_tensors", "saved_variables", "needs_input_grad"),
    )
)


class BackwardCFunction(FunctionCtx, Node):
    """Node of a custom function, and the `ctx` that its forward and backward get."""

    _forward_cls: Any = None
    to: tuple[Any, ...] = ()
    metas: tuple[Any, ...] = ()
    outs: tuple[Any, ...] = ()
    variables: tuple[bool, ...] = ()
    outputs_known = True
    _materialize_non_diff_grads = True

    def edges(self) -> tuple[Any, ...]:
        return self.to

    @property
    def outputs(self) -> int:
        return len(self.outs) or 1

    @property
    def title(self) -> str:  # type: ignore[override]
        return type(self).__name__

    def name(self) -> str:
        """Return the name of the class followed by `Backward`."""
        return type(self).__name__

    def release(self) -> None:
        if self._saved:
            self._saved = FREED

    def run(self, grad: Any, keep: bool) -> Any:
        return self._run(grad, keep, False)

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        return self._run(grad, keep, True)

    def _run(self, grad: Any, keep: bool, create: bool) -> Any:
        task = running.get()
        if task is not None:
            task.node = self
        returned = self.apply(*self._gradients(grad))
        given = returned if isinstance(returned, tuple) else (returned,)
        pairs = [
            (edge, _fitted(self, found, meta, create, number))
            for number, (edge, found, meta) in enumerate(zip(self.to, self._by_tensor(given), self.metas, strict=True))
        ]
        if not keep:
            self.release()
        return pairs

    def _gradients(self, grad: Any) -> list[Any]:
        by_index = grad.grads if grad.__class__ is Partial else {0: grad}
        made: list[Any] = []
        for number, out in enumerate(self.outs):
            each = by_index.get(number)
            if each is None and self._materialize and out is not None and self._wants_zeros(number):
                each = np.zeros(*out)
            made.append(each if each is None or isinstance(each, Tensor) else wrap(each, None))
        return made

    def _wants_zeros(self, number: int) -> bool:
        return self._materialize_non_diff_grads or number not in self.fixed

    def _by_tensor(self, given: tuple[Any, ...]) -> list[Any]:
        """Return the gradients of the tensor arguments alone.

        Raises RuntimeError if there are too few or too many.
        """
        expected = len(self.variables)
        if len(given) > expected and all(g is None for g in given[expected:]):
            given = given[:expected]
        if len(given) != expected:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected {expected}, got "
                f"{len(given)})"
            )
        gradients = []
        for position, (is_tensor, grad) in enumerate(zip(self.variables, given, strict=True)):
            if is_tensor:
                gradients.append(grad)
            elif grad is not None:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position {position + 1}, but "
                    "the corresponding forward input was not a Variable"
                )
        return gradients

    @capture_as(REFUSED)
    def apply(self, *grads: Any) -> Any:
        """Call the user's `backward`, or its other name `vjp`."""
        owner = self._forward_cls
        backward, vjp = owner.backward, owner.vjp
        if backward is not Function.backward and vjp is not Function.vjp:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
                "implement one of them."
            )
        return (vjp if vjp is not Function.vjp else backward)(self, *grads)

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{self.name()} object at {id(self):#x}>"


def _fitted(node: BackwardCFunction, grad: Any, meta: Any, create: bool, number: int) -> Any:
    """Return a gradient from the user in the shape and dtype of its input."""
    if grad is None or meta is None:
        following = node.to[number]
        return Partial({}) if _runs_on_nothing(following) else None
    if not isinstance(grad, Tensor):
        raise RuntimeError(f"expected Variable or None (got {type(grad).__name__})")
    shape, dtype = meta
    if grad._array.shape != shape and not _expands(shape, grad._array.shape):
        raise RuntimeError(
            f"Function {node.name()} returned an invalid gradient at index {number} - got {list(grad._array.shape)} "
            f"but expected shape compatible with {list(shape)}"
        )
    following = node.to[number]
    if following.__class__ is AccumulateGrad and following.extra is not None and following.extra.cast is not False:
        dtype = grad._array.dtype  # a leaf converts it itself
    if create:
        return fit_tensor(grad, shape, dtype)
    array = grad._array
    # A view: the user may hold the memory, so no leaf may keep it as its gradient.
    return fit(array.view() if array.__class__ is np.ndarray else array, shape, dtype)


def _runs_on_nothing(node: Any) -> bool:
    """Return True if a node runs without a gradient.

    A custom function may ask for zeros, and hooks are called.
    """
    if isinstance(node, BackwardCFunction):
        return True
    return node is not None and node.extra is not None and node.__class__ not in (AccumulateGrad, Output)


def _expands(shape: tuple[int, ...], wide: tuple[int, ...]) -> bool:
    return len(shape) <= len(wide) and all(a in (1, b) for a, b in zip(shape[::-1], wide[::-1], strict=False))


class FunctionMeta(type):
    """Metaclass that makes the node class `NameBackward` for each class `Name`."""

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> None:
        cls._backward_cls = type(
            name + "Backward", (BackwardCFunction,), {"_forward_cls": cls, "__module__": "torch.autograd.function"}
        )
        super().__init__(name, bases, namespace)


class Function(metaclass=FunctionMeta):
    """Base class of ops with a custom forward and backward; call `Name.apply(...)`.

    >>> class Double(Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         return grad * 2
    """

    _backward_cls: Any
    generate_vmap_rule = False
    clear_saved_tensors_on_access = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(_LEGACY)

    def __getattr__(self, name: str) -> Any:
        if name == "metadata":
            raise RuntimeError(
                "You attempted to access the anomaly metadata of a custom autograd function but the underlying PyNode "
                "has already been deallocated.  The most likely reason this occurred is because you assigned "
                "x.grad_fn to a local variable and then let the original variable get deallocated.  Don't do that!  If "
                "you really have no way of restructuring your code so this is the case, please file an issue reporting "
                "that you are affected by this."
            )
        if name in _OF_NODES:
            raise RuntimeError(
                f"Attribute '{name}' is invalid for this instance of _C._FunctionBase. Accessing this attribute "
                "directly on an instance of autograd.Function is a legacy access pattern that is no longer supported. "
                "For examples on how to use new-style autograd functions, see "
                "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function "
            )
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the op.

        Called as `forward(ctx, *args)`, or as `forward(*args)` with a `setup_context`.
        """
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save on `ctx` what backward needs, apart from `forward`."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradients of the inputs, one for each argument of forward."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradients of the inputs; another name of `backward`."""
        raise NotImplementedError("vjp is not implemented.")

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Return the tangents of the outputs, for forward mode."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Compute the op over a dimension, for `torch.vmap` in PyTorch; not called here."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
            "generate_vmap_rule=True."
        )

    @classmethod
    @capture_as(REFUSED)
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run `forward` and add a node to the graph if an argument requires grad."""
        separate = cls.setup_context is not Function.setup_context
        if separate:
            args = _with_defaults(cls.forward, args, kwargs)
        elif kwargs:
            args = _by_position(cls.forward, args, kwargs)
        mode = current()
        node = _made(cls, args, mode)
        listener, result = events.listener, None
        if listener is not None:
            listener.begin_function(cls, args, node)
        try:
            result = cls._applied(node, args, mode, separate)
        finally:
            if listener is not None:
                listener.end_function(node, result)
        return result

    @classmethod
    def _applied(cls, node: Any, args: tuple[Any, ...], mode: Any, separate: bool) -> Any:
        token = _mode.set(changed(mode, grad=False, forward_level=-1))
        try:
            if separate:
                output = cls.forward(*args)
                cls.setup_context(node, args, output)
            else:
                output = cls.forward(node, *args)
        finally:
            _mode.reset(token)
        dirty = {id(each) for each in node.dirty_tensors or ()}
        result = attach(node, args, output, mode)
        if mode.forward_level >= 0:
            from .custom_tangents import custom_tangents

            custom_tangents(cls, node, args, result, dirty)
        return result


def _with_defaults(forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    import inspect

    bound = inspect.signature(forward).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args


def _by_position(forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """Return the arguments by position, as `forward` takes them after ctx."""
    code = forward.__code__
    names = code.co_varnames[1 : code.co_argcount]
    for name in kwargs:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if name in names[: len(args)]:
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    placed = list(args)
    for position in range(len(args), 1 + max(names.index(name) for name in kwargs)):
        if names[position] not in kwargs:
            raise TypeError(f"forward() missing required argument: '{names[position]}' (position {position})")
        placed.append(kwargs[names[position]])
    return tuple(placed)


def _made(cls: Any, args: tuple[Any, ...], mode: Any) -> BackwardCFunction:
    node: BackwardCFunction = object.__new__(cls._backward_cls)
    node.rank = next_rank()
    frame = caller_frame(2)
    node.code, node.lasti, node.extra = frame.f_code, frame.f_lasti, None
    node.variables = tuple(isinstance(each, Tensor) for each in args)
    tensors = [each for each in args if isinstance(each, Tensor)]
    node.to = tuple(each._edge for each in tensors)
    node.metas = tuple((each._array.shape, each._array.dtype) for each in tensors)
    node.executable = mode.grad and any(edge is not None for edge in node.to)
    if mode.anomaly:
        from dyncore.engine.anomaly import remember

        remember(node)
    return node


class InplaceFunction(Function):
    """Function that may write its input in place; an old name, with a flag `inplace`."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


__all__ = [
    "BackwardCFunction", "DelayedError", "Function", "FunctionCtx", "FunctionMeta", "InplaceFunction", "Output",
    "once_differentiable",
]  # fmt: skip


__getattr__ = missing_in(__name__)


class DelayedError:
    """Function whose node raises `message` when its result is differentiated."""

    def __init__(self, message: str, count: int) -> None:
        self.message = message

    def __call__(self, *tensors: Any) -> Any:
        node = object.__new__(Error)
        node.rank = next_rank()
        frame = caller_frame(2)
        node.code, node.lasti, node.extra = frame.f_code, frame.f_lasti, None
        node.message = self.message
        node.to = tuple(each._edge if isinstance(each, Tensor) else None for each in tensors)
        results = [
            wrap(each._array, Output(node, number) if len(tensors) > 1 else node) if isinstance(each, Tensor) else each
            for number, each in enumerate(tensors)
        ]
        return results[0] if len(results) == 1 else tuple(results)


class Error(Node):
    """Node that raises when backward reaches it."""

    __slots__ = ("message", "to")
    title = "torch::autograd::Error"
    message: str
    to: tuple[Any, ...]

    def edges(self) -> tuple[Any, ...]:
        return self.to

    @property
    def outputs(self) -> int:
        return len(self.to)

    def run(self, grad: Any, keep: bool) -> Any:
        raise RuntimeError(self.message)

    run_tensors = run


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a `backward` whose own ops cannot be differentiated.

    A second derivative raises RuntimeError.
    """

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        recording = current().grad
        token = _mode.set(changed(current(), grad=False))
        try:
            outputs = backward(ctx, *grads)
        finally:
            _mode.reset(token)
        if not recording or not any(isinstance(g, Tensor) and g.requires_grad for g in grads):
            return outputs
        several = isinstance(outputs, tuple)
        error = DelayedError("trying to differentiate twice a function that was marked with @once_differentiable", 1)
        # Each counts as requiring grad, so that a second derivative finds the error.
        delayed = error(*(_watched(each) for each in (outputs if several else (outputs,))))
        return (delayed,) if several and len(outputs) == 1 else delayed

    return wrapper


def _watched(tensor: Any) -> Any:
    """Return a leaf that requires grad and shares memory; None for None."""
    if tensor is None:
        return None
    leaf = wrap(tensor._array, None)
    leaf.requires_grad = True
    return leaf
