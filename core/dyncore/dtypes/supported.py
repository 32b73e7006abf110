"""Dtypes that PyTorch has no kernel for, op by op, where NumPy would compute something.

One row: the kinds of dtype that are refused (NumPy's letters: b bool, i and u integers, f floats, c complex), the
sentence, the ops.  A word alone is the name of the kernel in PyTorch's usual sentence.  In sentences {name} is the op,
{short} its name without `special_`, {got} the dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import dtypes

_CLAMP = "clamp is not supported for complex types"
_NORM = "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {got}"

# Elementwise ops, which check in their forward: specialised code calls it for dtypes it was not written for.
_ELEMENTWISE = (
    ("bc", "div_floor_cpu", "floor_divide"),
    ("bc", "{name}_cpu", "remainder fmod"),
    ("c", "{name} not implemented for complex tensors.", "fmax fmin"),
    ("c", "{name}_cpu", "atan2 copysign xlogy"),
    ("bciu", "{name}_cpu", "hypot nextafter logaddexp2 frac"),
    ("bcf", "{name}_cpu", "gcd lcm"),
    ("biu", "{name}_cpu", "logaddexp"),
    ("bcf", "lshift_cpu", "bitwise_left_shift"),
    ("bcf", "rshift_cpu", "bitwise_right_shift"),
    ("b", "{name}_vml_cpu", "ceil floor trunc"),
    ("c", "{name} is not supported for complex inputs", "ceil floor trunc"),
    ("c", "{name} is not supported for complex tensors.", "deg2rad rad2deg"),
    ("c", "{name}", "digamma"),
    ("c", "{name}_vml_cpu", "erf erfc erfinv lgamma i0"),
    ("c", "{name} does not support complex inputs.", "isneginf isposinf"),
    ("c", _CLAMP, "relu"),
    ("c", "{short}_cpu", "special_entr special_ndtri special_log_ndtr"),
    ("c", "erf_vml_cpu", "special_ndtr"),
    ("c", "signbit is not implemented for complex tensors.", "signbit"),
)  # fmt: skip

# All others, which the dispatch checks by their first operand.
_OTHERS = (
    ("b", "addmm_impl_cpu_", "addmm addbmm mm linear tensordot linalg_multi_dot matmul"),
    ("b", "addmv_impl_cpu", "addmv mv"),
    ("b", "{name}", "dot bmm baddbmm trace cross"),
    ("b", "dot", "vdot inner"),
    ("b", "bmm", "bilinear"),
    ("bc", "median_cpu", "median_of_all nanmedian_of_all"),
    ("bc", "median_out", "median_along nanmedian_along"),
    ("b", "slow_conv2d_cpu", "conv1d conv2d"),
    ("bu", "slow_conv_transpose2d_out_cpu", "conv_transpose1d conv_transpose2d"),
    ("b", "reflection_pad1d", "reflection_pad"),
    ("b", "replication_pad1d", "replication_pad"),
    ("c", "{name}_cpu", (
        "elu logit cummax cummin leaky_relu glu hardswish hardsigmoid mish softplus hardshrink threshold "
        "adaptive_avg_pool3d"
    )),
    ("c", "elu_cpu", "celu selu"),
    ("c", "log_sigmoid_cpu", "logsigmoid multilabel_soft_margin_loss"),
    ("bciu", "log_sigmoid_cpu", "binary_cross_entropy_with_logits"),
    ("c", _CLAMP, "hardtanh margin_ranking_loss cosine_embedding_loss clamp"),
    ("bcu", "avg_pool2d", "avg_pool1d"),
    ("bcu", "{name}", "avg_pool2d"),
    ("bc", "{name}", "max_pool2d max_pool3d"),
    ("bciu", "max_unpool2d", "max_unpool"),
    ("bciu", "histogramdd", "histogram"),
    ("bciu", "{name}", "histogramdd"),
    ("biu", "grid_sampler_2d_cpu_kernel_impl", "sampled grid_sampler_2d"),
    ("c", "{name}", "unique adaptive_avg_pool2d"),
    ("c", "unique", "unique_consecutive"),
    ("b", "{name}(): does not support bool input", "argmax argmin"),
    ("c", "{name}(): does not support complex input", "argmax argmin"),
    ("b", "cov(): bool dtype is not supported for input", "cov corrcoef"),
    ("biu", _NORM, "renorm"),
    ("iu", _NORM, "normalize"),
    ("biu", "linalg.vecdot: Expected a floating point or complex tensor as input. Got {got}", "linalg_vecdot"),
    ("c", "{short}_cpu", (
        "special_i0e special_i1 special_i1e special_xlog1py special_zeta special_erfcx special_airy_ai "
        "special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 special_chebyshev_polynomial_t "
        "special_chebyshev_polynomial_u special_chebyshev_polynomial_v special_chebyshev_polynomial_w "
        "special_hermite_polynomial_h special_hermite_polynomial_he special_laguerre_polynomial_l "
        "special_legendre_polynomial_p special_modified_bessel_i0 special_modified_bessel_i1 "
        "special_modified_bessel_k0 special_modified_bessel_k1 special_scaled_modified_bessel_k0 "
        "special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t "
        "special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
        "special_shifted_chebyshev_polynomial_w special_spherical_bessel_j0"
    )),
    ("bciu", "{name}_cpu", "igamma igammac"),
    ("c", "minimum_cpu", "clamp_max"),
    ("c", "maximum_cpu", "clamp_min"),
    ("b", "addcmul_cpu_out", "addcmul"),
    ("bciu", "max_pool1d_impl", "max_pool1d"),
    ("biu", "{name}_out_cpu", "cholesky_inverse logcumsumexp"),
    ("biu", "{name}_cpu", "cholesky_solve"),
    ("biu", "orgqr_cpu", "linalg_householder_product"),
    ("bc", "Unsupported input type encountered for isin(): {got}", "isin"),
    ("bc", "{name}_cpu", "kthvalue"),
    ("c", "heaviside is not yet implemented for complex tensors.", "heaviside"),
    ("c", "expected common dtype to be floating point, yet common dtype is {got}", "cosine_similarity"),
    ("bcu", "avg_pool3d_out_frame", "avg_pool3d"),
    ("b", "slow_conv3d_cpu", "conv3d"),
    ("bu", "slow_conv_transpose3d_out_cpu", "conv_transpose3d"),
    ("bciu", "LayerNormKernelImpl", "layer_norm"),
    ("bciu", "GroupNormKernelImpl", "group_norm"),
    ("biu", "{name}", "rms_norm"),
    ("c", "batch_norm", "batch_norm_with"),
    ("bciu", "multi_margin_loss_cpu_kernel", "multi_margin_loss"),
    ("bciu", "multilabel_margin_loss_forward_out_frame", "multilabel_margin_loss"),
    ("bciu", "prelu_cpu", "prelu_kernel"),
    ("bciu", "{name}_out_cpu", "rrelu_with_noise"),
    ("b", "topk does not support bool dtypes on CPU", "topk"),
    ("c", " topk does not support complex dtypes on CPU", "topk"),
    ("ci", "{name}", "binary_cross_entropy"),
    ("c", "softshrink_check", "softshrink"),
    ("biu", "lerp_kernel_scalar", "lerp"),
    ("u", "torch.gradient does not support uint8 input.", "gradient"),
    ("b", "The input tensor may not be a boolean tensor.", "mvlgamma"),
    ("c", "arange_cpu", "mvlgamma"),
    ("bc", "index_func_", "index_reduce"),
    ("b", "linspace_cpu", "histc"),
    ("c", "aminmax_cpu", "histc"),
    ("iu", "histogram_cpu", "histc"),
    ("bc", "searchsorted_out_cpu", "bucketize"),
    ("ciu", "smooth_l1_cpu", "smooth_l1_loss"),
    ("bciu", "mse_cpu", "mse_loss"),
    ("bciu", "nll_loss_out_frame", "nll_loss"),
    ("biu", "kl_div: Integral inputs not supported.", "kl_div"),
    ("c", "kl_div: Complex inputs not supported.", "kl_div"),
    ("bciu", "pdist only supports floating-point dtypes", "pdist"),
    ("bciu", "ctc_loss_cpu", "ctc_likelihood"),
    ("biu", "grid_sampler3d_cpu", "grid_sampler_3d"),
    ("bciu", "adaptive_max_pool2d", "adaptive_max"),
    ("biu", "expected scalar type Float but found {got}", "scaled_dot_product_attention"),
    ("c", "softmax_lastdim_kernel_impl", "scaled_dot_product_attention"),
)  # fmt: skip

# Sentences that a NotImplementedError has; the others with a space are a RuntimeError's.
_NOT_IMPLEMENTED = frozenset((
    _CLAMP, "signbit is not implemented for complex tensors.",
    *(f"{name} is not supported for complex inputs" for name in ("ceil", "floor", "trunc")),
))  # fmt: skip


def _by_op(rows: Any) -> dict[str, tuple[tuple[str, str], ...]]:
    made: dict[str, tuple[tuple[str, str], ...]] = {}
    for kinds, sentence, names in rows:
        for name in names.split():
            text = sentence.format(name=name, short=name.removeprefix("special_"), got="{got}")
            made[name] = (*made.get(name, ()), (kinds, text))
    return made


# By op, (kinds, sentence) of each row that names it.
REFUSED = _by_op((*_ELEMENTWISE, *_OTHERS))
IN_FORWARD = frozenset(_by_op(_ELEMENTWISE))


def check(rows: tuple[tuple[str, str], ...], dtype: Any) -> None:
    """Raise PyTorch's error if one of these rows names the NumPy dtype."""
    for kinds, sentence in rows:
        if dtype.kind in kinds:
            raise refusal(sentence, dtype)


