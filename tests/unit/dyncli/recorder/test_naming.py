"""Names of tensors in nested values, and what values other than tensors become in a record."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass, field
from typing import Any

import pytest

import dyncore as torch
from dyncli.recorder import naming
from dyncli.recorder.engine import Tensor

Pair = namedtuple("Pair", "left right")


@dataclass
class Node:
    """A tree that knows its parent."""

    value: Any
    parent: Node | None = None
    kids: list[Node] = field(default_factory=list)


X, Y = torch.ones(1), torch.zeros(2)


def tree() -> Node:
    """Return a node with many kids, each of which holds it."""
    root = Node(X)
    root.kids += [Node(Y, root) for _ in range(12)]
    return root


def ring() -> list[Any]:
    """Return a list that holds itself."""
    found: list[Any] = [X]
    found.append({"again": found, "y": Y})
    return found


def deep(depth: int, value: Any) -> Any:
    """Return a value inside so many lists."""
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (X, ["v"]),
        (3, []),
        ([], []),
        ([X, 3, Y], ["v.0", "v.2"]),
        ((X, {"a": Y, 2: [X]}), ["v.0", "v.1.a", "v.1.2.0"]),
        (Pair(X, [Y]), ["v.left", "v.right.0"]),
        (Node(X, None, [Node(Y)]), ["v.value", "v.kids.0.value"]),
        (tree(), ["v.value", *(f"v.kids.{number}.value" for number in range(12))]),
        (ring(), ["v.0", "v.1.y"]),
        ([ring()[1]] * 2, ["v.0.again.0", "v.0.y", "v.1.again.0", "v.1.y"]),
        (deep(30, X), ["v" + ".0" * 30]),
        (deep(naming.DEEPEST, X), ["v" + ".0" * naming.DEEPEST]),
        (deep(naming.DEEPEST + 1, X), []),
        ({1, 2}, []),
        (Node, []),
    ],
    ids=str,
)
def test_tensors_in_a_value_have_its_names(value: Any, names: list[str]) -> None:
    """Whatever holds itself is entered once on each way."""
    assert names == [name for name, _ in naming.leaves(value, "v")]
    assert all(isinstance(tensor, Tensor) for _, tensor in naming.leaves(value, "v"))


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (X, ["output"]),
        (None, ["output"]),
        ((), []),
        ([X, [1, 2]], ["output.0", "output.1"]),
        ((X, (Y, 1)), ["output.0", "output.1.0", "output.1.1"]),
        ({"a": X, "b": {"c": Y, "d": 1}, "e": {"f": 2}}, ["a", "b.c", "b.d", "e"]),
        (Pair(X, Node(Y)), ["left", "right.value", "right.parent", "right.kids"]),
        (Pair(1, Node(2)), ["left", "right"]),
        ((Node(X), {}), ["output.0.value", "output.0.parent", "output.0.kids", "output.1"]),
        (ring(), ["output.0", "output.1.y"]),
        (Node(X, None, [Node(Y)]), ["value", "parent", "kids.0.value", "kids.0.parent", "kids.0.kids"]),
        (tree().kids[0], ["value", "parent.value", "parent.parent",
                          *(f"parent.kids.{n}.{name}" for n in range(1, 12) for name in ("value", "kids")), "kids"]),
    ],
    ids=str,
)  # fmt: skip
def test_outputs_are_named_by_their_places(value: Any, names: list[str]) -> None:
    """Down to tensors and what stands beside them."""
    assert names == [name for name, _ in naming.outputs(value)]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        ("a", "a"),
        (1j, "<complex>"),
        ([1, (2, "b")], (1, (2, "b"))),
        ({1: [2], None: {"a": 1j}}, {"1": (2,), "None": {"a": "<complex>"}}),
        ([[[4]]], (((4,),),)),
        ([[[[4]]]], ((("<list>",),),)),
        ({1: {2: {3: 4}}}, {"1": {"2": {"3": 4}}}),
        ({1: {2: {3: {4: 5}}}}, {"1": {"2": {"3": "<dict>"}}}),
        ([0] * 100, (0,) * 100),
        ([0] * 101, "<list>"),
        (dict.fromkeys(range(101)), "<dict>"),
        (dict.fromkeys(range(100)), {str(key): None for key in range(100)}),
        ({1}, "<set>"),
        (Node, "<type>"),
    ],
    ids=str,
)
def test_value_is_kept_plain(value: Any, kept: Any) -> None:
    """Three levels of at most a hundred items, else its type."""
    assert kept == naming.plain_value(value)


@pytest.mark.parametrize(
    ("source", "col", "name"),
    [
        ("w = f()", 4, "w"),
        ("w = f()", 0, "w"),
        ("w = f()", 7, None),
        ("w: int = f()", 9, "w"),
        ("w += f()", 5, "w"),
        ("self.long = w = f()", 16, "w"),
        ("ws[0] = f()", 8, "ws[0]"),
        ("a, b = f(), g()", 7, "a"),
        ("a, b = f()", 7, None),
        ("self.a: int = f()", 14, None),
        ("if x: w = f()", 10, "w"),
        ("f()", 0, None),
        ("w = (", 4, None),
        ("w = \\\n  f()", 4, "w"),
    ],
)
def test_value_is_named_after_what_it_is_assigned_to(source: str, col: int, name: str | None) -> None:
    """The shortest of several names, the one of its place in a tuple."""
    assert name == naming.target_of(source, 1, col)


@pytest.mark.parametrize(
    ("text", "place", "count", "name"),
    [
        ("x + ws[0]", 0, 2, "x"), ("x + ws[0]", 1, 2, "ws[0]"), ("x + 2", 0, 1, "x"), ("2 - self.x", 0, 1, "self.x"),
        ("x += y", 0, 2, "x"), ("x += y", 1, 2, "y"), ("x.mul(y)", 1, 2, "y"), ("x.mul(y)", 0, 2, "x"),
        ("torch.mul(x, y)", 1, 2, "y"), ("torch.mul(x, y)", 2, 2, None), ("f(x)", 0, 1, "x"), ("f(g(x))", 0, 1, None),
        ("-x", 0, 1, "x"), ("x[0]", 0, 1, "x"), ("x[0]", 1, 2, None), ("x", 0, 1, None), ("x + y", 0, 3, None),
        ("x +", 0, 1, None), ("x; y", 0, 1, None),
    ],
)  # fmt: skip
def test_operand_is_named_where_it_is_a_name_or_an_item(text: str, place: int, count: int, name: str | None) -> None:
    """Only where the expression reads as many tensors as it names."""
    assert name == naming.operand(text, place, count, frozenset({"torch"}))


def test_variables_are_the_first_that_hold_a_tensor() -> None:
    """Also inside lists; private ones do not count."""
    names = {"_x": X, "held": [Y, X], "x": X}
    assert {id(Y): "held.0", id(X): "held.1"} == naming.variables(names)
