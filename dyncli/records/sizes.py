"""Memory of a recorded tensor's elements."""

from __future__ import annotations

import math

from dyncli.records.model import TensorSummary

SIZES = {"bool": 1, "int8": 1, "uint8": 1, "int16": 2, "float16": 2, "bfloat16": 2, "uint16": 2, "int32": 4,
         "uint32": 4, "float32": 4, "int64": 8, "uint64": 8, "float64": 8, "complex32": 4, "complex64": 8,
         "complex128": 16}  # fmt: skip


def size_bytes(tensor: TensorSummary) -> int:
    """Return the bytes of a tensor's elements; of a dtype that is not known, those of float32."""
    return math.prod(tensor.shape) * SIZES.get(tensor.dtype, 4)
