"""`torch.masked`: reductions and normalizations over the elements where a mask is True.

What is masked out is replaced by the value that does not change the result (0 in a sum, -inf in a maximum); a slice
that is masked out whole gives that value, or NaN.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.dtypes import dtypes
from dyncore.errors.explain import missing_in, no_dimension
from dyncore.tensors.tensor import Tensor, wrap

__all__ = [
    "amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean", "median",
    "norm", "normalize", "prod", "softmax", "softmin", "std", "sum", "var",
]  # fmt: skip


def _call(name: str, *args: Any, **kwargs: Any) -> Any:
    return TABLE[name].entry(*args, **kwargs)


def _wide(input: Tensor, mask: Tensor | None) -> Any:
    """Return the mask in the shape of the input.  Raises IndexError where it has more dimensions."""
    if mask is None:
        return wrap(np.ones(input._array.shape, bool), None)
    if mask._array.ndim > input._array.ndim:
        raise IndexError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)")
    found: Any = mask
    if found._array.dtype.kind != "b":
        found = found.bool()
    return found if found._array.shape == input._array.shape else found.broadcast_to(input._array.shape)


def _filled(input: Tensor, mask: Tensor | None, value: Any) -> Any:
    """Return the input with `value` where the mask is False."""
    if mask is None:
        return input
    return _call("where", _wide(input, mask), input, wrap(np.array(value).astype(input._array.dtype), None))


def _axes(dim: Any, ndim: int) -> tuple[int, ...]:
    """Return the dimensions meant, each once; all for None and ()."""
    if dim is None or dim == ():
        return tuple(range(ndim))
    dims = dim if isinstance(dim, (tuple, list)) else (dim,)
    axes: list[int] = []
    for each in dims:
        limit = max(ndim, 1)
        if each % limit in axes:
            raise RuntimeError(f"dim={each} appears multiple times in the list of dims")
        if not -limit <= each < limit:
            raise no_dimension(each, ndim)
        axes.append(each % limit)
    return tuple(sorted(axes))


def _summed_dtype(input: Tensor, dtype: Any) -> Any:
    """Return int64 for what is summed in it, else the given or the input's dtype."""
    if dtype is None:
        return dtypes.int64 if input._array.dtype.kind in "iub" else input.dtype
    return dtype


def _least(array: Any) -> Any:
    return -math.inf if array.dtype.kind in "fc" else False if array.dtype.kind == "b" else np.iinfo(array.dtype).min


def _most(array: Any) -> Any:
    return math.inf if array.dtype.kind == "f" else True if array.dtype.kind == "b" else np.iinfo(array.dtype).max


