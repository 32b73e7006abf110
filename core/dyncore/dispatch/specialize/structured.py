"""The functions of ops of any other signature: `signature - mode - operands - compute - node - result`.

For `sum(input, dim=None, keepdim=False, *, dtype=None)` the text is

    def entry(input=ABSENT, dim=_dim, keepdim=_keepdim, *beyond, dtype=_dtype, out=None, **more):
        mode = current() if nondefault_modes else GRAD
        if not isinstance(input, Tensor) or ...: return general_of((input, dim, keepdim, *beyond), {...})
        a_input = input._array
        r = forward(a_input, dim, keepdim, dtype=dtype)
        ...
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import compress, product
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from dyncore.dispatch.messages import renaming
from dyncore.dtypes.limits import CONVERTING, weak_fitting
from dyncore.dtypes.numbers import weak
from dyncore.dtypes.supported import check as check_kernel
from dyncore.graph.node import Output
from dyncore.tensors.tensor import storage
from dyncore.tensors.views import note_view, shares_memory

from ..general import unwrap
from ..general_nodes import general_node
from ..registry import ABSENT, Kept, Op, is_gradient
from .cache import Names
from .fragments import PLACE, WORLD, Lines, block, indented, lines_of, text, tuple_of
from .structured_nodes import structured_node

_WORLD: Names = {
    **WORLD, "SIMPLE": frozenset((int, float, bool, str, type(None), slice)), "unwrap": unwrap, "now": perf_counter,
    "Output": Output, "Kept": Kept, "storage": storage, "note_view": note_view, "check_kernel": check_kernel,
    "shares_memory": shares_memory, "np": np, "NUMBERS": frozenset((int, float, bool, complex)),
    "lacking": lambda values: any(value is ABSENT for value in values),
}  # fmt: skip


def names_of(op: Op, general: Callable[..., Any], within: bool = False) -> Names:
    """Return the globals of the text of an op."""
    names: Names = {
        **_WORLD, "general": general, **{f"_{name}": value for name, value in op.defaults.items()},
        "weak": weak_fitting if op.name in CONVERTING else weak,
        "forward": op.forward, **(op.at_once[2] if op.at_once else {}),
        "wanted_of": "wanted" in chosen_by(op) and _wanted_of(op),
        "general_of": _given(general) if within else _named(op, general),
    }  # fmt: skip
    if is_joint(op):
        targets = tuple((name, None) for name in sources_of(op))
        return names | {"node_class": general_node(op), "node_targets": targets, "return_type": op.return_type}
    for number, given in enumerate(patterns(op)):
        if given:
            names[f"class{number}"] = structured_node(op, given)
    return names


def _wanted_of(op: Op) -> dict[tuple[bool, ...], frozenset[str]]:
    """Return the tensors that gradients go to, by which of all that they may go to have edges."""
    names = sources_of(op)
    return {given: frozenset(compress(names, given)) for given in product((False, True), repeat=len(names))}


def _given(general: Callable[..., Any]) -> Callable[..., Any]:
    """Return what calls `general` with the arguments that were given."""
    return lambda values, more: general(*[value for value in values if value is not ABSENT], **more)


def _named(op: Op, general: Callable[..., Any]) -> Callable[..., Any]:
    """Return what calls `general` without the arguments not given, or given by NumPy's name for them."""
    names = op.forward.__code__.co_varnames[: op.forward.__code__.co_argcount]

    def general_of(values: tuple[Any, ...], more: Names) -> Any:
        # As written: a capture records the arguments that it is given.
        more = {key: value for key, value in more.items() if value is not op.defaults.get(key, ABSENT)}
        known = {renaming(op, key) for key in more}
        args: tuple[Any, ...] = ()
        for number, (name, value) in enumerate(zip(names, values, strict=False)):
            if value is ABSENT or (name in known and value is op.defaults.get(name, ABSENT)):
                rest = zip(names[number + 1 :], values[number + 1 :], strict=False)
                return general(*args, **{n: v for n, v in rest if v is not ABSENT and n not in known}, **more)
            args = (*args, value)
        return general(*args, *values[len(names) :], **more)

    return general_of


