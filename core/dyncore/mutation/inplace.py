"""The in-place form `name_` and `out=` of every op, derived from its ordinary form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dyncore.dispatch.arguments import takes
from dyncore.dispatch.registry import Op
from dyncore.engine.hooks import give
from dyncore.errors.explain import warn
from dyncore.graph import events, versions
from dyncore.graph.handlers import handlers
from dyncore.graph.known_shape import forget_known_shape
from dyncore.graph.modes import current
from dyncore.graph.names import rename
from dyncore.graph.node import AccumulateGrad, next_rank
from dyncore.tensors.meta_array import MetaArray
from dyncore.tensors.overlap import PARTLY, check_apart
from dyncore.tensors.tensor import Tensor, _meta, storage, wrap

__capture__ = "replayed"


def inplace_entry(op: Op, dunder: bool = False) -> Callable[..., Any]:
    """Return the function behind `Tensor.name_`: computes, writes into the first argument, and rewrites its history.

    dunder: whether it is an operator's, and answers NotImplemented to what it cannot take.
    """
    saves_result = "result" in op.saved_names
    names = op.inplace if isinstance(op.inplace, dict) else {}
    elementwise = op.kind == "binary" or op.name in _ELEMENTWISE
    stretched = op.view or op.name in _STRETCHED
    advised = _ADVISED.get(op.name)

    def entry(input: Any, *args: Any, **kwargs: Any) -> Any:
        if dunder and args[0].__class__ is not Tensor and not takes(op, args[0]):
            return NotImplemented
        recorded = check_writable(input, args, kwargs, op.view, stretched)
        if advised is not None and _overlaps(input._array):
            if recorded:  # the gradient could not tell which elements were written
                check_single(input._array)
            warn(advised)
        if elementwise and args:
            check_apart(input._array, args)
        given = input if op.view else _preserved(op, input, recorded)
        listener = events.listener
        events.listener = None
        started = events.now()
        try:
            compute = op.entry if versions.batch is None else versions.batch.at_once(op.entry)
            result = compute(given, *args, **kwargs)
        except NotImplementedError as error:
            from .out_dtypes import sooner  # for mistakes alone

            raise sooner(op, (input, *args), input._array.dtype) or error from None
        finally:
            events.listener = listener
        if result is NotImplemented:
            return result
        if names and result._edge is not None:
            node = result._edge.node
            rename(node, names.get(node.name(), node.name()))
        if op.view:
            _look(input, result)
        else:
            write(input, result._array, op.name + "_")
            tape = current().tape
            if tape is not None:
                tape.wrote(input, result)
            if saves_result and result._edge is not None:
                _save_written(result._edge.node, input, result)
            rebase(input, result._edge)
        if current().forward_level >= 0:
            handlers.written(input, result)
        if listener is not None:
            listener.op(op, (input, *args), {**kwargs, "_inplace": True}, input, started, events.now())
        return input

    entry.__name__ = entry.__qualname__ = op.name + "_"
    entry.__doc__ = f"In-place form of `{op.name}`."
    return entry


def _save_written(node: Any, input: Tensor, result: Tensor) -> None:
    """Make the node that saved its result hold the memory the result was written to.

    Later writes are noticed then.
    """
    written = input._array
    if node.saved().get("result") is result._array and written.dtype == result._array.dtype:
        node.store("result", written)
        node.rank = next_rank()  # newer than the write that made it


def _look(input: Tensor, view: Tensor) -> None:
    """Set the geometry of the tensor to that of `view`, as `transpose_` does."""
    touched(input)
    input._array = view._array
    forget_known_shape(input)
    if view._edge is not None and current().grad:
        give(input, view._edge)


def _preserved(op: Op, input: Tensor, recorded: bool) -> Tensor:
    """Return `input`, or a copy if the derivative needs what is overwritten.

    The copy has its history.
    """
    if recorded and op.saved_names:
        made = wrap(input._array.copy(), input._edge)
        tape = current().tape
        if tape is not None:
            tape.derived("copy", input, made)
        if input._meta is not None and input._meta.tangent is not None:
            _meta(made).tangent = input._meta.tangent
        return made
    return input


def check_writable(
    tensor: Tensor,
    args: tuple[Any, ...] = (),
    kwargs: dict[str, Any] | None = None,
    looks: bool = False,
    stretched: bool = False,
) -> bool:
    """Return True if the write will be recorded.

    Raises RuntimeError where PyTorch forbids writing in place.
    looks: nothing is written, the tensor only gets another geometry.
    stretched: it may be one whose elements share memory.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"an in-place operation writes into a Tensor, got {type(tensor).__name__}")
    mode = current()
    meta = tensor._meta
    if meta is not None and meta.inference and not mode.inference:
        if mode.grad and not looks and tensor._edge.__class__ is AccumulateGrad:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a "
            "normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
        )
    edge = tensor._edge
    recorded = mode.grad and (
        edge is not None
        or (meta is not None and tensor.requires_grad)
        or _any_requires_grad(args)
        or bool(kwargs and _any_requires_grad(kwargs.values()))
    )
    if recorded:
        if meta is not None and meta.base is not None:
            from .copy_slices import check_view

            check_view(tensor)
        if edge is not None and edge.__class__ is AccumulateGrad:
            raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    if not stretched:
        check_single(tensor._array)
    return recorded


