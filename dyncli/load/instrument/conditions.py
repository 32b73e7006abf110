"""Tests: each comparison and truth value that is really evaluated is reported, then the whole.

if a < b:               ->  if _dy_lt(point, activation, a, b):
if a < b and not c:     ->  if _dy_test(point, activation, _dy_lt(..., a, b) and not _dy_truth(..., c)):
if a < b < c:           ->  the same as `a < b and b < c`, with b evaluated once
"""

from __future__ import annotations

import ast
import sys
from abc import abstractmethod

from dyncli.load.instrument.program import AtomText, Formula, Role
from dyncli.load.instrument.questions import is_constant
from dyncli.load.instrument.scribe import Located, Scribe, call, constant, placed

#: Python 3.11 asks a bare truth value at the place of the whole `if`; a traceback's carets show it.
ASKS_AT_THE_WHOLE = sys.version_info < (3, 12)

#: The probe and the source text of each comparison operator.
OPERATORS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("_dy_lt", "<"),
    ast.LtE: ("_dy_le", "<="),
    ast.Gt: ("_dy_gt", ">"),
    ast.GtE: ("_dy_ge", ">="),
    ast.Eq: ("_dy_eq", "=="),
    ast.NotEq: ("_dy_ne", "!="),
    ast.Is: ("_dy_is", "is"),
    ast.IsNot: ("_dy_is_not", "is not"),
    ast.In: ("_dy_in", "in"),
    ast.NotIn: ("_dy_not_in", "not in"),
}


class Conditions(Scribe):
    """Rewrites tests."""

    whole: Located | None = None

    @abstractmethod
    def expr(self, node: ast.expr) -> ast.expr:
        """The instrumented form of an expression."""

    def condition(self, test: ast.expr, key: int, whole: Located, before: int | None = None) -> ast.expr:
        """The instrumented form of the test that decides the construct `key`, which stands in `whole`.

        before: a point to report before anything in the test is evaluated.
        """
        construct = self.program.constructs[key]
        around, self.whole = self.whole, whole
        if self._is_single(test):
            construct.formula = 0
            rewritten = self._atom(test, key, Role.SINGLE, before)
        else:
            point = self._numbered(self.point(Role.WHOLE, key), before, test)
            chained = any(isinstance(leaf, ast.Compare) and len(leaf.ops) > 1 for leaf in _leaves(test))
            inner, construct.formula = self._compound(test, key)
            rewritten = self.probe("_dy_test_chain" if chained else "_dy_test", point, test, inner)
        self.whole = around
        return rewritten

    def compare(self, node: ast.Compare, point: int | ast.expr) -> ast.Call:
        """The probe of a comparison with one operator."""
        name, _ = OPERATORS[type(node.ops[0])]
        return self.probe(name, point, node, self.expr(node.left), self.expr(node.comparators[0]))

    def atom_text(self, node: ast.expr, key: int) -> int:
        """The index of a new atom of `key`, before `node` is rewritten."""
        if isinstance(node, ast.Compare):
            right = node.comparators[0]
            spans = (self.span(node.left), self.span(right))
            lhs, rhs, operator = self.text(node.left), self.text(right), OPERATORS[type(node.ops[0])][1]
            return self._add_atom(key, AtomText(self.text(node), operator, lhs, rhs, spans))
        return self._add_atom(key, AtomText(self.text(node), None, self.text(node), None, (self.span(node),)))

    def _add_atom(self, key: int, atom: AtomText) -> int:
        atoms = self.program.constructs[key].atoms
        atoms.append(atom)
        return len(atoms) - 1

    def _is_single(self, test: ast.expr) -> bool:
        match test:
            case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return False
            case ast.Compare(ops=operators):
                return len(operators) == 1
        return True

    def _compound(self, node: ast.expr, key: int) -> tuple[ast.expr, Formula]:
        """The rewritten test, and how its atoms combine."""
        match node:
            case ast.BoolOp(op=operator, values=values):
                formulas: list[Formula] = []
                for index, value in enumerate(values):
                    values[index], formula = self._compound(value, key)
                    formulas.append(formula)
                return node, ("and" if isinstance(operator, ast.And) else "or", *formulas)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                node.operand, formula = self._compound(operand, key)
                return node, ("not", formula)
            case ast.Compare(ops=operators) if len(operators) > 1:
                return self._chain(node, key)
        if is_constant(node):
            return node, None
        index = len(self.program.constructs[key].atoms)
        return self._atom(node, key, Role.ATOM), index

    def _atom(self, node: ast.expr, key: int, role: Role, before: int | None = None) -> ast.expr:
        point = self._numbered(self.point(role, key, self.atom_text(node, key)), before, node)
        if isinstance(node, ast.Compare):
            return self.compare(node, point)
        at = self.whole if ASKS_AT_THE_WHOLE and self.whole is not None else node
        return self.probe("_dy_truth", point, at, self.expr(node))

    def _chain(self, node: ast.Compare, key: int) -> tuple[ast.expr, Formula]:
        """`a < b < c` as two comparisons joined by `and`; the middle value waits at its activation."""
        first = len(self.program.constructs[key].atoms)
        links = self.chain_links(node, key)
        formulas = list(range(first, first + len(links)))
        values: list[ast.expr] = [
            self.probe(name, self.point(Role.ATOM, key, index), node, left, right)
            for (name, left, right), index in zip(links, formulas, strict=True)
        ]
        return placed(ast.BoolOp(ast.And(), values), node), ("and", *formulas)

    def chain_links(self, node: ast.Compare, key: int) -> list[tuple[str, ast.expr, ast.expr]]:
        """The comparisons of `a < b < c` as (probe, left, right), each with its atom."""
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            symbol = OPERATORS[type(operator)][1]
            lhs, rhs = self.text(left), self.text(right)
            spans = (self.span(left), self.span(right))
            self._add_atom(key, AtomText(f"{lhs} {symbol} {rhs}", symbol, lhs, rhs, spans))
        links: list[tuple[str, ast.expr, ast.expr]] = []
        last = len(node.ops) - 1
        for number, operator in enumerate(node.ops):
            left = self.expr(operands[0]) if number == 0 else call("_dy_kept", node, self.activation(node))
            right = self.expr(operands[number + 1])
            if number < last:
                right = call("_dy_keep", right, self.activation(node), right)
            links.append((OPERATORS[type(operator)][0], left, right))
        return links

    def _numbered(self, point: int, before: int | None, at: ast.expr) -> int | ast.expr:
        """The point as an argument; with `before`, one whose evaluation reports that point first."""
        return point if before is None else self.probe("_dy_close", before, at, constant(point, at))


def _leaves(test: ast.expr) -> list[ast.expr]:
    """What `and`, `or` and `not` combine in a test."""
    match test:
        case ast.BoolOp(values=values):
            return [leaf for value in values for leaf in _leaves(value)]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _leaves(operand)
    return [test]
