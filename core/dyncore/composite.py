"""Ops made of other ops: their forward runs on Tensors, so its parts are recorded and no derivative is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import dispatch, events
from .explain import renamed
from .graph import GeneralNode, next_rank
from .registry import Op


def composite_entry(op: Op) -> Callable[..., Any]:
    """The public function of a composite op.  A listener hears of the op, not of its parts."""
    run: Callable[..., Any] | None = None

    def entry(*args: Any, **kwargs: Any) -> Any:
        nonlocal run
        if not kwargs and run is not None and dispatch.listener is None:
            return run(*args)
        if run is None:
            run = _on_tensors(op)
        if kwargs:
            out = kwargs.pop("out", None)
            args, kwargs = renamed(op, args, kwargs)
            if out is not None:
                from .inplace import into

                return into(op, args, kwargs, out)
        listener = dispatch.listener
        if listener is None:
            return run(*args, **kwargs)
        started = dispatch.now()
        dispatch.listener = events.listener = None
        try:
            result = run(*args, **kwargs)
        except Exception as error:
            listener.failed(op, args, kwargs, error)
            raise
        finally:
            dispatch.listener = events.listener = listener
        listener.op(op, args, kwargs, result, started, dispatch.now())
        return result

    entry.__wrapped__ = op.forward  # type: ignore[attr-defined]
    return entry


def _on_tensors(op: Op) -> Callable[..., Any]:
    """The forward with `np` and the names of ops standing for Tensor functions; tuples get their return type.

    With `node=` the newest node it leaves is called so: PyTorch has one node there where this engine has several.
    """
    from .replay import retold

    forward = retold(op.forward)
    if not op.returns and not op.named:
        return forward

    def typed(*args: Any, **kwargs: Any) -> Any:
        oldest = next_rank()
        result = forward(*args, **kwargs)
        if op.named:
            edge = (result[0] if isinstance(result, tuple) else result)._edge
            if isinstance(edge, GeneralNode) and edge.rank < oldest:
                edge.label = op.default_title
        return op.return_type(result) if op.returns else result

    return typed