def check_single(array: Any) -> None:
    """Raise RuntimeError for an array to be written of which several elements lie at one place."""
    if _overlaps(array):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location. Please clone() the tensor before performing the operation."
        )


def _overlaps(array: Any) -> bool:
    """Return True if several elements of an expanded array share memory."""
    if array.__class__ is not np.ndarray or 0 not in array.strides:
        return False
    return array.size > 1 and any(s == 0 and n > 1 for s, n in zip(array.strides, array.shape, strict=True))


def _any_requires_grad(values: Any) -> bool:
    for each in values:
        if isinstance(each, Tensor):
            if each._edge is not None:
                return True
        elif isinstance(each, (list, tuple)) and _any_requires_grad(each):
            return True
    return False


def write(tensor: Tensor, values: Any, name: str) -> None:
    """Write `values` into the tensor's memory and counts it.  Raise RuntimeError for a lower category of dtype."""
    target = storage(tensor)
    if values.dtype != target.dtype:
        from .out_dtypes import check_inplace  # for mistakes alone, nearly

        check_inplace(name, values.dtype, target.dtype)
    if values.shape != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(values.shape)}"
        )
    # What `.data` gave is written by an op, which the tensor that gave it does not hear of.
    versions.before_write(target, silent=tensor._meta is not None and bool(tensor._meta.untracked))
    if 0 in target.strides:  # elements that stay do not undo what others at their place get
        np.copyto(target, values, casting="unsafe", where=values != target)
    else:
        target[...] = values
    touched(tensor)


def apply_into(function: Callable[..., Any], targets: tuple[Tensor, ...], *given: Any) -> None:
    """Call `function` on the arrays of `targets`, which it writes in place, and of the tensors in `given`."""
    arrays = [storage(each) for each in targets]
    if any(array.__class__ is MetaArray for array in arrays):
        return
    for array in arrays:
        versions.before_write(array)
    function(*arrays, *[each._array if isinstance(each, Tensor) else each for each in given])
    for each in targets:
        touched(each)
    tape = current().tape
    if tape is not None:
        tape.effect(function, targets, given)


def touched(tensor: Tensor) -> None:
    """Count a write into the tensor's memory."""
    meta = tensor._meta
    if meta is not None and meta.untracked:
        versions.bump_apart(meta.untracked)
        versions.reflect(storage(tensor))
        return
    versions.bump(storage(tensor))
    if meta is not None and (meta.views or meta.base is not None) and not current().grad:
        from .copy_slices import spoil

        spoil(tensor if meta.base is None else meta.base)


def rebase(tensor: Tensor, edge: Any) -> None:
    """Give the tensor, just written by the node behind `edge`, its new history; its base and views too."""
    if not current().grad or (edge is None and tensor._edge is None and not _is_view(tensor)):
        return
    found = versions.stamps(tensor._array)
    if _is_view(tensor):
        from .copy_slices import rebase_view

        rebase_view(tensor, edge)
        base: Any = tensor._meta.base  # type: ignore[union-attr]
        if found is not None and base._edge is not None:
            found.title = "torch::autograd::CopySlices", id(base._array), base._array.ndim
        return
    if edge is not None and found is not None:
        found.title = edge.node.name(), id(tensor._array), tensor._array.ndim
    give(tensor, edge)
    if tensor._meta is not None and tensor._meta.views:
        from .copy_slices import renew_views

        renew_views(tensor)