def sum(input: Any, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Any:
    """Return sum over `dim` of the elements where `mask` is True."""
    kind = _summed_dtype(input, dtype)
    axes = _axes(dim, input._array.ndim)
    return _call("sum", _filled(input, mask, 0), axes, bool(keepdim), dtype=kind)


def prod(input: Any, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Any:
    """Return product over `dim` of the elements where `mask` is True."""
    kind = _summed_dtype(input, dtype)
    made = _filled(input, mask, 1)
    for axis in reversed(_axes(dim, input._array.ndim)):
        made = _call("prod", made, axis, bool(keepdim))
    return made.to(kind)


def cumsum(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Any:
    """Return the running sum along `dim`; what is masked out adds nothing."""
    return _call("cumsum", _filled(input, mask, 0), dim).to(input.dtype if dtype is None else dtype)


def cumprod(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Any:
    """Return the running product along `dim`; what is masked out is skipped."""
    return _call("cumprod", _filled(input, mask, 1), dim).to(input.dtype if dtype is None else dtype)


def _extreme(name: str, fill: Any, input: Any, dim: Any, keepdim: bool, dtype: Any, mask: Any) -> Any:
    axes = _axes(dim, input._array.ndim)
    made = _call(name, _filled(input, mask, fill), axes, bool(keepdim))
    return made if dtype is None else made.to(dtype)


def amax(input: Any, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Any:
    """Return the largest of the elements where `mask` is True."""
    return _extreme("amax", _least(input._array), input, dim, keepdim, dtype, mask)


def amin(input: Any, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Any:
    """Return the smallest of the elements where `mask` is True."""
    return _extreme("amin", _most(input._array), input, dim, keepdim, dtype, mask)


def argmax(input: Any, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Any:
    """Return the place of the largest of the elements where `mask` is True."""
    made = _call("argmax", _filled(input, mask, _least(input._array)), dim, bool(keepdim))
    return made.to(input.dtype if dtype is None else dtype)


def argmin(input: Any, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Any:
    """Return the place of the smallest of the elements where `mask` is True."""
    made = _call("argmin", _filled(input, mask, _most(input._array)), dim, bool(keepdim))
    return made.to(input.dtype if dtype is None else dtype)


def mean(input: Any, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Any:
    """Return mean over `dim` of the elements where `mask` is True."""
    if dtype is None and input._array.dtype.kind not in "fc":
        raise ValueError(
            "mean(): Could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: "
            f"{input.dtype}"
        )
    total = sum(input, dim, keepdim=keepdim, dtype=input.dtype if dtype is None else dtype, mask=mask)
    return total / sum(_wide(input, mask), dim, keepdim=keepdim)


def median(input: Any, dim: int = -1, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Any:
    """Return the lower median along `dim` of the elements where `mask` is True."""
    kind = input.dtype if dtype is None else dtype
    values = input if input._array.dtype.kind == "f" else input.float()
    made = _call("nanmedian", _filled(values, mask, math.nan), dim, bool(keepdim))[0]
    if input._array.dtype.kind != "f" and np.isnan(made._array).any():
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return made.to(kind)


def logsumexp(input: Any, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Any:
    """Return the logarithm of the sum of exponentials of the elements where `mask` is True."""
    kind = input.dtype if dtype is None else dtype
    axes = _axes(dim, input._array.ndim)
    return _call("logsumexp", _filled(input, mask, _least(input._array)), axes, bool(keepdim)).to(kind)


def logaddexp(input: Any, other: Any, *, dtype: Any = None, input_mask: Any = None, other_mask: Any = None) -> Any:
    """Return log(exp(input) + exp(other)); what is masked out counts as -inf."""
    kind = input.dtype if dtype is None else dtype
    one, two = _filled(input, input_mask, -math.inf), _filled(other, other_mask, -math.inf)
    return _call("logaddexp", one, two).to(kind)


def norm(
    input: Any, ord: Any = 2.0, dim: Any = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None
) -> Any:
    """Return the `ord`-norm over `dim` of the elements where `mask` is True."""
    made = _filled(input, mask, math.inf if ord == -math.inf else 0)
    return _call("linalg_vector_norm", made, ord, _axes(dim, input._array.ndim), bool(keepdim), dtype=dtype)


def _spread(
    input: Any, dim: Any, unbiased: Any, correction: Any, keepdim: bool, dtype: Any, mask: Any, root: bool
) -> Any:
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    correction = (1 if unbiased or unbiased is None else 0) if correction is None else correction
    kind = input.dtype if dtype is None else dtype
    if kind.category < dtypes.FLOATING:
        kind = dtypes.float32
    wide = None if mask is None else _wide(input, mask)
    count = sum(_wide(input, mask), dim, keepdim=True)
    center = input - sum(input, dim, keepdim=True, dtype=kind, mask=wide) / count
    total = sum(center * center.conj(), dim, keepdim=bool(keepdim), dtype=kind, mask=wide)
    count = count.reshape(total._array.shape)
    if correction:
        count = _call("clamp", count.to(kind.to_real()) - correction, min=0)
    made = (total / count).to(kind)
    return made.sqrt() if root else made


def var(
    input: Any, dim: Any = None, unbiased: Any = None, *, correction: Any = None, keepdim: bool = False,
    dtype: Any = None, mask: Any = None,
) -> Any:  # fmt: skip
    """Return variance over `dim` of the elements where `mask` is True."""
    return _spread(input, dim, unbiased, correction, keepdim, dtype, mask, False)


def std(
    input: Any, dim: Any = None, unbiased: Any = None, *, correction: Any = None, keepdim: bool = False,
    dtype: Any = None, mask: Any = None,
) -> Any:  # fmt: skip
    """Return the standard deviation over `dim` of the elements where `mask` is True."""
    return _spread(input, dim, unbiased, correction, keepdim, dtype, mask, True)


def softmax(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Any:
    """Return softmax along `dim` over the elements where `mask` is True; 0 elsewhere, NaN where all are masked out."""
    return _call("softmax", _filled(_in(input, dtype), mask, -math.inf), dim)


def log_softmax(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Any:
    """Return the logarithm of `softmax`."""
    return _call("log_softmax", _filled(_in(input, dtype), mask, -math.inf), dim)


def softmin(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Any:
    """Return `softmax` of the negated input."""
    return _call("softmax", -_filled(_in(input, dtype), mask, math.inf), dim)


def _in(input: Any, dtype: Any) -> Any:
    return input if dtype is None else input.to(dtype)


def normalize(input: Any, ord: float, dim: int, *, eps: float = 1e-12, dtype: Any = None, mask: Any = None) -> Any:
    """Return the input, zero where masked out, divided by its `ord`-norm along `dim`, which is at least `eps`."""
    size = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled(input, mask, 0) / _call("maximum", size, size.new_tensor(eps))


__getattr__ = missing_in(__name__)
