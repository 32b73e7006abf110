"""What Python itself says of a script's tests: each whole test wrapped by itself, its stack read from real frames.

Nothing here shares code with the recorder: a test `t` becomes `_oracle_(line, kind, t)`.
"""

from __future__ import annotations

import ast
import builtins
import gc
import sys
from typing import Any

PATH = "/nowhere/script.py"
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_FUNCTION = 3  # CO_OPTIMIZED and CO_NEWLOCALS: no class body, no module

#: Line, kind, outcome or the exception's name, functions on the stack, how many of them are the innermost before.
Test = tuple[int, str, bool | str, tuple[str, ...]]


def asked_in(source: str) -> list[Test]:
    """Every test of a script in the order in which Python decided them."""
    found: list[Test] = []

    def oracle(line: int, kind: str, value: Any) -> bool:
        try:
            outcome = True if value else False  # noqa: SIM210  a script may redefine `bool`
        except BaseException as error:
            found.append((line, kind, type(error).__name__, _stack()))
            raise
        found.append((line, kind, outcome, _stack()))
        return outcome

    tree = ast.fix_missing_locations(_Wrapped().visit(ast.parse(source)))
    names: dict[str, Any] = {"__name__": "__main__", "__file__": PATH}
    builtins._oracle_ = oracle
    gc.disable()  # so that all that the script makes stays in the youngest generation
    try:
        exec(compile(tree, PATH, "exec", dont_inherit=True), names)
    except (Exception, SystemExit) as error:
        error.__traceback__ = None
    finally:
        gc.enable()
    count = len(found)
    names.clear()
    gc.collect(0)  # what is finalized now would be so at the end of the process
    return found[:count]


def _stack() -> tuple[str, ...]:
    frame, names = sys._getframe(2), []
    while frame is not None:
        code = frame.f_code
        if code.co_filename == PATH and code.co_flags & _FUNCTION == _FUNCTION:
            name = code.co_qualname.replace("<listcomp>.", "")
            if name.rpartition(".")[2] not in COMPREHENSIONS:
                names.append(name)
        frame = frame.f_back
    return tuple(reversed(names))


def is_constant(node: ast.expr) -> bool:
    """Whether a test is none: it is decided before the run."""
    if isinstance(node, ast.UnaryOp):
        return is_constant(node.operand)
    if isinstance(node, ast.BoolOp):
        return all(map(is_constant, node.values))
    if isinstance(node, ast.Compare):
        return all(isinstance(side, ast.Constant) for side in (node.left, *node.comparators))
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return isinstance(node, ast.Constant) or name in ("TYPE_CHECKING", "__debug__")


class _Wrapped(ast.NodeTransformer):
    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name in ("test", "guard"):
            test = getattr(node, name, None)
            if isinstance(test, ast.expr):
                kind = "guard" if name == "guard" else type(node).__name__.lower()
                setattr(node, name, self._wrap(kind, test))
                super().generic_visit(node)
                return node
        if isinstance(node, ast.comprehension):
            node.ifs = [self._wrap("compif", test) for test in node.ifs]
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = None if isinstance(node, ast.arg) else ast.Constant(0)
        return super().generic_visit(node)

    def _wrap(self, kind: str, test: ast.expr) -> ast.expr:
        if is_constant(test):
            return test
        parts = [ast.Constant(test.lineno), ast.Constant(kind), test]
        return ast.copy_location(ast.Call(ast.Name("_oracle_", ast.Load()), parts, []), test)
