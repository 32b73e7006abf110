"""Dtypes that PyTorch has no kernel for, op by op, where NumPy would compute something.

Letters are NumPy's kinds: b bool, i and u integers, f floats, c complex.
A word is the name of the kernel in PyTorch's sentence; a whole sentence has {got} for the dtype.
`REFUSED` is of elementwise ops, whose forward asks for the dtype; `KERNELS` of all others, which the dispatch asks for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import dtypes

__dyncore__ = True

_CLAMP = "clamp is not supported for complex types"
_NORM = "linalg.vector_norm: Expected a floating point or complex tensor as input. Got {got}"
_WEIGHT = "linalg.vecdot: Expected a floating point or complex tensor as input. Got {got}"

# (kinds, the kernel or the sentence): the ops.
_ROWS = (
    ("b", "addmm_impl_cpu_", "addmm addbmm mm linear tensordot linalg_multi_dot matmul"),
    ("b", "addmv_impl_cpu", "addmv mv"),
    ("b", "dot", "dot vdot inner"),
    ("b", "bmm", "bmm bilinear"),
    ("bc", "median_cpu", "median_of_all nanmedian_of_all"),
    ("bc", "median_out", "median_along nanmedian_along"),
    ("b", "slow_conv2d_cpu", "conv1d conv2d"),
    ("bu", "slow_conv_transpose2d_out_cpu", "conv_transpose1d conv_transpose2d"),
    ("b", "reflection_pad1d", "reflection_pad"),
    ("b", "replication_pad1d", "replication_pad"),
    ("c", "elu_cpu", "elu celu selu"),
    ("c", "log_sigmoid_cpu", "logsigmoid multilabel_soft_margin_loss"),
    ("ciu", "log_sigmoid_cpu", "binary_cross_entropy_with_logits"),
    ("c", _CLAMP, "hardtanh margin_ranking_loss cosine_embedding_loss"),
    ("bcu", "avg_pool2d", "avg_pool1d avg_pool2d"),
    ("bc", "{name}", "max_pool2d max_pool3d"),
    ("bciu", "max_unpool2d", "max_unpool"),
    ("bciu", "histogramdd", "histogram histogramdd"),
    ("biu", "grid_sampler_2d_cpu_kernel_impl", "sampled grid_sampler_2d"),
    ("c", "unique", "unique unique_consecutive"),
    ("b", "{name}(): does not support bool input", "argmax argmin"),
    ("b", "cov(): bool dtype is not supported for input", "cov corrcoef"),
    ("biu", _NORM, "renorm"),
    ("iu", _NORM, "normalize"),
    ("biu", _WEIGHT, "linalg_vecdot"),
    ("c", "{short}_cpu", " ".join(f"special_{name}" for name in (
        "i0e", "i1", "i1e", "xlog1py", "zeta", "entr", "ndtri", "log_ndtr", "erfcx", "airy_ai", "bessel_j0",
        "bessel_j1", "bessel_y0", "bessel_y1", "chebyshev_polynomial_t", "chebyshev_polynomial_u",
        "chebyshev_polynomial_v", "chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he",
        "laguerre_polynomial_l", "legendre_polynomial_p", "modified_bessel_i0", "modified_bessel_i1",
        "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1",
        "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
        "shifted_chebyshev_polynomial_w", "spherical_bessel_j0")) + " logit cummax cummin leaky_relu glu hardswish "
     "hardsigmoid mish softplus hardshrink threshold"),
    ("bciu", "{short}_cpu", "igamma igammac"),
)  # fmt: skip

KERNELS: dict[str, tuple[tuple[str, str], ...]] = {
    name: ((kinds, sentence.format(name=name, short=name.removeprefix("special_"), got="{got}")),)
    for kinds, sentence, names in _ROWS
    for name in names.split()
}
for _name in ("argmax", "argmin"):
    KERNELS[_name] += (("c", f"{_name}(): does not support complex input"),)
KERNELS.update(
    clamp=(("c", _CLAMP),),
    clamp_max=(("c", "minimum_cpu"),),
    clamp_min=(("c", "maximum_cpu"),),
    baddbmm=(("b", "baddbmm"),),
    addcmul=(("b", "addcmul_cpu_out"),),
    max_pool1d=(("bciu", "max_pool1d_impl"),),
    cholesky_inverse=(("biu", "cholesky_inverse_out_cpu"),),
    cholesky_solve=(("biu", "cholesky_solve_cpu"),),
    linalg_householder_product=(("biu", "orgqr_cpu"),),
    isin=(("bc", "Unsupported input type encountered for isin(): {got}"),),
    kthvalue=(("bc", "kthvalue_cpu"),),
    heaviside=(("c", "heaviside is not yet implemented for complex tensors."),),
    cosine_similarity=(("c", "expected common dtype to be floating point, yet common dtype is {got}"),),
    adaptive_avg_pool2d=(("c", "adaptive_avg_pool2d"),),
    adaptive_avg_pool3d=(("c", "adaptive_avg_pool3d_cpu"),),
    avg_pool3d=(("bcu", "avg_pool3d_out_frame"),),
    conv3d=(("b", "slow_conv3d_cpu"),),
    conv_transpose3d=(("bu", "slow_conv_transpose3d_out_cpu"),),
    layer_norm=(("bciu", "LayerNormKernelImpl"),),
    group_norm=(("bciu", "GroupNormKernelImpl"),),
    rms_norm=(("biu", "rms_norm"),),
    batch_norm_with=(("c", "batch_norm"),),
    multi_margin_loss=(("bciu", "multi_margin_loss_cpu_kernel"),),
    multilabel_margin_loss=(("bciu", "multilabel_margin_loss_forward_out_frame"),),
    prelu_kernel=(("bciu", "prelu_cpu"),),
    rrelu_with_noise=(("bciu", "rrelu_with_noise_out_cpu"),),
    topk=(("b", "topk does not support bool dtypes on CPU"), ("c", " topk does not support complex dtypes on CPU")),
    binary_cross_entropy=(("ci", "binary_cross_entropy"),),
    softshrink=(("c", "softshrink_check"),),
    lerp=(("biu", "lerp_kernel_scalar"),),
    gradient=(("u", "torch.gradient does not support uint8 input."),),
    mvlgamma=(("b", "The input tensor may not be a boolean tensor."), ("c", "arange_cpu")),
    index_reduce=(("bc", "index_func_"),),
    histc=(("b", "linspace_cpu"), ("c", "aminmax_cpu"), ("iu", "histogram_cpu")),
    bucketize=(("bc", "searchsorted_out_cpu"),),
    trace=(("b", "trace"),),
    cross=(("b", "cross"),),
    logcumsumexp=(("biu", "logcumsumexp_out_cpu"),),
    smooth_l1_loss=(("ciu", "smooth_l1_cpu"),),
    mse_loss=(("bciu", "mse_cpu"),),
    huber_loss=(("ciu", "huber_cpu"),),
    nll_loss=(("bciu", "nll_loss_out_frame"),),
    kl_div=(("iu", "kl_div: Integral inputs not supported."), ("c", "kl_div: Complex inputs not supported.")),
    pdist=(("bciu", "pdist only supports floating-point dtypes"),),
    ctc_likelihood=(("bciu", "ctc_loss_cpu"),),
    grid_sampler_3d=(("biu", "grid_sampler3d_cpu"),),
    adaptive_max=(("bciu", "adaptive_max_pool2d"),),
    scaled_dot_product_attention=(
        ("biu", "expected scalar type Float but found {got}"),
        ("c", "softmax_lastdim_kernel_impl"),
    ),
)
# Sentences that a NotImplementedError has; the others are a RuntimeError's.
_NOT_IMPLEMENTED = frozenset((_CLAMP,))


def check(rows: tuple[tuple[str, str], ...], dtype: Any) -> None:
    """Raise PyTorch's error if one of these rows names the NumPy dtype."""
    for kinds, sentence in rows:
        if dtype.kind in kinds:
            title = dtypes.of(dtype).title
            if " " not in sentence:
                raise NotImplementedError(f"\"{sentence}\" not implemented for '{title}'")
            error = NotImplementedError if sentence in _NOT_IMPLEMENTED else RuntimeError
            raise error(sentence.format(got=title))


