"""The memory of a tensor as elements: `tensor.storage()`."""

from __future__ import annotations

from typing import Any

from dyncore.dtypes import dtypes
from dyncore.graph.versions import owner
from dyncore.tensors.tensor import Tensor, storage

from .interop import UntypedStorage

__dyncore__ = True


class TypedStorage:
    """The memory that a tensor and all its views look at, as elements of the tensor's dtype."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor
        root = owner(storage(tensor))
        dtype = tensor._array.dtype
        self._elements = (root.reshape(-1) if root.dtype == dtype else root.reshape(-1).view(dtype))[:]

    def untyped(self) -> UntypedStorage:
        """The same memory as a size and an address."""
        return UntypedStorage(self._tensor)

    @property
    def dtype(self) -> dtypes.dtype:
        """The element type."""
        return self._tensor.dtype

    def data_ptr(self) -> int:
        """The address of the first element."""
        return self.untyped().data_ptr()

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self.untyped().nbytes()

    def element_size(self) -> int:
        """Bytes of one element."""
        return self._tensor.element_size()

    def size(self) -> int:
        """How many elements there are."""
        return int(self._elements.size)

    __len__ = size

    def tolist(self) -> list[Any]:
        """The elements in the order of the memory."""
        return list(self._elements.tolist())

    def __getitem__(self, index: Any) -> Any:
        return self._elements[index].item()

    def __iter__(self) -> Any:
        return iter(self.tolist())

    def __repr__(self) -> str:
        lines = "\n".join(f" {each}" for each in self.tolist())
        return f"{lines}\n[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size {len(self)}]"
