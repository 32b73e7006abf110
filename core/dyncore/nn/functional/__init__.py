"""`torch.nn.functional`: layers and losses as functions."""

import sys
from importlib import import_module
from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.errors.explain import missing_in
from dyncore.nn.functional.activation import *
from dyncore.nn.functional.attention import multi_head_attention_forward as multi_head_attention_forward
from dyncore.nn.functional.classes import *
from dyncore.nn.functional.conv import *
from dyncore.nn.functional.layers import *
from dyncore.nn.functional.loss import *
from dyncore.nn.functional.pool import *
from dyncore.nn.functional.resample import *

# These are ops as they stand; their modules are imported when one is first asked for.
_OPS = frozenset((
    "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "avg_pool1d",
    "avg_pool2d", "avg_pool3d", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "pixel_shuffle",
    "pixel_unshuffle", "channel_shuffle", "native_channel_shuffle", "bilinear", "cosine_similarity",
    "pairwise_distance", "pdist",
))  # fmt: skip
# Private names of PyTorch's that scripts import, and what they are here.
_PRIVATE = {
    "_canonical_mask": "nn.functional.private", "_verify_batch_size": "nn.functional.layers",
    "_get_softmax_dim": "nn.functional.private", "_in_projection": "nn.functional.private",
    "_in_projection_packed": "nn.functional.private", "_none_or_dtype": "nn.functional.private",
    **dict.fromkeys(("_single", "_pair", "_triple", "_quadruple"), "nn.modules"),
    "boolean_dispatch": "_jit_internal", "grad": "nn", "_Reduction": "nn._reduction", "torch": "",
    **dict.fromkeys(("handle_torch_function", "has_torch_function", "has_torch_function_unary",
                     "has_torch_function_variadic"), "overrides"),
}  # fmt: skip
_missing = missing_in(__name__)


def __getattr__(name: str) -> Any:
    if name == "conv_tbc":
        from .conv import conv_tbc

        return conv_tbc
    if name in _PRIVATE:
        source = import_module(f"dyncore.{_PRIVATE[name]}".rstrip("."))
        return source if name in ("torch", "_Reduction") else getattr(source, name)
    if name not in _OPS:
        return _missing(name)
    function = globals()[name] = TABLE[name].entry
    return function


def __dir__() -> list[str]:
    return sorted({*vars(sys.modules[__name__]), *_OPS, *_PRIVATE, "conv_tbc"})
