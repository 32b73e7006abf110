"""The text of a compiled entry: what `hot` compiles for an op's own parameters."""

from __future__ import annotations

import re

from . import hot_many
from .hot_labels import LINE, chosen_by, label
from .hot_nodes import conjugates
from .old_orders import OLD
from .registry import Op, is_gradient

__dyncore__ = True


def patterns(op: Op) -> list[tuple[str, ...]]:
    """The differentiable parameters that may be given together: all, without each of the optional ones, ..."""
    names = [name for name in op.rules if name in op.tensor_names]
    optional = [name for name in names if name in op.defaults]
    return [
        tuple(n for n in names if n not in optional or mask >> optional.index(n) & 1)
        for mask in range(1 << len(optional))
    ]


def source_of(op: Op, within: bool = False) -> str | None:
    """The text of the compiled entry, or None for ops that stay on the general path.

    within: whether it is that of an op given all this one takes, and more, which somebody else sees to.
    """
    code = op.forward.__code__
    listed = any(name.endswith("tensors") for name in op.tensor_names)
    if listed or not op.tensor_names:
        return None
    if hot_many.takes(op):
        if not set(chosen_by(op)) <= set(op.names) or op.variadic or op.view or op.promote or op.floats or op.itself:
            return None
    elif "joint" in op.rules or not _is_simple(op):
        return None
    if op.kind == "composite":
        return None
    if _LOCALS & set(op.names):
        return None
    positional = list(code.co_varnames[: code.co_argcount])
    keyword_only = list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
    if not positional or positional[0] not in op.tensor_names or any(n in op.tensor_names for n in keyword_only):
        return None
    return _written(op, positional, keyword_only, within)


def _is_simple(op: Op) -> bool:
    """Whether every derivative takes the gradient of the one result first, and no other."""
    arguments = op.rule_arguments.values()
    first = all(names[0] == "g" for names in arguments if names)
    return first and not any(is_gradient(name) for names in arguments for name in names[1:])


# What the compiled text calls its own: an op with a parameter of such a name stays on the general path.
_LOCALS = frozenset((
    "active", "kind", "reals", "mode", "listener", "started", "r", "extras", "result", "node", "frame", "code",
    "theirs", "base", "more", "out",
))  # fmt: skip


def _written(op: Op, positional: list[str], keyword_only: list[str], within: bool) -> str:
    tensors = [name for name in positional if name in op.tensor_names]
    optional = [name for name in tensors if name in op.defaults]
    loose = [
        n
        for n in positional
        if n not in tensors and op.forward.__annotations__.get(n) in (object, tuple, "object", "tuple")
    ]
    signature = [f"{name}=_{name}" if name in op.defaults else f"{name}=ABSENT" for name in positional]
    rest = op.variadic or ("old" if within or op.name in OLD else "")
    signature += [f"*{rest}"]
    signature += [name + (f"=_{name}" if name in op.defaults else "") for name in keyword_only] + ["out=None", "**more"]
    given = ", ".join([*positional, *([f"*{rest}"] if rest else [])])
    named = ", ".join(f"{name!r}: {name}" for name in keyword_only)
    first = tensors[0]
    asked = [name for name in tensors if name == first or name in op.strict]
    slow = [f"type({name}) is not Tensor and not isinstance({name}, Tensor)" for name in asked]
    slow += ["mode is not GRAD and mode is not NO_GRAD", "out is not None", "more", *(["old"] if rest == "old" else [])]
    slow += ["dispatch.listener is not None"] if within else []  # who hears of the other op
    lines = [
        f"def entry({', '.join(signature)}):",
        "    global theirs",
        "    mode = current() if unusual else GRAD",
        f"    if {' or '.join(slow)}:",
        f"        more = {{**more, {named}}}",
        "        if out is not None: more['out'] = out",
        f"        return odd(op, ({given},), more)",
    ]
    again = f"return odd(op, ({given},), {{{named}}})"
    lines.append(f"    a_{first} = {first}._array")
    if op.view:
        lines.append(f"    if type(a_{first}) is not ndarray: a_{first} = storage({first})")
    lines.append(f"    e_{first} = {first}._edge")
    if op.refuses is not None:
        lines.append(f"    if a_{first}.dtype is not F32 and a_{first}.dtype is not F64: "
                     f"check_kernel(op.refuses, a_{first}.dtype)")  # fmt: skip
    for name in tensors[1:]:
        lines += _operand(op, name, first, name in optional, again)
    if op.floats:
        a = f"a_{tensors[0]}.dtype"
        lines.append(f"    if {a} is not F32 and {a} is not F64 and {a}.kind not in 'fc': {again}")
    raw = {name: f"a_{name}" for name in tensors}
    for name in loose:
        lines.append(f"    r_{name} = {name} if {name} is None or {name}.__class__ in SIMPLE else unwrap({name})")
        raw[name] = f"r_{name}"
    if op.variadic:
        lines.append(f"    r_{op.variadic} = {op.variadic}")
        raw[op.variadic] = f"r_{op.variadic}"
    arguments = [raw.get(name, name) for name in positional] + ([f"*r_{op.variadic}"] if op.variadic else [])
    arguments += keyword_only if not op.variadic else [f"{name}={name}" for name in keyword_only]
    computing = [
        "    try:",
        f"        r = forward({', '.join(arguments)})",
        "    except Exception as error:",
        f"        if lacking(({given},)): {again}",
        f"        raise failure(op, ({given},), {{{named}}}, error) from None",
    ]
    lines[2:2] = _straight(op, tensors, loose, rest, raw, computing)
    lines += ["    listener = dispatch.listener", "    started = 0 if listener is None else now()", *computing]
    if op.itself:
        lines += [f"    if r is a_{tensors[0]}: return {tensors[0]}"]
    extras = [n for n in op.saved_names if not _known(op, n)]
    if extras:
        lines += ["    extras = None", "    if r.__class__ is Kept: r, extras = r"]
    if hot_many.takes(op):
        title = f"op.choose_title({', '.join(raw.get(n, n) for n in chosen_by(op))})"
        lines += hot_many.made(op, tensors, raw, extras, "title" if op.choose_title is None else title)
        return "\n".join([*lines, *_told(op, positional, keyword_only, given, named)])
    lines += [
        "    kind = type(r)",
        "    if kind is not ndarray and (kind is tuple or kind is list):",
        f"        return call(op, ({given},), {{{named}}})",
        "    result = new(Tensor)",
        "    result._array = r",
        "    result._meta = None",
        "    result._edge = None",
    ]
    if op.rules:
        lines += _recording(op, tensors, optional, raw, extras)
    if op.view:
        a = f"a_{tensors[0]}"
        lines += [
            "    base = r.base",
            f"    if base is not None and (base is {a} or base is {a}.base) or shares_memory(r, {a}):",
            f"        note_view(result, {tensors[0]}, mode, False)",
        ]
    return "\n".join([*lines, *_told(op, positional, keyword_only, given, named)])


