"""dyncore: eager autograd over NumPy with PyTorch's names and semantics.

`import dyncore as torch`.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from types import ModuleType
from typing import Any

import numpy as np

from dyncore.binding import imports as _imports
from dyncore.binding.bind import bind
from dyncore.binding.lazy import FUNCTIONS, load as load_rare
from dyncore.creation import random
from dyncore.creation.factory import *
from dyncore.creation.interop import *
from dyncore.creation.printing import (
    get_printoptions as get_printoptions,
    printoptions as printoptions,
    set_printoptions as set_printoptions,
)
from dyncore.creation.query import *
from dyncore.creation.random import *
from dyncore.creation.ranges import *
from dyncore.creation.ranges import range_ as range
from dyncore.dtypes import dtypes as _dtypes
from dyncore.dtypes.dtypes import (
    can_cast as can_cast,
    dtype as dtype,
    finfo as finfo,
    get_default_dtype as get_default_dtype,
    iinfo as iinfo,
    promote_types as promote_types,
    set_default_dtype as set_default_dtype,
)
from dyncore.graph.capture_marks import REPLAYED, capture_as
from dyncore.graph.modes import (
    enable_grad as enable_grad,
    inference_mode as inference_mode,
    is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled,
    is_anomaly_enabled as is_anomaly_enabled,
    is_grad_enabled as is_grad_enabled,
    is_inference_mode_enabled as is_inference_mode_enabled,
    no_grad as no_grad,
    set_grad_enabled as set_grad_enabled,
)
from dyncore.tensors.settings import *
from dyncore.tensors.size import (
    Size as Size,
    channels_last as channels_last,
    channels_last_3d as channels_last_3d,
    contiguous_format as contiguous_format,
    device as device,
    layout as layout,
    memory_format as memory_format,
    preserve_format as preserve_format,
    sparse_bsc as sparse_bsc,
    sparse_bsr as sparse_bsr,
    sparse_coo as sparse_coo,
    sparse_csc as sparse_csc,
    sparse_csr as sparse_csr,
    strided as strided,
)
from dyncore.tensors.tensor import Tensor as Tensor

from . import autograd, ops

# inf and nan are answers here, as in PyTorch, not faults to warn of.
# A thread begins with NumPy's own settings: there, Python's filter silences what comes out of this package's files.
np.seterr(divide="ignore", over="ignore", under="ignore", invalid="ignore")
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"dyncore(\.|$)")

inf, nan, pi, e = float("inf"), float("nan"), 3.141592653589793, 2.718281828459045
newaxis = None
torch = sys.modules[__name__]  # scripts write `from torch import torch`
__dyncore__ = True  # its name is "torch" while a script imports it so
__version__ = "2.13.0+dyncore"

# `torch.float` and `torch.int` are dtypes: from here on these names mean no builtins in this file.
globals().update({each.name: each for each in _dtypes.ALL}, **_dtypes.ALIASES)
functions = bind()
globals().update(functions)
for name in FUNCTIONS.keys() - functions.keys():
    globals().pop(name, None)
del functions, name
globals().update({name: getattr(Tensor, name) for name in ("detach", "detach_", "resize_as_", "zero_")})

LAZY = frozenset((
    "accelerator", "amp", "ao", "backends", "compiler", "cpu", "cuda", "distributed", "distributions", "export",
    "fft", "func", "functional", "futures", "fx", "hub", "jit", "legacy", "library", "linalg", "masked", "mps",
    "multiprocessing", "nested", "nn", "onnx", "optim", "overrides", "package", "process", "profiler",
    "quantization", "return_types", "serialization", "signal", "sparse", "special", "storage", "testing", "types",
    "utils", "version", "xpu", "_C", "_VF", "_dynamo", "_inductor", "_lowrank", "_utils", "_vmap_internals",
    "__config__",
))  # fmt: skip
_ELSEWHERE = {
    "autocast": "amp", "GradScaler": "amp", "vmap": "func",
    **dict.fromkeys(("lstm", "gru", "rnn_tanh", "rnn_relu"), "recurrence"),
    **dict.fromkeys(("lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell"), "recurrence"),
    **dict.fromkeys(("cond", "while_loop"), "control_flow"), "compile": "capture", "batched": "batching",
    "get_device_module": "cpu",
    **dict.fromkeys(("SymInt", "SymFloat", "SymBool"), "types"),
    **dict.fromkeys(("UntypedStorage", "TypedStorage"), "storage"), "Stream": "cpu", "to_dlpack": "utils.dlpack",
    **dict.fromkeys(("OutOfMemoryError", "AcceleratorError"), "cuda"),
    **dict.fromkeys(("fork", "wait"), "jit"),
    **dict.fromkeys(("bfloat16", "chalf", "complex32", "qint8", "quint8", "qint32"), "dtypes.dtypes"),
    **{f"float8_{k}": "dtypes.dtypes" for k in ("e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")},
    **{f"is_autocast_{name}": "amp" for name in ("available", "cache_enabled", "cpu_enabled", "enabled")},
    **{f"{name}_dtype": "amp" for name in ("get_autocast", "get_autocast_gpu", "set_autocast")},
    **{f"{way}_autocast_{kind}_dtype": "amp" for way in ("get", "set") for kind in ("cpu", "gpu")},
    **{f"{name}_enabled": "amp" for name in ("set_autocast", "set_autocast_cache", "set_autocast_cpu")},
    "clear_autocast_cache": "amp", "Future": "futures",
    **dict.fromkeys(("segment_reduce", "hash_tensor", "_chunk_cat", "_unsafe_masked_index"), "segments"),
    **dict.fromkeys(("_unsafe_masked_index_put_accumulate", "_safe_softmax"), "segments"),
    **dict.fromkeys(("eig", "lstsq", "matrix_rank", "solve", "symeig"), "compat.removed"),
    **dict.fromkeys(("sparse_coo_tensor", "spmm", "dsmm", "hspmm", "smm"), "sparse"),
    "save": "serialization", "load": "serialization", "set_default_tensor_type": "legacy",
    "bartlett_window": "signal.windows", "blackman_window": "signal.windows", "hamming_window": "signal.windows",
    "hann_window": "signal.windows", "kaiser_window": "signal.windows", "Variable": "autograd",
    **{f"_test_autograd_multiple_dispatch{end}": "autograd.private" for end in ("", "_view", "_view_copy")},
}  # fmt: skip


# Made when first asked for, in `native`.
NATIVE = frozenset(
    (
        *("embedding", "batch_norm", "instance_norm", "ctc_loss", "max_pool1d_with_indices", "adaptive_max_pool1d"),
        *("native_layer_norm", "native_group_norm", "native_batch_norm", "_native_batch_norm_legit"),
        *("_batch_norm_with_update", "native_dropout", "native_dropout_backward", "_softmax_backward_data"),
        *("svd_lowrank", "pca_lowrank", "lobpcg", "norm_except_dim", "prelu", "rrelu", "rrelu_"),
        *("_unique", "_unique2", "_VF", "native_norm", "conv_tbc"),
        "embedding_renorm_",
    )
)


def __getattr__(name: str) -> Any:
    """Import submodules and rare names on first access.

    Raises AttributeError for other names, with the nearest one.
    """
    value: Any
    if name in FUNCTIONS:
        load_rare(FUNCTIONS[name])
        return globals()[name]
    if name in LAZY:
        value = _lazily(name)
    elif name in _ELSEWHERE:
        value = getattr(_lazily(_ELSEWHERE[name]), name)
    elif name in NATIVE:
        value = getattr(_lazily("native"), name)
    elif name == "__all__":
        from dyncore.errors.explain import starred

        value = starred("torch")
    elif name.startswith("_foreach_") and (function := _foreach(name[9:])) is not None:
        value = function
    elif name.endswith("Tensor") and name in (types := _lazily("legacy").TYPES):
        value = types[name]
    else:
        from dyncore.errors.explain import missing_name

        raise missing_name("torch", name, torch)
    globals()[name] = value
    return value


capture_as(REPLAYED)(__getattr__)


def __dir__() -> list[str]:
    """Return every public name, also those that are imported on first access."""
    return sorted({*globals(), *FUNCTIONS, *LAZY, *_ELSEWHERE, *NATIVE, *_lazily("legacy").TYPES})


def _foreach(name: str) -> Any:
    try:
        return _lazily("foreach").foreach(name)
    except KeyError:
        return None


def _lazily(name: str) -> Any:
    try:
        module = importlib.import_module(f"dyncore.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"dyncore.{name}":
            raise
        from dyncore.errors.explain import missing_name

        raise missing_name("torch", name, torch) from None
    return module


_imports.install()
for _kind in (Tensor, Size, device, dtype, layout, memory_format):
    _kind.__module__ = "dyncore"  # where people find them: <class 'dyncore.Tensor'>
