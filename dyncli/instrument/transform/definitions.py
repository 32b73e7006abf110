"""Functions and classes: who is running.

def f(x): ...       ->  def f(x): @call = @enter(point); ...; @at(point, @call)
class C: ...        ->  the same class, in the call around
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterable

from dyncli.instrument.program import CALL_ID, Role
from dyncli.instrument.transform.ast_queries import is_docstring, is_silent
from dyncli.instrument.transform.builder import beginning, call, constant, placed
from dyncli.instrument.transform.expressions import Expressions

_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Definitions(Expressions):
    """Rewrites definitions of functions and classes."""

    @abstractmethod
    def block(self, body: list[ast.stmt], first_close: bool = False) -> list[ast.stmt]:
        """The instrumented form of a block.  first_close: whether an arm may be open when it begins."""

    @abstractmethod
    def ended(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """The instrumented form of the body of a function or module: wherever it may end, it says so."""

    # What is added on demand (`added.py`)

    def entering(self, node: ast.AST, first: ast.stmt) -> list[ast.stmt]:
        """What is added at the start of a block to which `node` has given values, before the statement `first`."""
        return []

    def scope(self, nodes: Iterable[ast.AST]) -> bool:
        """Begins the scope of a function or class, or of the module; what it gives back ends it."""
        return False

    def scope_ends(self, before: bool) -> None:
        """Goes back to the scope around."""

    # Definitions

    def function_of(self, node: _Function) -> list[ast.stmt]:
        node.decorator_list = [self.expr(decorator) for decorator in node.decorator_list]
        self.parts_of_arguments(node.args)
        outer, loops = self.place, self.loops
        name = f"{outer.prefix}{node.name}"
        kind = "async" if isinstance(node, ast.AsyncFunctionDef) else "function"
        number = self.function(name, kind, node)
        self.place = outer._replace(
            function=number, name=name, prefix=f"{name}.<locals>.", module=None, parent=None, chain=frozenset(),
            loop=None, in_with=None, unbound=False,
        )  # fmt: skip
        self.loops = []
        scope = self.scope([node.args, *node.body])
        node.body = self._body(node.body, kind, node.args)
        self.scope_ends(scope)
        self.place, self.loops = outer, loops
        return [node]

    def _body(self, body: list[ast.stmt], kind: str, arguments: ast.arguments) -> list[ast.stmt]:
        """A function's body between the reports of its beginning and its end."""
        start = 1 if is_docstring(body[0]) else 0
        if all(isinstance(each, ast.Pass) or is_docstring(each) or is_silent(each) for each in body):
            return body
        at = beginning(next(statement for statement in body[start:] if not is_silent(statement)))
        probe = "@enter_async" if kind == "async" else "@enter"
        entered = call(probe, at, constant(self.point(Role.ENTER), at))
        given = self.entering(arguments, body[start])
        enter = placed(ast.Assign([placed(ast.Name(CALL_ID, ast.Store()), at)], entered), at)
        return [*body[:start], enter, *given, *self.ended(body[start:])]

    def class_of(self, node: ast.ClassDef) -> list[ast.stmt]:
        node.decorator_list = [self.expr(decorator) for decorator in node.decorator_list]
        outer, loops = self.place, self.loops
        node.bases = [self.expr(base) for base in node.bases]
        for keyword in node.keywords:
            keyword.value = self.expr(keyword.value)
        name = f"{outer.prefix}{node.name}"
        self.place = outer._replace(name=name, prefix=f"{name}.")
        self.loops = []
        scope = self.scope(node.body)
        node.body = self.block(node.body)
        self.scope_ends(scope)
        self.place, self.loops = outer, loops
        return [node]

    def parts_of_arguments(self, arguments: ast.arguments) -> None:
        """Rewrites default values; annotations stay as they are."""
        arguments.defaults = [self.expr(default) for default in arguments.defaults]
        arguments.kw_defaults = [default and self.expr(default) for default in arguments.kw_defaults]
