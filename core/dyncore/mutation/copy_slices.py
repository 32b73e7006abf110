"""In-place writes through views: the base's history goes through a `CopySlices` node, the views' through it again."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.dispatch.saved.changed import short_name
from dyncore.engine.hooks import give
from dyncore.errors.source import caller_frame
from dyncore.graph.modes import is_view_replay_enabled
from dyncore.graph.node import AccumulateGrad, Node, extra, next_rank
from dyncore.tensors.lazy_conj import located
from dyncore.tensors.tensor import Tensor, storage, wrap
from dyncore.tensors.views import live_views

Geometry = tuple[int, tuple[int, ...], tuple[int, ...]]


def geometry(view: Any, base: Any) -> Geometry:
    """Return (offset, shape, strides) of `view` in the C order of `base`, in bytes."""
    return located(view)[0] - located(base)[0], view.shape, view.strides


def turning(view: Any, base: Any) -> str:
    """Return what the view does to the numbers of its base: "conj", "neg", both or nothing."""
    (_, conj, neg), (_, conj_base, neg_base) = located(view), located(base)
    if view.dtype.kind != "c" and base.dtype.kind == "c" and conj_base:
        conj_base = False
        neg_base ^= (view.__array_interface__["data"][0] // view.dtype.itemsize) % 2 == 1
    return ("conj" if conj != conj_base else "") + ("neg" if neg != neg_base else "")


def turned(value: Any, turn: str) -> Any:
    """Return a gradient of such a view as one of what it looks at, or the other way round."""
    if not turn:
        return value
    value = value.conj() if turn.startswith("conj") else value
    return -value if turn.endswith("neg") else value


class Window(Node):
    """Base class of the two nodes that know where a view lies in its base.

    Where one of the two is complex and the other real, both are taken as real numbers, in pairs.
    """

    __slots__ = ("e0", "e1", "where", "like", "kind", "turn", "function")

    e0: Any
    e1: Any
    where: Geometry
    like: tuple[tuple[int, ...], tuple[int, ...], Any]
    kind: Any
    turn: str
    function: Any

    def edges(self) -> tuple[Any, ...]:
        return (self.e0,)

    @property
    def paired(self) -> str:
        """Return which is complex when the other is real: "base", "view" or none."""
        base = bool(self.like[2].kind == "c")
        return "" if base == (self.kind.kind == "c") else "base" if base else "view"

    def units(self) -> tuple[Geometry, Geometry, int]:
        """Return (offset, shape, strides) of base and view, and the size of their unit.

        The unit is what both consist of in memory.
        """
        shape, strides, dtype = self.like
        offset, seen, steps = self.where
        item = min(dtype.itemsize, self.kind.itemsize)
        if self.paired == "base":
            shape, strides = (*shape, 2), (*strides, item)
        elif self.paired:
            seen, steps = (*seen, 2), (*steps, item)
        return (0, shape, strides), (offset, seen, steps), item

    def positions(self) -> Any:
        """Return the flat positions, in C order of the base, of the view's elements."""
        (_, shape, strides), (offset, view_shape, view_strides), item = self.units()
        size = int(np.prod(shape, dtype=np.int64))
        memory = np.full(_extent(shape, strides, item), -1, np.int64)
        base = np.lib.stride_tricks.as_strided(memory, shape, tuple(s // item * 8 for s in strides))
        base[...] = np.arange(size).reshape(shape)
        start = offset // item
        steps = tuple(s // item * 8 for s in view_strides)
        return np.lib.stride_tricks.as_strided(memory[start:], view_shape, steps).copy()

    def flat(self, array: Any) -> Any:
        """Return a gradient of the base as the positions count."""
        flat = array.reshape(-1)
        return flat.view(_real(flat.dtype)) if self.paired == "base" else flat

    def of_view(self, part: Any) -> Any:
        """Return what was found at the positions as a gradient of the view."""
        if self.paired == "view":
            part = np.ascontiguousarray(part).view(_complex(part.dtype))[..., 0]
        return turned(part, self.turn)

    def placed(self, grad: Any) -> Any:
        """Return a gradient of the view as the positions take it."""
        grad = turned(grad, self.turn)
        if self.paired != "view":
            return grad
        return np.ascontiguousarray(grad)[..., None].view(_real(grad.dtype))


def _steps(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a tensor of that shape in C order, in elements."""
    return tuple(int(np.prod(shape[place + 1 :], dtype=np.int64)) for place in range(len(shape)))


def _real(dtype: Any) -> Any:
    return np.dtype(f"f{dtype.itemsize // 2}")


def _complex(dtype: Any) -> Any:
    return np.dtype(f"c{dtype.itemsize * 2}")


def _extent(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> int:
    return 1 + sum((n - 1) * s // itemsize for n, s in zip(shape, strides, strict=True)) if 0 not in shape else 1


class CopySlices(Window):
    """The base after its view was written: gradients of the written part go through `function`, the rest passes."""

    __slots__ = ()
    title = "CopySlices"

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def edges(self) -> tuple[Any, ...]:
        return (self.e0, *self._others())

    def _others(self) -> tuple[Any, ...]:
        """Return the edges of what was written, without the one to the view itself."""
        edges = () if self.function is None else self.function.edges()
        mine = next((n for n, edge in enumerate(edges) if edge is self.e1), 0)
        return tuple(edge for n, edge in enumerate(edges) if n != mine)

    def release(self) -> None:
        if self.function is not None:
            self.function.release()

    def run(self, grad: Any, keep: bool) -> Any:
        positions = self.positions()
        rest = np.array(grad, order="C")
        flat = self.flat(rest)
        part = self.of_view(flat[positions])
        flat[positions] = 0
        pairs: list[tuple[Any, Any]] = []
        if self.function is not None:
            for edge, g in _run(self.function, part, keep, False):
                if edge is not None and edge is self.e1:
                    if g is not None:
                        flat[positions] += self.placed(g)
                elif edge is not None:
                    pairs.append((edge, g))
        return [(self.e0, rest if rest.ndim else rest[()]), *pairs]

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        rest = self._memory()
        rest.copy_(grad)
        window = self._look(rest)
        part = turned(window.clone(), self.turn)
        passed: Any = None
        pairs: list[tuple[Any, Any]] = []
        if self.function is not None:
            beside = extra(self.function)
            beside.instead = self._view()
            try:
                found = _run(self.function, part, keep, True)
            finally:
                beside.instead = None
            for edge, g in found:
                if edge is not None and edge is self.e1:
                    if g is not None:
                        passed = g if passed is None else passed + g
                elif edge is not None:
                    pairs.append((edge, g))
        if passed is None:
            window.zero_()
        else:
            window.copy_(turned(passed, self.turn))
        return [(self.e0, rest), *pairs]

    def _view(self) -> Any:
        """Return a node that leads from the view, as it was written, to the base."""
        made = object.__new__(AsStridedBackward0)
        made.rank, made.code, made.lasti, made.extra = next_rank(), self.code, self.lasti, None
        made.where, made.like, made.kind, made.turn = self.where, self.like, self.kind, self.turn
        made.e0, made.e1, made.function = self, None, None
        return made

    def _memory(self) -> Tensor:
        """Return a tensor whose elements lie in memory as those of the base do."""
        shape, strides, dtype = self.like
        memory = np.empty(_extent(shape, strides, dtype.itemsize), dtype)
        return wrap(np.lib.stride_tricks.as_strided(memory, shape, strides), None)

    def _look(self, base: Any) -> Any:
        """Return the view of `base` that was written."""
        _, (offset, shape, strides), item = self.units()
        found = TABLE["view_as_real"].entry(base) if self.paired == "base" else base
        found = found.as_strided(shape, tuple(s // item for s in strides), offset // item)
        return TABLE["view_as_complex"].entry(found) if self.paired == "view" else found


def _run(node: Any, grad: Any, keep: bool, create: bool) -> Any:
    result = node.run_tensors(grad, keep) if create else node.run(grad, keep)
    return [(node.e0, result)] if node.single else result


class AsStridedBackward0(Window):
    """A view of a base that was written: its gradient goes to its place in the base."""

    __slots__ = ()
    title = "AsStridedBackward0"
    single = True

    def run(self, grad: Any, keep: bool) -> Any:
        shape, _, dtype = self.like
        whole = np.zeros(shape, dtype if self.paired else grad.dtype)
        np.add.at(self.flat(whole), self.positions(), self.placed(grad))
        return whole

    def run_tensors(self, grad: Any, keep: bool) -> Any:
        (_, shape, _), _, _ = self.units()
        given = TABLE["resolve_conj"].entry(turned(grad, self.turn))
        given = TABLE["view_as_real"].entry(given) if self.paired == "view" else given
        flat = given.new_zeros((int(np.prod(shape, dtype=np.int64)),))
        flat = flat.index_put((wrap(self.positions(), None),), given, accumulate=True)
        whole = flat.as_strided(shape, _steps(shape), 0)
        return TABLE["view_as_complex"].entry(whole) if self.paired == "base" else whole


class ReplayedView(AsStridedBackward0):
    """The same under the name of the op that made the view, as `_force_original_view_tracking` wants it."""

    __slots__ = ("title",)
    title: str


def _made(kind: type[Window], view: Any, base: Any) -> Any:
    node = object.__new__(kind)
    node.rank = next_rank()
    frame = caller_frame(2)
    node.code, node.lasti, node.extra = frame.f_code, frame.f_lasti, None
    node.where = geometry(view, base)
    node.like = base.shape, base.strides, base.dtype
    node.kind = view.dtype
    node.turn = turning(view, base)
    node.function = None
    node.e0 = node.e1 = None
    return node


_MULTIPLE = (
    "This view is the output of a function that returns multiple views. Such functions do not allow the output views "
    "to be modified inplace. You should replace the inplace operation by an out-of-place one."
)


_IN_FUNCTION = (
    "This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to "
    "handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect "
    "gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."
)


_AMBIGUOUS = (
    "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both "
    "the view and the inplace either both inside the {} block (if you don't want the inplace to be tracked) or both "
    "outside (if you want the inplace to be tracked)."
)
_WHY = {
    "multiple": _MULTIPLE,
    "custom": _IN_FUNCTION,
    "no_grad": _AMBIGUOUS.format("no_grad"),
    "inference": _AMBIGUOUS.format("inference_mode"),
}


def forbidden(view: Tensor, what: str) -> str:
    """Why `view` cannot be given a new history; `what` was written, "is being" it itself."""
    assert view._meta is not None
    how, edge = view._meta.creation or "", view._edge
    if edge.__class__ is Invalid:
        edge = edge.e0
    if edge.__class__ is AccumulateGrad:
        edge = None
    made_by = None if edge is None else f"Output {edge.index} of {short_name(edge.node)} is a view"
    if made_by is None or how in ("no_grad", "inference"):
        start = "A view was created in" if made_by is None else f"{made_by} of a view which was created in"
        inference = how == "inference"
        mode, now = ("inference mode", "in normal mode") if inference else ("no_grad mode", "with grad mode enabled")
        text = f"{start} {mode} and {what} modified inplace {now}."
    else:
        text = f"{made_by} and {what} modified inplace."
    return f"{text} {_WHY[how]}"


class Invalid(Node):
    """The history of a view that cannot be rewritten after its base was written: asking for it raises."""

    __slots__ = ("message", "e0")
    title = "Invalid"
    message: str
    e0: Any

    @property
    def node(self) -> Node:
        raise RuntimeError(self.message)

    def edges(self) -> tuple[Any, ...]:
        raise RuntimeError(self.message)

    def run(self, grad: Any, keep: bool) -> Any:
        raise RuntimeError(self.message)

    run_tensors = run


def _invalid(view: Tensor) -> Invalid:
    node = object.__new__(Invalid)
    node.rank = next_rank()
    frame = caller_frame(2)
    node.code, node.lasti, node.extra = frame.f_code, frame.f_lasti, None
    node.e0 = view._edge
    node.message = forbidden(view, "its base or another view of its base has been")
    return node


def check_view(tensor: Tensor) -> None:
    """Raise RuntimeError for a view whose history cannot be rewritten, as those of leaves cannot."""
    assert tensor._meta is not None
    if tensor._meta.creation is not None:
        raise RuntimeError(forbidden(tensor, "is being"))
    base = tensor._meta.base._edge
    if base.__class__ is AccumulateGrad or (base is None and tensor._edge is not None):
        raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")


def rebase_view(view: Tensor, edge: Any) -> None:
    """Rewrite the history of the base of `view`, and of all its views.

    `view` was written by the node behind `edge`.
    """
    assert view._meta is not None
    base: Tensor = view._meta.base
    before = view._edge
    if edge is None and base._edge is None and before is None:
        return
    if edge is not None:
        node = _made(CopySlices, storage(view), storage(base))
        node.e0 = base._edge
        node.e1 = before
        node.function = None if edge is before else edge
        give(base, node)
    renew_views(base)


def renew_views(base: Tensor) -> None:
    """Connect every live view of the written `base` to the base's new history."""
    if base._edge is None or base._edge.__class__ is AccumulateGrad:
        return
    for view in live_views(base):
        assert view._meta is not None
        if view._meta.creation is not None:
            if view._edge.__class__ is not Invalid:
                view._edge = _invalid(view)
            continue
        before = view._edge
        turn = "" if view._array.dtype != base._array.dtype else turning(storage(view), storage(base))
        replayed = before is not None and (is_view_replay_enabled() or turn)
        node = _made(ReplayedView if replayed or turn else AsStridedBackward0, storage(view), storage(base))
        if replayed:
            node.title = before.node.name()
        elif turn:
            node.title = "ConjBackward0" if turn == "conj" else "NegViewBackward0"
        node.e0 = base._edge
        give(view, node)


def spoil(base: Tensor) -> None:
    """Make the views of `base`, written without grad, raise that cannot be given the base's history anew."""
    if base._edge is None:
        return
    for view in live_views(base):
        assert view._meta is not None
        if view._meta.creation in ("multiple", "custom") and view._edge.__class__ is not Invalid:
            view._edge = _invalid(view)