def refusal(sentence: str, dtype: Any) -> Exception:
    """Return the error of a row for a dtype."""
    title = dtypes.of(dtype).title
    if " " not in sentence:
        return NotImplementedError(f"\"{sentence}\" not implemented for '{title}'")
    kind = NotImplementedError if sentence in _NOT_IMPLEMENTED else RuntimeError
    return kind(sentence.format(got=title))


def guarded(name: str, forward: Callable[..., Any]) -> Callable[..., Any]:
    """Return `forward` with the same signature, raising PyTorch's error for the dtypes it refuses."""
    rows = REFUSED[name]
    kinds = "".join(each for each, _ in rows)

    def one(input: Any) -> Any:
        if input.dtype.kind in kinds:
            check(rows, input.dtype)
        return forward(input)

    def two(input: Any, other: Any) -> Any:
        # The other operand has been promoted to the same dtype.
        if input.dtype.kind in kinds:
            check(rows, input.dtype)
        return forward(input, other)

    made: Any = one if forward.__code__.co_argcount == 1 else two
    made.__name__ = made.__qualname__ = name  # errors of wrong arguments have it
    made.__module__, made.__doc__ = forward.__module__, forward.__doc__
    made.__annotations__ = {}
    made.__wrapped__ = forward
    made.for_floats = made if "f" in kinds else forward
    return made


def for_floats(forward: Callable[..., Any]) -> Callable[..., Any]:
    """Return `forward` without the check of its dtype, where floats are not refused."""
    return getattr(forward, "for_floats", forward)


_SUBTRACTION = (
    "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the "
    "`~` or `logical_not()` operator instead."
)


TWO_BOOLEANS = (
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator "
    "instead."
)


def _no_booleans(given: list[Any]) -> None:
    if all(dtype.kind == "b" for dtype in given):
        raise RuntimeError(TWO_BOOLEANS)
    if any(dtype.kind == "b" for dtype in given):
        raise RuntimeError(_SUBTRACTION)


def _all_one(given: list[Any]) -> None:
    if given[0] != given[1]:
        raise RuntimeError(f"{dtypes.of(given[0]).title} did not match {dtypes.of(given[1]).title}")


_MIXED = {"isclose": _all_one, **dict.fromkeys(("sub", "rsub", "sub_scaled", "rsub_scaled"), _no_booleans)}


def check_mixed(name: str, operands: list[Any]) -> None:
    """Raise PyTorch's error if the op takes no operands of different dtypes like these."""
    if name in _MIXED:
        _MIXED[name]([each.dtype if hasattr(each, "dtype") else np.asarray(each).dtype for each in operands])
