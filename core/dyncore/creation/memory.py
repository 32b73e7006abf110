"""Memory of a tensor as elements: `tensor.storage()`."""

from __future__ import annotations

from typing import Any

from dyncore.dtypes import dtypes
from dyncore.graph.versions import owner
from dyncore.tensors.tensor import Tensor, storage

from .interop import UntypedStorage


class TypedStorage:
    """Memory shared by a tensor and all its views, as elements of the tensor's dtype."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor
        root = owner(storage(tensor))
        self._elements = root.reshape(-1).view(tensor._array.dtype)

    def untyped(self) -> UntypedStorage:
        """Return the same memory as a size and an address."""
        return UntypedStorage(self._tensor)

    @property
    def dtype(self) -> dtypes.dtype:
        """Dtype of the elements."""
        return self._tensor.dtype

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        return self.untyped().data_ptr()

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return self.untyped().nbytes()

    def element_size(self) -> int:
        """Return the bytes of one element."""
        return self._tensor.element_size()

    def size(self) -> int:
        """Return the number of elements."""
        return int(self._elements.size)

    __len__ = size

    def tolist(self) -> list[Any]:
        """Return the elements in the order of the memory."""
        return list(self._elements.tolist())

    def __getitem__(self, index: Any) -> Any:
        return self._elements[index].item()

    def __iter__(self) -> Any:
        return iter(self.tolist())

    def __repr__(self) -> str:
        lines = "\n".join(f" {each}" for each in self.tolist())
        return f"{lines}\n[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size {len(self)}]"