class Call(NamedTuple):
    """The parameters of an op as its text needs them.

    optional: tensors that may be None.  loose: parameters that may hold tensors inside.
    rest: the name of further positional arguments, which only the general path takes unless the op is variadic.
    """

    op: Op
    positional: list[str]
    keyword_only: list[str]
    tensors: list[str]
    optional: list[str]
    loose: list[str]
    rest: str

    @property
    def given(self) -> str:
        """The expression of the positional arguments."""
        return ", ".join([*self.positional, f"*{self.rest}"])

    @property
    def named(self) -> str:
        """The expressions of the arguments by keyword."""
        return ", ".join(f"{name!r}: {name}" for name in self.keyword_only)

    @property
    def general(self) -> str:
        """The statement that leaves for the general path."""
        return f"return general_of(({self.given},), {{{self.named}}})"

    @property
    def raw(self) -> dict[str, str]:
        """The names of arguments without tensors in them."""
        variadic = [self.op.variadic] if self.op.variadic else []
        return {n: f"a_{n}" for n in self.tensors} | {n: f"r_{n}" for n in [*self.loose, *variadic]}


def patterns(op: Op) -> list[tuple[str, ...]]:
    """Return the differentiable parameters that may be given together: all, without each of the optional ones, ..."""
    names = [name for name in op.rules if name in op.tensor_names]
    optional = [name for name in names if name in op.defaults]
    return [
        tuple(n for n in names if n not in optional or mask >> optional.index(n) & 1)
        for mask in range(1 << len(optional))
    ]


def is_joint(op: Op) -> bool:
    """Return True if an op has several results, or derivatives computed together: its node is a general one."""
    return bool(op.returns) or ("joint" in op.rules and op.gradient_names == {"g"})


def sources_of(op: Op) -> list[str]:
    """Return the tensors that gradients may go to."""
    return [name for name in (op.tensor_names if "joint" in op.rules else op.rules) if name in op.tensor_names]


def _call_of(op: Op) -> Call | None:
    """Return the parameters of an op, None for one that stays on the general path."""
    code = op.forward.__code__
    listed = any(name.endswith("tensors") for name in op.tensor_names)
    if listed or not op.tensor_names:
        return None
    if is_joint(op):
        if not set(chosen_by(op)) <= set(op.names) or op.variadic or op.view or op.promote or op.floats or op.itself:
            return None
    elif "joint" in op.rules or not _is_simple(op):
        return None
    if op.kind == "composite" or _LOCALS & set(op.names):
        return None
    positional = list(code.co_varnames[: code.co_argcount])
    keyword_only = list(code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount])
    if not positional or positional[0] not in op.tensor_names or any(n in op.tensor_names for n in keyword_only):
        return None
    tensors = [name for name in positional if name in op.tensor_names]
    kinds = op.forward.__annotations__
    loose = [n for n in positional if n not in tensors and kinds.get(n) in (object, tuple, "object", "tuple")]
    optional = [n for n in tensors if n in op.defaults]
    return Call(op, positional, keyword_only, tensors, optional, loose, op.variadic or "beyond")


def _is_simple(op: Op) -> bool:
    """Return True if every derivative takes the gradient of the one result first.

    And no other.
    """
    arguments = op.rule_arguments.values()
    first = all(names[0] == "g" for names in arguments if names)
    return first and not any(is_gradient(name) for names in arguments for name in names[1:])


# What the compiled text calls its own: an op with a parameter of such a name stays on the general path.
_LOCALS = frozenset((
    "active", "kind", "mode", "listener", "started", "r", "extras", "result", "node", "frame", "code",
    "caller_code", "base", "more", "out", "beyond",
))  # fmt: skip


def write(op: Op, operator: bool, listening: bool, within: bool = False) -> str | None:
    """Write the function of an op, None for one that stays on the general path.

    within: whether it is that of an op given all this one takes, and more; a listener records the other one.
    """
    call = _call_of(op)
    if call is None or (within and listening):
        return None
    return text(
        [_signature(call), "    global caller_code"],
        indented(
            _guards(call, listening),
            _operands(call),
            _compute(call, listening),
            ["extras = None", "if r.__class__ is Kept: r, extras = r"] if op.kept_names else [],
            _results(call),
            block("if listener is not None:", _report(call)) if listening else [],
            ["return result"],
        ),
    )


def _signature(call: Call) -> str:
    defaults = call.op.defaults
    parameters = [f"{name}=_{name}" if name in defaults else f"{name}=ABSENT" for name in call.positional]
    parameters.append(f"*{call.rest}")
    parameters += [name + (f"=_{name}" if name in defaults else "") for name in call.keyword_only]
    return f"def entry({', '.join([*parameters, 'out=None', '**more'])}):"


