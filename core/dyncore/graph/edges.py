"""Edges of a node as PyTorch shows them, and partial gradients of its outputs."""

from __future__ import annotations

from typing import Any

from .names import OF_A_NUMBER

# The inputs of PyTorch's node, by the op here or by the op and the node's name, where they are not those the op was
# given: one that was left out, or that only PyTorch's op has, has an edge to nothing.
_INPUTS: dict[Any, tuple[str, ...]] = {
    "convolution": ("input", "weight", "bias"),
    "batch_norm_with": ("input", "weight", "bias"),
    "group_norm": ("input", "weight", "bias"),
    "layer_norm": ("input", "weight", "bias"),
    "ctc_likelihood": ("log_probs",),
    "embedding_bag": ("weight", "per_sample_weights"),
    "multilabel_margin_loss": ("input",),
    "soft_margin_loss": ("input",),
    "scatter_reduce": ("input", "src"),
    "index_reduce": ("input", "source"),
    "dropout": ("input", "noise"),
    "feature_dropout": ("input", "noise"),
    ("clamp", "ClampBackward0"): ("input", "min", "max"),
    ("alpha_dropout", "MulBackward0"): ("input", "noise"),
    ("feature_alpha_dropout", "MulBackward0"): ("input", "noise"),
    # Gradients that are put into zeros, which have no history.
    ("gather_place", "ScatterAddBackward0"): ("zeros", "input"),
    ("gather_place", "ScatterBackward0"): ("zeros", "input"),
    ("index_place", "IndexPutImplBackward0"): ("zeros", "input"),
    ("select_place", "IndexAddBackward0"): ("zeros", "input"),
    ("take_place", "PutBackward0"): ("zeros", "input"),
}


def next_edges(node: Any) -> tuple[Any, ...]:
    """Return the edges of `node`, in the order and number of PyTorch's."""
    edges: tuple[Any, ...] = node.edges()
    title = node.name()
    if title in OF_A_NUMBER:
        return tuple(each for each in edges if each is not None)
    if node.op is None or not hasattr(node, "targets"):
        return edges
    if node.op.name == "level" and title != "SqueezeBackward1" and edges[0] is not None:
        moved = edges[0].node  # what placed the gradient is one op with it there
        return (moved.edges()[0], edges[1]) if moved.op is not None and moved.op.private else edges
    inputs = _INPUTS.get(node.op.name) or _INPUTS.get((node.op.name, title))
    if inputs is None:
        return edges
    known = {name: edge for (name, _), edge in zip(node.targets, edges, strict=True)}
    return tuple(known.get(name) for name in inputs)


class Partial:
    """Gradients of some outputs of a node, by number, until the node runs."""

    __slots__ = ("grads",)
    __array_ufunc__ = None  # an array plus this is `__radd__`

    def __init__(self, grads: dict[int, Any]) -> None:
        self.grads = grads

    def __radd__(self, other: Any) -> Any:
        return other

    def __add__(self, other: Any) -> Any:
        if other.__class__ is not Partial:
            return other
        # In place: each comes fresh from an `Output` and waits nowhere else, and copies would be quadratic in a loop
        # over the rows of a tensor.
        merged = self.grads
        for number, grad in other.grads.items():
            merged[number] = merged[number] + grad if number in merged else grad
        return self
