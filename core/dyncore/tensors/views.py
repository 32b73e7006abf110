"""Views: tensors that look at another's memory, and what becomes of them when that memory is written in place."""

from __future__ import annotations

import weakref
from time import perf_counter as now
from typing import Any

import numpy as np

from dyncore.graph import events, versions
from dyncore.graph.capture_marks import REPLAYED, capture_as
from dyncore.graph.handlers import handlers
from dyncore.graph.modes import GRAD, Mode, current
from dyncore.graph.node import DISCARD

from .lazy_conj import reflects
from .metadata import Meta, Shared, live_views as live_views
from .tensor import Tensor, _meta, storage, wrap


def shares_memory(view: Any, base: Any) -> bool:
    """Return whether the array `view` looks at memory of the array `base`."""
    if view is base:
        return True
    if view.__class__ is not np.ndarray:
        return False
    if view.base is None:
        return reflects(view, base)
    if view.base is base or view.base is base.base or (base.base is None and np.may_share_memory(view, base)):
        return True
    return reflects(view, base)


weakref_of = weakref.ref


def note_view(view: Tensor, of: Tensor, mode: Mode, multiple: bool) -> None:
    """Record that `view` is a view of `of`, so that writes reach its history."""
    meta = view._meta
    if meta is None:
        meta = view._meta = Meta()
    origin = of._meta
    if origin is None:
        origin = of._meta = Meta()
        if mode is GRAD:  # the first view of a tensor, without the questions below
            meta.base = of
            if multiple:
                meta.creation = "multiple"
            origin.views = [weakref_of(view)]
            return
    elif origin.inference:
        meta.inference = True
        view._edge = None  # backward could not use it
        return
    base = origin.base
    if base is None:
        base, owner = of, origin
    else:
        owner = base._meta
    meta.base = base
    if mode is not GRAD and not mode.grad:
        meta.creation = "inference" if mode.inference else "no_grad"
        meta.seen = versions.newest
        if (of._edge is not None or base._edge is not None) and view._array.dtype.kind in "fc":
            view._edge = DISCARD
    elif multiple:
        meta.creation = "multiple"
    elif origin.creation is not None:
        meta.creation = origin.creation
    if origin.untracked:
        meta.untracked = versions.apart(view._array, origin.untracked)
    views = owner.views
    if views is None:
        views = owner.views = []
    elif len(views) > 32 and not len(views) & (len(views) - 1):
        # Dead views are swept when the list has doubled, so a parameter viewed a million times stays small.
        views = owner.views = [each for each in views if each() is not None]
    views.append(weakref_of(view))


def note_views(views: list[Tensor], of: Tensor, mode: Mode) -> None:
    """Call `note_view` for several views of one op, which share the record.

    That saves most of the time (tests/bench, LSTM by hand).
    """
    origin = of._meta
    if origin is not None and (origin.inference or origin.untracked):
        for view in views:
            note_view(view, of, mode, True)
        return
    shared = Shared()
    if origin is None and mode is GRAD:  # as `note_view` does
        of._meta = origin = Meta()
        origin.views = list(map(weakref_of, views))
        shared.base = of
        shared.creation = "multiple"
        for view in views:
            view._meta = shared
        return
    first = views[0]
    first._meta = shared
    note_view(first, of, mode, True)
    others = views[1:]
    for view in others:
        view._meta = shared
    if first._edge is DISCARD:
        for view in others:
            view._edge = DISCARD
    shared.base._meta.views += map(weakref_of, others)


def detached(tensor: Tensor) -> Tensor:
    """Return the same memory without history; it shares the version counter."""
    made = wrap(storage(tensor), None)
    meta = tensor._meta
    if meta is not None:
        if meta.inference:
            _meta(made).inference = True
        if meta.untracked:
            _meta(made).untracked = meta.untracked
    tape = current().tape
    if tape is not None:
        tape.derived("detach", tensor, made)
    if events.listener is not None:
        started = now()
        events.listener.op(handlers.detach, (tensor,), {}, made, started, now())
    return made


def is_inference(value: Any) -> bool:
    """Return whether `value` is a tensor made under `inference_mode`."""
    return isinstance(value, Tensor) and value._meta is not None and value._meta.inference


def mark_inference(base: Any, tensors: tuple[Any, ...]) -> None:
    """Mark results as made under `inference_mode`; a view is what its base is."""
    for tensor in tensors:
        if tensor is None or (tensor._meta is not None and tensor._meta.base is not None and not is_inference(base)):
            continue
        _meta(tensor).inference = True


@capture_as(REPLAYED)
def detach(self: Tensor) -> Tensor:
    """Return the same memory without history."""
    return detached(self)


METHODS = {"detach": detach}