def _guards(call: Call, listening: bool) -> Lines:
    """Leave for the general path where anything but tensors was given, or an option, or in an unusual mode.

    Also for a tensor given by keyword, which stands for a number.
    Under a listener also for a tensor as a whole number, which the forward would compute with by ops.
    """
    checked = [name for name in call.tensors if name == call.tensors[0] or name in call.op.strict]
    tests = [f"type({name}) is not Tensor and (not isinstance({name}, Tensor) or {name}.is_sparse)" for name in checked]
    tests += ["mode is not GRAD and mode is not NO_GRAD", "out is not None", "more"]
    tests += [call.rest] if not call.op.variadic else []
    tests += [f"isinstance({n}, Tensor)" for n in call.keyword_only if type(call.op.defaults.get(n)) in (int, float)]
    if listening:
        kinds = call.op.forward.__annotations__
        tests += [f"{n}.__class__ is Tensor" for n in call.positional if kinds.get(n) in (int, "int")]
    return [
        "mode = current() if nondefault_modes else GRAD",
        f"if {' or '.join(tests)}:",
        f"    more = {{**more, {call.named}}}",
        "    if out is not None: more['out'] = out",
        f"    return general_of(({call.given},), more)",
    ]


def _operands(call: Call) -> Lines:
    """Read arrays and edges, and take tensors out of what may hold them."""
    op, first = call.op, call.tensors[0]
    lines = [f"a_{first} = {first}._array"]
    if op.view:
        lines.append(f"if type(a_{first}) is not ndarray: a_{first} = storage({first})")
    lines.append(f"e_{first} = {first}._edge")
    dtype = f"a_{first}.dtype"
    for name in call.tensors[1:]:
        lines += _operand(op, name, first, name in call.optional, call.general)
    if op.refuses is not None:
        lines.append(f"if {dtype} is not F32 and {dtype} is not F64: check_kernel(op.refuses, {dtype})")
    if op.floats:
        lines.append(f"if {dtype} is not F32 and {dtype} is not F64 and {dtype}.kind not in 'fc': {call.general}")
    lines += _unwrapped(call)
    return [*lines, f"r_{op.variadic} = {op.variadic}"] if op.variadic else lines


def _unwrapped(call: Call) -> Lines:
    return [f"r_{n} = {n} if {n} is None or {n}.__class__ in SIMPLE else unwrap({n})" for n in call.loose]


def _compute(call: Call, listening: bool) -> Lines:
    """Compute `r`: at once where the op's block says how, else by its forward."""
    op, variadic = call.op, call.op.variadic
    arguments = [call.raw.get(n, n) for n in call.positional] + ([f"*r_{variadic}"] if variadic else [])
    arguments += [f"{name}={name}" for name in call.keyword_only]
    start = ["listener = events.listener", "started = 0 if listener is None else now()"] if listening else []
    array, at_once = f"a_{call.tensors[0]}", ""
    if op.at_once is not None:
        condition, result = (re.sub(rf"\b{call.tensors[0]}\b", array, each) for each in op.at_once[:2])
        known = [f"{array}.dtype is F32", *(["dtype is None"] if "dtype" in op.names else []), condition]
        at_once = f"{result} if {' and '.join(known)} else "
    return [
        *start,
        "try:",
        f"    r = {at_once}forward({', '.join(arguments)})",
        "except Exception as error:",
        f"    if lacking(({call.given},)): {call.general}",
        f"    return failed(op, ({call.given},), {{{call.named}}}, error)",
        *([f"if r is {array}: return {call.tensors[0]}"] if op.itself else []),
    ]


def _results(call: Call) -> Lines:
    """Wrap the results, make their node, note that the one result is a view."""
    op, first = call.op, call.tensors[0]
    if op.returns:
        tensors = {f"r{number}": f"t{number}" for number in range(len(op.returns))}
        lines = [f"{', '.join(tensors)} = r"]
    else:
        tensors = {"r": "result"}
        lines = ["kind = type(r)"]
        if set(sources_of(op)) <= set(call.optional):  # a derivative takes the gradient of one array
            lines += block("if kind is tuple or kind is list:", [f"return general({call.given}, **{{{call.named}}})"])
    for array, tensor in tensors.items():
        lines += [f"{tensor} = new(Tensor)", f"{tensor}._array = {array}"]
        lines += [f"{tensor}._meta = None", f"{tensor}._edge = None"]
    if sources_of(op):
        lines += _recording(call, tensors)
    if op.view:
        lines += [
            "base = r.base",
            f"if base is not None and (base is a_{first} or base is a_{first}.base) or shares_memory(r, a_{first}):",
            f"    note_view(result, {first}, mode, False)",
        ]
    return [*lines, f"result = return_type({tuple_of([*tensors.values()])})"] if op.returns else lines