_SUBTRACTION = (
    "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the "
    "`~` or `logical_not()` operator instead."
)


_TWO = (
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator "
    "instead."
)


def _no_booleans(given: list[Any]) -> None:
    if all(dtype.kind == "b" for dtype in given):
        raise RuntimeError(_TWO)
    if any(dtype.kind == "b" for dtype in given):
        raise RuntimeError(_SUBTRACTION)


def _all_one(given: list[Any]) -> None:
    if given[0] != given[1]:
        raise RuntimeError(f"{dtypes.of(given[0]).title} did not match {dtypes.of(given[1]).title}")


_MIXED = {
    "isclose": _all_one,
    **dict.fromkeys(("sub", "rsub", "sub_scaled", "rsub_scaled"), _no_booleans),
}


def check_mixed(name: str, operands: list[Any]) -> None:
    """Raises PyTorch's error if the op takes no operands of different dtypes like these."""
    if name in _MIXED:
        _MIXED[name]([np.asarray(each).dtype for each in operands])


# Op: (kinds refused, the kernel that its sentence names, or the whole sentence if it has a space in it).
REFUSED: dict[str, tuple[str, str]] = {
    "floor_divide": ("bc", "div_floor_cpu"),
    "remainder": ("bc", "remainder_cpu"),
    "fmod": ("bc", "fmod_cpu"),
    "fmax": ("c", "fmax not implemented for complex tensors."),
    "fmin": ("c", "fmin not implemented for complex tensors."),
    "atan2": ("c", "atan2_cpu"),
    "hypot": ("biuc", "hypot_cpu"),
    "copysign": ("c", "copysign_cpu"),
    "nextafter": ("biuc", "nextafter_cpu"),
    "gcd": ("bfc", "gcd_cpu"),
    "lcm": ("bfc", "lcm_cpu"),
    "logaddexp": ("biu", "logaddexp_cpu"),
    "logaddexp2": ("biuc", "logaddexp2_cpu"),
    "xlogy": ("c", "xlogy_cpu"),
    "bitwise_left_shift": ("bfc", "lshift_cpu"),
    "bitwise_right_shift": ("bfc", "rshift_cpu"),
    "ceil": ("bc", "ceil_vml_cpu|ceil is not supported for complex inputs"),
    "floor": ("bc", "floor_vml_cpu|floor is not supported for complex inputs"),
    "trunc": ("bc", "trunc_vml_cpu|trunc is not supported for complex inputs"),
    "frac": ("biuc", "frac_cpu"),
    "deg2rad": ("c", "deg2rad is not supported for complex tensors."),
    "rad2deg": ("c", "rad2deg is not supported for complex tensors."),
    "digamma": ("c", "digamma"),
    "erf": ("c", "erf_vml_cpu"),
    "erfc": ("c", "erfc_vml_cpu"),
    "erfinv": ("c", "erfinv_vml_cpu"),
    "lgamma": ("c", "lgamma_vml_cpu"),
    "i0": ("c", "i0_vml_cpu"),
    "isneginf": ("c", "isneginf does not support complex inputs."),
    "isposinf": ("c", "isposinf does not support complex inputs."),
    "relu": ("c", "clamp is not supported for complex types"),
    "special_entr": ("c", "entr_cpu"),
    "special_ndtri": ("c", "ndtri_cpu"),
    "special_log_ndtr": ("c", "log_ndtr_cpu"),
    "special_ndtr": ("c", "erf_vml_cpu"),
    "signbit": ("c", "signbit is not implemented for complex tensors."),
}
# Their sentences are those of a RuntimeError; a kernel that is not there is a NotImplementedError.
_PLAIN = frozenset(("fmax", "fmin", "deg2rad", "rad2deg", "isneginf", "isposinf"))


