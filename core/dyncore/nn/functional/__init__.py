"""`torch.nn.functional`: layers and losses as functions."""

import sys
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
_missing = missing_in(__name__)


def __getattr__(name: str) -> Any:
    if name == "conv_tbc":
        from .conv import conv_tbc

        return conv_tbc
    if name not in _OPS:
        return _missing(name)
    function = globals()[name] = TABLE[name].entry
    return function


def __dir__() -> list[str]:
    return sorted({*vars(sys.modules[__name__]), *_OPS, "conv_tbc"})