def _report(call: Call) -> Lines:
    """Tell the listener; what `op.given` would find of a call without options is written out."""
    op = call.op
    every = f"listener.op(op, *op.given(({call.given},), {{{call.named}}}), result, started, now())"
    names = [*call.positional, *call.keyword_only]
    operands, options = ([name for name in names if (name in op.defaults) is given] for given in (False, True))
    if op.variadic or not set(operands) <= set(call.positional):
        return [every]
    bare = [f"listener.op(op, {tuple_of(operands)}, {{}}, result, started, now())"]
    if len(operands) < 3 and set(operands) <= set(op.tensor_names) and op.plain and not op.returns:
        quick = f"events.quick(op, {', '.join((*operands, 'None')[:2])}, result, started)"
        bare = [f"if events.quick is not None: {quick}", f"else: {bare[0]}"]
    if not options:
        return bare
    return [*block(f"if {' and '.join(f'{name} is _{name}' for name in options)}:", bare), f"else: {every}"]


def _operand(op: Op, name: str, first: str, optional: bool, again: str) -> list[str]:
    """Return the lines that read one more operand: a tensor, a number (in the dtype they promote to), None."""
    promoted = name in op.promote
    if name in op.strict and not optional:  # the entry has asked already whether it is a tensor
        lines = [f"a_{name} = {name}._array", f"e_{name} = {name}._edge"]
        first = first if first in op.promote else op.promote[0] if promoted else name
        return [*lines, f"if a_{name}.dtype is not a_{first}.dtype: {again}"] if promoted else lines
    lines = [
        f"if type({name}) is Tensor or isinstance({name}, Tensor) and not {name}.is_sparse:",
        f"    a_{name} = {name}._array",
        f"    e_{name} = {name}._edge",
    ]
    if promoted:
        lines.append(f"    if a_{name}.dtype is not a_{first if first in op.promote else op.promote[0]}.dtype: {again}")
    if optional or is_joint(op):
        lines.append(f"elif {name} is None: a_{name} = e_{name} = None")
    if promoted and first in op.promote and name not in op.strict:
        lines += [
            f"elif {name}.__class__ in NUMBERS:",
            f"    a_{name} = weak({name}, a_{first})",
            f"    e_{name} = None",
        ]
        lines.append(f"    if a_{name} is None: {again}")
    elif not promoted and not is_joint(op):
        lines += [f"elif {name}.__class__ in NUMBERS: a_{name}, e_{name} = {name}, None"]
    return [*lines, f"else: {again}"]


def _recording(call: Call, results: dict[str, str]) -> Lines:
    """Make the node, if a gradient is to go anywhere.  results: the tensors by the names of their arrays."""
    op = call.op
    wanted = (*chosen_by(op), *op.saved_names)
    measured = [name for name in call.tensors if f"{name}_shape" in wanted]
    missing = {name: f"() if a_{name} is None else " if name in call.optional else "" for name in measured}
    return block(
        f"if mode is GRAD and ({' or '.join(f'e_{name} is not None' for name in sources_of(op))}):",
        [f"s_{name} = {absent}a_{name}.shape" for name, absent in missing.items()],
        _joint_node(call, results, measured) if is_joint(op) else _own_node(call, measured),
    )


def _joint_node(call: Call, results: dict[str, str], measured: list[str]) -> Lines:
    """Make the node of several results, or of derivatives that are computed together."""
    op, sources = call.op, sources_of(call.op)
    floating = {
        number: f"{array}.dtype.kind in 'fc'"
        for number, array in enumerate(results)
        if not op.returns or op.leads_back(number)
    }
    metas = [f"((), None) if a_{n} is None else ({_shape(n, measured)}, a_{n}.dtype)" for n in sources]
    outs = [f"({array}.shape, {array}.dtype)" for array in results] if op.returns else []
    edges = [f"if {test}: t{number}._edge = Output(node, {number})" for number, test in floating.items()]
    return block(
        f"if {' or '.join(floating.values()) or 'False'}:",
        ["node = new(node_class)", "node.targets = node_targets", f"node.to = {tuple_of([f'e_{n}' for n in sources])}"],
        [f"node.metas = {tuple_of(metas)}", f"node.outs = {tuple_of(outs)}"],
        _filled(call),
        edges if op.returns else ["result._edge = node"],
    )


