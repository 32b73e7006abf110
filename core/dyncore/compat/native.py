"""Functions of `torch` itself that layers are made of in PyTorch, with the argument orders they have there."""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.dtypes.dtypes import bool_
from dyncore.graph.modes import no_grad
from dyncore.graph.names import named
from dyncore.nn.functional.conv import conv_tbc as conv_tbc
from dyncore.tensors.tensor import Tensor, wrap


def _nn() -> Any:
    from dyncore.nn import functional

    return functional


def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Any:
    """Return rows of `weight` by their numbers."""
    return TABLE["embedding"].entry(weight, indices, padding_idx, scale_grad_by_freq, sparse)


def batch_norm(
    input: Tensor, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: float,
    eps: float, cudnn_enabled: bool = False,
) -> Any:  # fmt: skip
    """Return `nn.functional.batch_norm` with the order of arguments it has here."""
    return _nn().batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def instance_norm(
    input: Tensor, weight: Any, bias: Any, running_mean: Any, running_var: Any, use_input_stats: bool,
    momentum: float, eps: float, cudnn_enabled: bool = False,
) -> Any:  # fmt: skip
    """Return `nn.functional.instance_norm` with the order of arguments it has here."""
    return _nn().instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: int = 1,
    zero_infinity: bool = False,
) -> Any:  # fmt: skip
    """Return `nn.functional.ctc_loss` with `reduction` as a number: 0 none, 1 mean, 2 sum."""
    how = ("none", "mean", "sum")[reduction]
    return _nn().ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, how, zero_infinity)


def max_pool1d_with_indices(
    input: Tensor, kernel_size: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False
) -> Any:
    """Return `nn.functional.max_pool1d` and the places of the maxima."""
    return _nn().max_pool1d(input, kernel_size, stride or None, padding, dilation, ceil_mode, return_indices=True)


def adaptive_max_pool1d(input: Tensor, output_size: Any) -> Any:
    """Return `nn.functional.adaptive_max_pool1d` and the places of the maxima."""
    return _nn().adaptive_max_pool1d(input, output_size, return_indices=True)


def native_layer_norm(input: Tensor, normalized_shape: Any, weight: Any, bias: Any, eps: float) -> tuple[Any, Any, Any]:
    """Return the layer norm, and the mean and the inverse deviation it used."""
    dims = tuple(range(-len(normalized_shape), 0))
    with no_grad():
        mean, rstd = _moments(input, dims, eps)
    return TABLE["layer_norm"].entry(input, tuple(normalized_shape), weight, bias, eps), mean, rstd


def _moments(input: Any, dims: tuple[int, ...], eps: float) -> tuple[Any, Any]:
    mean = input.mean(dims, keepdim=True)
    return mean, ((input - mean).square().mean(dims, keepdim=True) + eps).rsqrt()