def _straight(
    op: Op, tensors: list[str], loose: list[str], rest: str, raw: dict[str, str], computing: list[str]
) -> list[str]:
    """The lines that compute and record an op of one tensor of float32 in the plain mode, with nobody listening.

    What follows does the same, but asks at each turn what is known here: 0.12 us (bench, early exit).
    """
    (first, *others), extras = tensors, [n for n in op.saved_names if not _known(op, n)]
    if others or extras or first not in op.rules or op.view or op.variadic or op.itself or hot_many.takes(op):
        return []
    tests = [f"type({first}) is Tensor", "not unusual", "dispatch.listener is None", "out is None", "not more"]
    tests += ["not old"] if rest == "old" else []
    tests += ["dtype is None"] if "dtype" in op.names else []
    a, e = f"a_{first}", f"e_{first}"
    measured = [first] if f"{first}_shape" in (*chosen_by(op), *op.saved_names) else []
    saved = [_saved(op, name, [first], raw, []) for name in op.saved_names]
    if op.at_once is not None:  # 0.1 us of `sum`, softmax and `max` each (bench, branch and early exit)
        condition, result = (re.sub(rf"\b{first}\b", a, text) for text in op.at_once[:2])
        start, call, *rest_of = computing
        computing = [start, call.replace("r = ", f"r = {result} if {condition} else "), *rest_of]
    lines = [
        f"{a} = {first}._array",
        f"if {a}.dtype is F32:",
        *(f"    r_{n} = {n} if {n} is None or {n}.__class__ in SIMPLE else unwrap({n})" for n in loose),
        *computing,
        "    kind = type(r)",
        "    if kind is float32 or kind is ndarray and r.dtype is F32:",
        "        result = new(Tensor)",
        "        result._array = r",
        "        result._meta = None",
        f"        {e} = {first}._edge",
        f"        if {e} is None:",
        "            result._edge = None",
        "            return result",
        *([f"        s_{first} = {a}.shape"] if measured else []),
        f"        node = {'real0' if conjugates(op) else 'class0'}()",
        f"        node.e0 = {e}",
        f"        node.size = {_shape(first, measured)}",
        "        node.kind = F32",
        *(f"        {line}" for line in LINE),
        f"        node.values = ({', '.join(saved)}{',' if len(saved) == 1 else ''})",
        f"        node.label = {label(op, raw)}",
        "        result._edge = node",
        "        return result",
    ]
    return [f"    if {' and '.join(tests)}:", *(f"        {line}" for line in lines)]


