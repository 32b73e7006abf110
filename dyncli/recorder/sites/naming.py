"""Names for tensors: of parameters and buffers, of the script's own variables, of what an entry returned."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterator, Mapping
from types import FrameType, TracebackType
from typing import Any

from dyncli.recorder.engine import AccumulateGrad, Tensor
from dyncli.records.text import parse

DEEPEST = 20
#: What users write, of ops that are recorded under another name.
_WRITTEN = {
    "_to_copy": "to", "batch_norm_with": "batch_norm", "__getitem__": "getitem", "__setitem__": "setitem",
    "add_scaled": "add", "sub_scaled": "sub", "rsub_scaled": "rsub", "times": "mul", "sampled": "grid_sample",
    "reflection_pad": "pad", "replication_pad": "pad", "circular_pad": "pad", "nearest": "interpolate",
}  # fmt: skip


def op_name(op: Any) -> str:
    """Return an op's name as users write it."""
    name: str = op.name
    return _WRITTEN.get(name, name)


def modules(entry: Any) -> dict[int, str]:
    """Map the id of each module to its path below the entry, such as `encoder.0`; the entry's own is its class."""
    holder = entry if hasattr(type(entry), "named_modules") else getattr(entry, "__self__", None)
    if holder is None or not hasattr(type(holder), "named_modules"):
        return {}
    return {id(module): name or type(module).__name__ for name, module in holder.named_modules()}


def module_variables(names: Mapping[str, Any]) -> dict[int, str]:
    """Map the id of each module to the variable that holds it, or to its path below the one held.

    Of one that several hold the longest path counts.
    """
    found: dict[int, str] = {}
    for name, value in names.items():
        if name.startswith("_") or isinstance(value, type) or not hasattr(type(value), "named_modules"):
            continue
        for path, module in value.named_modules():
            if len(path) >= len(found.get(id(module), "")):
                found[id(module)] = path or name
    return found


def holder(module: Any, frame: FrameType | None) -> tuple[Any, dict[int, str]]:
    """Return the largest module that holds this one, by the outermost caller's variable, and names of those in it.

    A model of which a method other than `forward` calls a layer, as `self.encode(x)`, is found by `self`.
    """
    largest, most, found = None, 0, {}
    while frame is not None:
        for name, value in frame.f_locals.items():
            for path, held in _modules_of(name, value):
                inside = dict(held.named_modules())
                if len(inside) >= most and any(each is module for each in inside.values()):
                    largest, most, found = held, len(inside), module_variables({path: held})
        frame = frame.f_back
    return largest, found


