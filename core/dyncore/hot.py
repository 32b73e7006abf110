"""Ops that are called often get an entry of their own, written for their signature and compiled once.

The general path binds arguments by loops and dictionaries, 8 us a call. After `WARM` calls its place is taken by a
function with the op's own parameters that does the same in 1-2 us (tests/bench, `entries`). Compiling takes
about a millisecond, which a short script never pays. Whatever is unusual still goes to `general.call`.

For `sum(input, dim=None, keepdim=False, *, dtype=None)` the source is

    def sum(input, dim=_dim, keepdim=_keepdim, *, dtype=_dtype, out=None, **more):
        mode = current()
        if not isinstance(input, Tensor) or ...: return odd(op, (input, dim, keepdim), {"dtype": dtype, ...})
        a_input = input._array
        r = forward(a_input, dim, keepdim, dtype=dtype)
        ...
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter_ns
from types import FunctionType
from typing import Any

import numpy as np

from . import dispatch
from .dtypes import F32, F64
from .explain import renaming
from .general import call, check_savable, failure, unwrap
from .grad_mode import GRAD, NO_GRAD, current
from .graph import next_rank
from .hot_labels import chosen_by, label
from .hot_nodes import conjugates, hot_node
from .registry import Op, is_gradient, keep
from .scalars import weak
from .tensor import Tensor, storage
from .views import note_view, shares_memory

WARM = 30
_SIMPLE = frozenset((int, float, bool, str, type(None), slice))


ABSENT = object()


def lacking(values: tuple[Any, ...]) -> bool:
    """Whether one of these was not given."""
    return any(value is ABSENT for value in values)


def odd(op: Op, values: tuple[Any, ...], more: dict[str, Any]) -> Any:
    """`call` of a compiled entry's arguments: those not given, or given by NumPy's name for them, are left out."""
    names = op.forward.__code__.co_varnames[: op.forward.__code__.co_argcount]
    known = {renaming(op, key) for key in more}
    args: tuple[Any, ...] = ()
    for number, (name, value) in enumerate(zip(names, values, strict=False)):
        if value is ABSENT or (name in known and value is op.defaults.get(name, ABSENT)):
            rest = zip(names[number + 1 :], values[number + 1 :], strict=False)
            return call(op, args, {**{n: v for n, v in rest if v is not ABSENT and n not in known}, **more})
        args = (*args, value)
    return call(op, args + values[len(names) :], more)


_WORLD: dict[str, Any] = {
    "__name__": "dyncore.hot", "__dyncore__": True, "__builtins__": __builtins__,
    "Tensor": Tensor, "GRAD": GRAD, "NO_GRAD": NO_GRAD, "SIMPLE": _SIMPLE, "current": current, "call": call,
    "odd": odd, "ABSENT": ABSENT, "lacking": lacking, "failure": failure,
    "unwrap": unwrap, "check_savable": check_savable, "dispatch": dispatch,
    "now": perf_counter_ns, "new": object.__new__,
    "next_rank": next_rank, "getframe": sys._getframe, "keep": keep, "storage": storage, "note_view": note_view,
    "F32": F32, "F64": F64,
    "shares_memory": shares_memory, "np": np, "weak": weak, "NUMBERS": frozenset((int, float, bool, complex)),
}  # fmt: skip

_FIRST, _LATER = (
    compile(f"def entry(*args, **kwargs): return {call}", "<dyncore>", "exec").co_consts[0]
    for call in ("warm(args, kwargs)", "call(op, args, kwargs)")
)


def warming_entry(op: Op) -> Callable[..., Any]:
    """The general entry of `op`, which becomes the compiled one after `WARM` calls.

    It stays the same function, whose code is exchanged: whoever holds it gets the faster one, and `f is torch.sum`
    stays true.
    """
    names: dict[str, Any] = {**_WORLD, "op": op}
    entry = FunctionType(_FIRST, names, op.name)
    left = WARM

    def warm(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        nonlocal left
        left -= 1
        if not left:
            heat(entry, op, names)
        return call(op, args, kwargs)

    names["warm"] = warm
    return entry


def heat(entry: FunctionType, op: Op, names: dict[str, Any]) -> None:
    """Exchanges the code of `entry` for that of its signature, where the op is of a kind that can have one."""
    source = _source(op)
    if source is None:
        entry.__code__ = _LATER
        return
    names["forward"] = op.forward
    made = _compiled(op, source, names)
    entry.__defaults__, entry.__kwdefaults__ = made.__defaults__, made.__kwdefaults__
    entry.__code__ = made.__code__


def _compiled(op: Op, source: str, names: dict[str, Any]) -> FunctionType:
    names.update({f"_{name}": value for name, value in op.defaults.items()})
    for number, given in enumerate(_patterns(op)):
        if given:
            names[f"class{number}"] = hot_node(op, given, False)
            names[f"real{number}"] = hot_node(op, given, True) if conjugates(op) else None
    space: dict[str, Any] = {}
    exec(compile(source, f"<dyncore {op.name}>", "exec"), names, space)
    return space["entry"]  # type: ignore[no-any-return]


def _patterns(op: Op) -> list[tuple[str, ...]]:
    """The differentiable parameters that may be given together: all, without each of the optional ones, ..."""
    names = [name for name in op.rules if name in op.tensor_names]
    optional = [name for name in names if name in op.defaults]
    return [
        tuple(n for n in names if n not in optional or mask >> optional.index(n) & 1)
        for mask in range(1 << len(optional))
    ]


def _source(op: Op) -> str | None:
    """The text of the compiled entry, or None for ops that stay on the general path."""
    code = op.forward.__code__
    simple_rules = all(is_gradient(names[0]) and names[0] == "g" for names in op.rule_arguments.values() if names)
    first_is_g = all(not any(is_gradient(n) for n in names[1:]) for names in op.rule_arguments.values())
    listed = any(name.endswith("tensors") for name in op.tensor_names)
    if "joint" in op.rules or op.returns or listed or not op.tensor_names or not simple_rules or not first_is_g:
        return None
    if op.kind == "composite":
        return None
    if _LOCALS & set(op.names):
        return None
    positional = list(code.co_varnames[: code.co_argcount])
    keyword_only = list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
    if not positional or positional[0] not in op.tensor_names or any(n in op.tensor_names for n in keyword_only):
        return None
    return _written(op, positional, keyword_only)


# What the compiled text calls its own: an op with a parameter of such a name stays on the general path.
_LOCALS = frozenset(
    ("active", "kind", "reals", "mode", "listener", "started", "r", "extras", "result", "node", "frame", "more", "out")
)


def _written(op: Op, positional: list[str], keyword_only: list[str]) -> str:
    tensors = [name for name in positional if name in op.tensor_names]
    optional = [name for name in tensors if name in op.defaults]
    loose = [
        n
        for n in positional
        if n not in tensors and op.forward.__annotations__.get(n) in (object, tuple, "object", "tuple")
    ]
    signature = [f"{name}=_{name}" if name in op.defaults else f"{name}=ABSENT" for name in positional]
    signature += [f"*{op.variadic}"] if op.variadic else ["*"]
    signature += [name + (f"=_{name}" if name in op.defaults else "") for name in keyword_only] + ["out=None", "**more"]
    given = ", ".join([*positional, *([f"*{op.variadic}"] if op.variadic else [])])
    named = ", ".join(f"{name!r}: {name}" for name in keyword_only)
    first = tensors[0]
    slow = [f"not isinstance({name}, Tensor)" for name in tensors if name == first or name in op.strict]
    slow += ["mode is not GRAD and mode is not NO_GRAD", "out is not None", "more"]
    lines = [
        f"def entry({', '.join(signature)}):",
        "    mode = current()",
        f"    if {' or '.join(slow)}:",
        f"        more = {{**more, {named}}}",
        "        if out is not None: more['out'] = out",
        f"        return odd(op, ({given},), more)",
    ]
    again = f"return odd(op, ({given},), {{{named}}})"
    lines += [
        f"    a_{first} = " + (f"storage({first})" if op.view else f"{first}._array"),
        f"    e_{first} = {first}._edge",
    ]
    for name in tensors[1:]:
        lines += _operand(op, name, first, name in optional, again)
    if op.floats:
        a = f"a_{tensors[0]}.dtype"
        lines.append(f"    if {a} is not F32 and {a} is not F64 and {a}.kind not in 'fc': {again}")
    raw = {name: f"a_{name}" for name in tensors}
    for name in loose:
        lines.append(f"    r_{name} = {name} if {name}.__class__ in SIMPLE else unwrap({name})")
        raw[name] = f"r_{name}"
    if op.variadic:
        lines.append(f"    r_{op.variadic} = {op.variadic}")
        raw[op.variadic] = f"r_{op.variadic}"
    arguments = [raw.get(name, name) for name in positional] + ([f"*r_{op.variadic}"] if op.variadic else [])
    arguments += [f"{name}={name}" for name in keyword_only]
    lines += [
        "    listener = dispatch.listener",
        "    started = 0 if listener is None else now()",
        "    try:",
        f"        r = forward({', '.join(arguments)})",
        "    except Exception as error:",
        f"        if lacking(({given},)): {again}",
        f"        raise failure(op, ({given},), {{{named}}}, error) from None",
    ]
    if op.itself:
        lines += [f"    if r is a_{tensors[0]}: return {tensors[0]}"]
    extras = [n for n in op.saved_names if not _known(op, n)]
    if extras:
        lines += ["    extras = None", "    if r.__class__ is keep: r, extras = r"]
    lines += [
        "    if r.__class__ is tuple or r.__class__ is list:",
        f"        return call(op, ({given},), {{{named}}})",
        "    result = new(Tensor)",
        "    result._array = r",
        "    result._meta = None",
        "    result._edge = None",
    ]
    if op.rules:
        lines += _recording(op, tensors, optional, raw, extras)
    if op.view:
        lines += [f"    if shares_memory(r, a_{tensors[0]}): note_view(result, {tensors[0]}, mode, False)"]
    heard = f"listener.op(op, *op.given(({given},), {{{named}}}), result, started, now())"
    lines += [
        "    if listener is not None:",
        *_hearing(op, positional, keyword_only, heard),
        "    return result",
    ]
    return "\n".join(lines)


def _hearing(op: Op, positional: list[str], keyword_only: list[str], heard: str) -> list[str]:
    """The lines that tell the listener, quickly if one or two operands are all that was given."""
    operands = [name for name in positional[:2] if name in op.tensor_names and name not in op.defaults]
    others = [*positional[len(operands) :], *keyword_only]
    if not op.plain or op.variadic or any(name not in op.defaults for name in others):
        return [f"        {heard}"]
    tests = ["dispatch.quick is not None", *(f"{name} is _{name}" for name in others)]
    return [
        f"        if {' and '.join(tests)}: dispatch.quick(op, {', '.join((*operands, 'None')[:2])}, result, started)",
        f"        else: {heard}",
    ]


def _operand(op: Op, name: str, first: str, optional: bool, again: str) -> list[str]:
    """The lines that read one more operand: a tensor, a number (in the first one's dtype where they promote), None."""
    promoted = name in op.promote
    if name in op.strict and not optional:  # the entry has asked already whether it is a tensor
        lines = [f"    a_{name} = {name}._array", f"    e_{name} = {name}._edge"]
        first = first if first in op.promote else op.promote[0] if promoted else name
        return [*lines, f"    if a_{name}.dtype is not a_{first}.dtype: {again}"] if promoted else lines
    lines = [
        f"    if isinstance({name}, Tensor):",
        f"        a_{name} = {name}._array",
        f"        e_{name} = {name}._edge",
    ]
    if promoted:
        lines.append(
            f"        if a_{name}.dtype is not a_{first if first in op.promote else op.promote[0]}.dtype: {again}"
        )
    if optional:
        lines.append(f"    elif {name} is None: a_{name} = e_{name} = None")
    if promoted and first in op.promote and name not in op.strict:
        lines += [
            f"    elif {name}.__class__ in NUMBERS:",
            f"        a_{name} = weak({name}, a_{first})",
            f"        e_{name} = None",
        ]
        lines.append(f"        if a_{name} is None: {again}")
    elif not promoted:
        lines += [f"    elif {name}.__class__ in NUMBERS: a_{name}, e_{name} = {name}, None"]
    return [*lines, f"    else: {again}"]


def _known(op: Op, name: str) -> bool:
    return name in op.names or name == "result" or name.endswith(("_shape", "_dtype"))


def _recording(op: Op, tensors: list[str], optional: list[str], raw: dict[str, str], extras: list[str]) -> list[str]:
    """The lines that make the node."""
    active = [name for name in op.rules if name in tensors]
    if not active:
        return []
    any_edge = " or ".join(f"e_{name} is not None" for name in active)
    lines = [f"    if mode is GRAD and ({any_edge}):", "        kind = r.dtype"]
    conjugated = conjugates(op)
    if conjugated:
        alike = "".join(f" and {_is_alike(op, n)}" for n in tensors if n in op.saved_names)
        lines.append(f"        reals = (kind is F32 or kind is F64){alike}")
    measured = [name for name in tensors if f"{name}_shape" in chosen_by(op)]
    lines += [f"        s_{name} = a_{name}.shape" for name in measured]
    plain = "kind is not F32 and kind is not F64 and kind.kind not in 'fc'"
    lines.append(f"        if {plain}: active = None")
    given = [name for name in active if name in optional]
    for names in _patterns(op):
        tests = [f"{n} is {'not ' if n in names else ''}None" for n in given]
        lines.append(f"        elif {' and '.join(tests)}:" if tests else "        else:")
        number = _patterns(op).index(names)
        if not names:
            lines.append("            active = None")
            continue
        made = f"real{number} if reals else class{number}" if conjugated else f"class{number}"
        lines += [
            f"            active = node = ({made})()",
            f"            node.e0 = e_{names[0]}"
            if len(names) == 1
            else f"            node.to = ({''.join(f'e_{n}, ' for n in names)})",
            f"            node.fits = ({_shape(names[0], measured)}, a_{names[0]}.dtype)"
            if len(names) == 1
            else f"            node.fits = ({''.join(_meta(n, measured) for n in names)})",
        ]
    saved = [_saved(op, name, active, raw, extras) for name in op.saved_names]
    lines += [
        "        if active is not None:",
        "            node.rank = next_rank()",
        "            frame = getframe(1)",
        "            while '__dyncore__' in frame.f_globals: frame = frame.f_back",
        "            node.code = frame.f_code",
        "            node.lasti = frame.f_lasti",
        "            node.extra = None",
        f"            node.values = ({', '.join(saved)}{',' if len(saved) == 1 else ''})",
    ]
    lines += [
        f"            if e_{n} is None and {n}.__class__ is Tensor and {n}._meta is not None: check_savable({n})"
        for n in op.saved_names
        if n in tensors and len(tensors) > 1 and n in active
    ]
    lines += [f"            node.label = {label(op, raw)}", "            result._edge = node"]
    return lines


def _is_alike(op: Op, name: str) -> str:
    """The expression of whether an operand is of the result's dtype."""
    if name == op.tensor_names[0] or name in op.promote or name in op.strict:
        return f"a_{name}.dtype is kind"
    return f"(a_{name}.__class__ in NUMBERS or a_{name} is None or a_{name}.dtype is kind)"


def _meta(name: str, measured: list[str]) -> str:
    """The expression of an input's shape and dtype, which only matter where a gradient goes."""
    known = f"e_{name} is not None"
    return f"{_shape(name, measured)} if {known} else None, a_{name}.dtype if {known} else None, "


def _shape(name: str, measured: list[str]) -> str:
    return f"s_{name}" if name in measured else f"a_{name}.shape"


def _saved(op: Op, name: str, active: list[str], raw: dict[str, str], extras: list[str]) -> str:
    """The expression of one saved value, None where no derivative that is asked for wants it."""
    if name in extras:
        value = f"(extras and extras.get({name!r}))"
    elif name == "result":
        value = "r"
    elif name in op.names:
        value = raw.get(name, name)
    elif name.endswith("_shape"):
        return f"a_{name[:-6]}.shape" if name[:-6] in op.tensor_names else "None"
    else:
        return f"a_{name[:-6]}.dtype" if name[:-6] in op.tensor_names else "None"
    users = [each for each in active if name in op.rule_arguments[each]]
    is_array = name == "result" or name in op.tensor_names or name in extras
    if not is_array or len(users) == len(active):
        return value
    return f"({value} if {' or '.join(f'e_{u} is not None' for u in users)} else None)"
