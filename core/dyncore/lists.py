"""Entries of the ops that take a list of tensors (cat, stack) or give one (split, chunk, unbind), written out flat.

4 times faster than the general path, which binds arguments by loops and dictionaries (tests/bench, entries).
Whatever is unusual goes to `general.call`, as on the other fast paths.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from . import dispatch, versions
from .broadcast import fit
from .general import call, failure
from .general_nodes import general_node
from .grad_mode import GRAD, NO_GRAD, current, unusual
from .graph import FREED, Output, ranks
from .hot_nodes import HotSingle
from .registry import ABSENT, Op
from .saved import check_unchanged, saved_values, second_time
from .sites import calling
from .tensor import Tensor, storage
from .views import note_views

__dyncore__ = True

new = object.__new__
getframe = sys._getframe
_targets: list[tuple[tuple[str, int], ...]] = [()]


def entry_of(op: Op) -> Callable[..., Any] | None:
    """The fast entry for an op of many tensors, or None for any other op."""
    if op.names[0] == "tensors" and len(op.names) == 2 and set(op.rules) == {"tensors"} and not op.private:
        return joining_entry(op)
    if op.view and op.gradient_names == {"grads"}:
        return splitting_entry(op)
    return None


def targets_of(count: int) -> tuple[tuple[str, int], ...]:
    """("tensors", 0), ("tensors", 1), ...: what a node of so many tensors leads to."""
    if count >= 64:
        return tuple([("tensors", k) for k in range(count)])
    while len(_targets) <= count:
        _targets.append((*_targets[-1], ("tensors", len(_targets) - 1)))
    return _targets[count]


def joining_entry(op: Op) -> Callable[..., Any]:
    """The entry of `op(tensors, dim)`."""
    forward, rule = op.forward, op.rules["tensors"]
    other = op.names[1]
    default = op.defaults[other]
    node_class: Any = None
    shaped = op.saved_names == ("tensors_shape", other)

    def run(self: Any, grad: Any, keep: bool) -> Any:
        values = self.values
        if values is FREED:
            raise second_time(self)
        if versions.newest < self.rank:
            check_unchanged(self)
        parts = rule(grad, *values)
        pairs = []
        for edge, part, (shape, dtype) in zip(self.to, parts, self.metas, strict=True):
            if edge is not None:
                if part.dtype is not dtype or part.shape != shape:
                    part = fit(part, shape, dtype)
                pairs.append((edge, part))
        return pairs

    def entry(tensors: Any, dim: Any = default, **more: Any) -> Any:
        nonlocal node_class
        mode = current() if unusual else GRAD
        if tensors.__class__ is not list and tensors.__class__ is not tuple:
            raise TypeError(
                f"{op.name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(tensors).__name__}"
            )
        if more or (mode is not GRAD and mode is not NO_GRAD) or not tensors or dim.__class__ is not int:
            return call(op, (tensors,) if dim is default and "axis" in more else (tensors, dim), more)
        arrays: list[Any] = []
        edges: list[Any] = []
        recorded = False
        for each in tensors:
            if not isinstance(each, Tensor):
                raise TypeError(
                    f"expected Tensor as element {len(arrays)} in argument 0, but got {type(each).__name__}"
                )
            arrays.append(each._array)
            edge = each._edge
            edges.append(edge)
            if edge is not None:
                recorded = True
        dtype = arrays[0].dtype
        for array in arrays:
            if array.dtype is not dtype:
                return call(op, (tensors, dim), more)
        listener = dispatch.listener
        started = 0 if listener is None else dispatch.now()
        try:
            r = forward(arrays, dim)
        except Exception as error:
            raise failure(op, (tensors, dim), {}, error) from None
        result = new(Tensor)
        result._array = r
        result._meta = None
        result._edge = None
        if recorded and mode is GRAD and dtype.kind in "fc":
            if node_class is None:
                node_class = general_node(op)
                node_class.run = run
            node = node_class()
            node.rank = next(ranks)
            frame = getframe(1)
            while "__dyncore__" in frame.f_globals and frame.f_back is not None:
                frame = frame.f_back
            node.code, node.lasti = frame.f_code, frame.f_lasti
            node.extra = None
            node.label = op.default_title
            node.targets = targets_of(len(edges))
            node.to = tuple(edges)
            node.metas = tuple([(array.shape, dtype) for array in arrays])
            node.outs = ()
            node.values = ([array.shape for array in arrays], dim)
            result._edge = node
        if listener is not None:
            listener.op(op, *op.given((tensors, dim), {}), result, started, dispatch.now())
        return result

    assert shaped, op.name
    return entry


class Apart(HotSingle):
    """The node of views that take a tensor apart; what follows from the tensor's shape is computed when asked for.

    given: the op's other arguments.
    """

    __slots__ = ("given", "outputs")
    given: tuple[Any, ...]
    outputs: int

    @property
    def outs(self) -> tuple[Any, ...]:  # type: ignore[override]
        like = np.ndarray(self.size, self.kind, bytes(self.kind.itemsize), 0, (0,) * len(self.size))
        return tuple([(piece.shape, self.kind) for piece in self.op.forward(like, *self.given)])

    @property
    def values(self) -> tuple[Any, ...]:
        return (self.given[-1],)


def splitting_entry(op: Op) -> Callable[..., Any]:
    """The entry of an op that gives views of its first argument, several of them."""
    forward, (name, rule) = op.forward, next(iter(op.rules.items()))
    second, third = (*op.names[1:], None, None)[:2]
    target = ((name, None),)
    node_class: Any = None
    theirs: Any = None
    chooser = op.choose_title
    defaults = tuple(op.defaults[n] for n in op.names[1:] if n in op.defaults)
    count = len(op.names) - 1

    def entry(input: Any = None, *args: Any, dim: Any = ABSENT, **kwargs: Any) -> Any:
        nonlocal node_class, theirs
        mode = current() if unusual else GRAD
        if dim is not ABSENT:
            if not kwargs and len(args) == count - 1:
                args = (*args, dim)
            else:
                kwargs["dim"] = dim
        if kwargs:
            if input is None and op.names[0] in kwargs:
                input = kwargs.pop(op.names[0])
            if set(kwargs) - {second, third}:
                return call(op, (input, *args), kwargs)
            if not args and second in kwargs:
                args = (kwargs.pop(second),)
            if len(args) == 1 and third in kwargs:
                args = (*args, kwargs.pop(third))
            if kwargs:
                return call(op, (input, *args), kwargs)
        if (mode is not GRAD and mode is not NO_GRAD) or not isinstance(input, Tensor):
            return call(op, (input, *args), kwargs)
        if len(args) < count:
            missing = count - len(args)
            if missing > len(defaults):
                return call(op, (input, *args), kwargs)
            args = (*args, *defaults[len(defaults) - missing :])
        for each in args:
            if each.__class__ is not int:
                if _plain(each):
                    continue
                return call(op, (input, *args), kwargs)
        listener = dispatch.listener
        started = 0 if listener is None else dispatch.now()
        array = storage(input)
        try:
            pieces = forward(array, *args)
        except Exception as error:
            raise failure(op, (input, *args), {}, error) from None
        edge = input._edge
        node = None
        if edge is not None and mode is GRAD and len(pieces) > 1:
            if node_class is None:
                own = {"__slots__": (), "__module__": "dyncore", "op": op, "run": run, "targets": target}
                node_class = type(op.default_title, (Apart,), {**own, **saved_values(op)})
            node = node_class()
            node.rank = next(ranks)
            frame = getframe(1)
            code = frame.f_code
            if code is not theirs:
                frame, code = calling(frame)
                theirs = code
            node.code = code
            node.lasti = frame.f_lasti
            node.extra = None
            node.label = op.default_title if chooser is None else chooser(args[0])
            node.e0 = edge
            node.size = array.shape
            node.kind = array.dtype
            node.given = args if args[0].__class__ is int else (tuple(args[0]), *args[1:])
            node.outputs = len(pieces)
        elif edge is not None and mode is GRAD:
            return call(op, (input, *args), kwargs)
        made = []
        if node is None:
            for piece in pieces:
                tensor = new(Tensor)
                tensor._array = piece
                tensor._edge = tensor._meta = None
                made.append(tensor)
        else:
            for number, (piece, rank) in enumerate(zip(pieces, ranks)):
                tensor = new(Tensor)
                tensor._array = piece
                tensor._meta = None
                tensor._edge = output = new(Output)
                output.rank = rank
                output.extra = None
                output.parent = node
                output.number = number
                made.append(tensor)
        if made:
            note_views(made, input, mode)
        result = tuple(made)
        if listener is not None:
            listener.op(op, (input, *args), {}, result, started, dispatch.now())
        return result

    def run(self: Any, grad: Any, keep: bool) -> Any:
        given = grad.grads
        if len(given) == self.outputs:
            parts = [given[number] for number in range(len(given))]
        else:
            parts = [given[n] if n in given else np.zeros(*out) for n, out in enumerate(self.outs)]
        found = rule(parts, self.given[-1])
        return found if found.shape == self.size and found.dtype is self.kind else fit(found, self.size, self.kind)

    assert op.saved_names == ("dim",) and op.names[-1] == "dim" and rule is not None, op.name
    return entry


def _plain(value: Any) -> bool:
    """Whether `value` is a list of ints, so that no Tensor hides in it."""
    return isinstance(value, (list, tuple)) and all(each.__class__ is int for each in value)