def _is_view(tensor: Tensor) -> bool:
    return tensor._meta is not None and tensor._meta.base is not None


# Ops that write one value, or none, so that they may also write to elements that share their place.
_STRETCHED = frozenset(("fill", "zero", "fill_diagonal", "masked_fill", "index_fill", "index_put"))
_ADVISED = {
    name: f"Use of {name}_ on expanded tensors is deprecated. Please clone() the tensor before performing this "
    f"operation. This also applies to advanced indexing e.g. {example}"
    for name, example in (
        ("masked_fill", "tensor[mask] = scalar"),
        ("index_fill", "tensor[mask] = scalar"),
        ("index_put", "tensor[indices] = tensor"),
    )
}
_ELEMENTWISE = frozenset(("copy", "add", "sub", "addcmul", "addcdiv", "lerp"))
# Ops that read elements of their input in any order while they write.
_APART = frozenset(("gather", "take", "masked_select", "kthvalue", "index_select", "cat", "concat", "concatenate"))


def _check_apart(op: Op, args: tuple[Any, ...], outs: tuple[Any, ...]) -> None:
    """Raise RuntimeError for an `out` whose elements share memory, or share it with what is read."""
    for each in outs:
        array = each._array
        if array.__class__ is not np.ndarray:
            continue
        if op.kind != "general" or op.name in _ELEMENTWISE:
            check_apart(array, args)
        check_single(array)
        if op.name in _APART and any(
            a is each or (a._array.__class__ is np.ndarray and np.may_share_memory(a._array, array))
            for a in _tensors(args)
        ):
            raise RuntimeError(PARTLY)


def _tensors(values: Any) -> Iterator[Tensor]:
    for each in values:
        if isinstance(each, Tensor):
            yield each
        elif isinstance(each, (list, tuple)):
            yield from _tensors(each)


def into(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], out: Any) -> Any:
    """Run `op` and writes its result into `out`, a tensor or a tuple of them, resized when the shape differs."""
    from .out_dtypes import check_given, sooner, summed  # for `out=` alone

    outs = check_given(op, out)
    _check_apart(op, args, outs)
    try:
        result = op.entry(*args, **summed(op, kwargs, outs))
    except NotImplementedError as error:
        raise sooner(op, args, outs[0]._array.dtype) or error from None
    if current().forward_level >= 0 and any(
        each._meta is not None and each._meta.tangent is not None for each in (*args, *outs) if isinstance(each, Tensor)
    ):
        raise NotImplementedError(
            f"Trying to use forward AD with {op.name}_out that does not support it because it is an out= function"
        )
    results = (result,) if isinstance(result, Tensor) else tuple(result)
    if current().grad and any(t._edge is not None for t in (*outs, *results)):
        raise RuntimeError(
            f"{op.name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad."
        )
    if len(results) != len(outs):
        raise TypeError(f"expected tuple of {len(results)} elements but got {len(outs)}")
    name = f"{op.name}_along" if op.name in ("max", "min") and len(outs) == 2 else op.name
    for target, made in zip(outs, results, strict=True):
        if target._meta is not None and target._meta.inference and not current().inference:
            check_writable(target)
        if op.name in _APART and target._array.shape != made._array.shape and _grows_over(target, args):
            raise RuntimeError(PARTLY)
        fill(target, made._array, name)
    if hasattr(result, "_fields"):
        from dyncore.dispatch.results import out_type

        return out_type(type(result).__name__, type(result)._fields)(outs)
    return out


def _grows_over(target: Tensor, args: tuple[Any, ...]) -> bool:
    """Return True if `target` lies in memory that is read, and may grow over it."""
    owner = target._array.base
    return owner is not None and any(each._array.base is owner or each._array is owner for each in _tensors(args))


def fill(target: Tensor, made: Any, name: str) -> None:
    """Write the result `made` of the op `name` into an `out=`, which gets its shape; only its memory if that fits."""
    from . import out_dtypes  # for `out=` alone

    if made.dtype != target._array.dtype:
        out_dtypes.check(name, made, target._array.dtype)
    if target._array.shape != made.shape:
        if target._array.size and name not in ("randn", "rand", "ones", "zeros", "full"):
            out_dtypes.warn_resized(target._array.shape, made.shape)
        target._array = np.empty(made.shape, target._array.dtype)
        forget_known_shape(target)
    write(target, made, name)
