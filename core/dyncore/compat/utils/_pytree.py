"""`torch.utils._pytree`: nested containers as a flat list of leaves and a `TreeSpec`, and back."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from dyncore.errors.explain import missing_in

PyTree = Any
Predicate = Callable[[Any], bool]
Children = tuple[list[Any], Any]  # and the context that builds the container again


def _dict_children(tree: Any) -> Children:
    return list(tree.values()), list(tree)


def _filled(kind: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda values, keys: kind(zip(keys, values, strict=True))


# By type: how to take a container apart, and how to build it of children and the context.
_NODES: dict[Any, tuple[Callable[[Any], Children], Callable[[Any, Any], Any]]] = {
    list: (lambda tree: (tree, None), lambda values, _: list(values)),
    tuple: (lambda tree: (list(tree), None), lambda values, _: tuple(values)),
    dict: (_dict_children, _filled(dict)),
    OrderedDict: (_dict_children, _filled(OrderedDict)),
    defaultdict: (
        lambda tree: (list(tree.values()), [tree.default_factory, list(tree)]),
        lambda values, context: defaultdict(context[0], zip(context[1], values, strict=True)),
    ),
    deque: (lambda tree: (list(tree), tree.maxlen), lambda values, longest: deque(values, maxlen=longest)),
    namedtuple: (lambda tree: (list(tree), type(tree)), lambda values, kind: kind(*values)),
}


def register_pytree_node(
    cls: type, flatten_fn: Callable[[Any], Children], unflatten_fn: Callable[[Any, Any], Any], **options: Any
) -> None:
    """Let instances of a class be taken apart.  Raises ValueError for one that is registered."""
    if cls in _NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _NODES[cls] = (flatten_fn, unflatten_fn)


_register_pytree_node = register_pytree_node


def _kind_of(tree: Any) -> Any:
    kind = type(tree)
    if kind not in _NODES and isinstance(tree, tuple) and hasattr(kind, "_fields"):
        return namedtuple
    return kind


def tree_is_leaf(tree: Any, is_leaf: Predicate | None = None) -> bool:
    """Return whether there is nothing in it to go into."""
    return (is_leaf is not None and is_leaf(tree)) or _kind_of(tree) not in _NODES


@dataclass(frozen=True, eq=True, repr=False)
class TreeSpec:
    """The containers of a tree without its leaves; type None is a leaf."""

    type: Any
    context: Any = None
    _children: list[TreeSpec] = field(default_factory=list)

    @property
    def children_specs(self) -> list[TreeSpec]:
        """The specs of the children."""
        return self._children

    @property
    def num_children(self) -> int:
        """Number of children."""
        return len(self._children)

    @property
    def num_leaves(self) -> int:
        """Number of leaves."""
        return 1 if self.type is None else sum(each.num_leaves for each in self._children)

    @property
    def num_nodes(self) -> int:
        """Number of containers and leaves."""
        return 1 + sum(each.num_nodes for each in self._children)

    def is_leaf(self) -> bool:
        """Return whether it is a leaf."""
        return self.type is None

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """Return the tree with these leaves.  Raises ValueError for another number of them."""
        given = list(leaves)
        if len(given) != self.num_leaves:
            raise ValueError(
                f"treespec.unflatten(leaves): `leaves` has length {len(given)} but the spec refers to a pytree that "
                f"holds {self.num_leaves} items ({self})."
            )
        return self._built(iter(given))

    def _built(self, leaves: Iterator[Any]) -> Any:
        if self.type is None:
            return next(leaves)
        return _NODES[self.type][1]([each._built(leaves) for each in self._children], self.context)

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """Return the parts of `tree` in the places of this spec's leaves.  Raises ValueError where it differs."""
        if self.type is None:
            return [tree]
        if _kind_of(tree) is not self.type:
            raise ValueError(f"Node type mismatch; expected {self.type!r}, but got {type(tree)!r}.")
        children, context = _NODES[self.type][0](tree)
        if len(children) != len(self._children):
            raise ValueError(f"Node arity mismatch; expected {len(self._children)}, but got {len(children)}.")
        if isinstance(tree, dict):
            keys = self.context[1] if self.type is defaultdict else self.context
            if set(keys) != set(tree):
                missing, extra = set(keys) - set(tree), set(tree) - set(keys)
                told = f"; missing key(s): {missing}" * bool(missing) + f"; extra key(s): {extra}" * bool(extra)
                raise ValueError(f"Node keys mismatch{told}.")
            children = [tree[key] for key in keys]
        elif context != self.context and self.type is not deque:
            raise ValueError(f"Node context mismatch for custom node type {self.type!r}.")
        return [part for spec, child in zip(self._children, children) for part in spec.flatten_up_to(child)]

    def __repr__(self, indent: int = 0) -> str:
        if self.type is None:
            return "*"
        inner = f",\n{' ' * (indent + 2)}".join(each.__repr__(indent + 2) for each in self._children)
        return f"TreeSpec({self.type.__name__}, {self.context}, [{inner}])"

    def __hash__(self) -> int:
        return hash((self.type, repr(self.context), tuple(self._children)))


