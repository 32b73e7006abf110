"""Names of nodes: of an overload, of an in-place form or of an op's last part."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

# Nodes of overloads that take a number where others take a tensor, which so have one edge less.
OF_A_NUMBER = frozenset(
    (
        "PowBackward0", "PowBackward2", "RsubBackward1", "RemainderBackward0", "FmodBackward0", "CopysignBackward1",
        "XlogyBackward1", "XlogyBackward2", "ClampBackward1", "ClampMinBackward0", "ClampMaxBackward0",
        "LerpBackward0", "AddBackward1", "SubBackward1",
        "MaskedFillBackward0", "IndexFillBackward0", "MulBackward1", "DivBackward1", "torch::autograd::NotImplemented",
    )
)  # fmt: skip


def short(title: str) -> str:
    """Return a node's name as it is printed: `CopyBackwards` for `torch::autograd::CopyBackwards`."""
    return title.rpartition("::")[2]


def own_class(node: Any) -> Any:
    """Make a node of its op's own class, if it still is of one that all ops share (`elementwise.SharedNode`)."""
    if node.unseen:
        node.__class__ = node.vjp.node_class
        node.extra = None
    return node


def titled(node: Any) -> Any:
    """Return the node as somebody sees it, its class named as in PyTorch: `<class 'MulBackward0'>`."""
    if node.op is not None:
        title = own_class(node).name()
        if node.__class__.__name__ != short(title) or node.__class__.__module__ != "builtins":
            node.__class__ = _named(node.__class__, title)
    return node


def rename(node: Any, title: str) -> None:
    """Give a node another name: a general one by its label, one of a unary or binary op by a class of that name."""
    if node.op is None:
        return  # a leaf: views made under no_grad lead nowhere, and share where they lead
    if hasattr(node.__class__, "label"):
        node.label = title
    else:
        node.__class__ = _named(own_class(node).__class__, title)


def named(tensor: Any, title: str) -> Any:
    """Return a tensor just made, its node called `title`."""
    edge = tensor._edge
    if edge is not None and edge.node.op is not None:
        rename(edge.node, title)
    return tensor


def called(rules: dict[str, Callable[..., Any]], back: str | dict[str, str] | None) -> dict[str, Callable[..., Any]]:
    """Return derivatives whose results' nodes are called `back`, by parameter or name if that is a dict."""
    if back is None:
        return rules
    titles = back if isinstance(back, dict) else dict.fromkeys(rules, back)
    others = {here: there for here, there in titles.items() if here not in rules}
    if others:
        rules = {key: rule if key in titles else _replaced(rule, others) for key, rule in rules.items()}

    def wrap(rule: Callable[..., Any], title: str) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            found = rule(*args)
            for _, each in _made(found, args):
                named(each, title)
            return found

        return run

    return {key: wrap(rule, titles[key]) if key in titles else rule for key, rule in rules.items()}


def _replaced(rule: Callable[..., Any], titles: dict[str, str]) -> Callable[..., Any]:
    """Return a derivative on Tensors whose nodes have the names in `titles`, by parameter or by node."""

    def run(*args: Any) -> Any:
        found = rule(*args)
        for parameter, each in _made(found, args):
            edge = each._edge
            if edge is not None and edge.node.op is not None:
                title = titles.get(parameter) or titles.get(edge.node.name())
                if title is not None:
                    rename(edge.node, title.format(rank=each._array.ndim - 2))
        return found

    return run


def _made(found: Any, args: tuple[Any, ...]) -> list[tuple[str, Any]]:
    """Return (parameter or "", gradient) of the gradients that a derivative made, not of those it was given."""
    if isinstance(found, dict):
        pairs = list(found.items())
    else:
        pairs = [("", each) for each in (found if isinstance(found, list) else (found,))]
    return [(name, each) for name, each in pairs if each is not None and not any(each is given for given in args)]


@cache
def _named(node_class: type, title: str) -> type:
    own = {} if hasattr(node_class, "label") else {"title": title}
    return type(short(title), (node_class,), {"__slots__": (), "__module__": "builtins", **own})


# (the last op here, PyTorch's): the ops.
_ROWS = (
    ("Mul 0", "Mul 1", "deg2rad rad2deg exp2 index_add special_ndtr"),
    ("UnsafeView 0", "Bmm 0", "bmm baddbmm addbmm"),
    ("Div 0", "Mul 0", "acos asin acosh asinh"),
    ("Div 0", "Div 1", "binary_cross_entropy_with_logits"),
    ("Mul 0", "Div 0", "hypot"),
    ("Where 0", "MaskedFill 0", "fmax fmin xlogy special_xlog1py masked_scatter"),
    ("Where 0", "Mul 0", "nansum nan_to_num"),
    ("GatherPlace 0", "ScatterAdd 0", "cummax cummin"),
    ("SelectPlace 0", "IndexAdd 0", "index_select"),
    ("TakePlace 0", "Put 0", "take"),
    ("UnfoldPlace 0", "UnfoldBackward 0", "unfold"),
    ("MaskTake 0", "MaskedScatterBackward 0", "masked_scatter"),
    ("Index 0", "AsStrided 0", "as_strided"),
    ("View 0", "Unsqueeze 0", "squeeze"),
    ("ReshapeAlias 0", "Unsqueeze 0", "squeeze"),
    ("OnDiagonal 0", "View 0", "trace"),
    ("Where 0", "PreluKernelBackward 0", "prelu_kernel"),
    ("Mul 0", "PreluKernelBackward 0", "prelu_kernel"),
    ("View 0", "Gather 0", "scatter scatter_add"),
    ("FlatGather 0", "View 0", "max_unpool"),
    ("Add 0", "GridSampler{rank}DBackward 0", "sampled"),
    ("Mul 0", "GridSampler{rank}DBackward 0", "sampled"),
    ("PointsPlace 0", "GridSampler{rank}DBackward 0", "sampled"),
    ("Scatter 1", "IndexFill 0", "index_reduce"),
    ("Mul 0", "LinalgSolveEx 0", "linalg_det linalg_slogdet"),
    ("Sum 1", "ConvolutionBackward 0", "convolution"),
)  # fmt: skip

BACK_TITLES: dict[str, dict[str, str]] = {}
for _here, _there, _names in _ROWS:
    for _name in _names.split():
        BACK_TITLES.setdefault(_name, {})[_here.replace(" ", "Backward")] = _there.replace(" ", "Backward")