def guarded(name: str, forward: Callable[..., Any]) -> Callable[..., Any]:
    """`forward` of the same signature, raising PyTorch's error for the dtypes it refuses."""
    kinds, sentence = REFUSED[name]

    def one(input: Any) -> Any:
        if input.dtype.kind in kinds:
            raise refusal(name, sentence, input.dtype)
        return forward(input)

    def two(input: Any, other: Any) -> Any:
        # The other operand has been promoted to the same dtype.
        if input.dtype.kind in kinds:
            raise refusal(name, sentence, input.dtype)
        return forward(input, other)

    made: Any = one if forward.__code__.co_argcount == 1 else two
    made.__name__, made.__module__, made.__doc__ = forward.__name__, forward.__module__, forward.__doc__
    made.__annotations__ = {}
    made.__wrapped__ = forward
    made.for_floats = made if "f" in kinds else forward
    return made  # type: ignore[no-any-return]


def for_floats(forward: Callable[..., Any]) -> Callable[..., Any]:
    """`forward` without the question for its dtype, where floats are not refused: 1.3x on a small relu."""
    return getattr(forward, "for_floats", forward)


def refusal(name: str, sentence: str, dtype: Any) -> Exception:
    """The error of a kernel for a dtype; of two sentences the second is for complex numbers."""
    first, _, second = sentence.partition("|")
    text = second if second and dtype.kind == "c" else first
    if " " not in text:
        return NotImplementedError(f"\"{text}\" not implemented for '{dtypes.of(dtype).title}'")
    return RuntimeError(text) if name in _PLAIN else NotImplementedError(text)
