"""The language of `--break`: `op == "log" and nan(out)`, read by `ast`, and never evaluated as Python.

Names: `op` (the op's name), `line`, `file`, `function`, `iteration` (of the innermost loop around the line, from 0),
`out`, `inputs` (`inputs[0]`), `shape` and `dtype` of `out`.
Functions: nan, inf, any, all, max, min, abs, norm, sum, mean, len.
Comparisons, `in`, `and`, `or`, `not`, + - * / % **, numbers, texts, lists; `.shape` and `.dtype` of a tensor.
A comparison of a tensor holds if it does for any element; what cannot be worked out (no such input) does not hold.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from dyncli import errors

NAMES = ("op", "line", "file", "function", "iteration", "out", "inputs", "shape", "dtype")
Values = Mapping[str, Any]
Part = Callable[[Values], Any]
LONGEST = 1_000
LARGEST_POWER = 64
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b,
    ast.Is: lambda a, b: a is b, ast.IsNot: lambda a, b: a is not b,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}  # fmt: skip


class Condition(NamedTuple):
    """A condition that was read: `holds(values)` works it out.  names: those it asks for."""

    text: str
    part: Part
    names: frozenset[str]

    def holds(self, values: Values) -> bool:
        """Return whether it holds for these values of its names."""
        try:
            return _truth(self.part(values))
        except Exception:
            return False


def parse(text: str) -> Condition:
    """Parse a breakpoint's condition.  Raises BreakSyntax, BreakName."""
    if len(text) > LONGEST:
        raise errors.BreakSyntax(errors.shown(text), f"it is longer than {LONGEST:,} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = "=` asks nothing, `==` does" if _assigns(text) else getattr(error, "msg", None) or str(error)
        raise errors.BreakSyntax(text, f"`{why}" if _assigns(text) else why) from None
    names = frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
    try:
        return Condition(text, _Reader(text).part(tree.body), names)
    except RecursionError:
        raise errors.BreakSyntax(errors.shown(text), "it is nested too deep") from None


def _assigns(text: str) -> bool:
    bare = text.replace("==", "").replace("<=", "").replace(">=", "").replace("!=", "")
    return "=" in bare


def _truth(value: Any) -> bool:
    if hasattr(value, "any") and hasattr(value, "dtype"):
        return bool(value.any())
    return bool(value)


class _Reader:
    """Turns the nodes of one condition into functions of the values."""

    def __init__(self, text: str) -> None:
        self.text = text

    def part(self, node: ast.expr) -> Part:
        """Return what works out a node."""
        match node:
            case ast.Constant(value=bool() | int() | float() | str() | None as value):
                return lambda values: value
            case ast.Name(id=name):
                return self._name(name)
            case ast.BoolOp(op=op, values=parts):
                inner = [self.part(part) for part in parts]
                test = all if isinstance(op, ast.And) else any
                return lambda values: test(_truth(part(values)) for part in inner)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                negated = self.part(operand)
                return lambda values: not _truth(negated(values))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                positive = self.part(operand)
                return lambda values: -positive(values)
            case ast.Compare():
                return self._comparison(node)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC or isinstance(op, ast.Pow):
                first, second = self.part(left), self.part(right)
                work = _ARITHMETIC.get(type(op), _power)
                return lambda values: work(first(values), second(values))
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                items = [self.part(part) for part in parts]
                return lambda values: tuple(item(values) for item in items)
            case ast.Subscript(value=base, slice=index):
                whole, at = self.part(base), self.part(index)
                return lambda values: whole(values)[at(values)]
            case ast.Attribute(value=base, attr="shape" | "dtype" as name):
                of = self.part(base)
                return lambda values: _shape(of(values)) if name == "shape" else _dtype(of(values))
            case ast.Call():
                return self._call(node)
        raise errors.BreakSyntax(self.text, f"`{errors.shown(ast.unparse(node), 40)}` is not part of a condition")

    def _name(self, name: str) -> Part:
        if name in FUNCTIONS:
            raise errors.BreakSyntax(self.text, f"`{name}` wants something in parentheses: `{name}(out)`")
        if name not in NAMES:
            raise errors.BreakName(self.text, name, (*NAMES, *FUNCTIONS))
        return lambda values: values[name]

    def _comparison(self, node: ast.Compare) -> Part:
        sides = [self.part(side) for side in (node.left, *node.comparators)]
        tests = [_COMPARE[type(op)] for op in node.ops]

        def compared(values: Values) -> bool:
            left = sides[0](values)
            for test, side in zip(tests, sides[1:], strict=True):
                right = side(values)
                if not _truth(test(left, right)):
                    return False
                left = right
            return True

        return compared

    def _call(self, node: ast.Call) -> Part:
        if not isinstance(node.func, ast.Name):
            raise errors.BreakSyntax(self.text, f"`{errors.shown(ast.unparse(node.func), 40)}` cannot be called")
        name = node.func.id
        if name not in FUNCTIONS:
            raise errors.BreakName(self.text, name, (*FUNCTIONS, *NAMES))
        if len(node.args) != 1 or node.keywords:
            raise errors.BreakSyntax(self.text, f"`{name}` wants one thing: `{name}(out)`")
        function, argument = FUNCTIONS[name], self.part(node.args[0])
        return lambda values: function(argument(values))


def _power(base: Any, exponent: Any) -> Any:
    if not isinstance(exponent, (int, float)) or abs(exponent) > LARGEST_POWER:
        raise ValueError
    return base**exponent


def _numbers(value: Any) -> Any:
    """Return the numbers of a tensor or of one number as they are, of several flat in one array."""
    import numpy as np

    if isinstance(value, tuple):
        return np.concatenate([np.asarray(each).reshape(-1) for each in value]) if value else np.zeros(0)
    return np.asarray(value)


def _of(name: str) -> Callable[[Any], Any]:
    def function(value: Any) -> Any:
        import numpy as np

        return getattr(np, name)(_numbers(value))

    return function


def _norm(value: Any) -> float:
    import numpy as np

    return float(np.linalg.norm(_numbers(value).reshape(-1).astype(np.float64)))


def _any_of(name: str) -> Callable[[Any], bool]:
    def function(value: Any) -> bool:
        import numpy as np

        numbers = _numbers(value)
        return numbers.dtype.kind in "fc" and bool(getattr(np, name)(numbers).any())

    return function


def _shape(value: Any) -> tuple[int, ...]:
    return tuple(value.shape)


def _dtype(value: Any) -> str:
    return str(value.dtype)


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "nan": _any_of("isnan"),
    "inf": _any_of("isinf"),
    "any": lambda value: bool(_numbers(value).any()),
    "all": lambda value: bool(_numbers(value).all()),
    "max": _of("max"),
    "min": _of("min"),
    "abs": _of("abs"),
    "sum": _of("sum"),
    "mean": _of("mean"),
    "norm": _norm,
    "len": len,
}