def native_group_norm(
    input: Any, weight: Any, bias: Any, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple[Any, Any, Any]:
    """Return the group norm, and the means and the inverse deviations it used, (N, group) each."""
    mean, rstd = _moments(input.reshape(N, group, C // group * HxW), (2,), eps)
    moments = [named(each.squeeze(2), "NativeGroupNormBackward0") for each in (mean, rstd)]
    return TABLE["group_norm"].entry(input, group, weight, bias, eps), *moments


def native_batch_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: float, eps: float
) -> tuple[Any, Any, Any]:
    """Return the batch norm, and the means and the inverse deviations of the batch, empty without `training`."""
    result = batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
    if not training:
        empty = wrap(np.zeros(0, input._array.dtype), None)
        return result, empty, empty.clone()
    with no_grad():
        mean, rstd = _moments(input, tuple(d for d in range(input.dim()) if d != 1), eps)
    return result, mean.reshape(-1), rstd.reshape(-1)


def _native_batch_norm_legit(input: Any, weight: Any, bias: Any, *given: Any) -> tuple[Any, Any, Any]:
    """Return `native_batch_norm`, also without running statistics: (training, momentum, eps) alone."""
    running = given if len(given) == 5 else (None, None, *given)
    result, mean, rstd = native_batch_norm(input, weight, bias, *running)
    return named(result, f"NativeBatchNormLegitBackward{int(len(given) < 5)}"), mean, rstd


def _batch_norm_with_update(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, momentum: float, eps: float
) -> tuple[Any, ...]:
    """Return the training form of `native_batch_norm`, with an empty reserve."""
    result, mean, rstd = native_batch_norm(input, weight, bias, running_mean, running_var, True, momentum, eps)
    return named(result, "BatchNormWithUpdateBackward0"), mean, rstd, wrap(np.zeros(0, np.uint8), None)


def native_dropout(input: Any, p: float, train: bool | None) -> tuple[Any, Any]:
    """Return elements dropped with probability `p` and the rest scaled up, and which stayed."""
    if train is False or p == 0:
        return input.clone(), wrap(np.ones(input.shape, bool), None)
    kept = input.new_empty(input.shape, dtype=bool_).bernoulli_(1 - p)
    return input * kept * (0.0 if p == 1 else 1 / (1 - p)), kept


def native_dropout_backward(grad_output: Any, mask: Any, scale: float) -> Any:
    """Return the gradient of `native_dropout`."""
    return named(grad_output * mask * scale, "NativeDropoutBackwardBackward0")


def _softmax_backward_data(grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    """Return the gradient of softmax: y (g - sum(g y))."""
    return TABLE["softmax_backward"].entry(grad_output, output, dim).to(input_dtype)


def _unique(input: Any, sorted: bool = True, return_inverse: bool = False) -> tuple[Any, Any]:
    """Return the distinct elements, and where each element went, empty unless asked for."""
    return _unique2(input, sorted, return_inverse)[:2]


def _unique2(
    input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[Any, Any, Any]:
    """Return the distinct elements or slices, where each went, and how often each occurs: empty unless asked for."""
    values, inverse, counts = TABLE["unique"].entry(input, sorted, True, True, dim)
    empty = wrap(np.zeros(0, np.int64), None)
    return values, inverse if return_inverse else empty, counts if return_counts else empty


class _VF:
    """Functions under the name PyTorch has for those of its C++ that Python's own names hide."""

    @staticmethod
    def unique_dim(
        input: Any, dim: int, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False
    ) -> tuple[Any, Any, Any]:
        """Return the distinct slices along `dim`, as `_unique2` gives them."""
        return _unique2(input, sorted, True, True, dim)


def svd_lowrank(A: Any, q: int | None = 6, niter: int | None = 2, M: Any = None) -> tuple[Any, Any, Any]:
    """Return the `q` largest singular values and vectors of A - M, by random projections: U, S, V."""
    wide = A.size(-2) < A.size(-1)
    less = None if M is None else M.broadcast_to(A.size())
    if wide:
        A, less = A.mH, None if less is None else less.mH
    basis = _basis(A, less, 6 if q is None else q, 2 if niter is None else niter)
    rest = basis.mH @ A
    u, s, vh = TABLE["linalg_svd"].entry(rest if less is None else rest - basis.mH @ less, full_matrices=False)
    u, v = basis @ u, vh.mH
    return (v, s, u) if wide else (u, s, v)


def _basis(A: Any, less: Any, q: int, niter: int) -> Any:
    """Return orthonormal columns that span about what the largest singular vectors of A, or of A - less, span."""
    from dyncore.creation.random import randn

    def spanned(x: Any, turned: bool) -> Any:
        first, second = (each.mH if turned and each is not None else each for each in (A, less))
        return TABLE["linalg_qr"].entry(first @ x if second is None else first @ x - second @ x)[0]

    found = spanned(randn(A.size(-1), q, dtype=A.dtype), False)
    for _ in range(niter):
        found = spanned(spanned(found, True), False)
    return found


def lobpcg(
    A: Any,
    k: int | None = None,
    B: Any = None,
    X: Any = None,
    n: int | None = None,
    iK: Any = None,
    niter: int | None = None,
    tol: float | None = None,
    largest: bool | None = None,
    method: str | None = None,
    tracker: Any = None,
    ortho_iparams: Any = None,
    ortho_fparams: Any = None,
    ortho_bparams: Any = None,
) -> tuple[Any, Any]:
    """Return the `k` largest or smallest eigenvalues of the symmetric A, and their vectors.

    Where B is given they are those of A x = e B x.

    They are taken from the whole decomposition: what would steer an iteration (X, niter, tol, ...) changes nothing.
    """
    rows = A.size(-1)
    if k is None:
        k = 1 if X is None else X.size(-1)
    if rows < 3 * k:
        raise ValueError(
            f"LOBPCG algorithm is not applicable when the number of A rows (={rows}) is smaller than 3 x the number of "
            f"requested eigenpairs (={k})"
        )
    A = (A + A.mT) / 2
    root = None
    if B is not None:
        root = TABLE["linalg_cholesky"].entry((B + B.mT) / 2)
        solved = TABLE["linalg_solve_triangular"].entry(root, A, upper=False)
        A = TABLE["linalg_solve_triangular"].entry(root, solved.mT, upper=False).mT
    values, vectors = TABLE["linalg_eigh"].entry(A)
    if largest is None or largest:
        values, vectors = values[..., rows - k :].flip(-1), vectors[..., rows - k :].flip(-1)
    else:
        values, vectors = values[..., :k], vectors[..., :k]
    if root is not None:
        vectors = TABLE["linalg_solve_triangular"].entry(root.mT, vectors, upper=True)
    return values, vectors


def pca_lowrank(A: Any, q: int | None = None, center: bool = True, niter: int = 2) -> tuple[Any, Any, Any]:
    """Return principal components of the rows of A, by `svd_lowrank`."""
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}")
    if not niter >= 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(dim=-2, keepdim=True) if center else A, q, niter)


def norm_except_dim(v: Any, pow: int = 2, dim: int = 0) -> Any:
    """Return the norm of `v` over all dimensions but `dim`, kept; over all with -1."""
    from dyncore.nn.utils.parametrizations import norm_except

    if pow == 2:
        return norm_except(v, dim)
    axes = None if dim == -1 else [axis for axis in range(v.dim()) if axis != dim % v.dim()]
    return TABLE["linalg_vector_norm"].entry(v, pow, axes, dim != -1)


def prelu(input: Tensor, weight: Tensor) -> Any:
    """Return `nn.functional.prelu`."""
    return _nn().prelu(input, weight)


def rrelu(
    input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, generator: Any = None
) -> Any:
    """Return `nn.functional.rrelu`, its slopes from `generator`."""
    from dyncore.nn.functional.activation import sloped_at_random

    return sloped_at_random(input, lower, upper, training, False, generator)


def rrelu_(
    input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, generator: Any = None
) -> Any:
    """Return `nn.functional.rrelu_`, its slopes from `generator`."""
    from dyncore.nn.functional.activation import sloped_at_random

    return sloped_at_random(input, lower, upper, training, True, generator)


def embedding_renorm_(input: Any, indices: Any, max_norm: float, norm_type: float) -> Any:
    """Return `input` with its rows at `indices` shortened to the norm `max_norm` where they are longer, in place."""
    from dyncore.nn.functional.renorm import shorten_rows

    shorten_rows(input, indices, max_norm, norm_type)
    return input


def native_norm(input: Any, p: Any = 2, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """Return `torch.norm`."""
    return TABLE["norm"].entry(input, p, dim, keepdim, dtype=dtype)
