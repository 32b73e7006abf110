"""Arguments of a model of this process: inputs as they are given in Python, fitted to its parameters."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from dyncli import errors

if TYPE_CHECKING:
    from dyncli.script.convert import Bound, Converter
    from dyncli.script.script import Signature

DEEPEST = 20  # lists and dicts within each other


def name_of(model: Any) -> str:
    """Return the name of a model: of a function its own, of a Module its class's.

    Raises NotAModel, RunsLater and ForeignTensor.
    """
    if isinstance(model, type) or not callable(model):
        raise errors.NotAModel(model)
    if is_foreign(model):
        raise errors.ForeignTensor("model", type(model).__name__)
    inner = getattr(model, "func", model)
    name: str = getattr(inner, "__qualname__", None) or type(inner).__qualname__
    name = name.rpartition("<locals>.")[2]
    function = getattr(inner, "forward", inner)
    if inspect.isgeneratorfunction(function):
        raise errors.RunsLater(name, "generator")
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        raise errors.RunsLater(name, "coroutine")
    return name


class Inputs:
    """The arguments of one call.

    Floats, lists of numbers and NumPy arrays are leaves, to be made tensors; all else is as it was given.
    Raises BadArguments and ForeignTensor, and what `name_of` raises.
    """

    def __init__(self, model: Any, positional: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        from dyncli.recorder.live import default_dtype
        from dyncli.script.convert import Converter
        from dyncli.script.script import signature_of

        name = name_of(model)
        signature = signature_of(model, name)
        self.name = name
        try:
            self.arguments = _plain(signature).bind(*positional, **named)
        except TypeError as error:
            raise errors.BadArguments(f"{name}: {error}", signature.text) from None
        converter = Converter(default_dtype(), signature.text)
        annotations = {each.name: each.annotation for each in signature.parameters}
        self._map(lambda value, parameter, path: _tree(value, annotations[parameter], path, converter))

    def tensors(self) -> inspect.BoundArguments:
        """Return what the model is called with: leaves that require grad, and no tensor that has a graph."""
        from dyncli.recorder.engine import exchange
        from dyncli.script.convert import Leaf, map_tree

        def tensor(leaf: Leaf) -> Any:
            made = exchange.from_numpy(leaf.array).clone()
            return made.requires_grad_() if leaf.is_floating else made

        self._map(lambda value, parameter, path: _mapped(map_tree(value, tensor), path, _leaf))
        return self.arguments

    def bound(self) -> Bound:
        """Return the arguments as a check takes them, with a leaf for each floating tensor."""
        from dyncli.script.convert import Bound, Leaf

        def leaf(tensor: Any, name: str) -> Any:
            return Leaf(name, tensor.detach().numpy()) if tensor.is_floating_point() else tensor

        self._map(lambda value, parameter, path: _mapped(value, path, leaf))
        items = [name for name, _ in self.items()]
        return Bound(None, self.arguments.args, self.arguments.kwargs, tuple(items[: len(self.arguments.args)]))

    def items(self) -> Iterator[tuple[str, Any]]:
        """Yield (name, value) of each argument, those of `*args` as `args.0`."""
        for name, value in self.arguments.arguments.items():
            kind = self._kind(name)
            if kind is inspect.Parameter.VAR_POSITIONAL:
                yield from ((f"{name}.{index}", each) for index, each in enumerate(value))
            elif kind is inspect.Parameter.VAR_KEYWORD:
                yield from value.items()
            else:
                yield name, value

    def _kind(self, name: str) -> Any:
        return self.arguments.signature.parameters[name].kind

    def _map(self, function: Callable[[Any, str, str], Any]) -> None:
        """Replace each value by `function(value, parameter, path)`."""
        given = self.arguments.arguments
        for name, value in given.items():
            kind = self._kind(name)
            if kind is inspect.Parameter.VAR_POSITIONAL:
                given[name] = tuple(function(each, name, f"{name}.{index}") for index, each in enumerate(value))
            elif kind is inspect.Parameter.VAR_KEYWORD:
                given[name] = {key: function(each, name, key) for key, each in value.items()}
            else:
                given[name] = function(value, name, name)


def _plain(signature: Signature) -> inspect.Signature:
    return inspect.Signature(
        [inspect.Parameter(each.name, each.kind, default=each.default) for each in signature.parameters]
    )


def _tree(value: Any, annotation: Any, name: str, converter: Converter) -> Any:
    """Return the tree of a value of plain data; any other value as it is.  Raises BadArguments, ForeignTensor."""
    if not _is_data(value):
        return _mapped(value, name, lambda tensor, name: tensor)
    try:
        return converter.convert(value, annotation, name)
    except errors.InputError as error:
        raise errors.BadArguments(error.message, converter.signature) from None


def _is_data(value: Any, depth: int = 0) -> bool:
    """Return whether a value is made of plain numbers, texts, arrays, lists and dicts alone."""
    import numpy as np

    kind = type(value)
    if kind in (list, tuple):
        return depth < DEEPEST and all(_is_data(each, depth + 1) for each in value)
    if kind is dict:
        return depth < DEEPEST and all(type(key) is str and _is_data(each, depth + 1) for key, each in value.items())
    return value is None or kind in (bool, int, float, complex, str) or issubclass(kind, np.ndarray | np.generic)


def _leaf(tensor: Any, name: str) -> Any:
    """Return a tensor at which backward ends: itself, or one without the graph that it came from."""
    return tensor if tensor.is_leaf else tensor.detach().requires_grad_()


def _mapped(value: Any, name: str, function: Callable[[Any, str], Any], depth: int = 0) -> Any:
    """Return a value with `function(tensor, path)` for each tensor in lists, tuples and dicts.

    Raises ForeignTensor.
    """
    from dyncli.recorder.engine import Tensor

    if isinstance(value, Tensor):
        return function(value, name)
    if is_foreign(value):
        raise errors.ForeignTensor(name, type(value).__name__)
    if depth < DEEPEST and type(value) in (list, tuple):
        return type(value)(_mapped(each, f"{name}.{index}", function, depth + 1) for index, each in enumerate(value))
    if depth < DEEPEST and type(value) is dict:
        return {key: _mapped(each, f"{name}.{key}", function, depth + 1) for key, each in value.items()}
    return value


def is_foreign(value: Any) -> bool:
    """Return whether a value is a tensor or a Module of PyTorch, of which dyncore knows nothing."""
    real = sys.modules.get("torch")
    if real is None or real is sys.modules.get("dyncore"):
        return False
    return any(
        base.__name__ in ("Tensor", "Module", "TensorBase") and base.__module__.partition(".")[0] == "torch"
        for base in type(value).__mro__
    )
