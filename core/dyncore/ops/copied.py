"""The `_copy` form of every view: the same elements in memory of their own."""

import numpy as np

from dyncore.dispatch.registry import TABLE, camel, op
from dyncore.dtypes.limits import fitted
from dyncore.tensors.size import contiguous_format

from .cloning import clone
from .indexing import getitem


def _anew(made):
    return clone(made, memory_format=contiguous_format)


def _copied(name):
    def copied(input, *args: object, **kwargs: object):
        if name == "view":
            input = input.contiguous()
        result = TABLE[name].entry(input, *args, **kwargs)
        return tuple([_anew(each) for each in result]) if isinstance(result, tuple) else _anew(result)

    copied.__name__ = copied.__qualname__ = f"{name}_copy"
    copied.__doc__ = f"`{name}`, copied."
    title = "NarrowCopyBackward0" if name == "narrow" else f"{camel(name)}Backward0_copy"
    if name == "squeeze":
        op(composite=True, method=False, node=lambda args: f"SqueezeBackward{int(bool(args))}_copy")(copied)
        return
    op(composite=True, method=name == "narrow", node=title)(copied)


for _name in (
    "as_strided", "diagonal", "expand", "narrow", "permute", "select", "split", "split_with_sizes", "squeeze", "t",
    "transpose", "unbind", "unfold", "unsqueeze", "view", "view_as_complex", "view_as_real",
):  # fmt: skip
    _copied(_name)


@op(composite=True, method=False, aliases=("detach_copy",), node="AliasBackward0_copy")
def alias_copy(input):
    """Elements in new memory."""
    return clone(input)


@op(composite=True, method=False)
def slice_copy(input, dim: int = 0, start: int = None, end: int = None, step: int = 1):
    """Elements from `start` to `end`, `step` apart, along `dim`, copied."""
    return clone(getitem(input, (slice(None),) * (dim % len(input.shape)) + (slice(start, end, step),)))


@op(
    input=lambda g, wrap: _off_diagonal(g, wrap),
    function=False,
    inplace={"FillDiagonalBackward0": "torch::autograd::CopySlices"},
)
def fill_diagonal(input, fill_value: float, wrap: bool = False):
    """`input` with one value on its diagonal.

    wrap: in a tall matrix, on the diagonals below it too.
    """
    result = input.copy()
    if result.ndim < 2:
        raise RuntimeError("dimensions must larger than 1")
    if result.ndim > 2 and len(set(result.shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    np.fill_diagonal(result, fitted(fill_value, input.dtype), wrap)
    return result


@op(input=lambda g, wrap: _off_diagonal(g, wrap), private=True)
def _off_diagonal(input, wrap: bool):
    result = input.copy()
    np.fill_diagonal(result, 0, wrap)
    return result