def _modules_of(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the module that a variable is, or those among the attributes of `self`."""
    if isinstance(value, type) or name.startswith("_"):
        return
    if hasattr(type(value), "named_modules"):
        yield type(value).__name__ if name == "self" else name, value
    elif name == "self" and hasattr(value, "__dict__"):
        for key, each in list(vars(value).items()):
            if hasattr(type(each), "named_modules"):
                yield key, each


def parameters(names: Mapping[str, Any], entry: Any) -> Iterator[tuple[Tensor, str, str]]:
    """Yield (tensor, name, role) of the parameters and buffers of the entry and the script's modules, each once.

    The entry's own are named without a prefix, others by their variable: `encoder.weight`.
    """
    seen: set[int] = set()
    holders: list[tuple[str, Any]] = [("", entry), ("", getattr(entry, "__self__", None))]
    holders += [(f"{name}.", value) for name, value in names.items()]
    for prefix, holder in holders:
        if isinstance(holder, type):
            continue
        for role, listing in (("parameter", "named_parameters"), ("buffer", "named_buffers")):
            listed = getattr(type(holder), listing, None)
            for name, tensor in listed(holder) if listed is not None else ():
                if isinstance(tensor, Tensor) and id(tensor) not in seen:  # a module of PyTorch's has others
                    seen.add(id(tensor))
                    yield tensor, prefix + name, role


def source(
    tensor: Tensor, known: Mapping[int, tuple[str, str]], variables: Mapping[int, str]
) -> tuple[str | None, str]:
    """Name and role of what no op of a run made: a variable of the script that gets a gradient is a parameter."""
    name = variables.get(id(tensor))
    trained = name is not None and tensor._edge.__class__ is AccumulateGrad
    return known.get(id(tensor), (name, "parameter" if trained else "constant"))


def variables(names: Mapping[str, Any]) -> dict[int, str]:
    """Map the id of each tensor to the first variable that holds it, also inside lists and dicts."""
    found: dict[int, str] = {}
    for name, value in names.items():
        if not name.startswith("_"):
            for path, tensor in leaves(value, name):
                found.setdefault(id(tensor), path)
    return found


def leaves(value: Any, name: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield (name, tensor) of the tensors in nested lists, tuples, dicts, dataclasses: `tree.left.value`, `xs.0`."""
    if isinstance(value, Tensor):
        yield name, value
    elif depth < DEEPEST and isinstance(value, (list, tuple, dict)) or _is_data(value):
        for key, inner in _items(value):
            yield from leaves(inner, f"{name}.{key}", depth + 1)


def _is_data(value: Any) -> bool:
    return hasattr(type(value), "__dataclass_fields__")


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from ((str(key), inner) for key, inner in value.items())
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from zip(value._fields, value, strict=True)
    elif isinstance(value, (list, tuple)):
        yield from ((str(index), inner) for index, inner in enumerate(value))
    else:
        from dataclasses import fields  # a script that has any has loaded it

        yield from ((field.name, getattr(value, field.name)) for field in fields(value))


def outputs(value: Any) -> list[tuple[str, Any]]:
    """List (name, value) of everything an entry returned: `output`, `output.0`, its keys or its fields."""
    if isinstance(value, dict) or _is_data(value) or (isinstance(value, tuple) and hasattr(value, "_fields")):
        return [(str(key), inner) for key, inner in _flat(value, "")]
    if isinstance(value, (list, tuple)):
        return [(f"output{key}", inner) for key, inner in _flat(value, ".")]
    return [("output", value)]


def _flat(value: Any, prefix: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    for key, inner in _items(value):
        path = f"{prefix}{key}"
        if depth < DEEPEST and (isinstance(inner, (list, tuple, dict)) or _is_data(inner)) and any(leaves(inner, "")):
            yield from _flat(inner, f"{path}.", depth + 1)
        else:
            yield path, inner


def assigned(file: str, line: int) -> str | None:
    """Return the one name that the statement at this line assigns to: `w` of `w = torch.randn(3)`."""
    return target_of(linecache.getline(file, line))


def target_of(line: str) -> str | None:
    """Return the one name that a line assigns to, the shortest of several.

    >>> target_of("  self.w = torch.randn(3)"), target_of("fast[name] = w - 0.1 * g")
    ('self.w', 'fast[name]')
    """
    try:
        tree = parse(line.strip()).body
    except (SyntaxError, ValueError):
        return None
    match tree:
        case [ast.Assign(targets=targets)]:
            named = ast.Name | ast.Attribute | ast.Subscript
            names = [ast.unparse(target) for target in targets if isinstance(target, named)]
            return min(names, key=len, default=None)
        case [ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name))]:
            return name
        case _:
            return None


def imported(file: str) -> frozenset[str]:
    """Return the names that the import statements of a file bind."""
    lines = [line for line in linecache.getlines(file) if re.match(r"\s*(?:import|from)\s", line)]
    return frozenset(re.findall(r"\w+", " ".join(lines)))


def operand(text: str, place: int, count: int, modules: frozenset[str]) -> str | None:
    """Return the name of the tensor at `place` among the `count` that an expression reads, if it is a name.

    modules: names that hold no tensor.

    >>> operand("torch.dot(x, w)", 1, 2, frozenset({"torch"}))
    'w'
    """
    try:
        tree = parse(text).body
    except (SyntaxError, ValueError):
        return None
    match tree:
        case [ast.Expr(value=ast.BinOp(left=left, right=right)) | ast.AugAssign(target=left, value=right)]:
            parts = [left, right]
        case [ast.Expr(value=ast.Call(func=ast.Attribute(value=base), args=arguments))]:
            parts = [*([] if ast.unparse(base).partition(".")[0] in modules else [base]), *arguments]
        case [ast.Expr(value=ast.Call(args=parts))]:
            pass
        case [ast.Expr(value=ast.UnaryOp(operand=base) | ast.Subscript(value=base))]:
            parts = [base]
        case _:
            return None
    parts = [part for part in parts if not isinstance(part, ast.Constant)][:count]
    named = place < len(parts) == count and isinstance(parts[place], ast.Name | ast.Attribute)
    return ast.unparse(parts[place]) if named else None


def plain_value(value: Any, depth: int = 0) -> Any:
    """Convert a value other than a tensor for a record: numbers, text, short containers; else its type."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if depth < 3 and isinstance(value, (list, tuple)) and len(value) <= 100:
        return tuple(plain_value(each, depth + 1) for each in value)
    if depth < 3 and isinstance(value, dict) and len(value) <= 100:
        return {str(key): plain_value(each, depth + 1) for key, each in value.items()}
    return f"<{type(value).__name__}>"


def module_names(traceback: TracebackType | None, path: str) -> dict[str, Any]:
    """Find the variables of the script at `path` that raised."""
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            return traceback.tb_frame.f_globals
        traceback = traceback.tb_next
    return {}
