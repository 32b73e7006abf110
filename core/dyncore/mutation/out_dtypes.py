"""Dtypes that `out=` may have: PyTorch's kernels differ, each with its sentence.

In the sentences {want} and {got} are the dtypes of the result and of `out`, {wants} and {gots} their names in C++.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.dtypes.supported import refusal

_EXACTLY = "Expected out tensor to have dtype {wants}, but got {gots} instead"
_SAFELY = ": Expected result to be safely castable from {want} dtype, but got result with dtype {got}"
_FOUND = "Found dtype {got} but expected {want}"
_SCALAR_TYPE = "expected scalar type {want} but found {got}"
_SAME = "result dtype {got} does not match input dtype {want}"
_CAT = "torch.cat(): input types can't be cast to the desired output type {got}"

# The sentence for any dtype but the result's own: (the sentence, the ops).
_STRICT = (
    (_EXACTLY, "addmm addmv baddbmm bmm cross expand_copy diagonal_copy alias_copy lu_unpack lu_solve softmax "
     "max_along min_along aminmax as_strided_copy avg_pool2d linear topk mm view_copy permute_copy qr "
     "split_with_sizes_copy slice_scatter triangular_solve svd gather index_copy index_add index_reduce sort scatter "
     "scatter_add unbind_copy unfold_copy msort renorm squeeze_copy take_along_dim unsqueeze_copy transpose_copy tril "
     "triu log_softmax norm t_copy scatter_reduce linalg_cross linalg_det linalg_cholesky linalg_cholesky_ex "
     "linalg_eigh linalg_eigvalsh linalg_qr linalg_slogdet linalg_vector_norm linalg_lu_factor linalg_lu_factor_ex "
     "linalg_lu linalg_lu_solve linalg_inv linalg_inv_ex linalg_solve linalg_solve_ex linalg_svd linalg_svdvals isin "
     "diag argmax argmin"),
    (_FOUND, "abs ceil conj_physical frac floor softshrink hardshrink gelu neg round sign sgn trunc softplus "
     "bitwise_not"),
    (_SAME, "dot vdot matmul"),
    (_SCALAR_TYPE, "logsigmoid linalg_solve_triangular"),
    ("expected scalar_type {want} but found {got}", "cummax cummin logcumsumexp"),
    ("self and mat2 must have the same dtype, but got {got} and {want}", "addbmm"),
    ("addmv input tensors must have the same dtype, but got {got}, {want}, and {want}", "mv"),
    ("torch.frexp() expects mantissa to have dtype {wants} but got {gots}", "frexp"),
    ("output values must be of same type as input", "kthvalue"),
    ("masked_select(): self and result must have the same scalar type", "masked_select"),
    ("quantile() out tensor must be same dtype as the input tensor", "quantile nanquantile"),
    ("heaviside is not yet implemented for tensors with different dtypes.", "heaviside"),
    ("expected scalar type '{want}' but got '{got}' for values output", "mode"),
    ("torch.ormqr: Expected input and result to have the same dtype, but input has dtype{want} and result has dtype "
     "{got}", "ormqr"),
    ("signbit does not support non-boolean outputs.", "signbit"),
    ("isposinf does not support non-boolean outputs.", "isposinf"),
    ("isneginf does not support non-boolean outputs.", "isneginf"),
    ("nan_to_num: dtype of out: {got} should be same as input: {want}", "nan_to_num"),
    ("index_select(): self and result must have the same scalar type", "index_select"),
    ("take(): self and out expected to have the same dtype, but got self.dtype = {want} and out.dtype = {got}", "take"),
    ("torch.histogram: input tensor and hist tensor should have the same dtype, but got input {wants} and hist {gots}",
     "histogram histc"),
    ("tensordot: Expected the output tensor to have dtype {want}, but got an output tensor with dtype {got}",
     "inner tensordot"),
    ("Expected out type to be {want} but got {got}", "where"),
    ("nonzero: Expected out tensor to have scalar type Long but got scalar type{got}", "nonzero"),
    ("linalg.matrix_norm expected out tensor dtype {want} but got: {got}", "linalg_matrix_norm"),
    ("all only supports bool tensor for result, got: {got}", "all"),
    ("any only supports bool tensor for result, got: {got}", "any"),
    ("Expected the dtype for input and out to match, but got {want} for input's dtype and {got} for out's dtype.",
     "amax amin"),
    ("linalg.vecdot: Expected out of dtype{want} but found {got}", "linalg_vecdot"),
    ("multi_dot(): expected out tensor to have dtype {want} but got {got}", "linalg_multi_dot"),
    ("linalg.norm expected out tensor dtype {want} but got: {got}", "linalg_norm"),
    ("Expected object of scalar type {want} but got scalar type {got} for argument 'out'", "complex polar"),
    ("the output given to float_power has dtype {got} but the operation's result requires dtype {want}", "float_power"),
    ("multinomial expects Long tensor out, got: {got}", "multinomial"),
    ("torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on "
     "whether out_int32 flag is True, but we got output tensor's dtype {got} and out_int32 flag is {short}",
     "searchsorted bucketize"),
)  # fmt: skip

# The sentence for a dtype that the result may not be cast to, where it is not the usual one.
_CASTS = (
    *((f"{name}{_SAFELY}", name) for name in ("cholesky", "cholesky_inverse", "cholesky_solve")),
    *((f"{name}{_SAFELY}", f"linalg_{name}") for name in ("matrix_power", "tensorinv", "tensorsolve")),
    *((f"linalg.{name}{_SAFELY}", f"linalg_{name}") for name in ("cond", "pinv")),
    (f"torch.linalg.householder_product{_SAFELY}", "linalg_householder_product"),
    *(
        (f"torch.linalg.{name}{_SAFELY}".replace("result", "eigenvalues"), f"linalg_{name}")
        for name in ("eig", "eigvals")
    ),
    (f"torch.linalg.lstsq{_SAFELY}".replace("result", "solution"), "linalg_lstsq"),
    (f"torch.geqrf{_SAFELY}".replace("result", "a"), "geqrf"),
    (_CAT, "column_stack stack hstack cat vstack dstack concat concatenate row_stack"),
    ("ldexp can't be cast to the desired output type {got}", "ldexp"),
    ("diag: result type {want} can't be cast to the desired out= type {got}", "diag"),
    ("logsumexp(): Expected floating point type for result tensor, but got: {got}", "logsumexp"),
    *((f"{name} expects a complex output tensor, but got {{got}}", f"fft_{name}") for name in (
        "fft", "ifft", "rfft", "ihfft", "fftn", "ifftn", "rfftn", "ihfftn")),
    *((f"{name[:-1]}n expects a complex output tensor, but got {{got}}", f"fft_{name}") for name in (
        "fft2", "ifft2", "rfft2", "ihfft2")),
)  # fmt: skip

# Real results that no complex `out` may hold.
_REAL = (
    *((f"{name} expects a floating point output tensor, but got {{got}}", f"fft_{name}") for name in (
        "hfft", "irfft", "hfftn", "irfftn")),
    *((f"{name[:-1]}n expects a floating point output tensor, but got {{got}}", f"fft_{name}") for name in (
        "hfft2", "irfft2")),
)  # fmt: skip


# Functions of PyTorch's that take no `out`.
WITHOUT = frozenset((
    "_neg_view", "alpha_dropout", "argwhere", "as_strided", "bilinear", "binary_cross_entropy_with_logits",
    "bincount", "broadcast_to", "cdist", "celu", "channel_shuffle", "chunk", "clone", "conj", "constant_pad_nd",
    "count_nonzero", "detach", "diag_embed", "diagonal", "diagonal_scatter", "dist", "dropout", "embedding",
    "embedding_bag", "fill", "flatten", "flip", "group_norm", "imag", "index_fill", "index_put", "isclose",
    "isfinite", "isinf", "isnan", "isreal", "layer_norm", "linalg_matrix_exp", "masked_fill", "masked_scatter",
    "narrow", "native_channel_shuffle", "pdist", "permute", "pixel_shuffle", "pixel_unshuffle", "positive", "put",
    "ravel", "real", "relu", "reshape", "rms_norm", "roll", "rot90", "select", "select_scatter", "selu", "split",
    "squeeze", "swapaxes", "swapdims", "t", "trace", "transpose", "unflatten", "unique", "unique_consecutive",
    "unravel_index", "unsafe_chunk", "unsafe_split", "unsqueeze", "view_as_complex", "view_as_real", "zeros_like",
    "split_with_sizes", "unbind",
))  # fmt: skip


_SEVERAL = (
    "max", "min", "median", "lu", "unbind_copy", "split_copy", "split_with_sizes_copy",
)  # or one, by what is asked  # fmt: skip


def _by_op(rows: Any) -> dict[str, str]:
    return {name: sentence for sentence, names in rows for name in names.split()}


STRICT, CASTS, REAL = _by_op(_STRICT), _by_op(_CASTS), _by_op(_REAL)


def check(name: str, made: Any, target: np.dtype[Any]) -> None:
    """Raise the error of the op `name` if its result, the array `made`, may not be written as `target`."""
    wanted = made.dtype
    if wanted == target:
        return
    higher = dtypes.category(wanted) > dtypes.category(target)
    sentence = (CASTS.get(name) if higher else None) or STRICT.get(name)
    if name in REAL and (higher or target.kind == "c"):
        sentence = REAL[name]
    if sentence is not None and not (name in ("all", "any") and target == np.uint8):
        from dyncore.errors.explain import WORDS

        want, got = dtypes.of(wanted), dtypes.of(target)
        names = {"want": want.title, "got": got.title, "short": wanted == np.int32}
        text = sentence.format(wants=WORDS[want.name], gots=WORDS[got.name], **names)
        raise TypeError(text) if sentence is _CAT else RuntimeError(text)


def check_given(op: Any, out: Any) -> tuple[Any, ...]:
    """Return the tensors in `out`.  Raise TypeError where it is none, another number of them, or the op takes none."""
    from dyncore.tensors.tensor import Tensor

    name = op.name.removesuffix("_along").removesuffix("_of_all")
    if op.name in WITHOUT:
        raise TypeError(f"{name}() got an unexpected keyword argument 'out'")
    several = len(op.returns)
    if isinstance(out, Tensor):
        if several > 1:
            raise TypeError(f"{name}(): argument 'out' must be tuple of Tensors, not Tensor")
        return (out,)
    one = several < 2 and op.kind != "general" and op.name not in _SEVERAL
    if one or not isinstance(out, (tuple, list)):
        wanted = "tuple of Tensors" if several > 1 else "Tensor"
        raise TypeError(f"{name}(): argument 'out' must be {wanted}, not {type(out).__name__}")
    for number, each in enumerate(out):
        if not isinstance(each, Tensor):
            raise TypeError(
                f"expected Tensor as element {number} in argument 'out' of {name}(), but got {type(each).__name__}"
            )
    return tuple(out)


# Reductions that add up in the dtype of their `out`.
_SUMMED = frozenset(("sum", "prod", "cumsum", "cumprod"))
_COMPARING = frozenset(("lt", "le", "gt", "ge", "heaviside"))


def summed(op: Any, kwargs: dict[str, Any], outs: tuple[Any, ...]) -> dict[str, Any]:
    """Return the arguments, with the dtype of `out` for the ops that add up in it."""
    if op.name not in _SUMMED:
        return kwargs
    wanted = kwargs.get("dtype")
    if wanted is not None:
        if wanted != outs[0].dtype and not op.name.startswith("cum"):
            want, got = dtypes.in_c(dtypes.to_numpy(wanted)), dtypes.in_c(outs[0]._array.dtype)
            raise RuntimeError(_EXACTLY.format(wants=want, gots=got))
        return kwargs
    if op.name.startswith("cum") and outs[0]._array.dtype.kind == "b":
        raise refusal(f"{op.name}_out_cpu", outs[0]._array.dtype)
    return {**kwargs, "dtype": outs[0].dtype}


def sooner(op: Any, args: tuple[Any, ...], target: np.dtype[Any]) -> Exception | None:
    """Return the error for what cannot hold the operands' common dtype, which PyTorch finds first, or None."""
    from dyncore.tensors.tensor import Tensor

    operands = [each._array if isinstance(each, Tensor) else each for each in args]
    if op.name in STRICT and len(operands) == 1:
        if operands[0].dtype != target and operands[0].dtype.kind != "c":
            want, got = dtypes.of(operands[0].dtype).title, dtypes.of(target).title
            return RuntimeError(STRICT[op.name].format(want=want, got=got, wants=want, gots=got))
        return None
    if op.name in _COMPARING or (op.kind not in ("unary", "binary") and len(op.promote) != 2):
        return None
    if not all(hasattr(each, "dtype") or isinstance(each, (int, float, complex)) for each in operands):
        return None
    wanted = dtypes.result_type(*operands)
    if dtypes.category(wanted) <= dtypes.category(target):
        return None
    return RuntimeError(
        f"result type {dtypes.of(wanted).title} can't be cast to the desired output type {dtypes.of(target).title}"
    )


# Results of another dtype than the tensor they were to be written into, where PyTorch has words of its own.
_INPLACE = {
    "abs_": "In-place abs is not supported for complex tensors.",
    "float_power_": "the base given to float_power_ has dtype {got} but the operation's result requires dtype {want}",
}


def check_inplace(name: str, wanted: Any, target: Any) -> None:
    """Raise the error of an in-place op if its result, of the dtype `wanted`, may not be written as `target`."""
    sentence = _INPLACE.get(name)
    if sentence is None and dtypes.category(wanted) > dtypes.category(target):
        sentence = "result type {want} can't be cast to the desired output type {got}"
    if sentence is not None:
        raise RuntimeError(sentence.format(want=dtypes.of(wanted).title, got=dtypes.of(target).title))


def warn_resized(shape: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    """PyTorch's warning that an `out` with elements in it had another shape."""
    from dyncore.errors.explain import warn

    warn(
        f"An output with one or more elements was resized since it had shape {list(shape)}, which does not match the "
        f"required output shape {list(wanted)}. This behavior is deprecated, and in a future PyTorch release outputs "
        "will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, "
        "inplace, to zero elements with t.resize_(0)."
    )
