"""`record` and `recording`: one call, or one block, of this process as a Record."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from dyncli import errors
from dyncli.api.record import Record

if TYPE_CHECKING:
    from dyncli.script.convert import Converter
    from dyncli.script.entry import Signature

DEEPEST = 20  # lists and dicts within each other, among the inputs


def record(model: Any, /, *inputs: Any, **named: Any) -> Record:
    """Call a model, run backward from what it returns, and return the record.

    model: a function, lambda, method or Module of dyncore.  inputs, named: what it is called with; tensors as they
    are, while floats, lists of numbers and NumPy arrays become tensors that require grad, as for `dyncli run`.
    The model is left as it was: `.grad` of its parameters and of the inputs is put back, no mode or seed is changed.
    What the model does itself to its state, it has done.
    Raises NotAModel, BadArguments and ForeignTensor, which are TypeErrors, and whatever the model raises.
    """
    from dyncli.recording.live import call_of

    name = name_of(model)
    arguments = bound(model, name, inputs, named)
    run = call_of(model, name)
    found = run.call(arguments, list(named_values(arguments)))
    if run.error is not None:
        raise run.error
    return Record(found)


@contextmanager
def recording() -> Iterator[Record]:
    """Record a block: `with dyncli.recording() as record:`.

    The record is there after the block, also if the block raised.  Decisions of the functions that the block calls
    are in it; those written in the block itself are not, because its code is running already.
    Backward is not run unasked.
    """
    from dyncli.recording.live import block_in

    frame: FrameType = sys._getframe(2)  # that of the `with`; one is contextlib's
    run = block_in(frame)
    made = Record()
    try:
        with run.block(frame):
            yield made
    finally:
        made._data = run.finished()
        frame = None  # type: ignore[assignment]
    if run.error is not None:
        raise run.error


def name_of(model: Any) -> str:
    """Return the name of a model: of a function its own, of a Module its class's.  Raises NotAModel, ForeignTensor."""
    if isinstance(model, type) or not callable(model):
        raise errors.NotAModel(model)
    if is_foreign(model):
        raise errors.ForeignTensor("model", type(model).__name__)
    inner = getattr(model, "func", model)
    name: str = getattr(inner, "__qualname__", None) or type(inner).__qualname__
    return name.rpartition("<locals>.")[2]


def bound(model: Any, name: str, inputs: tuple[Any, ...], named: dict[str, Any]) -> inspect.BoundArguments:
    """Return the arguments of a call, plain numbers and arrays made tensors.  Raises BadArguments, ForeignTensor."""
    from dyncli.recording.engine import dtypes
    from dyncli.script.convert import Converter
    from dyncli.script.entry import signature_of

    signature = signature_of(model, name)
    try:
        arguments = _plain(signature).bind(*inputs, **named)
    except TypeError as error:
        raise errors.BadArguments(f"{name}: {error}", signature.text) from None
    converter = Converter(str(dtypes.get_default_dtype()).rpartition(".")[2], signature.text)
    for parameter in signature.parameters:
        key = parameter.name
        if key not in arguments.arguments:
            continue
        value = arguments.arguments[key]
        if parameter.kind is parameter.kind.VAR_POSITIONAL:
            made: Any = tuple(
                _argument(each, parameter.annotation, f"{key}.{index}", converter) for index, each in enumerate(value)
            )
        elif parameter.kind is parameter.kind.VAR_KEYWORD:
            made = {each: _argument(value[each], parameter.annotation, each, converter) for each in value}
        else:
            made = _argument(value, parameter.annotation, key, converter)
        arguments.arguments[key] = made
    return arguments


def named_values(arguments: inspect.BoundArguments) -> Iterator[tuple[str, Any]]:
    """Yield (name, value) of each argument, those of `*args` as `args.0`."""
    for name, value in arguments.arguments.items():
        kind = arguments.signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            yield from ((f"{name}.{index}", each) for index, each in enumerate(value))
        elif kind is inspect.Parameter.VAR_KEYWORD:
            yield from value.items()
        else:
            yield name, value


def _plain(signature: Signature) -> inspect.Signature:
    return inspect.Signature(
        [inspect.Parameter(each.name, each.kind, default=each.default) for each in signature.parameters]
    )


def _argument(value: Any, annotation: Any, name: str, converter: Converter) -> Any:
    """Return what the model is called with for one value."""
    from dyncli.recording.engine import exchange
    from dyncli.script.convert import Leaf, map_tree

    if not _is_data(value):
        return _with_leaves(value, name)

    def tensor(leaf: Leaf) -> Any:
        made = exchange.from_numpy(leaf.array).clone()
        return made.requires_grad_() if leaf.is_floating else made

    try:
        return map_tree(converter.convert(value, annotation, name), tensor)
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


def _with_leaves(value: Any, name: str, depth: int = 0) -> Any:
    """Return a value with a leaf for each tensor in it that has a graph, so that backward ends there.

    Raises ForeignTensor.
    """
    from dyncli.recording.engine import Tensor

    if isinstance(value, Tensor):
        return value if value.is_leaf else value.detach().requires_grad_()
    if is_foreign(value):
        raise errors.ForeignTensor(name, type(value).__name__)
    if depth < DEEPEST and type(value) in (list, tuple):
        return type(value)(_with_leaves(each, f"{name}.{index}", depth + 1) for index, each in enumerate(value))
    if depth < DEEPEST and type(value) is dict:
        return {key: _with_leaves(each, f"{name}.{key}", depth + 1) for key, each in value.items()}
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
