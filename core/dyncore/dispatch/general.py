"""The path that knows everything: any op, any argument, any mode."""

from __future__ import annotations

from time import perf_counter as now
from typing import Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.dtypes.limits import check_operand
from dyncore.dtypes.supported import check as check_kernel, check_mixed
from dyncore.errors.source import caller_line
from dyncore.graph import events
from dyncore.graph.handlers import handlers
from dyncore.graph.modes import Mode, current, still_careful
from dyncore.graph.node import Output, next_rank
from dyncore.tensors.metadata import Meta
from dyncore.tensors.tensor import Tensor, storage, wrap
from dyncore.tensors.views import is_inference, mark_inference, note_view, shares_memory

from .arguments import NUMBERS, OLD, acceptable, check_numbers, check_strict, in_order
from .general_nodes import general_node, underived_node
from .messages import explain, renamed
from .meta import holds_meta, result_of
from .registry import UNDERIVED, Kept, Op
from .saved.hooks import pack_node

__capture__ = "replayed"


class Call:
    """A call of an op on the general path.

    given: the positional and named arguments before promotion, as a listener records them.
    args, kwargs: the arguments promoted.  raws, named: the same with arrays in the place of Tensors.
    arrays, tensors: the results.  extras: what the forward keeps for its derivatives, by name.
    """

    __slots__ = ("op", "given", "args", "kwargs", "raws", "named", "arrays", "tensors", "extras", "mode")

    def __init__(self, op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], mode: Mode) -> None:
        self.op, self.args, self.kwargs, self.mode = op, args, kwargs, mode
        self.given = args, kwargs
        self.raws: list[Any] = []
        self.named: dict[str, Any] = {}
        self.arrays: tuple[Any, ...] = ()
        self.tensors: tuple[Any, ...] = ()
        self.extras: dict[str, Any] = {}


def call(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], dunder: bool = False) -> Any:
    """Run `op` on arguments as a user gave them, and record what backward needs."""
    if op.name in OLD and len(args) > len(op.tensor_names):
        args, numbers = in_order(op, args)
        kwargs = {**kwargs, **numbers}
    if kwargs:
        out = kwargs.pop("out", None)
        args, kwargs = renamed(op, args, kwargs)
        if out is not None:
            return handlers.into(op, args, kwargs, out)
        if op.floats and len(args) < len(op.tensor_names):
            for name in op.names[len(args) :]:  # they are found by their place
                if name not in kwargs:
                    break
                args = (*args, kwargs.pop(name))
    args = tuple([value if value.__class__ in _USUAL else dtypes.builtin(value) for value in args])
    if kwargs:
        kwargs = {name: dtypes.builtin(value) for name, value in kwargs.items()}
    if handlers.on_sparse is not None:
        found = handlers.on_sparse(op, args, kwargs)
        if found is not NotImplemented:
            return found
    if op.kind != "general" and args:
        if not acceptable(op, args, dunder):
            return NotImplemented
        if isinstance(args[0], NUMBERS) and isinstance(args[-1], NUMBERS):
            args = (handlers.number(args[0]), *args[1:])
    if current().forward_level >= 0:
        found = handlers.carried(op, args, kwargs)
        if found is not NotImplemented:
            return found
    return _run(Call(op, args, kwargs, current()))


def _run(call: Call) -> Any:
    """Promote the arguments, compute, wrap, record, tell the listener."""
    op, mode, listener = call.op, call.mode, events.listener
    if op.promote:
        call.args, call.kwargs = _promoted(op, call.args, call.kwargs)
    elif op.strict:
        check_strict(op, dict(zip(op.names, call.args, strict=False)))
    call.raws, call.named = _arrays(op, call.args, call.kwargs)
    started = 0 if listener is None else now()
    try:
        if mode.tape is None:
            r = op.forward(*call.raws, **call.named)
        else:
            r = mode.tape.forward(op, call.args, call.kwargs, call.raws, call.named)
    except Exception as error:
        r = _answered(call, error)
    if r.__class__ is Kept:
        r, call.extras = r
    if op.itself and r is call.raws[0]:
        if mode.tape is not None:
            mode.tape.same()
        return call.args[0]
    single = r.__class__ is not tuple and r.__class__ is not list
    call.arrays = (r,) if single else tuple(r)
    call.tensors = tuple(a if a is None else wrap(a, None) for a in call.arrays)
    if mode.grad and op.rules:
        _record(call)
    if op.view:
        _note_views(call.args[0], call.tensors, mode, not single)
    if mode.inference or (op.view and is_inference(call.args[0])):
        mark_inference(call.args[0], call.tensors)
    if mode.tape is not None:
        mode.tape.made(op, call.args, call.kwargs, call.tensors)
    result: Any = call.tensors[0] if single else _several(op, r, call.tensors)
    if listener is not None:
        listener.op(op, *op.given(*call.given), result, started, now())
    return result


