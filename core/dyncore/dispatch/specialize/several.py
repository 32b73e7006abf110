"""Entries of ops with several results, or derivatives that are computed together.

Their nodes are those of the general path; only binding, running and recording are written out.
"""

from __future__ import annotations

from ..registry import Op
from .fragments import PLACE, lines_of

__dyncore__ = True


def takes(op: Op) -> bool:
    """Return True if `op` is of this kind."""
    return bool(op.returns) or ("joint" in op.rules and op.gradient_names == {"g"})


def sought(op: Op) -> list[str]:
    """Return the parameters that gradients may go to."""
    return [name for name in op.tensor_names if "joint" in op.rules or name in op.rules]


def made(op: Op, tensors: list[str], raw: dict[str, str], extras: list[str], title: str) -> list[str]:
    """Return the lines that make the results and lead them back.  title: the expression of the node's name."""
    results = [f"r{number}" for number in range(len(op.returns))]
    lines = [f"    {', '.join(results)} = r"] if results else ["    r0 = r"]
    results = results or ["r0"]
    for name in results:
        lines += [
            f"    t_{name} = new(Tensor)",
            f"    t_{name}._array = {name}",
            f"    t_{name}._meta = None",
            f"    t_{name}._edge = None",
        ]
    sources = [name for name in sought(op) if name in tensors]
    if sources:
        lines += _recording(op, sources, raw, extras, results, title)
    return [*lines, f"    result = return_type(({', '.join(f't_{name}' for name in results)}))" if op.returns
            else "    result = t_r0"]  # fmt: skip


def _recording(
    op: Op, sources: list[str], raw: dict[str, str], extras: list[str], results: list[str], title: str
) -> list[str]:
    back = [number for number in range(len(results)) if len(results) == 1 or op.leads_back(number)]
    floating = " or ".join(f"{results[number]}.dtype.kind in 'fc'" for number in back) or "False"
    wanted = " or ".join(f"e_{name} is not None" for name in sources)
    metas = "".join(f"((), None) if a_{n} is None else (a_{n}.shape, a_{n}.dtype), " for n in sources)
    outs = "".join(f"({name}.shape, {name}.dtype), " for name in results) if len(results) > 1 else ""
    lines = [
        f"    if mode is GRAD and ({wanted}) and ({floating}):",
        "        node = new(node_class)",
        *(f"        {line}" for line in [*lines_of(PLACE), "node.extra = None"]),
        f"        node.label = {title}",
        "        node.targets = aims",
        f"        node.to = ({''.join(f'e_{name}, ' for name in sources)})",
        f"        node.metas = ({metas})",
        f"        node.outs = ({outs})",
        f"        node.values = ({''.join(_saved(op, n, sources, raw, extras) + ', ' for n in op.saved_names)})",
    ]
    lines += [
        f"        if {name}.__class__ is Tensor and {name}._meta is not None: check_savable({name})"
        for name in op.saved_names
        if name in sources
    ]
    if len(results) == 1:
        return [*lines, "        t_r0._edge = node"]
    return lines + [
        f"        if {results[number]}.dtype.kind in 'fc': t_{results[number]}._edge = Output(node, {number})"
        for number in back
    ]


def _saved(op: Op, name: str, sources: list[str], raw: dict[str, str], extras: list[str]) -> str:
    """Return the expression of one saved value, None where no derivative in use needs it."""
    if name in extras:
        value = f"(extras and extras.get({name!r}))"
    elif name == "result":
        value = "r0"
    elif name.startswith("result") and name[6:].isdigit():
        value = f"r{name[6:]}"
    elif name in op.names:
        value = raw.get(name, name)
    else:
        tensor, _, attribute = name.rpartition("_")
        value = f"(() if a_{tensor} is None else a_{tensor}.shape)" if attribute == "shape" else f"a_{tensor}.dtype"
    users = [each for each in sources if "joint" in op.rules or name in op.rule_arguments[each]]
    if len(users) == len(sources):
        return value
    return f"({value} if {' or '.join(f'e_{user} is not None' for user in users)} else None)"
