"""The expression of a node's title, or of what the rule that names it is called with once somebody asks."""

from __future__ import annotations

from ..registry import Op

__dyncore__ = True


def label(op: Op, raw: dict[str, str]) -> str:
    """Return the expression of the node's title, or of what its chooser is called with once somebody asks."""
    if op.choose_title is None:
        return repr(op.default_title)
    arguments = chosen_by(op)
    if not _is_late(op):
        edges = ", ".join(f"({n!r}, e_{n})" for n in op.rules if n in op.tensor_names)
        wanted = f"{{n for n, e in ({edges},) if e is not None}}"
        shown = ["r" if n == "result" else wanted if n == "wanted" else _layout(op, n) or n for n in arguments]
        return f"op.choose_title({', '.join(n if n in op.promote else raw.get(n, n) for n in shown)})"
    late = [
        f"(None if {n} is None else a_{n}.ndim)" if n in op.defaults and n in op.tensor_names
        else f"a_{n}.ndim" if n in op.tensor_names
        else "None" if n == "wanted" else _layout(op, n) or raw.get(n, n)
        for n in arguments
    ]  # fmt: skip
    return f"({', '.join(late)},)"


def chosen_by(op: Op) -> tuple[str, ...]:
    """Return the arguments of the rule that names the op's node."""
    if op.choose_title is None:
        return ()
    code = op.choose_title.__code__
    return code.co_varnames[: code.co_argcount]


def _is_late(op: Op) -> bool:
    """Return True if the node can be named on access.

    Its rule reads no array but for its number of dimensions.
    """
    names = set(op.choose_title.__code__.co_names)  # type: ignore[union-attr]
    plain = not any(n in op.promote or n == "result" for n in chosen_by(op))
    return plain and names <= {"ndim", "get", "title", "len", "kind"}


def _layout(op: Op, name: str) -> str:
    """Return the expression of `x_shape` or `x_dtype` for a tensor x, or of `dense`; "" for any other name."""
    if name == "dense":
        first, *rest = op.tensor_names
        others = [f"(a_{n} is None or a_{n}.ndim == 2 or a_{n}.flags.c_contiguous)" for n in rest]
        return f"(a_{first}.ndim == 2 or {' and '.join([f'a_{first}.flags.c_contiguous', *others])})"
    tensor, _, asked = name.rpartition("_")
    if tensor not in op.tensor_names:
        return ""
    return {"shape": f"s_{tensor}", "dtype": f"a_{tensor}.dtype"}[asked]