def LeafSpec() -> TreeSpec:
    """Return the spec of a leaf."""
    return TreeSpec(None)


treespec_leaf = LeafSpec


def tree_flatten(tree: Any, is_leaf: Predicate | None = None) -> tuple[list[Any], TreeSpec]:
    """Return the leaves in order, and the spec."""
    leaves: list[Any] = []
    return leaves, _spec(tree, is_leaf, leaves)


def _spec(tree: Any, is_leaf: Predicate | None, leaves: list[Any]) -> TreeSpec:
    if tree_is_leaf(tree, is_leaf):
        leaves.append(tree)
        return TreeSpec(None)
    kind = _kind_of(tree)
    children, context = _NODES[kind][0](tree)
    return TreeSpec(kind, context, [_spec(each, is_leaf, leaves) for each in children])


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> Any:
    """Return the tree of a spec with these leaves.  Raises TypeError where the spec is none."""
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"Expected `treespec` to be an instance of PyTreeSpec but got item of type {type(treespec)}.")
    return treespec.unflatten(leaves)


def tree_leaves(tree: Any, is_leaf: Predicate | None = None) -> list[Any]:
    """Return the leaves in order."""
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree: Any, is_leaf: Predicate | None = None) -> Iterator[Any]:
    """Iterate over the leaves in order."""
    yield from tree_leaves(tree, is_leaf)


def tree_structure(tree: Any, is_leaf: Predicate | None = None) -> TreeSpec:
    """Return the spec."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Predicate | None = None) -> Any:
    """Return the tree of `func(leaf, *leaves of the rests in its place)`."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(each) for each in rests]
    return spec.unflatten(map(func, leaves, *others))


def tree_map_(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: Predicate | None = None) -> Any:
    """Call `func` for each leaf and return the tree as it is."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def _matching(chosen: Any) -> Predicate:
    if isinstance(chosen, (type, tuple)) or not callable(chosen):
        return lambda value: isinstance(value, chosen)
    return chosen


def map_only(type_or_types_or_pred: Any, /) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Return a decorator of functions that are to leave other values as they are."""
    matches = _matching(type_or_types_or_pred)
    return lambda func: lambda value: func(value) if matches(value) else value


def tree_map_only(
    type_or_types_or_pred: Any, /, func: Callable[[Any], Any], tree: Any, is_leaf: Predicate | None = None
) -> Any:
    """Return the tree with `func` of the leaves that are of a type; the others stay as they are."""
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(
    type_or_types_or_pred: Any, /, func: Callable[[Any], Any], tree: Any, is_leaf: Predicate | None = None
) -> Any:
    """Call `func` for each leaf of a type and return the tree as it is."""
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred: Predicate, tree: Any, is_leaf: Predicate | None = None) -> bool:
    """Return whether `pred` holds for all leaves."""
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred: Predicate, tree: Any, is_leaf: Predicate | None = None) -> bool:
    """Return whether `pred` holds for one leaf."""
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all_only(chosen: Any, /, pred: Predicate, tree: Any, is_leaf: Predicate | None = None) -> bool:
    """Return whether `pred` holds for all leaves of a type."""
    matches = _matching(chosen)
    return all(pred(each) for each in tree_leaves(tree, is_leaf) if matches(each))


def tree_any_only(chosen: Any, /, pred: Predicate, tree: Any, is_leaf: Predicate | None = None) -> bool:
    """Return whether `pred` holds for one leaf of a type."""
    matches = _matching(chosen)
    return any(pred(each) for each in tree_leaves(tree, is_leaf) if matches(each))


def _broadcast_to_and_flatten(tree: Any, treespec: TreeSpec, is_leaf: Predicate | None = None) -> list[Any] | None:
    """Return one value for each leaf of a spec, a leaf of `tree` for all below it; None where they differ."""
    if tree_is_leaf(tree, is_leaf):
        return [tree] * treespec.num_leaves
    if treespec.type is None or _kind_of(tree) is not treespec.type:
        return None
    children, context = _NODES[treespec.type][0](tree)
    if len(children) != treespec.num_children or context != treespec.context:
        return None
    values: list[Any] = []
    for child, spec in zip(children, treespec.children_specs):
        part = _broadcast_to_and_flatten(child, spec, is_leaf)
        if part is None:
            return None
        values += part
    return values


__getattr__ = missing_in(__name__)
