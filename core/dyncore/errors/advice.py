"""PyTorch's warnings, by name, given at the user's line."""

from __future__ import annotations

from typing import Any

from .explain import warn, warn_once

_OLD = "is deprecated in favor of"
_GOES = "and will be removed in a future PyTorch release."
_SILENCE = (
    "To suppress this warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`."
)

# Said once in a process.
_ONCE = {
    "meshgrid": "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.",
    "T": "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw "
    "an error in a future release. Consider `x.mT` to transpose batches of matrices or "
    "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.",
    "where": "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future "
    "version of PyTorch. Use a boolean condition instead.",
    "cross": "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly "
    "or simply use torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a "
    "future release.",
    "chain_matmul": f"torch.chain_matmul is deprecated {_GOES} Use torch.linalg.multi_dot instead, which accepts a "
    "list of two or more tensors rather than multiple parameters.",
    "cholesky": f"torch.cholesky {_OLD} torch.linalg.cholesky {_GOES}\nL = torch.cholesky(A)\nshould be replaced with\n"
    "L = torch.linalg.cholesky(A)\nand\nU = torch.cholesky(A, upper=True)\nshould be replaced with\n"
    "U = torch.linalg.cholesky(A).mH\nThis transform will produce equivalent results for all valid (symmetric positive "
    "definite) inputs.",
    "qr": f"torch.qr {_OLD} torch.linalg.qr {_GOES}\nThe boolean parameter 'some' has been replaced with a string "
    "parameter 'mode'.\nQ, R = torch.qr(A, some)\nshould be replaced with\n"
    "Q, R = torch.linalg.qr(A, 'reduced' if some else 'complete')",
    "lu": f"torch.lu {_OLD} torch.linalg.lu_factor / torch.linalg.lu_factor_ex {_GOES}\n"
    "LU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\n"
    "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
    "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
    "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)",
    "triangular_solve": f"torch.triangular_solve {_OLD} torch.linalg.solve_triangular{_GOES}\n"
    "torch.linalg.solve_triangular has its arguments reversed and does not return a copy of one of the inputs.\n"
    "X = torch.triangular_solve(B, A).solution\nshould be replaced with\nX = torch.linalg.solve_triangular(A, B).",
    "stft": "A window was not provided. A rectangular window will be applied,which is known to cause spectral "
    "leakage. Other windows such as torch.hann_window or torch.hamming_window are recommended to reduce spectral "
    f"leakage.{_SILENCE}",
    "stft real": "stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex "
    "tensors for all inputs, and return_complex=False will raise an error.\n"
    "Note: you can still call torch.view_as_real on the complex output to recover the old return format.",
    "istft": "A window was not provided. A rectangular window will be applied.Please provide the same window used by "
    f"stft to make the inversion lossless.{_SILENCE}",
    "set_default_tensor_type": "torch.set_default_tensor_type() is deprecated as of PyTorch 2.1, please use "
    "torch.set_default_dtype() and torch.set_default_device() as alternatives.",
}  # fmt: skip

# Said every time.
_ALWAYS = {
    "tensor": "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
    "list": "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch "
    "2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, "
    "x[torch.tensor(seq)], which will result either in an error or a different result",
    "range": "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent "
    "with Python's range builtin. Instead, use torch.arange, which produces values in [start, end).",
    "uint8": "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.",
    "cov": "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.",
    "gumbel_softmax": "`eps` parameter is deprecated and has no effect.",
    "embedding_bag": "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, "
    "...)` is deprecated, and should now be `embedding_bag(input, weight, ...)`.",
    "affine_grid": "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. "
    "This is not an intended use case of affine_grid. See the documentation of affine_grid for details.",
    "elementwise_mean": "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.",
    "volatile": "volatile was removed and now has no effect. Use `with torch.no_grad():` instead.",
    "pin_memory": "'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't "
    "be used.",
    "step not wrapped": "Seems like `optimizer.step()` has been overridden after learning rate scheduler "
    "initialization. Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
    "step first": "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you "
    "should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will "
    "result in PyTorch skipping the first value of the learning rate schedule. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate",
    "epoch": "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. "
    "Please use `scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the "
    "closed form is used instead of the new chainable form, where available. Please open an issue if you are unable to "
    "replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose.",
}  # fmt: skip

# Said every time, as FutureWarning.
_FUTURE = {
    "clip_grad_norm": "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
    "`torch.nn.utils.clip_grad_norm_`.",
    "state_dict": "Positional args are being deprecated, use kwargs instead. Refer to "
    "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details.",
    "NLLLoss2d": "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in replacement and see "
    "https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more details.",
    "functional_call": "`torch.nn.utils.stateless.functional_call` is deprecated as of PyTorch 2.0 and will be removed "
    "in a future version of PyTorch. Please use `torch.func.functional_call` instead which is a drop-in replacement.",
}  # fmt: skip


def advise(about: str) -> None:
    """Warn as PyTorch does of `about`, a name above, at the user's line."""
    if about in _ONCE:
        warn_once(about, _ONCE[about])
    elif about in _FUTURE:
        warn(_FUTURE[about], FutureWarning)
    else:
        warn(_ALWAYS[about])


def channels(name: str, given: int, spatial: int) -> None:
    """Warn that `name` (dropout2d, dropout3d) zeroes whole channels.

    given: the number of dimensions it got.
    """
    ranks = f"{spatial + 1}D or {spatial + 2}D"
    warn(
        f"{name}: Received a {given}-D input to {name}, which is deprecated and will result in an error in a future "
        f"release. To retain the behavior and silence this warning, please use dropout instead. Note that {name} "
        f"exists to provide channel-wise dropout on inputs with {spatial} spatial dimensions, a channel dimension, and "
        f"an optional batch dimension (i.e. {ranks} inputs)."
    )


def rows(name: str) -> None:
    """Warn that a 3-d input of `dropout2d` is taken as (N, C, L)."""
    warn(
        f"{name}: Received a 3D input to {name} and assuming that channel-wise 1D dropout behavior is desired - input "
        "is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future release "
        "to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D "
        "channel-wise dropout behavior, please switch to using dropout1d instead."
    )


def mismatched(first: str, first_kind: Any, other: str, other_kind: Any) -> None:
    """Warn of two masks of different dtypes."""
    if first_kind != other_kind:
        warn(f"Support for mismatched {first} and {other} is deprecated. Use same type for both instead.")
