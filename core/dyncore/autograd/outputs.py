"""Outputs of a custom function: new tensors, returned or written inputs, views."""

from __future__ import annotations

from typing import Any

from dyncore.errors.explain import warn
from dyncore.graph import versions
from dyncore.graph.node import AccumulateGrad, Output
from dyncore.mutation import inplace
from dyncore.mutation.copy_slices import check_view
from dyncore.tensors.tensor import Tensor, _meta, storage, wrap
from dyncore.tensors.views import note_view


def attach(node: Any, args: tuple[Any, ...], output: Any, mode: Any) -> Any:
    """Return `output` with its tensors connected to `node`, as `apply` returns it."""
    several = isinstance(output, tuple)
    given = output if several else (output,)
    inputs = {id(each): each for each in args if isinstance(each, Tensor)}
    dirty = {id(each) for each in node.dirty_tensors or ()}
    for each in node.dirty_tensors or ():
        if each._meta is None or not each._meta.inference:
            versions.bump(storage(each))  # as PyTorch counts the mark beside the writes
    fixed = {id(each) for each in node.non_differentiable or ()}
    if node._is_pure_view and (len(inputs) != 1 or len(given) != 1):
        raise RuntimeError(
            "Pure view custom Function can only have one input Tensor and one output Tensor. Open an issue if you "
            "need to support more."
        )
    missing = dirty - {id(each) for each in given}
    if missing:
        raise RuntimeError(
            "Some elements marked as dirty during the forward method were not returned as output. The inputs that are "
            "modified inplace must all be outputs of the Function."
        )
    node.outs = tuple((each._array.shape, each._array.dtype) if isinstance(each, Tensor) else None for each in given)
    attached: dict[int, Any] = {}
    numbers: dict[int, int] = {}
    results = []
    for number, each in enumerate(given):
        if not isinstance(each, Tensor):
            results.append(each)
            continue
        if id(each) in attached:
            result = attached[id(each)]
            if result._edge is not None and result._edge.node is node:
                result._edge = _edge(node, number)
        else:
            active = node.executable and id(each) not in fixed and each._array.dtype.kind in "fc"
            result = _one(node, each, number, id(each) in inputs, id(each) in dirty, active, mode)
            attached[id(each)] = result
        numbers[id(result)] = number
        results.append(result)
    if fixed:
        node.fixed = frozenset(number for number, each in enumerate(given) if id(each) in fixed)
    if sum(isinstance(each, Tensor) and each._edge is not None for each in results) > 1:
        for each in results:
            if isinstance(each, Tensor) and each._meta is not None and each._meta.base is not None:
                _meta(each).creation = "multiple"
    try:
        if node.executable:
            node.keep(numbers)
    finally:
        # A recomputation that is complete stops in there: no tensor may be left on the node that made it.
        node.to_save = node.non_differentiable = node.dirty_tensors = None
    return tuple(results) if several else results[0]


def _edge(node: Any, number: int) -> Any:
    return Output(node, number) if node.outputs > 1 else node


def _one(node: Any, tensor: Any, number: int, is_input: bool, is_dirty: bool, active: bool, mode: Any) -> Any:
    if is_dirty and not is_input:
        _refuse_dirty(tensor)
    if not active:
        if is_dirty and is_input and not tensor.requires_grad:
            return tensor
        if is_input:
            return _viewed(tensor, mode) if not tensor.requires_grad else tensor.detach()
        if tensor._is_view():
            # A view of an input stays one: in a no_grad block it is what the ordinary view would be.
            _meta(tensor).creation = None if node._is_pure_view else "custom"
        elif tensor.requires_grad:
            tensor.detach_()
        return tensor
    if is_dirty and is_input:
        return _written(node, tensor, number)
    if is_input:
        result = wrap(tensor._array, None)
        note_view(result, tensor, mode, False)
    else:
        result = tensor
    if result._is_view():
        _meta(result).creation = None if node._is_pure_view else "custom"
    result._edge = _edge(node, number)
    return result


def _viewed(tensor: Any, mode: Any) -> Any:
    """Return a view of an input that is returned as it is.

    A tensor of a subclass is returned itself.
    """
    if type(tensor) is not Tensor:
        return tensor
    result = wrap(storage(tensor), None)
    note_view(result, tensor, mode, False)
    _meta(result).creation = "custom"
    return result


def _refuse_dirty(tensor: Any) -> None:
    """Warn of a tensor marked as dirty that is no input.

    Raises RuntimeError if it is a view.
    """
    text = (
        "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should "
        "be passed to ctx.mark_dirty()."
    )
    if tensor._is_view():
        raise RuntimeError(text)
    warn(text)


def _written(node: Any, tensor: Any, number: int) -> Any:
    if tensor._is_view():
        check_view(tensor)
    if tensor._edge.__class__ is AccumulateGrad:
        raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
    if tensor._is_view() and node.outputs > 1:
        raise RuntimeError(
            "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return "
            "more than one Tensor. This is not supported by the current autograd engine. You should either make sure "
            "the input is not a view (using .clone() for example) or make your Function only return one Tensor "
            "(potentially splitting it into two Functions: one doing the inplace that returns a single Tensor and a "
            "second one that does the other operations). You can ask on the forum https://discuss.pytorch.org/ if you "
            "need help to do this change."
        )
    inplace.rebase(tensor, _edge(node, number))
    return tensor
