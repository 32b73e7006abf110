"""Ops made of other ops: their forward runs on Tensors, so its parts are recorded and no derivative is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.dtypes.supported import check
from dyncore.graph import events
from dyncore.graph.handlers import handlers
from dyncore.graph.names import rename
from dyncore.graph.node import next_rank
from dyncore.tensors.tensor import Tensor

from .higher_order import retold
from .messages import renamed, without_tensor
from .registry import Op

__capture__ = "replayed"


def composite_function(op: Op) -> Callable[..., Any]:
    """Return the public function of a composite op.  A listener records the op, not its parts."""
    run: Callable[..., Any] | None = None

    def entry(*args: Any, **kwargs: Any) -> Any:
        nonlocal run
        if not kwargs and run is not None and events.listener is None and op.refuses is None:
            try:
                return run(*args)
            except (AttributeError, TypeError) as error:
                raise without_tensor(op, args, {}, error) from None
        if run is None:
            run = _on_tensors(op)
        if kwargs:
            out = kwargs.pop("out", None)
            args, kwargs = renamed(op, args, kwargs)
            if out is not None:
                return handlers.into(op, args, kwargs, out)
        if op.refuses is not None and args and isinstance(args[0], Tensor):
            check(op.refuses, args[0].dtype.numpy)
        listener = events.listener
        if listener is None:
            try:
                return run(*args, **kwargs)
            except (AttributeError, TypeError) as error:
                raise without_tensor(op, args, kwargs, error) from None
        started = events.now()
        events.listener = None
        try:
            result = run(*args, **kwargs)
        except Exception as error:
            listener.failed(op, args, kwargs, error)
            raise
        finally:
            events.listener = listener
        listener.op(op, args, kwargs, result, started, events.now())
        return result

    return entry


def _on_tensors(op: Op) -> Callable[..., Any]:
    """Return the forward with `np` and the names of ops standing for Tensor functions; tuples get their return type.

    With `node=` what it leaves is called so: PyTorch has one node there where this engine has several, or another.
    """
    forward = retold(op.forward)
    titled = op.named or op.choose_title is not None
    if not op.returns and not titled:
        return forward

    def typed(*args: Any, **kwargs: Any) -> Any:
        oldest = next_rank()
        result = forward(*args, **kwargs)
        if titled:
            _name_nodes(op, args, kwargs, result, oldest)
        return op.return_type(result) if op.returns else result

    return typed


def _name_nodes(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any, oldest: int) -> None:
    """Give the nodes made since `oldest` that lead to the results the name that `node=` says; None leaves theirs."""
    title: str | None = op.default_title
    for each in result if isinstance(result, (tuple, list)) else (result,):
        if each._edge is None or each._edge.node.rank >= oldest:
            continue
        if op.choose_title is not None:
            title = op.choose_title(**_arguments(op, args, kwargs, each))
        if title is not None:
            rename(each._edge.node, title)


def _arguments(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> dict[str, Any]:
    known = {**op.defaults, **dict(zip(op.names, args, strict=False)), **kwargs, "result": result}
    if op.variadic is not None:
        known[op.variadic] = args[len(op.names) - 1 :]
    code = op.choose_title.__code__  # type: ignore[union-attr]
    return {name: known[name] for name in code.co_varnames[: code.co_argcount]}
