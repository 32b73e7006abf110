"""`torch.utils._pytree` takes the same trees apart in the same way."""

from __future__ import annotations

import importlib
from collections import OrderedDict, defaultdict, deque, namedtuple
from typing import Any

import pytest

torch = pytest.importorskip("torch")

Pair = namedtuple("Pair", "first second")
TREES = [
    3, None, [], (), {}, [1, [2, (3, None)]], {"a": [1, (2, None)], "b": 3}, Pair(1, [2, 3]),
    OrderedDict([("b", 1), ("a", [2])]), defaultdict(list, {"x": [1], "y": 2}), deque([1, (2, 3)], maxlen=5),
    {"b": 1, "a": {"d": (1, 2), "c": []}}, [{"a": Pair(1, {"z": (4,)})}, "text"],
]  # fmt: skip


def both(call: Any) -> list[Any]:
    """What `call` returns or raises, with PyTorch's module and with ours."""
    found = []
    for engine in ("torch", "dyncore"):
        try:
            found.append(repr(call(importlib.import_module(f"{engine}.utils._pytree"))))
        except Exception as error:
            found.append(f"{type(error).__name__}: {error}")
    return found


@pytest.mark.parametrize("tree", TREES, ids=repr)
def test_trees_are_taken_apart_and_built_as_in_pytorch(tree: Any) -> None:
    for call in (
        lambda p: p.tree_flatten(tree)[0],
        lambda p: p.tree_structure(tree),
        lambda p: p.tree_leaves(tree),
        lambda p: list(p.tree_iter(tree)),
        lambda p: p.tree_unflatten([5] * len(p.tree_leaves(tree)), p.tree_structure(tree)),
        lambda p: p.tree_map(lambda x: (x, "seen"), tree),
        lambda p: p.tree_map_only(int, lambda x: x + 1, tree),
        lambda p: p.tree_map_only((int, str), lambda x: x * 2, tree),
        lambda p: p.tree_map(lambda a, b: (a, b), tree, tree),
        lambda p: p.tree_flatten(tree, is_leaf=lambda x: isinstance(x, tuple)),
        lambda p: (p.tree_all(bool, tree), p.tree_any(lambda x: x is None, tree)),
        lambda p: p.tree_any_only(int, lambda x: x > 2, tree),
        lambda p: (lambda s: (s.num_leaves, s.num_nodes, s.num_children, s.is_leaf()))(p.tree_structure(tree)),
        lambda p: p._broadcast_to_and_flatten(7, p.tree_structure(tree)),
        lambda p: p.tree_structure(tree) == p.tree_structure(tree),
    ):
        theirs, ours = both(call)
        assert theirs == ours


@pytest.mark.parametrize("call", [
    lambda p: p.tree_unflatten([1], p.tree_structure([1, 2])),
    lambda p: p.tree_unflatten([1], 3),
    lambda p: p._broadcast_to_and_flatten([1, (2, 3)], p.tree_structure([1, (2, 3)])),
    lambda p: p._broadcast_to_and_flatten([1, 2, 3], p.tree_structure([1, (2, 3)])),
    lambda p: p.tree_map(lambda a, b: (a, b), {"a": 1, "b": 2}, {"b": 3, "a": (4, 5)}),
    lambda p: p.map_only(int)(lambda x: x + 1)("a"),
    lambda p: p.treespec_leaf() == p.tree_structure(3),
])  # fmt: skip
def test_specs_answer_and_refuse_as_in_pytorch(call: Any) -> None:
    theirs, ours = both(call)
    assert theirs == ours


def test_classes_can_be_registered() -> None:
    pytree = importlib.import_module("dyncore.utils._pytree")

    class Box:
        def __init__(self, held: Any) -> None:
            self.held = held

    pytree.register_pytree_node(Box, lambda box: ([box.held], "context"), lambda values, context: Box(*values))
    assert [1, 2] == pytree.tree_leaves({"a": Box([1, 2])})
    assert 4 == pytree.tree_map(lambda x: x + 1, Box(3)).held
    with pytest.raises(ValueError, match="is already registered as pytree node"):
        pytree.register_pytree_node(Box, lambda box: ([], None), lambda values, context: Box(0))


@pytest.mark.parametrize("rest", [[1], (1, 2), [1, {"b": 2}], 3])
def test_trees_that_differ_are_not_mapped_together(rest: Any) -> None:
    """The kind of the error is PyTorch's."""
    theirs, ours = both(lambda p: p.tree_map(lambda a, b: a, [1, {"a": 2}], rest))
    assert theirs.partition(":")[0] == ours.partition(":")[0] == "ValueError"
