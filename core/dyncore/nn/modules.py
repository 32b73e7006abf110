"""`torch.nn.modules` and the files in it under PyTorch's names.

`nn.modules.module.Module` is `nn.Module`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import dyncore.nn as nn
from dyncore.errors.explain import missing_name, starred
from dyncore.nn import global_hooks, tuples

__path__: list[str] = []

_FILES = (
    *("activation", "adaptive", "batchnorm", "container", "conv", "distance", "dropout", "flatten", "fold"),
    *("instancenorm", "lazy", "linear", "loss", "module", "normalization", "padding", "pixelshuffle", "pooling"),
    *("rnn", "sparse", "transformer", "upsampling", "utils", "channelshuffle", "linear_cross_entropy"),
    *("linear_cross_entropy_options",),
)


class _File(ModuleType):
    """Module of `torch.nn.modules` with the names of `torch.nn`."""

    def __getattr__(self, name: str) -> Any:
        if name == "__all__":
            return starred("torch.nn.modules")
        if name.startswith("__"):
            raise AttributeError(name)
        return _find(f"torch.nn.modules.{self.__name__.rpartition('.')[2]}", name)


_TUPLES = {"_single": 1, "_pair": 2, "_triple": 3, "_quadruple": 4}
# Private names of PyTorch's that scripts import, and what they are here.
_PRIVATE = {
    "_addindent": "module:_addindent", "_AvgPoolNd": "pooling:_AvgPool",
    "_BatchNorm": "batchnorm:_BatchNorm", "_ConstantPadNd": "padding:_ConstantPad",
    "_ConvNd": "conv:_Convolution", "_ConvTransposeNd": "conv:_Transposed", "_DropoutNd": "dropout:_Dropout",
    "_AdaptiveAvgPoolNd": "pooling:_Adaptive", "_AdaptiveMaxPoolNd": "pooling:_AdaptiveMax",
    "_ReflectionPadNd": "padding:_Pad", "_ReplicationPadNd": "padding:_Pad", "LazyModuleMixin": "lazy:_Lazy",
    "_generate_square_subsequent_mask": "transformer:_square_mask",
    "consume_prefix_in_state_dict_if_present": "state:consume_prefix",
    **dict.fromkeys(("_shape_t", "_size_1_t", "_size_2_t", "_size_3_t", "_size_any_t"), "tuples:Sizes"),
    "_IncompatibleKeys": "state:IncompatibleKeys", "_InstanceNorm": "batchnorm:_InstanceNorm", "_Loss": "loss:Loss",
    "_MaxPoolNd": "pooling:_MaxPool", "_NormBase": "batchnorm:_Norm", "_WeightedLoss": "loss:WeightedLoss",
    "_get_activation_fn": "transformer:_activation", "_get_clones": "transformer:_clones", "_ntuple": "tuples:repeated",
    "NonDynamicallyQuantizableLinear": "attention:NonDynamicallyQuantizableLinear",
    "_reverse_repeat_tuple": "tuples:reversed_and_repeated",
}  # fmt: skip


def _find(title: str, name: str) -> Any:
    if name in _TUPLES:
        return lambda value: tuples.as_tuple(value, _TUPLES[name])
    for module in (nn, global_hooks):
        if name in vars(module):
            return vars(module)[name]
    if name in _PRIVATE:
        file, _, place = _PRIVATE[name].partition(":")
        return getattr(import_module(f"dyncore.nn.{file}"), place)
    if name.startswith("LinearCrossEntropy"):
        return getattr(nn, name)
    raise missing_name(title, name, nn)


for _file in _FILES:
    sys.modules[f"{__name__}.{_file}"] = globals()[_file] = _File(f"{__name__}.{_file}", f"`torch.nn.modules.{_file}`.")


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return starred("torch.nn.modules")
    if name.startswith("__"):
        raise AttributeError(name)
    return _find("torch.nn.modules", name)