def _told(op: Op, positional: list[str], keyword_only: list[str], given: str, named: str) -> list[str]:
    """The lines that tell the listener, and the end."""
    if op.variadic:
        heard = f"listener.op(op, *op.given(({given},), {{{named}}}), result, started, now())"
    else:  # what `given` would find, asked here of what may be left out: 0.5 us a view or a sum of rows heard
        heard = f"listener.op(op, {_without_defaults(op, positional)}, {_set(op, keyword_only, named)}, "
        heard += "result, started, now())"
    return ["    if listener is not None:", *_hearing(op, positional, keyword_only, heard), "    return result"]


def _without_defaults(op: Op, names: list[str]) -> str:
    """The expression of the arguments without the last ones that are their parameters' defaults."""
    found = f"({', '.join(names)},)" if names else "()"
    if not names or names[-1] not in op.defaults:
        return found
    return f"{found} if {names[-1]} is not _{names[-1]} else ({_without_defaults(op, names[:-1])})"


def _set(op: Op, names: list[str], named: str) -> str:
    """The expression of the arguments by keyword that are not their parameters' defaults."""
    if not names:
        return "{}"
    tests = [f"{name} is _{name}" if name in op.defaults else "False" for name in names]
    return f"{{}} if {' and '.join(tests)} else op.given((), {{{named}}})[1]"


def _hearing(op: Op, positional: list[str], keyword_only: list[str], heard: str) -> list[str]:
    """The lines that tell the listener, quickly if one or two operands are all that was given."""
    operands = [name for name in positional[:2] if name in op.tensor_names and name not in op.defaults]
    others = [*positional[len(operands) :], *keyword_only]
    if not operands or not op.plain or op.returns or op.variadic or any(n not in op.defaults for n in others):
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
    if optional or hot_many.takes(op):
        lines.append(f"    elif {name} is None: a_{name} = e_{name} = None")
    if promoted and first in op.promote and name not in op.strict:
        lines += [
            f"    elif {name}.__class__ in NUMBERS:",
            f"        a_{name} = weak({name}, a_{first})",
            f"        e_{name} = None",
        ]
        lines.append(f"        if a_{name} is None: {again}")
    elif not promoted and not hot_many.takes(op):
        lines += [f"    elif {name}.__class__ in NUMBERS: a_{name}, e_{name} = {name}, None"]
    return [*lines, f"    else: {again}"]


def _known(op: Op, name: str) -> bool:
    return name in op.names or name[:6] == "result" or name.endswith(("_shape", "_dtype"))


def _recording(op: Op, tensors: list[str], optional: list[str], raw: dict[str, str], extras: list[str]) -> list[str]:
    """The lines that make the node."""
    active = [name for name in op.rules if name in tensors]
    if not active:
        return []
    any_edge = " or ".join(f"e_{name} is not None" for name in active)
    # A scalar takes 0.05 us to say its dtype.
    asked = "F32 if kind is float32 else F64 if kind is float64 else r.dtype"
    floating = "kind is F32 or kind is F64 or kind.kind in 'fc'"
    lines = [f"    if mode is GRAD and ({any_edge}):", f"        kind = {asked}"]
    conjugated = conjugates(op)
    if conjugated:
        alike = "".join(f" and {_is_alike(op, n)}" for n in tensors if n in op.saved_names)
        lines.append(f"        reals = (kind is F32 or kind is F64){alike}")
    measured = [name for name in tensors if f"{name}_shape" in (*chosen_by(op), *op.saved_names)]
    lines += [f"        s_{name} = a_{name}.shape" for name in measured]
    given = [name for name in active if name in optional]
    if given:
        lines.append(f"        if not ({floating}): active = None")
    for names in patterns(op):
        tests = [f"{n} is {'not ' if n in names else ''}None" for n in given]
        lines.append(f"        elif {' and '.join(tests)}:" if tests else f"        if {floating}:")
        number = patterns(op).index(names)
        if not names:
            lines.append("            active = None")
            continue
        made = f"real{number} if reals else class{number}" if conjugated else f"class{number}"
        lines += [
            f"            {'active = ' if given else ''}node = ({made})()",
            f"            node.e0 = e_{names[0]}"
            if len(names) == 1
            else f"            node.to = ({''.join(f'e_{n}, ' for n in names)})",
            f"            node.size, node.kind = {_shape(names[0], measured)}, a_{names[0]}.dtype"
            if len(names) == 1
            else f"            node.fits = ({''.join(_meta(n, measured) for n in names)})",
        ]
    saved = [_saved(op, name, active, raw, extras) for name in op.saved_names]
    lines += [
        *(["        if active is not None:"] if given else []),
        *(f"            {line}" for line in LINE),
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
        return f"s_{name[:-6]}" if name[:-6] in op.tensor_names else "None"
    else:
        return f"a_{name[:-6]}.dtype" if name[:-6] in op.tensor_names else "None"
    users = [each for each in active if name in op.rule_arguments[each]]
    is_array = name == "result" or name in op.tensor_names or name in extras
    if not is_array or len(users) == len(active):
        return value
    return f"({value} if {' or '.join(f'e_{u} is not None' for u in users)} else None)"
