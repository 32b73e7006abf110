"""Views: tensors that look at another's memory, and what becomes of them when that memory is written in place."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from .grad_mode import Mode, current
from .meta import Meta
from .tensor import Tensor, _meta, storage, wrap


def shares_memory(view: Any, base: Any) -> bool:
    """Whether the array `view` looks at memory of the array `base`."""
    if view is base:
        return True
    if view.__class__ is not np.ndarray or view.base is None:
        return False
    return view.base is base or view.base is base.base or (base.base is None and np.may_share_memory(view, base))


def note_view(view: Tensor, of: Tensor, mode: Mode, multiple: bool) -> None:
    """Remembers that `view` is a view of `of`, so that in-place writes reach its history."""
    meta = view._meta
    if meta is None:
        meta = view._meta = Meta()
    origin = of._meta
    if origin is None:
        origin = of._meta = Meta()
    elif origin.inference:
        meta.inference = True
        return
    base, owner = (of, origin) if origin.base is None else (origin.base, origin.base._meta)
    meta.base = base
    if not mode.grad:
        meta.creation = "inference" if mode.inference else "no_grad"
    elif multiple:
        meta.creation = "multiple"
    elif origin.creation is not None:
        meta.creation = origin.creation
    if origin.untracked:
        meta.untracked = True
    if owner.views is None:
        owner.views = []
    elif len(owner.views) > 32 and not len(owner.views) & (len(owner.views) - 1):
        # Dead views are swept when the list has doubled, so a parameter viewed a million times stays small.
        owner.views = [each for each in owner.views if each() is not None]
    owner.views.append(weakref.ref(view))


def live_views(base: Tensor) -> list[Tensor]:
    """The views of `base` that are still alive."""
    if base._meta is None or base._meta.views is None:
        return []
    return [view for view in (each() for each in base._meta.views) if view is not None]


def detached(tensor: Tensor) -> Tensor:
    """A tensor of the same memory without history; it shares the version counter."""
    from . import dispatch, events
    from .registry import TABLE

    made = wrap(storage(tensor), None)
    if tensor._meta is not None:
        if tensor._meta.inference:
            _meta(made).inference = True
        if tensor._meta.untracked:
            _meta(made).untracked = True
    tape = current().tape
    if tape is not None:
        tape.derived("detach", tensor, made)
    if events.listener is not None:
        started = dispatch.now()
        events.listener.op(TABLE["detach"], (tensor,), {}, made, started, dispatch.now())
    return made


def is_inference(value: Any) -> bool:
    """Whether `value` is a tensor made under `inference_mode`."""
    return isinstance(value, Tensor) and value._meta is not None and value._meta.inference


def mark_inference(base: Any, tensors: tuple[Any, ...]) -> None:
    """Marks results as made under `inference_mode`; a view is what its base is."""
    for tensor in tensors:
        if tensor is None or (tensor._meta is not None and tensor._meta.base is not None and not is_inference(base)):
            continue
        if tensor._meta is None:
            tensor._meta = Meta()
        tensor._meta.inference = True