def failed(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Any:
    """Return the result of a call that failed for its meta tensors; raise the error of any other."""
    if holds_meta(args, tuple(kwargs.values())):
        return call(op, args, kwargs)
    raise failure(op, args, kwargs, error) from None


def _answered(call: Call, error: Exception) -> Any:
    """Return the arrays of a call that failed for its meta arrays; raise the error of any other."""
    if holds_meta(call.raws, tuple(call.named.values())):
        try:
            return result_of(call.op, call.raws, call.named)
        except Exception as mistake:
            error = mistake
    raise failure(call.op, *call.given, error) from None


def _arrays(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments with arrays in the place of Tensors, of a dtype that the op takes."""
    if op.view:
        for value in args:
            if isinstance(value, Tensor):
                storage(value)
    raws = [unwrap(value) if value.__class__ not in _PLAIN else value for value in args]
    named = {k: unwrap(v) for k, v in kwargs.items()}
    if op.refuses is not None:
        first: Any = raws[0] if raws else named.get(op.names[0])
        if hasattr(first, "dtype"):
            check_kernel(op.refuses, first.dtype)
    if op.floats and raws:
        raws[0] = dtypes.as_float(raws[0])
        if op.kind == "binary":
            raws[1] = dtypes.as_float(raws[1])
    return raws, named


_PLAIN = frozenset((int, float, bool, str, type(None), slice, dtypes.dtype))
_USUAL = _PLAIN | {Tensor, list, tuple, np.ndarray}


def _several(op: Op, raw: Any, tensors: tuple[Any, ...]) -> Any:
    if op.returns:
        return op.return_type(tensors)
    return list(tensors) if raw.__class__ is list else tensors


def unwrap(value: Any) -> Any:
    """Replace every Tensor in `value`, also inside lists and tuples, by its array."""
    if isinstance(value, Tensor):
        return value._array
    kind = value.__class__
    if kind is list or kind is tuple:
        for each in value:
            if isinstance(each, (Tensor, list, tuple)):
                return kind([unwrap(each) for each in value])
    return value


def failure(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any], error: Exception) -> Exception:
    """Return the error to raise for `error` in `op`'s forward: PyTorch's sentence, with the op in a note."""
    explained = explain(op, args, kwargs, error)
    if events.listener is not None:
        events.listener.failed(op, args, kwargs, explained)
    return explained


def _promoted(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments, those named in `op.promote` in their common dtype; tensors by a recorded `to`."""
    values: dict[str, Any] = dict(zip(op.names, args, strict=False))
    values.update(kwargs)
    names = [name for name in op.promote if values.get(name) is not None]
    check_numbers(op, names, values)
    operands: list[Any] = []
    for name in names:
        value = values[name]
        operands.extend(value if isinstance(value, (list, tuple)) else (value,))
    raws: list[Any] = [each._array if isinstance(each, Tensor) else dtypes.number(each) for each in operands]
    kinds = [(raw.__class__, getattr(raw, "dtype", None)) for raw in raws]
    if all(kind in _ARRAYS and dtype is kinds[0][1] for kind, dtype in kinds):
        return args, kwargs
    check_mixed(op.name, raws)
    target = dtypes.result_type(*raws, *((0.0,) if op.floats else ()))

    def cast(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return [cast(each) for each in value]
        if not isinstance(value, Tensor):
            check_operand(op.name, value, target)
            raw = np.asarray(value).astype(target)
            made = wrap(raw[()] if not raw.ndim else raw, None)
            made._meta = NUMBER
            return made
        if value._array.dtype == target:
            return value
        if value._edge is not None:
            return value.to(dtypes.of(target))
        made = wrap(value._array.astype(target), None)
        tape = current().tape
        if tape is not None:
            tape.derived("astype", value, made, target)
        return made

    changed = {name: cast(values[name]) for name in names}
    args = *(changed.get(name, value) for name, value in zip(op.names, args, strict=False)), *args[len(op.names) :]
    return args, {name: changed.get(name, value) for name, value in kwargs.items()}


NUMBER = Meta()
_ARRAYS: frozenset[Any] = frozenset((np.ndarray, np.float32, np.float64, np.int64, np.bool_))


def _record(call: Call) -> None:
    """Make the node, if any differentiable input requires grad, and lead the outputs to it."""
    op, mode = call.op, call.mode
    given: dict[str, Any] = {**dict(zip(op.names, call.args, strict=False)), **call.kwargs}
    inputs = _inputs(op, given)
    active = {name for name, _, edge, _ in inputs if edge is not None}
    floating = [t is not None and a.dtype.kind in "fc" for t, a in zip(call.tensors, call.arrays, strict=True)]
    if not active or not any(floating):
        return
    if mode.careful and still_careful() and not any(_may_be_saved(value) for value in given.values()):
        return
    values = _values(call)
    title = _title(call, values, active)
    wanted = _needed(op, active)
    underived = title == UNDERIVED and op.kind == "general" and op.promote
    if underived:
        inputs = [each for each in inputs if each[2] is not None]
    node = object.__new__(underived_node(op) if underived else general_node(op))
    node.rank = next_rank()
    node.code, node.lasti = caller_line(2)
    node.extra = None
    node.label = title
    node.targets = tuple([(name, place) for name, place, _, _ in inputs])
    node.to = tuple([edge for _, _, edge, _ in inputs])
    node.metas = tuple([meta for _, _, _, meta in inputs])
    node.outs = tuple(None if a is None else (a.shape, a.dtype) for a in call.arrays) if len(floating) > 1 else ()
    node.values = tuple(_value(n, values, call.arrays, call.extras) if n in wanted else None for n in op.saved_names)
    for name in wanted:
        if isinstance(given.get(name), Tensor):
            check_savable(given[name])
    if mode.hooks and wanted:
        numbers = {n for n in op.tensor_names if getattr(given.get(n), "_meta", NUMBER) is NUMBER}
        pack_node(node, numbers, *mode.hooks[-1])
    if mode.anomaly:
        handlers.remember(node)
    if len(floating) == 1:
        call.tensors[0]._edge = node
        return
    for number, tensor in enumerate(call.tensors):
        if floating[number] and op.leads_back(number):
            tensor._edge = Output(node, number)


def _inputs(op: Op, given: dict[str, Any]) -> list[tuple[str, int | None, Any, tuple[Any, Any]]]:
    """Return name, place in its list, edge, and (shape, dtype) of each input that a gradient may go to."""
    found: list[tuple[str, int | None, Any, tuple[Any, Any]]] = []
    for name in op.tensor_names if "joint" in op.rules else op.rules:
        value = given.get(name)
        several = isinstance(value, (list, tuple))
        for number, each in enumerate(value if several else (value,)):  # type: ignore[arg-type]
            if isinstance(each, Tensor):
                place = number if several else None
                found.append((name, place, each._edge, (each._array.shape, each._array.dtype)))
            elif not several and op.kind == "binary":
                found.append((name, None, None, ((), None)))
    return found


def _values(call: Call) -> dict[str, Any]:
    """Return every argument by name, with arrays in the place of Tensors."""
    op, values = call.op, dict(call.op.defaults)
    values.update(zip(op.names, call.raws, strict=False))
    if op.variadic is not None:
        values[op.variadic] = tuple(call.raws[len(op.names) - 1 :])
    values.update(call.named)
    return values


def _title(call: Call, values: dict[str, Any], active: set[str]) -> str:
    """Return the name of the node, given which parameters require grad."""
    op = call.op
    if op.choose_title is None:
        return op.default_title
    known = {**values, "result": call.arrays[0], "wanted": active, **_numbers(op, *call.given)}
    return op.choose_title(**_wanted(op, op.choose_title, known))


def _may_be_saved(value: Any) -> bool:
    """Return True if a tensor in `value` is no inference tensor.

    Ops of inference tensors alone are not recorded.
    """
    if isinstance(value, (list, tuple)):
        return any(_may_be_saved(each) for each in value)
    return isinstance(value, Tensor) and not is_inference(value)


def _numbers(op: Op, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the operands given as Python numbers, which promotion has turned into arrays."""
    named = {**dict(zip(op.names, args, strict=False)), **kwargs}
    return {name: v for name, v in named.items() if name in op.promote and isinstance(v, (int, float, complex))}


def _wanted(op: Op, chooser: Any, values: dict[str, Any]) -> dict[str, Any]:
    code = chooser.__code__
    names = code.co_varnames[: code.co_argcount]
    return {name: values[name] if name in values else _layout(op, name, values) for name in names}


def _layout(op: Op, name: str, values: dict[str, Any]) -> Any:
    """Return `x_shape` or `x_dtype` of a tensor x, or `dense`."""
    if name == "dense":
        arrays = [values[n] for n in op.tensor_names if isinstance(values.get(n), np.ndarray)]
        return all(each.ndim == 2 or each.flags.c_contiguous for each in arrays) or arrays[0].ndim == 2
    tensor, _, attribute = name.rpartition("_")
    return getattr(values.get(tensor), attribute, None)


def _needed(op: Op, active: set[str]) -> set[str]:
    """Return the names to save, given which parameters require grad."""
    names: set[str] = set()
    for key, arguments in op.rule_arguments.items():
        if key in active or key == "joint":
            names.update(arguments)
    return names


def _value(name: str, values: dict[str, Any], arrays: tuple[Any, ...], extras: dict[str, Any]) -> Any:
    if name in extras:
        return extras[name]
    if name == "result":
        return arrays[0]
    if name.startswith("result") and name[6:].isdigit():
        return arrays[int(name[6:])]
    if name in values:
        return values[name]
    if name.endswith("_shape"):
        value = values.get(name[:-6])
        return [each.shape for each in value] if isinstance(value, (list, tuple)) else getattr(value, "shape", ())
    if name.endswith("_dtype"):
        return getattr(values.get(name[:-6]), "dtype", None)
    return None


def _note_views(base: Any, tensors: tuple[Any, ...], mode: Mode, multiple: bool) -> None:
    for tensor in tensors:
        if tensor is not None and shares_memory(tensor._array, base._array):
            note_view(tensor, base, mode, multiple)


def check_savable(tensor: Tensor) -> None:
    """Raise RuntimeError for an inference tensor, which backward could not use."""
    if tensor._meta is not None and tensor._meta.inference:
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
            "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and "
            "use it in "
            "autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
        )
