"""`torch.types`: names for annotations."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from dyncore.creation.interop import UntypedStorage
from dyncore.creation.memory import TypedStorage
from dyncore.dtypes.dtypes import dtype
from dyncore.errors.explain import missing_in
from dyncore.tensors.size import Size, device, layout
from dyncore.tensors.tensor import Tensor

__all__ = ["Device", "FileLike", "IntLikeType", "Number", "Storage"]

_TensorOrTensors = Tensor | Sequence[Tensor]
_TensorOrTensorsOrGradEdge = _TensorOrTensors
_int, _float, _bool, _symint = builtins.int, builtins.float, builtins.bool, builtins.int
_dtype, _device, _layout = dtype, device, layout
_size = Size | builtins.list[builtins.int] | tuple[builtins.int, ...]
_dispatchkey = str
Number = builtins.int | builtins.float | builtins.bool
Device = device | str | builtins.int | None
Storage = UntypedStorage | TypedStorage
FileLike = Any
SymInt, SymFloat, SymBool = builtins.int, builtins.float, builtins.bool  # numbers that PyTorch may trace
PySymType = IntLikeType = builtins.int
FloatLikeType, BoolLikeType, py_sym_types = builtins.float, builtins.bool, (builtins.int, builtins.float)

__getattr__ = missing_in(__name__)
