"""Names that PyTorch's Tensor has and this one has not: asking for one says so, and `hasattr` says no."""

from __future__ import annotations

from typing import Any

__capture__ = "replayed"

# A test compares this with the list of PyTorch's names.
NAMES = (
    "bfloat16", "ccol_indices", "chalf", "col_indices", "crow_indices", "dequantize", "index",
    "int_repr", "ipu", "is_distributed", "map2_", "mtia", "q_per_channel_axis", "q_per_channel_scales",
    "q_per_channel_zero_points", "q_scale", "q_zero_point", "qscheme", "record_stream", "resize", "resize_as",
    "resize_as_sparse_", "row_indices", "slice_inverse", "sparse_resize_",
    "sparse_resize_and_clear_", "sspaddmm", "storage_type", "to_mkldnn", "to_padded_tensor", "to_sparse_bsc",
    "to_sparse_bsr", "to_sparse_csc", "to_sparse_csr", "xpu",
)  # fmt: skip


class Missing:
    """The descriptor in the place of a missing name; an attribute that a user sets goes before it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, tensor: Any, owner: Any) -> Any:
        if tensor is None:
            raise AttributeError(f"type object '{owner.__name__}' has no attribute '{self.name}'")
        from dyncore.errors.explain import missing_attribute

        raise missing_attribute(owner, self.name)


METHODS = {name: Missing(name) for name in NAMES}