def _own_node(call: Call, measured: list[str]) -> Lines:
    """Make the node of one result, of the class for the tensors that were given."""
    op = call.op
    optional = [name for name in sources_of(op) if name in call.optional]
    floating = "kind is float32 or (kind := r.dtype) is F32 or kind is F64 or kind.kind in 'fc'"
    filled = [*_filled(call), "result._edge = node"]
    if not optional:
        return block(f"if {floating}:", _node_for(0, sources_of(op), measured), filled)
    lines = [f"if not ({floating}): node = None"]
    for number, names in enumerate(patterns(op)):
        tests = [f"{name} is {'not ' if name in names else ''}None" for name in optional]
        made = _node_for(number, names, measured) if names else ["node = None"]
        lines += block(f"elif {' and '.join(tests)}:", made)
    return [*lines, *block("if node is not None:", filled)]


def _node_for(number: int, names: Sequence[str], measured: list[str]) -> Lines:
    """Make a node for gradients of these tensors; shapes and dtypes only matter where one goes."""
    node, (first, *others) = f"node = class{number}()", names
    if not others:
        return [node, f"node.e0 = e_{first}", f"node.size, node.kind = {_shape(first, measured)}, a_{first}.dtype"]
    facts = [f"{fact} if e_{n} is not None else None" for n in names for fact in (_shape(n, measured), f"a_{n}.dtype")]
    return [node, f"node.to = {tuple_of([f'e_{name}' for name in names])}", f"node.fits = {tuple_of(facts)}"]


def _filled(call: Call) -> Lines:
    """Give the node its place, the saved values and its title."""
    op, sources = call.op, sources_of(call.op)
    checked = [name for name in op.saved_names if name in sources and len(call.tensors) > 1]
    return [
        *lines_of(PLACE),
        "node.extra = None",
        f"node.values = {tuple_of([_saved(call, name, sources) for name in op.saved_names])}",
        *[
            f"if e_{n} is None and {n}.__class__ is Tensor and {n}._meta is not None: check_savable({n})"
            for n in checked
        ],
        f"node.label = {title_of(op, call.raw)}",
    ]


def _shape(name: str, measured: list[str]) -> str:
    return f"s_{name}" if name in measured else f"a_{name}.shape"


def _saved(call: Call, name: str, sources: list[str]) -> str:
    """Return the expression of one saved value, None where no derivative that is asked for wants it."""
    op, tensor = call.op, name[:-6]
    if name in op.kept_names:
        value = f"(extras and extras.get({name!r}))"
    elif name[:6] == "result":
        value = f"r{name[6:]}"
    elif name in op.names:
        value = call.raw.get(name, name)
    elif tensor not in op.tensor_names:
        value = "None"
    else:
        value = f"s_{tensor}" if name.endswith("_shape") else f"a_{tensor}.dtype"
    users = [each for each in sources if "joint" in op.rules or name in op.rule_arguments[each]]
    is_array = name[:6] == "result" or name in op.tensor_names or name in op.kept_names
    if not is_array or len(users) == len(sources):
        return value
    return f"({value} if {' or '.join(f'e_{user} is not None' for user in users)} else None)"


def title_of(op: Op, raw: dict[str, str]) -> str:
    """Return the expression of the node's title, or of what its chooser is called with once somebody asks.

    raw: the names of arguments without tensors in them.
    """
    if op.choose_title is None:
        return repr(op.default_title)
    plain = {*op.names, "wanted"} - {*op.tensor_names, *op.promote}
    edges = "".join(f"e_{name} is not None, " for name in sources_of(op))
    known = {"result": "r", "wanted": f"wanted_of[{edges}]", **raw, **{name: name for name in op.promote}}
    arguments = "".join(f"{_layout(op, name) or known.get(name, name)}, " for name in chosen_by(op))
    if not is_joint(op) and all(name in plain or _layout(op, name) for name in chosen_by(op)):
        return f"({arguments})"
    return f"op.choose_title({arguments})"


def chosen_by(op: Op) -> tuple[str, ...]:
    """Return the arguments of the rule that names the op's node."""
    if op.choose_title is None:
        return ()
    code = op.choose_title.__code__
    return code.co_varnames[: code.co_argcount]


def _layout(op: Op, name: str) -> str:
    """Return the expression of `x_shape` or `x_dtype` for a tensor x, or of `dense`; "" for any other name."""
    if name == "dense":
        first, *rest = op.tensor_names
        others = [f"(a_{n} is None or a_{n}.ndim == 2 or a_{n}.flags.c_contiguous)" for n in rest]
        return f"(a_{first}.ndim == 2 or {' and '.join([f'a_{first}.flags.c_contiguous', *others])})"
    tensor, _, attribute = name.rpartition("_")
    if tensor not in op.tensor_names:
        return ""
    return {"shape": f"s_{tensor}", "dtype": f"a_{tensor}.dtype"}[attribute]
